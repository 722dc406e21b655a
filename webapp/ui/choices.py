"""The choices on a page: links to other views, and entries of dropdowns."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """A link among several; the `current` one leads to the view shown. `url` is None while the link leads nowhere."""

    title: str
    url: str | None
    current: bool = False
    id: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """An entry of a dropdown."""

    value: str
    title: str
    selected: bool = False
    description: str = ""


def options(titles: Mapping[str, str], chosen: str) -> tuple[Option, ...]:
    """Make the entries of a dropdown from their titles by value, the chosen one selected."""
    return tuple(Option(value, title, value == chosen) for value, title in titles.items())
