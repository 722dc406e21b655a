"""The lessons in the order of the contents."""

from types import MappingProxyType
from typing import Final

from webapp.learn import claims, crosstable, draws, openings, predictions, reduced, rulebook, trial

LESSONS: Final = MappingProxyType(
    {
        module.LESSON.name: module.LESSON
        for module in (predictions, openings, reduced, draws, trial, crosstable, rulebook, claims)
    }
)
"""Every lesson by its name."""
