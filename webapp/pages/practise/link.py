"""Links to drills, and the ladder of drills. A `DrillLink` is read from an address and written back to it.

The ladder is every kind of drills on 3×3, easy kinds first, then the same on larger boards. A step is a run of one
kind. Five right answers in a row open the next step. This is a suggestion: each step's link works at any time.
"""

from collections.abc import Mapping
from datetime import date
from functools import partial
from itertools import pairwise, product
from typing import Any, Final, NamedTuple
from unicodedata import normalize
from zlib import crc32

from solver.analysis.drills import LADDER, LISTED, DrillKind, having_drills
from solver.board.notation import parse_rules, quoted
from solver.board.position import Mark
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.errors import BadOption, NoughtsError
from webapp.ui.address import (
    SWITCH,
    Part,
    PartKind,
    Problems,
    Query,
    among,
    between,
    checked_seed,
    read_parts,
    texts_of,
    usual_of,
    whole,
    with_query,
)

LEVELS: Final[Mapping[str, tuple[int, int]]] = {"easy": (1, 24), "medium": (25, 49), "hard": (50, 100)}
"""The least and the greatest difficulty of each level."""

MOST_DRILLS: Final = 40
"""The most drills of a set or a sheet."""

MOST: Final = 999
"""The most drills that a run counts."""

RUSH: Final = 180
"""The seconds of a rush."""

MAX_ANSWER: Final = 8
"""The most characters of an answer."""

MAX_NAME: Final = 32
"""The most characters of the name of a set."""


class DrillLink(NamedTuple):
    """A page under /practise.

    `path` is "" for the page of today, "daily", "run", "set", "sheet", or a drill's id. `kind`, `rules`, `level` and
    `seed` choose the drills of a run or a set. The seed of a set is the name that its teacher gave it. `size` is the
    number of drills in a set.

    `at` is the number of the drill shown, from 1. `right` is the number of earlier drills that were solved at the first
    try. `row` is the number of them in a row, just before this drill. `rush` is true in a run against the clock, in
    which `lost` is the number of moves by which wins came later; the page of today shows the result of one that is
    over. `missed` is true if the first try at this drill was wrong. `hints` is the number of hints shown. Where either
    mark can be placed, a press places `place`. `tried` is the visitor's answer. If `answers` is set, the right one is
    shown. `step` is the number of moves shown of the line that follows.
    """

    path: str = ""
    kind: DrillKind | None = None
    rules: Rules = TIC_TAC_TOE
    level: str = ""
    size: int = 10
    seed: str = ""
    day: date | None = None
    at: int = 0
    right: int = 0
    row: int = 0
    rush: bool = False
    lost: int = 0
    missed: bool = False
    hints: int = 0
    place: Mark = Mark.X
    tried: str = ""
    answers: bool = False
    step: int | None = None

    def having(self, **changes: Any) -> "DrillLink":
        """Return the link with some fields changed."""
        return self._replace(**changes)

    def unanswered(self, **changes: Any) -> "DrillLink":
        """Return the link with some fields changed, without the answer."""
        return self._replace(tried="", answers=False, step=None, **changes)

    def anew(self, **changes: Any) -> "DrillLink":
        """Return the link with some fields changed, without the visitor's work on the drill."""
        return self._replace(**(_RESET | changes))

    @property
    def number(self) -> int:
        """The number of the drill shown in a run or a set, from 1."""
        return max(self.at, 1)

    def url(self) -> str:
        """Return the address. Parts with their default values are left out."""
        return with_query("/practise" + (f"/{self.path}" if self.path else ""), texts_of(_read_by(self.path), self))


def _day(_: str, text: str, __: object) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if day.isoformat() == text and day.year >= 2000:
        return day
    raise BadOption(f"day={quoted(text)} isn't a date. Write it like 2026-01-31.")


def _tried(_: str, text: str, __: object) -> str:
    if len(text) <= MAX_ANSWER:
        return text.strip().lower()
    raise BadOption(f"tried={quoted(text)} is too long for an answer.")


