"""The course and the library: the units in the order in which they are learnt, then the pages to look things up."""

from itertools import pairwise
from types import MappingProxyType
from typing import Final

from solver.analysis.drills import DrillKind
from webapp.pages.learn.content import UNITS_FOLDER, read_content
from webapp.pages.learn.lesson import Lesson
from webapp.pages.learn.lessons import LESSONS
from webapp.pages.learn.unit import Unit

COURSE: Final = {
    "three": "three",
    "forks": "forks",
    "openings": "openings",
    "same": "same",
    "tree": "tree",
    "minimax": "search",
    "alphabeta": "alphabeta",
    "rules": "workshop",
    "matchboxes": "menace",
    "draws": "draws",
    "clause": "clause",
    "certain": "boards",
}
"""The names of the units, each with the lesson that takes its place until it has a file."""

UNITS: Final[tuple[Unit | Lesson, ...]] = tuple(
    Unit.of(name, read_content(name, UNITS_FOLDER)) if (UNITS_FOLDER / f"{name}.toml").exists() else LESSONS[lesson]
    for name, lesson in COURSE.items()
)
"""The units of the course, each of which needs only those before it."""

LIBRARY: Final = tuple(lesson for lesson in LESSONS.values() if lesson not in UNITS)
"""The lessons in which to look things up, in reading order."""

PAGES: Final = MappingProxyType({page.name: page for page in (*UNITS, *LIBRARY)})
"""The units and the lessons by name."""


def lesson_on(kind: DrillKind) -> Unit | Lesson | None:
    """Return the first page that teaches a kind of drills, or None if there is none."""
    return next((page for page in PAGES.values() if kind in page.drills), None)


def page_after(name: str) -> Unit | Lesson | None:
    """Return the page after the named one, or None after the last."""
    return PAGES.get(dict(pairwise(PAGES)).get(name, ""))
