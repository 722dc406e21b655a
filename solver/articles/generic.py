"""Minimax and the search for lines, on any board, as in the Scala article, and the driver that lets players take turns.

`PlainMinimax` has values without distances. It computes each position once, but counts as many nodes as plain minimax
would visit.

`attempts` follows four directions from each stone until the player's stones end. Four are enough on any board, since
every line runs from its first stone to the right, down, down to the left, or down to the right.

`play` lets two players of one interface take turns. A person is one of them.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.board.families import STRAIGHT, Place
from solver.board.notation import format_cell, format_cells, format_position, parse_cell
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell, cells_of
from solver.errors import BadOption, NoughtsError
from solver.search.fold import fold

MAX_PLAIN_POSITIONS: Final = 60_000
"""The most positions to compute, up to symmetry. Every board of up to 12 squares has fewer."""


@dataclass(frozen=True, slots=True)
class Plain:
    """The value of a position for its mover (1 win, 0 draw, -1 loss), and the number of nodes of its whole tree."""

    value: int
    nodes: int


class PlainMinimax:
    """Plain minimax on one board, with a cache of values and node counts."""

    def __init__(self, max_positions: int = MAX_PLAIN_POSITIONS) -> None:
        self._known: dict[Position, Plain] = {}
        self._most = max_positions
        self.plain: Callable[[Position], Plain] = fold(end_value, chosen, self._moves, Position.canonical, self._known)
        """A function that returns the value and nodes of a position. It raises BadOption after too many positions."""

    def _moves(self, position: Position) -> tuple[Position, ...]:
        if len(self._known) >= self._most:
            raise BadOption(
                f"The whole tree has more than {self._most:,} different positions here; take a board of at most 12"
                " squares, or a position with fewer open squares."
            )
        return position.successors()

    def best(self, position: Position) -> tuple[Cell, ...]:
        """Return all moves with the best value, in reading order."""
        values = {cell: -self.plain(position.after(cell)).value for cell in position.legal_moves}
        top = max(values.values(), default=0)
        return tuple(cell for cell, value in values.items() if value == top)

    def last_best(self, position: Position, order: tuple[Cell, ...]) -> Cell:
        """Return the last of the best moves in this order, as the article's fold does."""
        return max(self.best(position), key=order.index)


def end_value(position: Position) -> Plain:
    """Return the value of a finished game for the player whose turn it would be."""
    return Plain(-1 if position.winning_lines else 0, 1)


def chosen(_: Position, replies: Sequence[Plain]) -> Plain:
    """Return the value of a position for its mover, given the values of its successors for the opponent."""
    return Plain(max(-each.value for each in replies), 1 + sum(each.nodes for each in replies))


WORDS: Final[Mapping[Place, str]] = MappingProxyType(
    {(1, 0): "to the right", (0, 1): "down", (1, 1): "down to the right", (-1, 1): "down to the left"}
)
"""The directions in words."""


@dataclass(frozen=True, slots=True)
class Run:
    """One attempt to find a line: the stones from `start` in one direction, and the square after them.

    `stopped_by` is None if the attempt ends at the edge of the board or with a complete line.
    """

    start: Cell
    direction: Place
    stones: tuple[Cell, ...]
    stopped_by: Cell | None
    is_line: bool


def attempts(position: Position, mark: Mark) -> Iterator[Run]:
    """Yield the attempts to find a player's line. The first success is the last attempt."""
    rules, stones = position.rules, position.stones(mark)
    for direction in STRAIGHT:
        for start in cells_of(stones):
            (column, row), (right, down) = rules.column_row(start), direction
            places = ((column + right * step, row + down * step) for step in range(rules.k))
            cells = tuple(rules.cell(c, r) for c, r in places if 0 <= c < rules.columns and 0 <= r < rules.rows)
            met = next((number for number, cell in enumerate(cells) if not stones >> cell & 1), len(cells))
            is_line = met == rules.k
            yield Run(start, direction, cells[:met], cells[met] if met < len(cells) else None, is_line)
            if is_line:
                return


def run_in_words(run: Run, position: Position, mark: Mark) -> str:
    """Return an attempt as a sentence, e.g. "From b3 down: b3, b2, then b1 is empty."."""
    rules = position.rules
    begun = f"From {format_cell(run.start, rules)} {WORDS[run.direction]}: {format_cells(run.stones, rules)}"
    if run.is_line:
        return f"{begun}. That is {rules.k} in a row: {mark} has a line."
    if run.stopped_by is None:
        return f"{begun}, then the board ends."
    there = position.mark_at(run.stopped_by)
    taken = f"{there}'s" if there else "empty"
    return f"{begun}, then {format_cell(run.stopped_by, rules)} is {taken}."


Mover: TypeAlias = Callable[[Position], Position]
"""A player: a function from a position to the position after its move."""

Say: TypeAlias = Callable[[str], None]
"""A function that prints a line."""


def program(order: tuple[Cell, ...]) -> Mover:
    """Return minimax as a player. Of the best squares it takes the last in this order, as the article's fold does."""
    minimax = PlainMinimax()
    return lambda position: position.play(minimax.last_best(position, order))


def person(typed: Iterator[str], say: Say) -> Mover:
    """Return a person as a player, who types a row and a column, and tries again if the move is impossible."""

    def move(position: Position) -> Position:
        say("Which row and column?")
        row_and_column = next(typed)
        say(row_and_column)
        try:
            return position.play(parse_cell(row_and_column.replace(" ", ","), position.rules))
        except NoughtsError:
            say("You can't play there.")
            return move(position)

    return move


def play(one: Mover, two: Mover, say: Say) -> Position:
    """Play a game and return its end. The player who has moved goes to the end of the queue."""
    players, position, number = deque([one, two]), Position(TIC_TAC_TOE), 0
    while position.result is None:
        say(f"Player {number % 2 + 1} moves:")
        position = players[0](position)
        say(format_position(position).replace("/", "\n"))
        players.rotate(-1)
        number += 1
    say({"X": "Player 1 wins.", "O": "Player 2 wins."}.get(position.result, "A draw."))
    return position
