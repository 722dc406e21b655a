"""The lessons in the order in which they are read."""

from types import MappingProxyType
from typing import Final

from webapp.pages.learn.lessons import (
    boards,
    claims,
    crosstable,
    explorer,
    menace,
    pictures,
    poster,
    program,
    search,
    shapes,
    stepper,
    workshop,
)

LESSONS: Final = MappingProxyType(
    {
        module.LESSON.name: module.LESSON
        for module in (
            *(search, stepper, workshop, menace, shapes, boards),
            *(explorer, poster, pictures, program, crosstable, claims),
        )
    }
)
"""All lessons by name, in the order in which they are read."""
