"""The lesson that sets every opponent against every other, with exact chances."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Final

from solver.board.position import Mark, Result
from solver.board.rules import TIC_TAC_TOE
from solver.strategies import STRATEGIES, Strategy
from solver.theory.claims.claim import ARTICLES
from solver.theory.crosstable import Crosstable, crosstable, score
from solver.theory.endings import class_endings, results_of
from webapp.learn.lesson import About, Lesson, Level, Query, Track
from webapp.learn.parts import one_of
from webapp.learn.thumbs import Sketch, squares

SHOWS: Final[Mapping[str, str]] = MappingProxyType(
    {"percent": "Percent", "fractions": "Fractions", "points": "Expected points"}
)
"""What is shown of a pair, by what an address calls it."""


@dataclass(frozen=True, slots=True)
class CrosstableView:
    """The table, the opponents from the strongest on, and what is shown of each pair."""

    table: Crosstable
    ranked: tuple[Strategy, ...]
    show: str
    shows: ClassVar[Mapping[str, str]] = SHOWS
    marks: ClassVar[tuple[Mark, ...]] = tuple(Mark)
    results: ClassVar[tuple[Result, ...]] = (Result.X, Result.DRAW, Result.O)


def view(query: Query) -> CrosstableView:
    """The table in one of the ways to `show` it. Raises BadOption."""
    table = crosstable(TIC_TAC_TOE)
    ranked = sorted(table.players, key=lambda each: -table.strength(each.name))
    return CrosstableView(table, tuple(ranked), one_of(query, "show", SHOWS, "percent"))


def _picture() -> Sketch:
    """What X may expect in each pair of a few opponents."""
    few = [STRATEGIES[name].remembering() for name in ("impossible", "hard", "medium", "easy")]
    points = ([score(results_of(class_endings(TIC_TAC_TOE, x, o)), Mark.X) for o in few] for x in few)
    return squares([[("first", float(each)) for each in row] for row in points])


LESSON = Lesson.settled(
    "crosstable",
    "Everyone against everyone",
    "The exact chances of every opponent against every other, and how strong that makes each.",
    view,
    ("show",),
    about=About(
        Track.PROGRAMMERS,
        Level.FURTHER,
        minutes=4,
        picture=_picture,
        articles=(
            ARTICLES["clojure"],
            ARTICLES["haskell"],
        ),
        code=(
            score,
            class_endings,
        ),
    ),
)
