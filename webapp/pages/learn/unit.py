"""Units of the course: what each file in the folder `units` says, and a visitor's way through its screens.

A unit's file has a `title`, a `summary`, `minutes`, a `question` that it answers, a `picture`, kinds of `drills`, pages
to read on as `reads`, a `teacher`'s card, and `screens`, one idea each. A screen either says
something:

- `say`, a few sentences; `facts` names a function with the values of its words, and `board` or `figure` stands beside;

or it asks for a `skill`, the name under which the visitor's device remembers it, with a `title` and `items` from simple
to hard. An item is a question, as `content` describes it. Each argument of its facts makes an item of its own.

The attempts so far are a part of the page's address, so that a unit works without scripts and can be shared.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import takewhile
from typing import Final, TypeAlias

from solver.board.notation import quoted
from solver.errors import BadOption
from webapp.pages.learn.content import UNITS_FOLDER, ContentTable, Facts, Shown, draw_picture, facts_named, make_items
from webapp.pages.learn.lesson import CoursePage, Predictions
from webapp.pages.learn.quiz import LONGEST, ON, AskedItem, Question, spell_attempts
from webapp.ui.address import Query, one_of, with_query
from webapp.ui.board import Mini

DID: Final = "did"
"""The part of an address with the attempts."""

SKIP: Final = "skip"
"""The attempt that leaves a skill."""

VIEWS: Final = ("wall", "sheet")
"""The values of the part `view`: for a projector, and for print."""

IN_A_ROW: Final = 2
"""The number of items in a row that are right at the first try once a skill is known."""

ITEMS: Final = 4
"""The most items of a skill that are asked."""

MOST: Final = 10
"""The most items of a unit that are asked."""

LEAP: Final = 2
"""The number of items to go on after a right answer. The items between are simpler ones for later."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A screen that says something beside a board or a named figure."""

    words: str
    board: Mini | None = None
    figure: str = ""


@dataclass(frozen=True, slots=True)
class Skill:
    """A screen that asks items, from simple to hard. Each is made when it is asked for."""

    name: str
    title: str
    items: tuple[Callable[[], Question], ...]


Screen: TypeAlias = Telling | Skill
"""A screen of a unit."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Unit(CoursePage):
    """A unit of the course.

    Its content has a `question` that it answers, and names pages to read on as `reads`.
    """

    folder = UNITS_FOLDER

    @property
    def asks(self) -> tuple[str, ...]:
        """The names of the skills."""
        return tuple(entry["skill"] for entry in self.content["screens"] if "skill" in entry)

    def asked(self, query: Query) -> dict[str, str]:
        """Return the parts of a query that the page reads."""
        parts = {name: query.get(name, "") for name in ("ask", "view")} | {DID: spell_attempts(DID, query)}
        return {name: text for name, text in parts.items() if text}

    def show(self, asked: Query, _: Predictions) -> tuple[str, Shown]:
        """Return the template of a unit's page and the page. Raises BadOption."""
        page = UnitPage.of(self, asked)
        return f"learn/{'sheet' if page.view == 'sheet' else 'unit'}.html", {"page": page}

    @cached_property
    def screens(self) -> tuple[Screen, ...]:
        """The screens in their order."""
        return tuple(map(self._screen, self.content["screens"]))

    def _screen(self, entry: ContentTable) -> Screen:
        if "skill" in entry:
            items = (item for each in entry["items"] for item in make_items(self.name, each))
            return Skill(entry["skill"], entry["title"], tuple(map(cache, items)))
        facts = facts_of(entry)
        board = draw_picture(entry["board"]) if "board" in entry else facts.board
        return Telling(entry["say"].format(**facts.values), board, entry.get("figure", ""))

    def skill(self, name: str) -> Skill:
        """Return the skill of this name."""
        return next(screen for screen in self.screens if isinstance(screen, Skill) and screen.name == name)

    def way_to(self, skill: str) -> str:
        """Return the attempts that lead to a skill, with those before it skipped."""
        before = takewhile(lambda entry: entry.get("skill") != skill, self.content["screens"])
        return ".".join(SKIP if "skill" in entry else ON for entry in before)

    @property
    def teacher(self) -> ContentTable:
        """The teacher's card: its `aim`, what to `ask`, what pupils get `wrong`, and an `unplugged` activity."""
        card: ContentTable = self.content["teacher"]
        values = facts_of(card).values
        return {
            name: [text.format(**values) for text in words] if name == "ask" else words.format(**values)
            for name, words in card.items()
        }


def facts_of(entry: ContentTable) -> Facts:
    """Return the facts that an entry names, or none."""
    facts: Facts = facts_named(entry["facts"])() if "facts" in entry else Facts()
    return facts


