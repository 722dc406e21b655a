"""The drills on offer: kinds, each with a small picture, boards and levels."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from solver.analysis.drills import BOARDS, DrillKind
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Rules
from webapp.pages.practise.link import LEVELS, DrillLink
from webapp.pages.practise.shown import found
from webapp.pages.practise.words import MIX
from webapp.ui.choices import Choice
from webapp.ui.minis import Mini, mini

FEW_OPEN: Final = 6
"""Open squares of a picture: with more, it shows little of its kind."""


LEVELS_OFFERED: Final[Mapping[str, str]] = MappingProxyType(
    {"": "Any"} | {level: level.capitalize() for level in LEVELS}
)
"""What the levels are called; without one, drills of all levels."""


@dataclass(frozen=True, slots=True)
class KindOffered:
    """A kind of drills, how many there are, and where a run of them begins; `url` is None where there are none.

    `counted_as` is what the device calls those that were right; empty where these are only some of them.
    """

    name: str
    counted_as: str
    title: str
    count: int
    url: str | None
    picture: Mini


@dataclass(frozen=True, slots=True)
class Offer:
    """What there is to choose from on a board and a level, and the other boards and levels."""

    kinds: tuple[KindOffered, ...]
    boards: tuple[Choice, ...]
    levels: tuple[Choice, ...]


def offer(link: DrillLink) -> Offer:
    """What one may choose from where the board and the level of a link are chosen already."""
    count = Counter[DrillKind | None](drill.kind for drill in found(link.rules, level=link.level))
    count[None] = count.total()
    return Offer(
        kinds=tuple(_offered(link, kind, count[kind]) for kind in (None, *DrillKind)),
        boards=tuple(
            Choice(short(rules), link.having(rules=rules).url(), rules == link.rules, f"board-{rules}")
            for rules in BOARDS
        ),
        levels=tuple(
            Choice(
                level.capitalize() or "Any",
                link.having(level=level).url(),
                level == link.level,
                f"level-{level or 'any'}",
            )
            for level in ("", *LEVELS)
        ),
    )


def short(rules: Rules) -> str:
    """A board's sides, and how many in a row win where that is not said by them."""
    return f"{rules.columns}×{rules.rows}" + (f" · {rules.k}" if rules.k != rules.rows else "")


def _offered(link: DrillLink, kind: DrillKind | None, count: int) -> KindOffered:
    url = DrillLink("run", kind=kind, rules=link.rules, level=link.level).url() if count else None
    name = kind or "mix"
    counted_as = "" if link.level else f"{link.rules}-{name}"
    return KindOffered(name, counted_as, kind.title if kind else MIX, count, url, picture(kind))


@cache
def picture(kind: DrillKind | None) -> Mini:
    """A small board of the kind: its easiest drill with a few stones, the right squares marked."""
    if kind is None or kind is DrillKind.EVALUATE:
        return mini(Position(TIC_TAC_TOE), texts={4: "?"})
    easiest = found(TIC_TAC_TOE, kind)
    example = next(drill for drill in easiest if drill.position.plies_left <= FEW_OPEN)
    return mini(example.position, classes=dict.fromkeys(example.answers, "new"))
