"""The lessons in the order of the contents."""

from types import MappingProxyType
from typing import Final

from webapp.learn import claims, crosstable, trial

LESSONS: Final = MappingProxyType({module.LESSON.name: module.LESSON for module in (trial, crosstable, claims)})
"""Every lesson by its name."""
