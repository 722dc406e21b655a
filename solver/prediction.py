"""A prediction: what is proved of every open square of a position."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from solver.outcome import Bounds, Outcome, Value
from solver.position import Position
from solver.rules import Cell


@dataclass(frozen=True)
class Prediction:
    """The outcome of each legal move for the player who makes it, in reading order, and the nodes searched for it.

    `nodes` is 0 where every outcome was looked up. A finished game has no squares.
    """

    position: Position
    squares: Mapping[Cell, Outcome]
    nodes: int

    @cached_property
    def best(self) -> tuple[Cell, ...]:
        """The squares with the best outcome. Empty where that is not proved."""
        return best_of(self.squares)

    @cached_property
    def proved(self) -> int:
        """How many squares are proved with their distance."""
        return sum(outcome.plies is not None for outcome in self.squares.values())

    @property
    def complete(self) -> bool:
        """Whether all squares are."""
        return self.proved == len(self.squares)

    @property
    def outcome(self) -> Outcome:
        """The outcome of the position for its mover, as far as its squares prove it; how a finished game ended."""
        if self.position.result is not None:
            return Outcome(Value.LOSS if self.position.winning_lines else Value.DRAW, 0)
        ranks = [outcome.ranks for outcome in self.squares.values()]
        bounds = Bounds(max(each.lower for each in ranks), max(each.upper for each in ranks))
        return Outcome.of_bounds(bounds, self.position.plies_left)


def best_of(squares: Mapping[Cell, Outcome]) -> tuple[Cell, ...]:
    """The squares whose proved outcome no other square's can beat; empty where an unproved one might."""
    top = max((outcome.ranks.lower for outcome in squares.values()), default=0)
    best = tuple(cell for cell, outcome in squares.items() if outcome.ranks == Bounds(top, top))
    open_to_more = any(outcome.ranks.upper > top for outcome in squares.values())
    return () if open_to_more else best
