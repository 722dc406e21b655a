"""The matchboxes of MENACE: one for each class of positions in which X has a choice.

They are from Donald Michie, "Trial and error", Penguin Science Survey 1961, volume 2, and "Experiments on the
mechanization of game-learning, Part I", The Computer Journal 6 (1963). The machine moves first, so it plays X here. A
box shows a position, and holds beads whose colours name squares. Positions that a turn or a reflection of the board
maps onto each other share a box. If a symmetry of the position exchanges some squares, only one of them has beads. X's
fifth move is forced and needs no box.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.search.fold import reached


@dataclass(frozen=True, slots=True)
class Box:
    """A matchbox: its number from 1 on, the position on it, and the squares that it has beads for, in reading order."""

    number: int
    position: Position
    squares: tuple[Cell, ...]

    @property
    def turn(self) -> int:
        """The number of X's move in the game, 1 to 4."""
        return turn_of(self.position)


@cache
def boxes() -> tuple[Box, ...]:
    """Return the 304 boxes, in the order of X's moves and then of the stones."""
    found = sorted(_faced(), key=lambda position: (turn_of(position), position.x, position.o))
    return tuple(
        Box(number, position, tuple(orbit[0] for orbit in position.orbits()))
        for number, position in enumerate(found, start=1)
    )


def turn_of(position: Position) -> int:
    """Return the number of X's next move in a position, from 1 on."""
    return position.x.bit_count() + 1


def has_box(position: Position) -> bool:
    """Return whether X has a choice in an unfinished position. On the last square there is no choice."""
    return position.plies_left > 1


@cache
def opened(position: Position) -> tuple[Box, tuple[Cell, ...]]:
    """Return the box for a position with X to move, and for each square on the box its cell in the position.

    If a symmetry of the position exchanges some squares, use the first of them in reading order, as the box does. Raise
    KeyError if there is no box.
    """
    box = _by_position()[position.canonical()]
    turn = next(each for each in TIC_TAC_TOE.symmetries if position.transformed(each) == box.position)
    lying = {min(turn[cell] for cell in orbit): orbit[0] for orbit in position.orbits()}
    return box, tuple(lying[square] for square in box.squares)


@cache
def _by_position() -> dict[Position, Box]:
    return {box.position: box for box in boxes()}


def _faced() -> Iterator[Position]:
    """Yield one position of each class in which X has to choose."""
    for position, following in reached(Position(TIC_TAC_TOE), _after).items():
        if following and position.mover is Mark.X and has_box(position):
            yield position


def _after(position: Position) -> Iterable[Position]:
    """Return the positions after each move, one of each class."""
    return dict.fromkeys(after.canonical() for after in position.successors())
