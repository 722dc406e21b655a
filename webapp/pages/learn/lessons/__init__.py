"""The lessons in the order in which they are read: the units of the course, then the library."""

from itertools import pairwise
from types import MappingProxyType
from typing import Final

from solver.analysis.drills import DrillKind
from webapp.pages.learn.lesson import Lesson
from webapp.pages.learn.lessons import (
    alphabeta,
    beaten,
    boards,
    census,
    claims,
    clause,
    crosstable,
    draws,
    explorer,
    forks,
    menace,
    openings,
    pictures,
    poster,
    program,
    same,
    search,
    workshop,
)

UNITS: Final = tuple(
    module.LESSON
    for module in (
        *(beaten, forks, openings, same, census, search),
        *(alphabeta, workshop, menace, draws, clause, boards),
    )
)
"""The units of the course, each of which needs only those before it."""

LIBRARY: Final = tuple(module.LESSON for module in (explorer, poster, pictures, program, crosstable, claims))
"""The lessons in which to look things up, in reading order."""

LESSONS: Final = MappingProxyType({lesson.name: lesson for lesson in (*UNITS, *LIBRARY)})
"""All lessons by name."""


def lesson_on(kind: DrillKind) -> Lesson | None:
    """Return the first lesson that a kind of drills trains, or None if there is none."""
    return next((lesson for lesson in LESSONS.values() if kind in lesson.drills), None)


def lesson_after(name: str) -> Lesson | None:
    """Return the lesson after the named one, or None after the last."""
    return LESSONS.get(dict(pairwise(LESSONS)).get(name, ""))
