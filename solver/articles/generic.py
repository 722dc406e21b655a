"""Minimax without distance on any board, as the Scala article has it: a win is a win, the last of the best is taken.

The tree is counted as plain minimax visits it, every position as often as it occurs, though each is worked out once.

How a line is found: from each stone in each direction, step by step, as long as the same player stands there.

Source of the idea: the article on minimax in Scala. Every line has a stone from which it runs down, to the
right, or down to either side; so these four directions are enough on any board.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from solver.board.notation import format_cell, format_cells
from solver.board.position import Mark, Position
from solver.board.rules import DIRECTIONS, Cell, Direction, cells_of
from solver.errors import BadOption
from solver.search.fold import fold

MAX_PLAIN_POSITIONS: Final = 60_000
"""Positions, symmetric ones as one, that a count may go through; every board of up to 12 cells has fewer."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A position's value for its mover, 1 for a win, 0 for a draw, -1 for a loss, and the nodes of its whole tree."""

    value: int
    nodes: int


class PlainMinimax:
    """Values and counts of one board's positions, each remembered. One that needs too many raises BadOption."""

    def __init__(self, max_positions: int = MAX_PLAIN_POSITIONS) -> None:
        self._known: dict[Position, Plain] = {}
        self._most = max_positions
        self._plain = fold(end_value, chosen, self._moves, Position.canonical, self._known)

    @property
    def positions(self) -> int:
        """The different positions that were worked out, symmetric ones as one."""
        return len(self._known)

    def plain(self, position: Position) -> Plain:
        """Value and nodes of a position. Raises BadOption after too many positions."""
        return self._plain(position)

    def _moves(self, position: Position) -> tuple[Position, ...]:
        if len(self._known) >= self._most:
            raise BadOption(
                f"The whole tree has more than {self._most:,} different positions here; take a board of at most 12"
                " squares, or a position with fewer open squares."
            )
        return position.successors()

    def best(self, position: Position) -> tuple[Cell, ...]:
        """All moves of the best value, in reading order."""
        values = {cell: -self.plain(position.after(cell)).value for cell in position.legal_moves}
        top = max(values.values(), default=0)
        return tuple(cell for cell, value in values.items() if value == top)

    def last_best(self, position: Position, order: tuple[Cell, ...]) -> Cell:
        """The move that the article's fold ends with: of the best, the one listed last."""
        best = self.best(position)
        return max(best, key=order.index)


def end_value(position: Position) -> Plain:
    """The worth of a finished game for the player that would be to move."""
    return Plain(-1 if position.winning_lines else 0, 1)


def chosen(_: Position, replies: Sequence[Plain]) -> Plain:
    """What a position is worth to its mover, by what its moves are worth to the other player."""
    return Plain(max(-each.value for each in replies), 1 + sum(each.nodes for each in replies))


WORDS: Final[Mapping[Direction, str]] = MappingProxyType(
    {(1, 0): "to the right", (0, 1): "down", (1, 1): "down to the right", (-1, 1): "down to the left"}
)
"""The directions as people say them."""


@dataclass(frozen=True, slots=True)
class Run:
    """One attempt: the stones met from `start` on, and the cell that ends it, None where the board or the line does."""

    start: Cell
    direction: Direction
    stones: tuple[Cell, ...]
    stopped_by: Cell | None
    is_line: bool


def line_check(position: Position, mark: Mark) -> tuple[Run, ...]:
    """Every attempt to find a line of a player, up to the first that does."""
    return tuple(attempts(position, mark))


def attempts(position: Position, mark: Mark) -> Iterator[Run]:
    """The same, one after the other."""
    rules, stones = position.rules, position.stones(mark)
    for direction in DIRECTIONS:
        for start in cells_of(stones):
            cells = rules.run(start, direction)
            met = next((number for number, cell in enumerate(cells) if not stones >> cell & 1), len(cells))
            is_line = met == rules.k
            yield Run(start, direction, cells[:met], cells[met] if met < len(cells) else None, is_line)
            if is_line:
                return


def told(run: Run, position: Position, mark: Mark) -> str:
    """An attempt as a sentence, e.g. "From b3 down: b3, b2, then b1 is empty."."""
    rules = position.rules
    begun = f"From {format_cell(run.start, rules)} {WORDS[run.direction]}: {format_cells(run.stones, rules)}"
    if run.is_line:
        return f"{begun}. That is {rules.k} in a row: {mark} has a line."
    if run.stopped_by is None:
        return f"{begun}, then the board ends."
    there = position.mark_at(run.stopped_by)
    return f"{begun}, then {format_cell(run.stopped_by, rules)} is {f'{there}’s' if there else 'empty'}."
