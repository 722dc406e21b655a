"""Judging an answer to a drill: whether it is right, what it keeps or gives away, and why."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from solver.analysis.drills.drill import Drill
from solver.analysis.drills.kinds import DrillKind
from solver.analysis.drills.known import prediction_of
from solver.analysis.review import reason_at_once
from solver.board.outcome import Grade, Outcome, Value, graded
from solver.board.position import Position, Result
from solver.board.rules import Cell
from solver.errors import BadOption
from solver.proofs.prediction import Prediction
from solver.reasons import Reason

DrillAnswer: TypeAlias = Cell | Outcome
"""A square, or, where it is asked who wins, the outcome for the mover: see `evaluation`."""


@dataclass(frozen=True, slots=True)
class DrillJudgement:
    """What is made of an answer.

    `cell` is the square that was given, and `grade` and `reason` are its; where an outcome was given, they are those of
    the first square of best play, which says why the position is what it is.
    """

    right: bool
    cell: Cell
    grade: Grade
    reason: Reason


def evaluation(position: Position, result: Result, moves: int | None = None) -> Outcome:
    """The outcome for the mover, if the game ends like this after so many moves of the winner's own.

    A draw needs no number: it is played to a full board. Raises BadOption for a win without one, or in less than 1.
    """
    if result is Result.DRAW:
        return Outcome(Value.DRAW, position.plies_left)
    if moves is None or moves < 1:
        raise BadOption("Say in how many moves of the winner's own, 1 or more.")
    if result == Result(position.mover):
        return Outcome(Value.WIN, 2 * moves - 1)
    return Outcome(Value.LOSS, 2 * moves)


def judged(
    drill: Drill, answer: DrillAnswer, why: Callable[[Prediction, Cell], Reason] = reason_at_once
) -> DrillJudgement:
    """Judges a square by its number, or an outcome where it is asked who wins.

    A square is right if it is among the drill's answers; one that wins too, but later, has the grade `SLOWER` and is
    not. An outcome is right with its distance, which for a draw is no question. Raises IllegalMove for a square that
    is not open, and BadOption for an answer to another question.
    """
    if isinstance(answer, Outcome) != (drill.kind is DrillKind.EVALUATE):
        asked = "who wins, and in how many moves" if drill.kind is DrillKind.EVALUATE else "for a square"
        raise BadOption(f"It is asked {asked}.")
    prediction = prediction_of(drill.position)
    if isinstance(answer, Outcome):
        cell, right = drill.answers[0], _agree(answer, drill.outcome)
    else:
        drill.position.play(answer)
        cell, right = answer, answer in drill.answers
    grade = graded(drill.outcome, prediction.squares[cell])
    return DrillJudgement(right, cell, grade, why(prediction, cell))


def _agree(answer: Outcome, outcome: Outcome) -> bool:
    return answer.value is outcome.value and (answer.value is Value.DRAW or answer.plies == outcome.plies)
