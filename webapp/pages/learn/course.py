"""The course and the library: the units in the order in which they are learnt, then the pages to look things up."""

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from solver.analysis.drills import DrillKind
from webapp.pages.learn.article import ARTICLE_PAGES
from webapp.pages.learn.lesson import CoursePage, Lesson
from webapp.pages.learn.lessons import LESSONS
from webapp.pages.learn.unit import Unit

COURSE: Final = (
    *("three", "forks", "openings", "same", "tree", "minimax"),
    *("alphabeta", "rules", "matchboxes", "draws", "clause", "certain"),
)
"""The names of the units."""

UNITS: Final = tuple(map(Unit.of, COURSE))
"""The units of the course, each of which needs only those before it."""

LIBRARY: Final = tuple(LESSONS.values())
"""The lessons in which to look things up, in reading order."""

PAGES: Final[Mapping[str, Unit | Lesson]] = MappingProxyType({page.name: page for page in (*UNITS, *LIBRARY)})
"""The units and the lessons by name."""

EVERY_PAGE: Final[Mapping[str, CoursePage]] = MappingProxyType({**PAGES, **ARTICLE_PAGES})
"""The units, the lessons and the articles by name."""


def lesson_on(kind: DrillKind) -> Unit | None:
    """Return the first unit that teaches a kind of drills, or None if there is none."""
    return next((unit for unit in UNITS if kind in unit.drills), None)


def page_after(name: str) -> Unit | Lesson | None:
    """Return the page after the named one, or None after the last."""
    return PAGES.get(dict(pairwise(PAGES)).get(name, ""))
