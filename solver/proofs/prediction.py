"""The outcomes of a position's open squares under perfect play: predicted within a budget, or solved to the end."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType

from solver.board.outcome import Bounds, Outcome, Value, to_parent
from solver.board.position import Position
from solver.board.rules import Cell
from solver.kernel.potential import estimate, potential
from solver.search.budget import UNLIMITED, Budget
from solver.search.tablebase import has_table, looked_up

AT_ONCE = Budget(seconds=0.2)
"""The budget of a prediction that a page waits for."""

LINE = Budget(seconds=2)
"""The budget of a solution's line of best play."""


@dataclass(frozen=True)
class Prediction:
    """The outcome of each legal move for the player who makes it, in reading order, and the nodes searched for them.

    `nodes` is 0 where every outcome was looked up. A finished game has no squares.
    """

    position: Position
    squares: Mapping[Cell, Outcome]
    nodes: int

    @cached_property
    def best(self) -> tuple[Cell, ...]:
        """The squares with the best outcome; empty where that is not proved."""
        return best_of(self.squares)

    @cached_property
    def proved(self) -> int:
        """The number of squares that are proved with their distance."""
        return sum(outcome.plies is not None for outcome in self.squares.values())

    @property
    def complete(self) -> bool:
        """True if all squares are proved with their distance."""
        return self.proved == len(self.squares)

    @cached_property
    def estimates(self) -> Mapping[Cell, float]:
        """Guesses, from 0 to 1, of how promising the squares of unknown value are; see `estimate`."""
        unknown = [cell for cell, outcome in self.squares.items() if outcome.value is Value.UNKNOWN]
        guessed = estimate(self.position) if unknown else {}
        return {cell: guessed[cell] for cell in unknown}

    @cached_property
    def outcome(self) -> Outcome:
        """The outcome of the position for its mover, as far as its squares prove it; of a finished game, its end."""
        if self.position.result is not None:
            return Outcome(Value.LOSS if self.position.winning_lines else Value.DRAW, 0)
        ranks = [outcome.ranks for outcome in self.squares.values()]
        bounds = Bounds(max(each.lower for each in ranks), max(each.upper for each in ranks))
        return Outcome.of_bounds(bounds, self.position.plies_left)


def best_of(squares: Mapping[Cell, Outcome]) -> tuple[Cell, ...]:
    """Return the squares with the best proved outcome; none if another square could still turn out better."""
    top = max((outcome.ranks.lower for outcome in squares.values()), default=0)
    best = tuple(cell for cell, outcome in squares.items() if outcome.ranks == Bounds(top, top))
    open_to_more = any(outcome.ranks.upper > top for outcome in squares.values())
    return () if open_to_more else best


def predict(position: Position, budget: Budget = AT_ONCE) -> Prediction:
    """Predict every open square: exactly on boards of up to nine cells, else as far as the budget reaches.

    Squares that a symmetry of the position turns into each other always agree. A process searches a position once.
    Later calls look up what others have proved since.
    """
    if has_table(position.rules):
        return _looked_up(position)
    from solver.proofs.study import proved_at_once  # noqa: PLC0415 - with the store and the kernel, which 3×3 does without

    return proved_at_once(position, budget)


def predict_reproducibly(position: Position) -> Prediction:
    """Predict every open square from the position alone, for opponents whose replies must be reproducible.

    On boards of more than nine cells it searches a fixed number of nodes, and neither uses nor keeps other proofs.
    """
    if has_table(position.rules):
        return _looked_up(position)
    from solver.proofs.study import proved_reproducibly  # noqa: PLC0415 - likewise

    return proved_reproducibly(position)


@dataclass(frozen=True, slots=True)
class Solution:
    """The proofs of a position's squares, and as much of a line of best play as is found soon.

    The line is empty if the best move is not proved, and in a finished game.
    """

    prediction: Prediction
    line: tuple[Cell, ...]

    @property
    def outcome(self) -> Outcome:
        """The outcome of the position for its mover."""
        return self.prediction.outcome


def solve(position: Position, budget: Budget = UNLIMITED) -> Solution:
    """Prove every square of a position, as far as the budget reaches.

    Proofs are kept. The next search of this process, or of another that shares the store, goes on from them.
    """
    from solver.proofs.study import proving  # noqa: PLC0415 - likewise

    for _ in proving(position, budget):
        pass
    return solution(position)


def solution(position: Position) -> Solution:
    """Return what this process has proved of a position so far."""
    from solver.proofs.study import study_of  # noqa: PLC0415 - likewise

    study = study_of(position)
    prediction = study.prediction()
    if not prediction.best:
        return Solution(prediction, ())
    first = max(prediction.best, key=lambda cell: potential(position, cell))
    return Solution(prediction, study.best_play(first, prediction.squares[first], LINE))


@lru_cache(maxsize=4096)
def _looked_up(position: Position) -> Prediction:
    found: dict[Cell, Outcome] = {}
    for orbit in position.orbits():
        score = to_parent(looked_up(position.after(orbit[0])))
        found |= dict.fromkeys(orbit, Outcome.of_score(score, position.plies_left))
    return Prediction(position, MappingProxyType({cell: found[cell] for cell in position.legal_moves}), 0)
