"""The lesson that sets every opponent against every other, with exact chances."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from solver.articles.crosstable import Crosstable, score
from solver.articles.figures import crosstable_of_3x3
from solver.board.position import Mark, Result
from solver.players import STRATEGIES, Strategy
from webapp.pages.learn.content import Shown, read_content
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


def view(query: Query) -> Shown:
    """Show the table of all pairs of opponents, the strongest first, in the way that `show` names. Raises BadOption.

    Opponents that play alike are one. The `pair` of `x` and `o` is shown in full.
    """
    table = crosstable_of_3x3()
    ranked = sorted(alike(table), key=lambda each: -table.strength(each.name))
    names = [each.name for each in table.players]
    x, o = (STRATEGIES[one_of(query, part, names, usual)] for part, usual in (("x", "seven-rules"), ("o", "easy")))
    return {
        "table": table,
        "ranked": ranked,
        "show": one_of(query, "show", SHOWS, "heat"),
        "pair": (x, o),
        "marks": tuple(Mark),
        "results": (Result.X, Result.DRAW, Result.O),
        "scores": {pair: score(chances, Mark.X) for pair, chances in table.chances.items()},
    }


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


LESSON = Lesson.of("crosstable", parts=("show", "x", "o"), view=view)
