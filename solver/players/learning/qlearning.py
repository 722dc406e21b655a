"""Tabular Q-learning: C. J. C. H. Watkins, "Learning from delayed rewards", thesis, Cambridge 1989.

Each square of each box has a value: what the learner expects of the game if it plays there. After a move it is drawn
towards the best value of the box that comes next, and after the last move towards what the game brought: as many points
as MENACE gets beads.
"""

from collections.abc import Sequence
from typing import Final

from solver.board.position import Result
from solver.players.learning.boxes import boxes
from solver.players.learning.learner import Learner, Memory, Row, replaced
from solver.players.learning.menace import REWARD

RATE: Final = 0.25
"""How far a value goes towards what was found, as a share of the way."""

ADVENTURE: Final = 10
"""While it learns, one move in so many goes to any square, whatever its value."""


def blank() -> Memory:
    """Nothing expected of any square."""
    return tuple((0.0,) * len(box.squares) for box in boxes())


def updated(rows: Sequence[Row], drawn: Sequence[int], result: Result) -> tuple[Row, ...]:
    """The boxes of a game with the values of the squares played. A box comes up once a game, so that order is none."""
    goals = (*map(max, rows[1:]), float(REWARD[result]))
    return tuple(
        replaced(row, place, row[place] + RATE * (goal - row[place]))
        for row, place, goal in zip(rows, drawn, goals, strict=True)
    )


def greedy(row: Row) -> tuple[int, ...]:
    """Any of the squares of the greatest value, each as likely."""
    best = max(row)
    return tuple(int(value == best) for value in row)


def adventurous(row: Row) -> tuple[int, ...]:
    """As `greedy`, but one time in `ADVENTURE` any square."""
    best = greedy(row)
    return tuple(sum(best) + each * (ADVENTURE - 1) * len(row) for each in best)


Q_LEARNING: Final = Learner(
    "q",
    "Q-learning",
    "Keeps a value for each square, and draws it towards the best value that comes next.",
    blank(),
    adventurous,
    greedy,
    updated,
)
