"""The lessons in the order of the contents."""

from types import MappingProxyType
from typing import Final

from webapp.learn import census, claims, crosstable, draws, explorer, forks, openings, pictures, poster, reduced, trial

LESSONS: Final = MappingProxyType(
    {
        module.LESSON.name: module.LESSON
        for module in (census, forks, openings, reduced, draws, explorer, pictures, poster, trial, crosstable, claims)
    }
)
"""Every lesson by its name."""
