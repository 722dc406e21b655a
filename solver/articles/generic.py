"""Minimax without distance on any board, as the Scala article has it: a win is a win, the last of the best is taken.

The tree is counted as plain minimax visits it, every position as often as it occurs, though each is worked out once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from solver.board.position import Position
from solver.board.rules import Cell
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
