"""Learners: a table with a row for each box, and rules that draw by rows and change them after a game.

Learners play X. Nothing here is kept between calls: what one has learnt is its table, and a game gives a new one.

MENACE, the Matchbox Educable Noughts And Crosses Engine: Michie's rules for beads (1961, 1963; see `boxes`).

Tabular Q-learning: C. J. C. H. Watkins, "Learning from delayed rewards", thesis, Cambridge 1989.

Each square of each box has a value: what the learner expects of the game if it plays there. After a move it is drawn
towards the best value of the box that comes next, and after the last move towards what the game brought: as many points
as MENACE gets beads.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.board.position import Result
from solver.players.learning.boxes import boxes

Row: TypeAlias = tuple[float, ...]
"""A number for each square of a box, in the order of its squares: beads, which are whole numbers, or values."""

Memory: TypeAlias = tuple[Row, ...]
"""The row of each box, in the order of the boxes."""


@dataclass(frozen=True, slots=True)
class Learner:
    """A way to learn. Chances are given by whole numbers, one a square, to which they are proportional.

    Where all of these are 0 the learner resigns.
    """

    name: str
    title: str
    idea: str
    """How it learns, in a sentence."""
    start: Memory
    """What it begins with."""
    tries: Callable[[Row], Sequence[int]]
    """The chances by which it draws while it learns."""
    plays: Callable[[Row], Sequence[int]]
    """The chances by which it draws in an exam, and in earnest."""
    learns: Callable[[Sequence[Row], Sequence[int], Result], Sequence[Row]]
    """The new rows of the boxes that were opened in a game, in their order, by which square was drawn from each."""


def replaced(row: Row, place: int, number: float) -> Row:
    """The row with another number in one place."""
    return (*row[:place], number, *row[place + 1 :])


BEADS: Final = (4, 3, 2, 1)
"""Beads of each colour in a new box, by X's move: a box that is opened less often takes less to change its mind."""

REWARD: Final = MappingProxyType({Result.X: 3, Result.DRAW: 1, Result.O: -1})
"""Beads that are added for each bead drawn in a game, by its result. A lost game costs the bead itself."""


def filled() -> Memory:
    """New boxes."""
    return tuple((BEADS[box.turn - 1],) * len(box.squares) for box in boxes())


def rewarded(rows: Sequence[Row], drawn: Sequence[int], result: Result) -> tuple[Row, ...]:
    """The boxes of a game after its end: each bead that was drawn comes back with its reward, or is taken out."""
    return tuple(replaced(row, bead, row[bead] + REWARD[result]) for row, bead in zip(rows, drawn, strict=True))


def shaken(row: Row) -> tuple[int, ...]:
    """The chances of a bead drawn at random. A box can run empty: then MENACE resigns."""
    return tuple(map(int, row))


MENACE: Final = Learner(
    "menace",
    "MENACE",
    "Draws a bead; a win adds three of its colour, a draw one, a loss takes it out.",
    filled(),
    shaken,
    shaken,
    rewarded,
)


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
