"""The matchboxes of MENACE: one for each class of positions in which X has a choice.

They are from Donald Michie, "Trial and error", Penguin Science Survey 1961, volume 2, and "Experiments on the
mechanization of game-learning, Part I", The Computer Journal 6 (1963). The machine moves first, so it plays X here. A
box shows a position, and holds beads whose colours name squares. Positions that a turn or a reflection of the board
maps onto each other share a box. If a symmetry of the position exchanges some squares, only one of them has beads. X's
fifth move is forced and needs no box.

A chest needs fewer boxes if the machine also follows rules: where a rule names squares, it plays any of them. It needs
fewer still if it plays any square in some other positions. Four boxes are the fewest that can be filled so that a
machine which opens in the centre and completes lines never loses, and no four are enough for another opening.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from solver.board.notation import parse_position
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players.decision import Rule
from solver.players.handbook import HANDBOOK
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
        return self.position.x.bit_count() + 1


@dataclass(frozen=True, slots=True, eq=False)
class Chest:
    """The boxes of a machine that follows these rules first: for all positions left, or `only` for some of them."""

    rules: tuple[Rule, ...] = ()
    only: frozenset[Position] | None = None

    def unboxed(self, position: Position) -> tuple[Cell, ...]:
        """Return the squares to play without a box, each as likely as the others; none if X has a choice."""
        for rule in self.rules:
            if cells := rule.cells(position):
                return cells
        if self.only is not None:
            return () if position.canonical() in self.only else position.legal_moves
        orbits = position.orbits()
        return orbits[0] if len(orbits) == 1 else ()


WHOLE: Final = Chest()
"""Michie's chest of 304 boxes, without rules."""

_SIMPLE: Final = (HANDBOOK["win"], HANDBOOK["centre"])

MINI: Final = Chest(_SIMPLE)
"""The 17 boxes of a machine that opens in the centre and completes a line if it can."""

MICRO: Final = Chest(
    _SIMPLE,
    frozenset(
        parse_position(text).canonical() for text in ("O../.X./...", ".O./.X./...", "X.O/.X./..O", ".X./OX./.O.")
    ),
)
"""Four boxes for the same machine, which plays any square in all other positions."""


@cache
def boxes(chest: Chest = WHOLE) -> tuple[Box, ...]:
    """Return the boxes of a chest, in the order of X's moves and then of the stones."""

    def after(position: Position) -> Iterable[Position]:
        cells = chest.unboxed(position) if position.mover is Mark.X and position.result is None else ()
        positions = map(position.after, cells) if cells else position.successors()
        return dict.fromkeys(each.canonical() for each in positions)

    faced = [
        position
        for position, following in reached(Position(TIC_TAC_TOE), after).items()
        if following and position.mover is Mark.X and not chest.unboxed(position)
    ]
    faced.sort(key=lambda position: (position.x.bit_count(), position.x, position.o))
    return tuple(
        Box(number, position, tuple(orbit[0] for orbit in position.orbits()))
        for number, position in enumerate(faced, start=1)
    )


@cache
def opened(position: Position, chest: Chest = WHOLE) -> tuple[Box | None, tuple[Cell, ...]]:
    """Return the box for a position with X to move, and for each square on the box its cell in the position.

    If a symmetry of the position exchanges some squares, use the first of them in reading order, as the box does. Where
    no box is needed, return None and the squares to choose from.
    """
    if cells := chest.unboxed(position):
        return None, cells
    face = position.canonical()
    box = next(box for box in boxes(chest) if box.position == face)
    turn = next(each for each in TIC_TAC_TOE.symmetries if position.transformed(each) == face)
    lying = {min(turn[cell] for cell in orbit): orbit[0] for orbit in position.orbits()}
    return box, tuple(lying[square] for square in box.squares)
