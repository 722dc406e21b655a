"""Minimax without distance on any board, as the Scala article has it: a win is a win, the last of the best is taken.

The tree is counted as plain minimax visits it, every position as often as it occurs, though each is worked out once.
"""

from dataclasses import dataclass
from typing import Final

from solver.board.position import Position
from solver.board.rules import Cell
from solver.errors import BadOption

MAX_POSITIONS: Final = 60_000
"""Positions, symmetric ones as one, that a count may go through; every board of up to 12 cells has fewer."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A position's value for its mover, 1 for a win, 0 for a draw, -1 for a loss, and the nodes of its whole tree."""

    value: int
    nodes: int


class PlainMinimax:
    """Values and counts of one board's positions, each remembered. One that needs too many raises BadOption."""

    def __init__(self, max_positions: int = MAX_POSITIONS) -> None:
        self._known: dict[Position, Plain] = {}
        self._most = max_positions

    @property
    def positions(self) -> int:
        """The different positions that were worked out, symmetric ones as one."""
        return len(self._known)

    def plain(self, position: Position) -> Plain:
        """Value and nodes of a position. Raises BadOption after too many positions."""
        canonical = position.canonical()
        found = self._known.get(canonical)
        if found is None:
            if len(self._known) >= self._most:
                raise BadOption(
                    f"The whole tree has more than {self._most:,} different positions here; take a board of at most 12"
                    " squares, or a position with fewer open squares."
                )
            below = [self.plain(canonical.after(cell)) for cell in canonical.legal_moves]
            value = max((-each.value for each in below), default=-1 if canonical.winning_lines else 0)
            found = self._known[canonical] = Plain(value, 1 + sum(each.nodes for each in below))
        return found

    def best(self, position: Position) -> tuple[Cell, ...]:
        """All moves of the best value, in reading order."""
        values = {cell: -self.plain(position.after(cell)).value for cell in position.legal_moves}
        top = max(values.values(), default=0)
        return tuple(cell for cell, value in values.items() if value == top)

    def last_best(self, position: Position, order: tuple[Cell, ...]) -> Cell:
        """The move that the article's fold ends with: of the best, the one listed last."""
        best = self.best(position)
        return max(best, key=order.index)
