"""The lessons in the order in which they are read."""

from types import MappingProxyType
from typing import Final

from webapp.pages.learn.lessons import (
    alphabeta,
    boards,
    census,
    claims,
    clause,
    crosstable,
    draws,
    explorer,
    menace,
    pictures,
    poster,
    program,
    search,
    workshop,
)

LESSONS: Final = MappingProxyType(
    {
        module.LESSON.name: module.LESSON
        for module in (
            *(census, search, alphabeta, workshop, menace, draws, clause, boards),
            *(explorer, poster, pictures, program, crosstable, claims),
        )
    }
)
"""All lessons by name, in the order in which they are read."""