def _name(_: str, text: str, __: object) -> str:
    name = " ".join(text.split())
    checked_seed(plain(name))
    if len(name) <= MAX_NAME and name.isprintable():
        return name
    raise BadOption(f"seed={quoted(text)} is not 1 to {MAX_NAME} letters, digits, dots, dashes or underscores.")


def plain(name: str) -> str:
    """Make a seed from a name such as "Class 7b" or "Grün". Dashes join the words, and letters lose their accents."""
    letters = normalize("NFKD", "-".join(name.split())).encode("ascii", "ignore").decode()
    return letters or (f"{crc32(name.encode(errors='replace')):08x}" if name else "")


ALONE: Final = "alone"
"""The name for the pages of single drills. The path of such a page is the drill's id."""

SEEDED: Final = ("run", "set", "sheet")
"""The pages whose drills are chosen by a seed."""

_CHOSEN: Final = ("", *SEEDED)
_COUNTED: Final = ("", "run", "set")
_DRILLS: Final = ("daily", "run", "set", ALONE)

_BOARD: Final = PartKind(lambda _, text, __: having_drills(parse_rules(text)))
_RIGHT: Final = PartKind(lambda name, text, link: whole(name, text, 0, link.number - 1))
_ROW: Final = PartKind(lambda name, text, link: whole(name, text, 0, link.right))

_part = partial(Part[DrillLink].of, DrillLink)

PARTS: Final = (
    _part("kind", among(DrillKind), belongs=SEEDED),
    _part("board", _BOARD, field="rules", belongs=_CHOSEN),
    _part("level", among(LEVELS), belongs=_CHOSEN),
    _part("count", between(1, MOST_DRILLS), field="size", belongs=("set", "sheet")),
    _part("seed", PartKind(_name), belongs=SEEDED),
    _part("day", PartKind(_day), belongs=("daily",)),
    _part("at", between(1, MOST), belongs=_COUNTED),
    _part("right", _RIGHT, belongs=_COUNTED),
    _part("row", _ROW, belongs=("run", "set")),
    _part("rush", SWITCH, belongs=("run",)),
    _part("lost", between(0, MOST), belongs=("", "run")),
    _part("missed", SWITCH, belongs=_DRILLS),
    _part("hints", between(0, 9), belongs=_DRILLS),
    _part("place", among(Mark), belongs=_DRILLS),
    _part("tried", PartKind(_tried), belongs=_DRILLS),
    _part("answers", SWITCH, belongs=(*_DRILLS, "sheet")),
    _part("step", between(0, 64), belongs=_DRILLS),
)
"""All parts in the order of links, each with the pages that read it. Reading a part may need the parts before it.

`webapp/README.md` says what they mean.
"""

_PAGES: Final = {page for part in PARTS for page in part.belongs}

_RESET: Final = usual_of(PARTS, ALONE)
"""The default values of the fields about the visitor's work on one drill."""


def _read_by(path: str) -> tuple[Part[DrillLink], ...]:
    page = path if path in _PAGES else ALONE
    return tuple(part for part in PARTS if page in part.belongs)


def read_drill_link(path: str, query: Query) -> tuple[DrillLink, tuple[NoughtsError, ...]]:
    """Parse an address. A bad part is replaced by its default and reported; unknown parts are ignored."""
    problems: Problems = []
    link = read_parts(_read_by(path), DrillLink(path), query, problems)
    return link, tuple(problems)


IN_A_ROW: Final = 5
"""The right answers in a row that open the next step."""

_STEPS: Final = tuple(product(LADDER, LISTED))


def on_ladder(link: DrillLink) -> bool:
    """Return whether a link is a step of the ladder: a run of one kind, not limited to one level or to minutes."""
    return link.path == "run" and link.kind in LISTED and not (link.level or link.rush) and link.rules in LADDER


def next_step(link: DrillLink) -> DrillLink | None:
    """Return the next step up the ladder, with the same seed. Return None at the top and for a link off the ladder."""
    if not on_ladder(link) or (link.rules, link.kind) == _STEPS[-1]:
        return None
    rules, kind = next(after for step, after in pairwise(_STEPS) if step == (link.rules, link.kind))
    return DrillLink("run", kind=kind, rules=rules, seed=link.seed)
