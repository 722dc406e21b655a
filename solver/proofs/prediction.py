"""Predictions: what perfect play makes of every open square of a position."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType

from solver.board.outcome import Bounds, Outcome, Value, to_parent
from solver.board.position import Position
from solver.board.rules import Cell
from solver.kernel.potential import estimate
from solver.search.budget import Budget
from solver.search.tablebase import has_table, looked_up

AT_ONCE = Budget(seconds=0.2)
"""The budget of a prediction that a page waits for."""


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

    @cached_property
    def estimates(self) -> Mapping[Cell, float]:
        """How promising the squares are of which it is not proved who wins, from 0 to 1: guesses; see `estimate`."""
        unknown = [cell for cell, outcome in self.squares.items() if outcome.value is Value.UNKNOWN]
        guessed = estimate(self.position) if unknown else {}
        return {cell: guessed[cell] for cell in unknown}

    @cached_property
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


def predict(position: Position, budget: Budget = AT_ONCE) -> Prediction:
    """Every open square's outcome: exact on boards of up to nine cells, elsewhere as far as the budget reaches.

    Squares that a symmetry of the position turns into each other always agree. A process searches a position once, and
    for later calls looks up the proofs that others have found since.
    """
    if has_table(position.rules):
        return _looked_up(position)
    from solver.proofs.study import proved_at_once  # noqa: PLC0415 - with the store and the kernel, which 3×3 does without

    return proved_at_once(position, budget)


def predict_reproducibly(position: Position) -> Prediction:
    """As `predict`, but on larger boards from a search of so many nodes instead of what is proved by now.

    So it depends on the position alone: not on the machine, nor on what was searched before, nor on what is stored.
    """
    if has_table(position.rules):
        return _looked_up(position)
    from solver.proofs.reproducible import proved_reproducibly  # noqa: PLC0415 - likewise

    return proved_reproducibly(position)


@lru_cache(maxsize=4096)
def _looked_up(position: Position) -> Prediction:
    found: dict[Cell, Outcome] = {}
    for orbit in position.orbits():
        score = to_parent(looked_up(position.after(orbit[0])))
        found |= dict.fromkeys(orbit, Outcome.of_score(score, position.plies_left))
    return Prediction(position, MappingProxyType({cell: found[cell] for cell in position.legal_moves}), 0)
