"""Learners: tables with a row for each box, and rules that draw moves from the rows and update them after a game.

Learners play X. They keep no state: a learner's knowledge is its table, and each game gives a new table.

MENACE is the Matchbox Educable Noughts And Crosses Engine, by Michie's rules for beads (1961, 1963; see `boxes`).
Tabular Q-learning is from C. J. C. H. Watkins, "Learning from delayed rewards", thesis, Cambridge 1989. Each square of
each box has a value: the points that the learner expects from the game if it plays there. After a game, the value of
each square played moves towards the best value of the next box. The value of the last square moves towards the points
of the game, which are the beads of `REWARD`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.board.notation import quoted
from solver.board.position import Result
from solver.errors import BadOption
from solver.players.learning.boxes import MICRO, MINI, WHOLE, Chest, boxes

Row: TypeAlias = tuple[float, ...]
"""A number for each square of a box, in the order of its squares: a whole number of beads, or a value."""

Memory: TypeAlias = tuple[Row, ...]
"""The row of each box, in the order of the boxes."""


@dataclass(frozen=True, slots=True)
class Learner:
    """A method of learning. It draws squares by whole weights, and resigns where all weights are 0."""

    name: str
    title: str
    idea: str
    """The method in a sentence."""
    chest: Chest
    start: Memory
    """Its table before the first game."""
    tries: Callable[[Row], Sequence[int]]
    """The weights of a row's squares while it learns."""
    plays: Callable[[Row], Sequence[int]]
    """The weights of a row's squares in an exam, and in a game that it doesn't learn from."""
    learns: Callable[[Sequence[Row], Sequence[int], Result], Sequence[Row]]
    """The update after a game: takes the rows opened, the squares drawn and the result, and returns the new rows."""


def replaced(row: Row, place: int, number: float) -> Row:
    """Return the row with another number in one place."""
    return (*row[:place], number, *row[place + 1 :])


BEADS: Final = (4, 3, 2, 1)
"""The beads of each colour in a new box, by X's move. Later boxes have fewer, since they are opened less often."""

REWARD: Final = MappingProxyType({Result.X: 3, Result.DRAW: 1, Result.O: -1})
"""The beads added for each bead drawn in a game, by its result. After a loss, the bead is taken out."""


def rewarded(rows: Sequence[Row], drawn: Sequence[int], result: Result) -> tuple[Row, ...]:
    """Return the boxes of a game after its end: each bead drawn comes back with its reward, or is taken out."""
    return tuple(replaced(row, bead, row[bead] + REWARD[result]) for row, bead in zip(rows, drawn, strict=True))


def bead_counts(row: Row) -> tuple[int, ...]:
    """Return the numbers of beads as weights. All are 0 in an empty box, so MENACE resigns."""
    return tuple(map(int, row))


def matchboxes(name: str, title: str, idea: str, chest: Chest) -> Learner:
    """Return a learner with a chest of boxes that holds beads."""
    start = tuple((BEADS[box.turn - 1],) * len(box.squares) for box in boxes(chest))
    return Learner(name, title, idea, chest, start, tries=bead_counts, plays=bead_counts, learns=rewarded)


MENACE: Final = matchboxes(
    "menace", "MENACE", "Draws a bead; a win adds three of its colour, a draw one, a loss takes it out.", WHOLE
)
MINI_MENACE: Final = matchboxes(
    "mini",
    "Mini-MENACE",
    "Opens in the centre, completes a line if it can, and draws a bead for every other move.",
    MINI,
)
MICRO_MENACE: Final = matchboxes(
    "micro",
    "Micro-MENACE",
    "Opens in the centre, completes a line if it can, and plays any square without a box.",
    MICRO,
)


RATE: Final = 0.25
"""The share of the distance to its goal by which a value moves."""

EXPLORATION: Final = 10
"""One in this many moves is random while Q-learning learns."""


def updated(rows: Sequence[Row], drawn: Sequence[int], result: Result) -> tuple[Row, ...]:
    """Return the boxes of a game with new values of the squares played. A game opens a box at most once."""
    goals = (*map(max, rows[1:]), float(REWARD[result]))
    return tuple(
        replaced(row, place, row[place] + RATE * (goal - row[place]))
        for row, place, goal in zip(rows, drawn, goals, strict=True)
    )


def greedy(row: Row) -> tuple[int, ...]:
    """Return equal weights for the squares of the greatest value, and 0 for all others."""
    best = max(row)
    return tuple(int(value == best) for value in row)


def epsilon_greedy(row: Row) -> tuple[int, ...]:
    """Return weights that choose like `greedy`, but one time in `EXPLORATION` any square at random."""
    best = greedy(row)
    return tuple(sum(best) + each * (EXPLORATION - 1) * len(row) for each in best)


Q_LEARNING: Final = Learner(
    "q",
    "Q-learning",
    "Keeps a value for each square, and draws it towards the best value that comes next.",
    chest=WHOLE,
    start=tuple((0.0,) * len(box.squares) for box in boxes()),
    tries=epsilon_greedy,
    plays=greedy,
    learns=updated,
)

LEARNERS: Final[Mapping[str, Learner]] = MappingProxyType(
    {each.name: each for each in (MENACE, MINI_MENACE, MICRO_MENACE, Q_LEARNING)}
)
"""Every learner by its name."""


def learner_named(name: str) -> Learner:
    """Return the learner of that name. Raise BadOption if there is none."""
    learner = LEARNERS.get(name.strip().lower())
    if learner is None:
        raise BadOption(f"There is no learner {quoted(name)}. Choose one of: {', '.join(LEARNERS)}.")
    return learner
