"""The lesson that sets every opponent against every other, with exact chances."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from solver.articles.crosstable import Crosstable, score
from solver.articles.figures import crosstable_of_3x3
from solver.articles.rulebooks import trials
from solver.board.notation import format_percent
from solver.board.position import Mark, Result
from solver.players import STRATEGIES, Strategy
from solver.players.match import spread
from webapp.pages.learn.content import Facts, Remark, read_content
from webapp.pages.learn.lesson import Lesson
from webapp.pages.learn.stage import now_you
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


def judge_wins(x: str, o: str, offered: list[int]) -> Facts:
    """Judge how many games in a hundred X's player wins."""
    chance = crosstable_of_3x3().chances[x, o][Result.X]
    truth = min(offered, key=lambda number: abs(number - 100 * chance))
    answers = {str(number): "yes" if number == truth else "more" if number < truth else "fewer" for number in offered}
    titles = {number: number for number in answers}
    return Facts.of(
        answers, titles=titles, x=STRATEGIES[x].title, against=STRATEGIES[o].title, percent=format_percent(chance)
    )


def judge_strongest(o: str, offered: list[str]) -> Facts:
    """Judge who wins most games as X against an opponent."""
    chances = {x: crosstable_of_3x3().chances[x, o] for x in offered}
    best = max(offered, key=lambda x: chances[x][Result.X])
    _, tried = trials(STRATEGIES[o])
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


LESSON = Lesson.of(
    "crosstable",
    code=(score, spread),
    parts=("show", "x", "o"),
    view=view,
    facts={"wins": judge_wins, "strongest": judge_strongest},
)
