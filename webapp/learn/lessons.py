"""The lessons in the order of the contents, by what they are about."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from webapp.learn import (
    census,
    claims,
    crosstable,
    draws,
    explorer,
    forks,
    generic,
    openings,
    pictures,
    poster,
    predictions,
    reduced,
    rulebook,
    search,
    trial,
)
from webapp.learn.lesson import Lesson

GROUPS: Final[Mapping[str, tuple[Lesson, ...]]] = MappingProxyType(
    {
        "Understand the game": (explorer.LESSON, openings.LESSON, forks.LESSON, draws.LESSON, poster.LESSON),
        "The whole tree": (census.LESSON, reduced.LESSON, pictures.LESSON),
        "How a computer plays": (predictions.LESSON, search.LESSON, generic.LESSON),
        "The opponents": (trial.LESSON, crosstable.LESSON, rulebook.LESSON),
        "The articles": (claims.LESSON,),
    }
)

LESSONS: Final = MappingProxyType({lesson.name: lesson for group in GROUPS.values() for lesson in group})
"""Every lesson by its name."""


def lesson_after(name: str) -> Lesson | None:
    """The lesson that follows one, None after the last."""
    following: Iterator[Lesson] = iter(LESSONS.values())
    return next((next(following, None) for each in following if each.name == name), None)
