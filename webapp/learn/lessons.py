"""The lessons in the order of the contents."""

from types import MappingProxyType
from typing import Final

from webapp.learn import (
    census,
    claims,
    crosstable,
    draws,
    forks,
    generic,
    openings,
    predictions,
    reduced,
    rulebook,
    search,
    trial,
)

LESSONS: Final = MappingProxyType(
    {
        module.LESSON.name: module.LESSON
        for module in (
            census,
            forks,
            openings,
            reduced,
            draws,
            predictions,
            search,
            generic,
            trial,
            crosstable,
            rulebook,
            claims,
        )
    }
)
"""Every lesson by its name."""
