"""Solutions: the outcome of a position and of its every open square, proved however long it takes."""

from dataclasses import dataclass

from solver.board.outcome import Outcome
from solver.board.position import Position
from solver.board.rules import Cell
from solver.kernel.potential import potential
from solver.proofs.prediction import Prediction
from solver.search.budget import UNLIMITED, Budget

LINE = Budget(seconds=2)
"""The budget of the line of best play beside the proofs; the line ends early where that does not reach."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What is proved of a position's squares, and a line of best play as far as it is soon found.

    The line is empty where the best move is not proved, and in a finished game.
    """

    prediction: Prediction
    line: tuple[Cell, ...]

    @property
    def outcome(self) -> Outcome:
        """The outcome of the position for its mover."""
        return self.prediction.outcome


def solve(position: Position, budget: Budget = UNLIMITED) -> Solution:
    """Proves every square of a position, or as many as the budget reaches.

    Proofs are kept: the next search of this process, or of another that shares the store, goes on from them.
    """
    from solver.proofs.study import proving  # noqa: PLC0415 - the kernel and the store, which the import does without

    for _ in proving(position, budget):
        pass
    return solution(position)


def solution(position: Position) -> Solution:
    """What this process has proved of a position by now."""
    from solver.proofs.study import study_of  # noqa: PLC0415 - likewise

    study = study_of(position)
    prediction = study.prediction()
    if not prediction.best:
        return Solution(prediction, ())
    first = max(prediction.best, key=lambda cell: potential(position, cell))
    return Solution(prediction, study.line(first, prediction.squares[first], LINE))
