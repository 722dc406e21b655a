"""The game as a curve: what perfect play made of each of its positions, from X's side."""

from dataclasses import dataclass

from solver.analysis.review.turns import Review
from solver.board.outcome import Outcome, Value
from solver.board.position import Mark


@dataclass(frozen=True, slots=True)
class GraphPoint:
    """The position after `ply` moves: its outcome as X sees it, in plies from there, and how high it is drawn."""

    ply: int
    outcome: Outcome
    height: float | None


def graph(review: Review) -> tuple[GraphPoint, ...]:
    """A point for each position of a game, the first and the last included."""
    outcomes = (*(turn.before for turn in review.turns), review.end)
    seen = (
        outcome if position.mover is Mark.X else outcome.seen_by_the_other()
        for position, outcome in zip(review.game.positions, outcomes, strict=True)
    )
    size = review.game.last.rules.size
    return tuple(GraphPoint(ply, outcome, height(outcome, size)) for ply, outcome in enumerate(seen))


def height(outcome: Outcome, size: int) -> float | None:
    """Where an outcome is drawn on a board of `size` cells, from 1 for a game won down to -1 for one lost.

    A draw is 0. A win to come is at least 0.5, and the higher the quicker it is; one whose distance is not proved is as
    slow as it can be. None where nothing is proved.
    """
    if outcome.value is Value.UNKNOWN:
        return None
    if outcome.value is Value.DRAW:
        return 0.0
    plies = outcome.plies if outcome.plies is not None else outcome.at_most
    assert plies is not None  # noqa: S101 - a win or a loss has its distance, or a limit of it
    distance = 1 - plies / (2 * size)
    return distance if outcome.value is Value.WIN else -distance
