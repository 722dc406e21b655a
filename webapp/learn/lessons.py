"""The lessons in the order of the contents."""

from types import MappingProxyType
from typing import Final

from webapp.learn import census, claims, draws, forks, openings, reduced

LESSONS: Final = MappingProxyType(
    {module.LESSON.name: module.LESSON for module in (census, forks, openings, reduced, draws, claims)}
)
"""Every lesson by its name."""