@dataclass(frozen=True, slots=True)
class Visit:
    """A visitor's way through screens.

    `at` is the number of the screen, from 0. `asked` are the numbers of this skill's items that were asked, the last
    one now, with its `turn`. `first` tells for each item before it whether it was right at the first try, and `results`
    the same for each screen before this one.
    """

    screens: tuple[Screen, ...]
    at: int = 0
    asked: tuple[int, ...] = ()
    first: tuple[bool, ...] = ()
    turn: AskedItem | None = None
    results: tuple[tuple[bool, ...], ...] = ()

    @classmethod
    def begin(cls, screens: tuple[Screen, ...]) -> "Visit":
        """Return the visit at the first screen."""
        return cls(screens)._arrive()

    @property
    def screen(self) -> Screen | None:
        """The screen shown, None at the end."""
        return self.screens[self.at] if self.at < len(self.screens) else None

    @property
    def known(self) -> dict[str, bool]:
        """Whether each skill so far is known, by its name."""
        before = zip(self.screens, self.results, strict=False)
        return {screen.name: knows(first, screen) for screen, first in before if isinstance(screen, Skill)}

    @property
    def steps(self) -> Iterator[str]:
        """The state of each screen: `known`, `done`, `now`, or nothing."""
        known = self.known
        for number, screen in enumerate(self.screens):
            left = "done" if isinstance(screen, Skill) and not known.get(screen.name) else "known"
            yield left if number < self.at else "now" if number == self.at else ""

    def after(self, attempt: str) -> "Visit":
        """Return the visit after one more attempt. Raises BadOption."""
        screen, turn = self.screen, self.turn
        if attempt == (SKIP if turn else ON) and screen:
            return self._leave()
        if turn is None or not isinstance(screen, Skill):
            raise BadOption(f"{quoted(attempt)} isn't on offer here. Start again.")
        if attempt == ON and turn.over:
            return self._go_on(screen, not turn.missed)
        return replace(self, turn=turn.after(attempt))

    def _leave(self) -> "Visit":
        return Visit(self.screens, self.at + 1, results=(*self.results, self.first))._arrive()

    def _arrive(self) -> "Visit":
        return self._ask(self.screen, 0) if isinstance(self.screen, Skill) else self

    def _go_on(self, skill: Skill, right: bool) -> "Visit":
        """Return the visit after an item: at a harder or a simpler one, or at the next screen."""
        visit, at = replace(self, first=(*self.first, right)), self.asked[-1]
        unused = set(range(len(skill.items))) - set(self.asked)
        if not unused or knows(visit.first, skill) or len(self.asked) >= self._most:
            return visit._leave()
        if right:
            return visit._ask(skill, min(unused, key=lambda number: (number < at, abs(number - at - LEAP))))
        return visit._ask(skill, min(unused, key=lambda number: (number > at, abs(number - at))))

    @property
    def _most(self) -> int:
        """The most items of the present skill, so that each skill after it can still become known."""
        after = sum(isinstance(screen, Skill) for screen in self.screens[self.at + 1 :])
        return min(ITEMS, MOST - sum(map(len, self.results)) - IN_A_ROW * after)

    def _ask(self, skill: Skill, number: int) -> "Visit":
        return replace(self, asked=(*self.asked, number), turn=AskedItem(skill.items[number]()))


def knows(first: tuple[bool, ...], skill: Skill) -> bool:
    """Return whether a skill is known after items that were right at the first try or not."""
    needed = min(IN_A_ROW, len(skill.items))
    return len(first) >= needed and all(first[-needed:])


@dataclass(frozen=True, slots=True)
class UnitPage:
    """A page of a unit, after the attempts `did`. If `ask` names an item, such as `find-3`, it asks that one alone."""

    unit: Unit
    visit: Visit
    did: str = ""
    view: str = ""
    ask: str = ""

    @classmethod
    def of(cls, unit: Unit, query: Query) -> "UnitPage":
        """Read a page's address. Raises BadOption."""
        did, ask = spell_attempts(DID, query), query.get("ask", "")
        if len(did) > LONGEST:
            raise BadOption(f"{DID} is longer than {LONGEST} characters. Start again.")
        visit = Visit.begin(_only(unit, ask) if ask else unit.screens)
        for attempt in filter(None, did.split(".")):
            visit = visit.after(attempt)
        return cls(unit, visit, did, one_of(query, "view", VIEWS, ""), ask)

    @property
    def item(self) -> str:
        """The name of the item that is asked, or nothing."""
        visit = self.visit
        if not isinstance(visit.screen, Skill):
            return ""
        return self.ask or f"{visit.screen.name}-{visit.asked[-1] + 1}"

    @property
    def known(self) -> dict[str, bool]:
        """Whether each skill so far is known, by its name. An item alone says nothing of its skill."""
        return {} if self.ask else self.visit.known

    @property
    def learnt(self) -> tuple[str, ...]:
        """The names of the skills that are known."""
        return tuple(name for name, known in self.known.items() if known)

    @property
    def parts(self) -> dict[str, str]:
        """The parts of the address beside the attempts."""
        return {name: text for name, text in (("ask", self.ask), ("view", self.view)) if text}

    def url(self, *attempts: str) -> str:
        """Return the address after more attempts."""
        return self._address(self.parts, self.did, *attempts)

    def seen(self, view: str) -> str:
        """Return the address of the whole unit in another view."""
        return self._address({"view": view} if view else {})

    def again(self, skill: str) -> str:
        """Return the address at which a skill begins, with those before it skipped."""
        return self._address(self.parts, self.unit.way_to(skill))

    def _address(self, parts: dict[str, str], *attempts: str) -> str:
        return with_query(f"/learn/{self.unit.name}", {**parts, DID: ".".join(filter(None, attempts)) or None})


def _only(unit: Unit, ask: str) -> tuple[Skill]:
    """Return a skill with one item alone. Raises BadOption."""
    for skill in unit.screens:
        if isinstance(skill, Skill):
            for number, item in enumerate(skill.items, start=1):
                if f"{skill.name}-{number}" == ask:
                    return (replace(skill, items=(item,)),)
    raise BadOption(f"ask={quoted(ask)} isn't an item of this unit.")
