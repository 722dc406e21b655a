"""The lessons in the order of the contents."""

from types import MappingProxyType
from typing import Final

from webapp.learn import claims, crosstable, draws, openings, reduced, trial

LESSONS: Final = MappingProxyType(
    {module.LESSON.name: module.LESSON for module in (openings, reduced, draws, trial, crosstable, claims)}
)
"""Every lesson by its name."""
