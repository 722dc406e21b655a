"""The lessons in the order of the contents."""

from types import MappingProxyType
from typing import Final

from webapp.learn import claims, predictions, rulebook

LESSONS: Final = MappingProxyType({module.LESSON.name: module.LESSON for module in (predictions, rulebook, claims)})
"""Every lesson by its name."""
