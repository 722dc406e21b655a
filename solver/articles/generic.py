"""Minimax on any board as in the Scala article: values without distance, and a search for lines by directions.

`PlainMinimax` computes each position once, but counts as many nodes as plain minimax would visit.

`attempts` follows four directions from each stone until the player's stones end. Every line runs to the right, down, or
down to either side from its first stone, so four directions are enough on any board.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from solver.board.notation import format_cell, format_cells
from solver.board.position import Mark, Position
from solver.board.rules import DIRECTIONS, Cell, Direction, cells_of
from solver.errors import BadOption
from solver.search.fold import fold

MAX_PLAIN_POSITIONS: Final = 60_000
"""The most positions in a count, up to symmetry; every board of up to 12 squares has fewer."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A position's value for its mover (1 win, 0 draw, -1 loss), and the nodes of its whole tree."""

    value: int
    nodes: int


class PlainMinimax:
    """The values and node counts of one board's positions, with a cache."""

    def __init__(self, max_positions: int = MAX_PLAIN_POSITIONS) -> None:
        self._known: dict[Position, Plain] = {}
        self._most = max_positions
        self.plain: Callable[[Position], Plain] = fold(end_value, chosen, self._moves, Position.canonical, self._known)
        """The function that gives value and nodes of a position; it raises BadOption after too many positions."""

    @property
    def positions(self) -> int:
        """The number of positions computed, up to symmetry."""
        return len(self._known)

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
        """Return the best move that comes last in this order, as the article's fold does."""
        return max(self.best(position), key=order.index)


def end_value(position: Position) -> Plain:
    """Return the value of a finished game for the player whose turn it would be."""
    return Plain(-1 if position.winning_lines else 0, 1)


def chosen(_: Position, replies: Sequence[Plain]) -> Plain:
    """Return the value of a position for its mover, given the values of its successors for the opponent."""
    return Plain(max(-each.value for each in replies), 1 + sum(each.nodes for each in replies))


WORDS: Final[Mapping[Direction, str]] = MappingProxyType(
    {(1, 0): "to the right", (0, 1): "down", (1, 1): "down to the right", (-1, 1): "down to the left"}
)
"""The directions in words."""


@dataclass(frozen=True, slots=True)
class Run:
    """One attempt to find a line: the stones from `start` on, and the square after them.

    `stopped_by` is None if the attempt ends at the edge of the board or with a complete line.
    """

    start: Cell
    direction: Direction
    stones: tuple[Cell, ...]
    stopped_by: Cell | None
    is_line: bool


def attempts(position: Position, mark: Mark) -> Iterator[Run]:
    """Yield the attempts to find a line of a player, up to the first success."""
    rules, stones = position.rules, position.stones(mark)
    for direction in DIRECTIONS:
        for start in cells_of(stones):
            cells = rules.run(start, direction)
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
    return f"{begun}, then {format_cell(run.stopped_by, rules)} is {f'{there}’s' if there else 'empty'}."
