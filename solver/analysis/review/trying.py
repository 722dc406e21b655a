"""Another try at a move of a game: what it is worth, and whether it is better than what was played."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from solver.analysis.review.turns import PredictionOf
from solver.board.outcome import Grade, Outcome, graded
from solver.board.position import Position
from solver.board.rules import Cell
from solver.proofs.prediction import Prediction, predict
from solver.reasons import Reason, explain


class Against(StrEnum):
    """One square held against another by the order of moves: quicker win, slower win, draw, slower and quicker loss."""

    BETTER = "better"
    AS_GOOD = "as good"
    WORSE = "worse"
    UNKNOWN = "unknown"
    """Too little is proved to tell."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a square that somebody tries is worth, how it compares with the one played, and why it is what it is."""

    cell: Cell
    outcome: Outcome
    grade: Grade
    against: Against
    reason: Reason

    @property
    def keeps(self) -> bool:
        """Whether it is proved to keep all that there was, so that nothing is left to look for but distance."""
        return self.grade in (Grade.BEST, Grade.SLOWER)


def reason_at_once(prediction: Prediction, cell: Cell) -> Reason:
    """Why a square is what is predicted of it."""
    return explain(prediction.position, cell, prediction)


def judge(
    position: Position,
    cell: Cell,
    played: Cell,
    prediction_of: PredictionOf = predict,
    why: Callable[[Prediction, Cell], Reason] = reason_at_once,
) -> Judgement:
    """Judges a square tried in place of the one that was played. Raises IllegalMove for either."""
    for each in (cell, played):
        position.play(each)
    prediction = prediction_of(position)
    outcome = prediction.squares[cell]
    return Judgement(
        cell,
        outcome,
        graded(prediction.outcome, outcome),
        _against(outcome, prediction.squares[played]),
        why(prediction, cell),
    )


def _against(tried: Outcome, played: Outcome) -> Against:
    ours, theirs = tried.ranks, played.ranks
    if ours.lower > theirs.upper:
        return Against.BETTER
    if ours.upper < theirs.lower:
        return Against.WORSE
    return Against.AS_GOOD if ours.score is not None and ours == theirs else Against.UNKNOWN
