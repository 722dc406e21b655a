"""The lessons in the order of the contents."""

from types import MappingProxyType
from typing import Final

from webapp.learn import census, claims, crosstable, draws, forks, generic, openings, reduced, search, trial

LESSONS: Final = MappingProxyType(
    {
        module.LESSON.name: module.LESSON
        for module in (
            census,
            forks,
            openings,
            reduced,
            draws,
            search,
            generic,
            trial,
            crosstable,
            claims,
        )
    }
)
"""Every lesson by its name."""
