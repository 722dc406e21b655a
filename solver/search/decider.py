"""Answers to whether a position is decided: by the solver of larger boards, or by the table of small ones."""

from typing import Protocol

from solver.board.outcome import WIN
from solver.board.position import Position
from solver.search.meter import Meter
from solver.search.tablebase import looked_up


class Decider(Protocol):
    """Answers what a `solver.search.solver.Solver` does."""

    def decided(self, position: Position, plies: int, meter: Meter) -> bool:
        """Whether an unfinished position is won for its mover within `plies` plies, if odd, or lost, if even.

        Raises BudgetExhausted.
        """


class TableSolver:
    """Answers by the table of a small board, at no cost."""

    def decided(self, position: Position, plies: int, _: Meter) -> bool:
        """As `Decider` does, of a reachable position."""
        score = looked_up(position)
        return score >= WIN - plies if plies % 2 else score <= plies - WIN
