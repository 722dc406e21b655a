"""The lesson that sets every opponent against every other, with exact chances."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import ClassVar, Final, TypeAlias

from solver.articles.crosstable import Crosstable, crosstable, score
from solver.board.position import Mark, Result
from solver.board.rules import TIC_TAC_TOE
from solver.players import STRATEGIES, Strategy, playing_on
from solver.players.match import class_endings, results_of, spread
from webapp.pages.learn.figures import Figure, kept
from webapp.pages.learn.lesson import Figures, Lesson, Level, settled
from webapp.pages.learn.thumbs import Sketch, squares
from webapp.ui.address import Query, one_of

SHOWS: Final[Mapping[str, str]] = MappingProxyType(
    {"heat": "Heat map", "percent": "Percent", "fractions": "Fractions", "points": "Expected points"}
)
"""The ways to show a pair, by their names in an address."""


Pair: TypeAlias = tuple[str, str]
"""The names of X's player and of O's."""


@dataclass(frozen=True, slots=True)
class PairFigures:
    """The slow figures of every pair: the chance of each result, and the points that each side expects."""

    chances: Mapping[Pair, Mapping[Result, Fraction]]
    points: Mapping[Pair, tuple[Fraction, Fraction]]


@dataclass(frozen=True, slots=True)
class CrosstableView:
    """The table of all pairs of opponents.

    `ranked` are the opponents, the strongest first. `show` is the way to show each pair. `pair` is the pair shown in
    full.
    """

    table: Crosstable
    points: Mapping[Pair, tuple[Fraction, Fraction]]
    ranked: tuple[Strategy, ...]
    show: str
    pair: tuple[Strategy, Strategy]
    shows: ClassVar[Mapping[str, str]] = SHOWS
    marks: ClassVar[tuple[Mark, ...]] = tuple(Mark)
    results: ClassVar[tuple[Result, ...]] = (Result.X, Result.DRAW, Result.O)

    def score(self, x: Strategy, o: Strategy) -> Fraction:
        """Return X's expected score: a win counts 1, a draw ½."""
        return score(self.table.chances[x.name, o.name], Mark.X)


def view(query: Query) -> CrosstableView:
    """Show the table in the way that `show` names. Raises BadOption."""
    found = kept(everyone)
    table = Crosstable(TIC_TAC_TOE, playing_on(TIC_TAC_TOE), MappingProxyType({}), found.chances)
    ranked = sorted(table.players, key=lambda each: -table.strength(each.name))
    names = [each.name for each in table.players]
    x, o = (STRATEGIES[one_of(query, part, names, usual)] for part, usual in (("x", "seven-rules"), ("o", "easy")))
    return CrosstableView(table, found.points, tuple(ranked), one_of(query, "show", SHOWS, "heat"), (x, o))


def everyone() -> PairFigures:
    """Compute the figures of all pairs of opponents."""
    table = crosstable(TIC_TAC_TOE)
    return PairFigures(table.chances, table.points)


def _picture() -> Sketch:
    """Draw X's expected score in each pair of a few opponents."""
    few = [STRATEGIES[name].remembering() for name in ("impossible", "hard", "medium", "easy")]
    points = ([score(results_of(class_endings(TIC_TAC_TOE, x, o)), Mark.X) for o in few] for x in few)
    return squares([[("first", float(each)) for each in row] for row in points])


LESSON = Lesson(
    name="crosstable",
    title="Everyone against everyone",
    summary="See the exact chances of every opponent against every other, and who is strongest.",
    level=Level.FURTHER,
    minutes=4,
    after=("clojure", "haskell"),
    code=(score, spread),
    picture=_picture,
    parts=("show", "x", "o"),
    view=settled(view),
    figures=lambda _: Figures((Figure(everyone),), "tables of all pairs computed"),
)
