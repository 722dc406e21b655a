"""Impossible with a tie-break: of the squares with the best outcome, those whose tie-break is worth most."""

from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

from solver.board.position import Position
from solver.board.rules import Cell
from solver.proofs.prediction import predict
from solver.strategies.decision import FINISHED, Decide, Decision, any_of


class Measure(Protocol):
    """What a tie-break makes of a square: its worth for the player who takes it, and how that came about."""

    @property
    def value(self) -> int | Fraction:
        """More is better."""
        ...

    def words(self) -> str:
        """What was counted."""
        ...


def impossible_by(name: str, measure: Callable[[Position, Cell], Measure]) -> Decide:
    """The perfect player with this tie-break, for boards whose every position is looked up."""

    def decide(position: Position) -> Decision:
        prediction = predict(position)
        if not prediction.squares:
            raise ValueError(FINISHED)
        best = prediction.best
        outcome = prediction.squares[best[0]].words(position.mover)
        if len(best) == 1:
            return any_of(best, "the best outcome there is, on one square only", outcome)
        found = {cell: measure(position, cell) for cell in best}
        top = max(each.value for each in found.values())
        chosen = [cell for cell in best if found[cell].value == top]
        reason = f"the best outcome there is, and of the squares that have it the best by {name}"
        return any_of(chosen, reason, f"{outcome}; {found[chosen[0]].words()}")

    return decide
