"""Predict a position within a budget, or solve it completely.

Predictions for boards of up to nine squares come from the tablebase, and those of games whose table is at hand from
that. Everything else comes from a study, whose proofs the store keeps.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from types import MappingProxyType

from solver.board.notation import format_cells
from solver.board.outcome import Outcome, Score, to_parent
from solver.board.pasted import Given, as_position
from solver.board.position import Position
from solver.board.rules import Cell
from solver.kernel.potential import potential
from solver.proofs.prediction import Prediction, ProvedMoves
from solver.search.budget import UNLIMITED, Budget
from solver.search.tablebase import look_up

SOON = 0.2
"""The processor seconds of a position's prediction that somebody waits for."""

AT_ONCE = Budget(seconds=SOON)
"""The budget of such a prediction."""

IN_PASSING = 0.05
"""The processor seconds of a table that is made for a page: enough for 14 squares with marks of one's own."""

LINE = Budget(seconds=2)
"""The budget of a solution's line of best play."""


def predict(position: Given, budget: Budget = AT_ONCE) -> Prediction:
    """Predict every open square: exactly on boards that have a table, else as far as the budget reaches.

    The position can be a text: rows, a board for its empty position, moves, or a game's link. Symmetric squares always
    agree. A larger budget goes on where a smaller one stopped; one that is spent adds nothing but new proofs of the
    store. Raises NoughtsError for a text that isn't a position.

    >>> print(predict("X.O/.X./..O"))
     X L2  O
    L2  X  D
    L2 L2  O
    X to move: draw in 5 plies. Best: c2.
    """
    position = as_position(position)
    if (prediction := look_up_in_table(position)) is not None:
        return prediction
    from solver.proofs.study import search_at_once  # noqa: PLC0415 - it loads the store and the kernel

    return search_at_once(position, budget)


def known(position: Position) -> Prediction:
    """Return the outcomes of a position's squares that are proved already. This takes no search."""
    if (prediction := look_up_in_table(position, IN_PASSING)) is not None:
        return prediction
    from solver.proofs.study import look_up_proofs  # noqa: PLC0415 - it loads the store and the kernel

    return look_up_proofs(position)


def predict_by_few_nodes(position: Position, nodes: int) -> Prediction:
    """Predict a position. The first call for a larger board searches `nodes` nodes, in little memory."""
    if (prediction := look_up_in_table(position, IN_PASSING)) is not None:
        return prediction
    from solver.proofs.study import search_few_nodes  # noqa: PLC0415 - it loads the store and the kernel

    return search_few_nodes(position, nodes)


def learn_moves(position: Position, proved: ProvedMoves) -> Prediction:
    """Learn what another process has proved of a position; return the known outcomes of its squares."""
    from solver.proofs.study import study_of  # noqa: PLC0415 - it loads the store and the kernel

    study = study_of(position)
    study.learn_moves(proved)
    return study.prediction()


def predict_together(positions: Iterable[Position], most: float = inf) -> dict[Position, Prediction]:
    """Predict the positions of one request, which share its floor and its seconds: `SOON` each, `most` in all."""
    every = tuple(dict.fromkeys(positions))
    known = {position: prediction for position in every if (prediction := look_up_in_table(position))}
    searched = [position for position in every if position not in known]
    if not searched:
        return known
    from solver.proofs.study import search_together  # noqa: PLC0415 - it loads the store and the kernel

    return known | search_together(searched, Budget(seconds=min(most, SOON * len(searched))))


def predict_reproducibly(position: Position) -> Prediction:
    """Predict every open square from the position alone, for opponents whose replies must be reproducible.

    A larger board gets a search of a fixed number of nodes, which neither uses nor keeps other proofs.
    """
    if position.rules.is_small:
        return _look_up(position)
    from solver.proofs.study import search_reproducibly  # noqa: PLC0415 - it loads the kernel

    return search_reproducibly(position)


@dataclass(frozen=True, slots=True)
class Solution:
    """The proofs of a position's squares, and as much of a line of best play as the budget `LINE` finds.

    The line is empty if the best move is not proved, and in a finished game.

    >>> solution = solve("X.O/.X./..O")
    >>> solution.line, solution.line_complete, solution.complete
    ((5, 3, 7, 1, 6), True, True)
    """

    prediction: Prediction
    line: tuple[Cell, ...]

    def __str__(self) -> str:
        if not self.line:
            return str(self.prediction)
        end = "." if self.line_complete and not self.outcome.is_endless else ", …"
        return f"{self.prediction} Best line: {format_cells(self.line, self.prediction.position.rules)}{end}"

    @property
    def complete(self) -> bool:
        """True if all squares are proved with their distance."""
        return self.prediction.complete

    @property
    def line_complete(self) -> bool:
        """True if the line goes to the end of the game; false for a line that is cut short, or missing."""
        from solver.search.solver import line_ends  # noqa: PLC0415 - it loads the searches

        return line_ends(self.prediction.position, self.line, self.outcome.is_endless)

    @property
    def outcome(self) -> Outcome:
        """The outcome of the position for its mover."""
        return self.prediction.outcome


def solve(position: Given, budget: Budget = UNLIMITED) -> Solution:
    """Prove every square of a position, given as for `predict`, as far as the budget reaches.

    A larger budget goes on where a smaller one stopped. The store keeps the proofs, so that a later search continues
    from them, even in another process. Raises NoughtsError for a text that isn't a position.

    >>> solve("4x3x3").outcome
    Outcome(Value.WIN, 7)
    """
    from solver.proofs.study import proving  # noqa: PLC0415 - it loads the kernel

    position = as_position(position)
    for _ in proving(position, budget):
        pass
    return solution(position)


def solution(position: Position) -> Solution:
    """Return what this process has proved of a position so far."""
    from solver.proofs.study import study_of  # noqa: PLC0415 - it loads the kernel

    study = study_of(position)
    prediction = study.prediction()
    if not prediction.best:
        return Solution(prediction, ())
    first = max(prediction.best, key=lambda cell: potential(position, cell))
    return Solution(prediction, study.best_play(first, prediction.squares[first], LINE))


def look_up_in_table(position: Position, seconds: float = inf) -> Prediction | None:
    """Return the outcomes of a position's squares if its table is at hand, or made within these processor seconds."""
    with suppress(ValueError):
        return _look_up(position, seconds)
    return None


@lru_cache(maxsize=4096)
def _look_up(position: Position, seconds: float = 0) -> Prediction:
    """Return the outcomes of squares by a table. Raises ValueError if it is not at hand, or lacks the position."""
    if position.rules.is_small:
        score_of: Callable[[Position], Score] | None = look_up
    else:
        from solver.proofs.tables import scores_at_hand  # noqa: PLC0415 - small boards need no kernel

        score_of = scores_at_hand(position.rules, seconds)
    if score_of is None:
        raise ValueError("The table is not at hand.")
    outcomes: dict[Cell, Outcome] = {}
    for move in position.legal_moves:
        outcomes[move] = _outcome(to_parent(score_of(position.after(move))), position.plies_to_draw)
    return Prediction(position, MappingProxyType(outcomes), 0)


_outcome = lru_cache(maxsize=1024)(Outcome.of_score)
"""Few outcomes recur."""
