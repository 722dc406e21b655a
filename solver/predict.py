"""Predictions: what perfect play makes of every open square of a position."""

from functools import lru_cache
from types import MappingProxyType

from solver.outcome import Outcome, to_parent
from solver.position import Position
from solver.prediction import Prediction
from solver.search.budget import Budget
from solver.search.table import has_table, looked_up

AT_ONCE = Budget(seconds=0.2)
"""What a prediction may cost that somebody waits for."""


def predict(position: Position, budget: Budget = AT_ONCE) -> Prediction:
    """Every open square's outcome: exact on boards of up to nine cells, elsewhere as far as the budget reaches.

    Squares that a symmetry of the position turns into each other always agree. A page asks several times, so a position
    is searched once, and what has been proved of it elsewhere since is looked up.
    """
    if has_table(position.rules):
        return _looked_up(position)
    from solver.proving import proved_at_once  # noqa: PLC0415 - with the store and the kernel, which 3×3 does without

    return proved_at_once(position, budget)


def predict_steadily(position: Position) -> Prediction:
    """As `predict`, but on larger boards from a search of so many nodes instead of what is proved by now.

    So it depends on the position alone: not on the machine, nor on what was searched before, nor on what is stored.
    """
    if has_table(position.rules):
        return _looked_up(position)
    from solver.steady import proved_steadily  # noqa: PLC0415 - likewise

    return proved_steadily(position)


@lru_cache(maxsize=4096)
def _looked_up(position: Position) -> Prediction:
    squares = {
        cell: Outcome.of_score(to_parent(looked_up(position.after(cell))), position.plies_left)
        for cell in position.legal_moves
    }
    return Prediction(position, MappingProxyType(squares), 0)
