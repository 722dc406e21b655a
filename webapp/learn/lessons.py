"""The lessons in the order of the contents."""

from types import MappingProxyType
from typing import Final

from webapp.learn import census, claims, forks, generic, search

LESSONS: Final = MappingProxyType(
    {
        module.LESSON.name: module.LESSON
        for module in (
            census,
            forks,
            search,
            generic,
            claims,
        )
    }
)
"""Every lesson by its name."""
