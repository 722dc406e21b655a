"""The lessons in the order of the contents."""

from types import MappingProxyType
from typing import Final

from webapp.learn import (
    census,
    claims,
    crosstable,
    draws,
    explorer,
    forks,
    generic,
    openings,
    pictures,
    poster,
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
            explorer,
            predictions,
            census,
            pictures,
            forks,
            openings,
            reduced,
            draws,
            poster,
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
