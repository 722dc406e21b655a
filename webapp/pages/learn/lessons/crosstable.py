"""The lesson that sets every opponent against every other, with exact chances."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from solver.articles.crosstable import Crosstable, score
from solver.articles.figures import crosstable_of_3x3
from solver.board.position import Mark, Result
from solver.players import STRATEGIES, Strategy
from solver.players.match import spread
from webapp.pages.learn.content import read_content
from webapp.pages.learn.lesson import Lesson
from webapp.ui.address import Query, one_of

SHOWS: Final[Mapping[str, str]] = read_content("crosstable")["shows"]
"""The ways to show a pair, by their names in an address."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Opponents whose figures are all the same. They share a row and a column of the table, under one title."""

    name: str
    title: str
    members: tuple[Strategy, ...]


@dataclass(frozen=True, slots=True)
class CrosstableView:
    """The table of all pairs of opponents.

    `ranked` are the opponents, the strongest first; those that play alike are one. `show` is the way to show each pair.
    `pair` is the pair shown in full.
    """

    table: Crosstable
    ranked: tuple[Alike, ...]
    show: str
    pair: tuple[Strategy, Strategy]
    marks: ClassVar[tuple[Mark, ...]] = tuple(Mark)
    results: ClassVar[tuple[Result, ...]] = (Result.X, Result.DRAW, Result.O)

    def score(self, x: Alike, o: Alike) -> Fraction:
        """Return X's expected score: a win counts 1, a draw ½."""
        return score(self.table.chances[x.name, o.name], Mark.X)


def view(query: Query) -> CrosstableView:
    """Show the table in the way that `show` names. Raises BadOption."""
    table = crosstable_of_3x3()
    ranked = sorted(alike(table), key=lambda each: -table.strength(each.name))
    names = [each.name for each in table.players]
    x, o = (STRATEGIES[one_of(query, part, names, usual)] for part, usual in (("x", "seven-rules"), ("o", "easy")))
    return CrosstableView(table, tuple(ranked), one_of(query, "show", SHOWS, "heat"), (x, o))


def alike(table: Crosstable) -> tuple[Alike, ...]:
    """Return the opponents, with those whose figures against everyone are the same as one."""
    groups = defaultdict[object, list[Strategy]](list)
    for player in table.players:
        pairs = [pair for other in table.players for pair in ((player.name, other.name), (other.name, player.name))]
        groups[tuple((*table.chances[pair].items(), *table.points[pair]) for pair in pairs)].append(player)
    return tuple(Alike(members[0].name, _title(members), tuple(members)) for members in groups.values())


def _title(members: Sequence[Strategy]) -> str:
    """Return the titles of opponents, e.g. "Perfect, Plain minimax, Alpha-beta 6 to 9"."""
    deep = [each for each in members if each.depth]
    titles = [each.title for each in members if not each.depth or each is deep[0]]
    return ", ".join(titles) + (f" to {deep[-1].depth}" if len(deep) > 1 else "")


LESSON = Lesson.of(
    "crosstable",
    code=(score, spread),
    parts=("show", "x", "o"),
    view=view,
)
