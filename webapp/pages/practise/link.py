"""The link is the drill: text of an address under /practise ⇄ a frozen DrillLink. Nothing else is kept anywhere."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple
from unicodedata import normalize
from urllib.parse import urlencode

from solver.analysis.drills import BOARDS, DrillKind
from solver.board.notation import parse_rules, quoted
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.errors import BadOption, NoughtsError
from webapp.pages.learn.lesson import Query
from webapp.pages.learn.parts import number_of, one_of
from webapp.pages.play.link import checked_seed

LEVELS: Final[Mapping[str, tuple[int, int]]] = {"easy": (1, 24), "medium": (25, 49), "hard": (50, 100)}
"""What one may ask for, with the least and the greatest difficulty it stands for."""

MOST_DRILLS: Final = 40
"""Drills of a set or a sheet."""

MOST: Final = 999
"""Drills that a run counts."""

USUAL_IN_A_SET: Final = 10

MAX_ANSWER: Final = 8
"""Characters of a square or of an outcome as links write it."""


class DrillLink(NamedTuple):
    """What an address under /practise shows.

    `path` is the page: "" the first one, "daily", "run", "set", "sheet", or a drill's id. A run and a set are those of
    `kind`, `rules`, `level` and `seed`, a set has `size` of them; `at` is the drill that is shown, from 1. Of those
    before it `right` were right at the first try, the last `row` of them one after the other; `missed` says that this
    one was not. `hints` are shown of it, `tried` was answered, and `answers` says that the answer is told; `step` is
    how much is drawn of the line after it.
    """

    path: str = ""
    kind: DrillKind | None = None
    rules: Rules = TIC_TAC_TOE
    level: str = ""
    size: int = USUAL_IN_A_SET
    seed: str = ""
    day: date | None = None
    at: int = 0
    right: int = 0
    row: int = 0
    missed: bool = False
    hints: int = 0
    tried: str = ""
    answers: bool = False
    step: int | None = None

    def having(self, **changes: Any) -> "DrillLink":
        """The link with some fields changed."""
        return self._replace(**changes)

    def anew(self, **changes: Any) -> "DrillLink":
        """The link with some fields changed, of a drill with which nothing was done yet."""
        return self._replace(**(_OF_ONE_DRILL | changes))

    @property
    def number(self) -> int:
        """Which drill of a run or a set is shown, from 1."""
        return max(self.at, 1)

    def url(self) -> str:
        """The link's text; what is as usual is left out."""
        parts = {
            part.name: part.write(value) for part in _read_by(self.path) if (value := self[part.index]) != part.usual
        }
        return "/practise" + (f"/{self.path}" if self.path else "") + (f"?{urlencode(parts)}" if parts else "")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A part of such an address behind the question mark: what it means, how it is read and written.

    `read` gives the field from the query, where the part is not left out, or raises NoughtsError; the parts before it
    are in the link already.
    """

    name: str
    meaning: str
    read: Callable[[Query, DrillLink], object]
    write: Callable[[Any], str] = str
    field: str = ""

    @property
    def index(self) -> int:
        """Where in a link the field is."""
        return DrillLink._fields.index(self.field or self.name)

    @property
    def usual(self) -> object:
        """The field of a link that leaves the part out."""
        return DrillLink._field_defaults[self.field or self.name]


def _board(query: Query, _: DrillLink) -> Rules:
    return parse_rules(one_of(query, "board", map(str, BOARDS), str(TIC_TAC_TOE)))


def _day(query: Query, _: DrillLink) -> date:
    try:
        day = date.fromisoformat(query["day"])
    except ValueError:
        day = date.min
    if day.isoformat() == query["day"] and day.year >= 2000:
        return day
    raise BadOption(f"day={quoted(query['day'])} is no day. Write it like 2026-01-31.")


def _tried(query: Query, _: DrillLink) -> str:
    if len(query["tried"]) <= MAX_ANSWER:
        return query["tried"].strip().lower()
    raise BadOption(f"tried={quoted(query['tried'])} is no answer.")


def _seed(query: Query, _: DrillLink) -> str:
    """A name such as "Class 7b" or "Grün" as links may have it: words joined by dashes, letters without their marks."""
    plain = normalize("NFKD", "-".join(query["seed"].split())).encode("ascii", "ignore").decode()
    return checked_seed(plain) or checked_seed(query["seed"]) or ""


def _switch(part: str) -> Callable[[Query, DrillLink], bool]:
    return lambda query, _: one_of(query, part, ("0", "1"), "0") == "1"


def _number(part: str, least: int, most: int) -> Callable[[Query, DrillLink], int]:
    return lambda query, _: number_of(query, part, least, least, most)


def _on(_: bool) -> str:
    return "1"


PARAMETERS: Final = (
    Parameter(
        "kind",
        "the kind of the drills; left out, a mix of all",
        lambda query, _: DrillKind(one_of(query, "kind", DrillKind, "")),
    ),
    Parameter("board", "their board, `3x3x3` if it is left out", _board, field="rules"),
    Parameter(
        "level",
        "`easy`, `medium` or `hard`; left out, all of them",
        lambda query, _: one_of(query, "level", LEVELS, ""),
    ),
    Parameter(
        "count",
        "how many drills a set or a sheet has, 10 if it is left out",
        _number("count", 1, MOST_DRILLS),
        field="size",
    ),
    Parameter(
        "seed",
        "which drills, and in which order: the same seed shows everybody the same",
        _seed,
    ),
    Parameter("day", "the day of a daily drill, like `2026-01-31`; today if it is left out", _day, date.isoformat),
    Parameter("at", "which drill of a run or a set is shown, from 1", _number("at", 1, MOST)),
    Parameter(
        "right",
        "how many before it were right at the first try",
        lambda query, link: number_of(query, "right", 0, 0, link.number - 1),
    ),
    Parameter(
        "row",
        "how many of the last ones in a row",
        lambda query, link: number_of(query, "row", 0, 0, link.right),
    ),
    Parameter("missed", "`missed=1`: this one was not", _switch("missed"), _on),
    Parameter("hints", "how many hints are shown", _number("hints", 0, 9)),
    Parameter("tried", "the square, or the outcome, that was answered", _tried),
    Parameter("answers", "`answers=1` tells the answer, on a sheet all of them", _switch("answers"), _on),
    Parameter("step", "how many moves are drawn of the line after the answer", _number("step", 0, 64)),
)
"""Every part, in the order in which links have them; each may need those before it."""

_CHOSEN: Final = ("kind", "board", "level")
_DONE: Final = ("missed", "hints", "tried", "answers", "step")
_COURSE: Final = ("at", "right", "row")
_OF_PAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "": _CHOSEN,
    "daily": ("day", *_DONE),
    "run": (*_CHOSEN, "seed", *_COURSE, *_DONE),
    "set": (*_CHOSEN, "count", "seed", *_COURSE, *_DONE),
    "sheet": (*_CHOSEN, "count", "seed", "answers"),
}
"""The parts that each page reads; that of a single drill reads what was done with it."""

_OF_ONE_DRILL: Final[dict[str, Any]] = {name: DrillLink._field_defaults[name] for name in _DONE}


def _read_by(path: str) -> tuple[Parameter, ...]:
    return tuple(part for part in PARAMETERS if part.name in _OF_PAGES.get(path, _DONE))


def read_drill_link(path: str, query: Query) -> tuple[DrillLink, tuple[NoughtsError, ...]]:
    """Reads an address. A bad part is replaced by what is usual and reported; unknown parts are ignored."""
    link, problems = DrillLink(path), list[NoughtsError]()
    for part in _read_by(path):
        if query.get(part.name):
            try:
                link = link.having(**{part.field or part.name: part.read(query, link)})
            except NoughtsError as error:
                problems.append(error)
    return link, tuple(problems)
