"""The lessons in the order of the contents."""

from types import MappingProxyType
from typing import Final

from webapp.learn import claims, explorer, pictures, poster

LESSONS: Final = MappingProxyType(
    {module.LESSON.name: module.LESSON for module in (explorer, pictures, poster, claims)}
)
"""Every lesson by its name."""
