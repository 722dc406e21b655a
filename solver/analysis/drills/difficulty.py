"""How hard a drill is, told by the solver and by two opponents.

Three parts make the difficulty, each from 0 to 1:

- *depth*: (d - 1) / (d + 3), where d is the plies that one has to look ahead to tell the right squares from the wrong
  ones: 1 for a win at once, 2 for a block, 3 for a fork, and as far as the slowest refutation where a draw has to be
  held. Where it is asked who wins, it is the plies until the game ends. A ply more adds the less the more there are.
- *wrong*: which part of the open squares is wrong.
- *failing*: how likely Medium and Hard are to play a wrong square, exactly, on average.

The difficulty is 1 + 99 × (0.5 × depth + 0.2 × wrong + 0.3 × failing), rounded down: fractions, and so the same
everywhere.
"""

from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

from solver.board.outcome import DRAWN, Outcome, Score, Value
from solver.board.position import Position
from solver.board.rules import Cell
from solver.players.decision import following
from solver.players.lists import HARD, MEDIUM
from solver.proofs.prediction import Prediction

DEPTH, WRONG, FAILING = Fraction(5, 10), Fraction(2, 10), Fraction(3, 10)
"""What each part weighs."""

TRIED_BY: Final = (following(MEDIUM), following(HARD))
"""Whose failing counts."""


def difficulty_of(prediction: Prediction, right: Collection[Cell], *, outcome_asked: bool = False) -> int:
    """The difficulty of finding one of the `right` squares, or of telling the outcome, from 1 to 100."""
    depth = prediction.outcome.plies if outcome_asked else look_ahead(prediction, right)
    wrong = 1 - Fraction(len(right), len(prediction.squares))
    return weighed(depth or 1, wrong, failing(prediction.position, right))


def weighed(depth: int, wrong: Fraction, failing: Fraction) -> int:
    """The difficulty by its parts."""
    return 1 + int(99 * (DEPTH * Fraction(depth - 1, depth + 3) + WRONG * wrong + FAILING * failing))


def look_ahead(prediction: Prediction, right: Collection[Cell]) -> int:
    """The fewest plies, the mover's own among them, to look ahead so that each right square is better than any wrong.

    What is not decided within them counts as a draw. It is 0 where no square is wrong.
    """
    good = [outcome for cell, outcome in prediction.squares.items() if cell in right]
    bad = [outcome for cell, outcome in prediction.squares.items() if cell not in right]
    if not bad:
        return 0
    depths = sorted({outcome.plies or 0 for outcome in prediction.squares.values()})
    return next(
        depth for depth in depths if min(_seen(each, depth) for each in good) > max(_seen(each, depth) for each in bad)
    )


def _seen(outcome: Outcome, depth: int) -> Score:
    """An outcome as it looks with so many plies of look-ahead."""
    decided = outcome.value is not Value.DRAW and outcome.plies is not None and outcome.plies <= depth
    return outcome.rank if decided else DRAWN


def failing(position: Position, right: Collection[Cell]) -> Fraction:
    """How likely an opponent is to play none of these squares, on average over these opponents."""
    chances = [chance for choices in _tried(position) for cell, chance in choices.items() if cell not in right]
    return sum(chances, Fraction(0)) / len(TRIED_BY)


@lru_cache(maxsize=1 << 10)
def _tried(position: Position) -> tuple[Mapping[Cell, Fraction], ...]:
    """What they may play. One position may have drills of several kinds."""
    return tuple(decide(position).choices for decide in TRIED_BY)
