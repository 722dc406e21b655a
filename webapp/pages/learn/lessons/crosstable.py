"""The lesson that sets every opponent against every other, with exact chances."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import ClassVar, Final, TypeAlias

from solver.articles.crosstable import Crosstable, crosstable, score
from solver.board.notation import format_percent
from solver.board.position import Mark, Result
from solver.board.rules import TIC_TAC_TOE
from solver.players import STRATEGIES, Strategy, playing_on
from solver.players.match import class_endings, results_of, spread
from webapp.pages.learn.content import Facts, Remark, read_content
from webapp.pages.learn.figures import Figure, kept
from webapp.pages.learn.lesson import Figures, Lesson
from webapp.pages.learn.lessons.trial import now_you, try_on_3x3
from webapp.ui.address import Query, one_of

SHOWS: Final[Mapping[str, str]] = read_content("crosstable")["shows"]
"""The ways to show a pair, by their names in an address."""


Pair: TypeAlias = tuple[str, str]
"""The names of X's player and of O's."""


@dataclass(frozen=True, slots=True)
class PairFigures:
    """The slow figures of every pair: the chance of each result, and the points that each side expects."""

    chances: Mapping[Pair, Mapping[Result, Fraction]]
    points: Mapping[Pair, tuple[Fraction, Fraction]]


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
    points: Mapping[Pair, tuple[Fraction, Fraction]]
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
    figures = kept(everyone)
    table = Crosstable(TIC_TAC_TOE, playing_on(TIC_TAC_TOE), MappingProxyType({}), figures.chances)
    ranked = sorted(alike(figures), key=lambda each: -table.strength(each.name))
    names = [each.name for each in table.players]
    x, o = (STRATEGIES[one_of(query, part, names, usual)] for part, usual in (("x", "seven-rules"), ("o", "easy")))
    return CrosstableView(table, figures.points, tuple(ranked), one_of(query, "show", SHOWS, "heat"), (x, o))


def everyone() -> PairFigures:
    """Compute the figures of all pairs of opponents."""
    table = crosstable(TIC_TAC_TOE)
    return PairFigures(table.chances, table.points)


def alike(figures: PairFigures) -> tuple[Alike, ...]:
    """Return the opponents, with those whose figures against everyone are the same as one."""
    players, groups = playing_on(TIC_TAC_TOE), defaultdict[object, list[Strategy]](list)
    for player in players:
        pairs = [pair for other in players for pair in ((player.name, other.name), (other.name, player.name))]
        groups[tuple((*figures.chances[pair].items(), *figures.points[pair]) for pair in pairs)].append(player)
    return tuple(Alike(members[0].name, _title(members), tuple(members)) for members in groups.values())


def _title(members: Sequence[Strategy]) -> str:
    """Return the titles of opponents, e.g. "Perfect, Plain minimax, Alpha-beta 6 to 9"."""
    deep = [each for each in members if each.depth]
    titles = [each.title for each in members if not each.depth or each is deep[0]]
    return ", ".join(titles) + (f" to {deep[-1].depth}" if len(deep) > 1 else "")


def judge_wins(x: str, o: str, offered: list[int]) -> Facts:
    """Judge how many games in a hundred X's player wins."""
    chance = _chances(x, o)[Result.X]
    truth = min(offered, key=lambda number: abs(number - 100 * chance))
    answers = {str(number): "yes" if number == truth else "more" if number < truth else "fewer" for number in offered}
    titles = {number: number for number in answers}
    return Facts.of(
        answers, titles=titles, x=STRATEGIES[x].title, against=STRATEGIES[o].title, percent=format_percent(chance)
    )


def judge_strongest(o: str, offered: list[str]) -> Facts:
    """Judge who wins most games as X against an opponent."""
    chances = {x: _chances(x, o) for x in offered}
    best = max(offered, key=lambda x: chances[x][Result.X])
    tried = try_on_3x3(o, Mark.O)
    links = {f"Now you: beat {tried.strategy.title}": now_you(tried)}

    def judge(x: str) -> Remark:
        won, lost = (format_percent(chances[x][result]) for result in (Result.X, Result.O))
        return Remark.of(
            "best" if x == best else "other",
            links=links if x == best else None,
            name=STRATEGIES[x].title,
            won=won,
            lost=lost,
        )

    titles = {x: STRATEGIES[x].title for x in offered}
    return Facts.of({x: judge(x) for x in offered}, titles=titles, against=STRATEGIES[o].title)


def _chances(x: str, o: str) -> Mapping[Result, Fraction]:
    """Return the chances of one pair, which take a moment where all pairs take seconds."""
    return results_of(class_endings(TIC_TAC_TOE, STRATEGIES[x].remembering(), STRATEGIES[o].remembering()))


LESSON = Lesson.of(
    "crosstable",
    code=(score, spread),
    parts=("show", "x", "o"),
    view=view,
    figures=lambda _: Figures((Figure(everyone),), "tables of all pairs computed"),
    facts={"wins": judge_wins, "strongest": judge_strongest},
)
