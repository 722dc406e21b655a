"""Judge an answer to a drill: right or wrong, its grade, and the reason."""

from dataclasses import dataclass
from typing import TypeAlias

from solver.analysis.drills.drill import Drill
from solver.analysis.drills.kinds import DrillKind
from solver.analysis.drills.known import prediction_of
from solver.analysis.review import ReasonOf, reason_at_once
from solver.board.outcome import Grade, Outcome, Value, graded
from solver.board.position import Position, Result
from solver.board.rules import Cell
from solver.errors import BadOption
from solver.reasons import Reason

DrillAnswer: TypeAlias = Cell | Outcome
"""A square; in a drill that asks who wins, the outcome for the mover, as `evaluation` returns it."""


@dataclass(frozen=True, slots=True)
class DrillJudgement:
    """The judgement of an answer.

    `cell` is the square that was given, with its grade and reason. Where the answer was an outcome, it is the first
    square of best play: its reason explains the position.
    """

    right: bool
    cell: Cell
    grade: Grade
    reason: Reason


def evaluation(position: Position, result: Result, moves: int | None = None) -> Outcome:
    """Return the outcome for the mover if the game ends in `result` after `moves` moves of the winner's own.

    A draw needs no number: it takes until the board is full. Raises BadOption for a win whose number of moves
    is missing or less than 1.
    """
    if result is Result.DRAW:
        return Outcome(Value.DRAW, position.plies_left)
    if moves is None or moves < 1:
        raise BadOption("Say in how many moves of the winner's own, 1 or more.")
    if result == Result(position.mover):
        return Outcome(Value.WIN, 2 * moves - 1)
    return Outcome(Value.LOSS, 2 * moves)


def judged(drill: Drill, answer: DrillAnswer, why: ReasonOf = reason_at_once) -> DrillJudgement:
    """Judge an answer: a square, or an outcome if the drill asks who wins.

    A square is right if it is among the drill's answers; a square that wins later is not, and has the grade `SLOWER`.
    An outcome is right if its distance is right too, except for a draw. Raises IllegalMove for a square that is not
    open, and BadOption for an answer to another question.
    """
    if isinstance(answer, Outcome) != (drill.kind is DrillKind.EVALUATE):
        asked = "who wins, and in how many moves" if drill.kind is DrillKind.EVALUATE else "for a square"
        raise BadOption(f"This drill asks {asked}.")
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
