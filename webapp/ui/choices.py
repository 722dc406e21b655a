"""The choices on a page: links to other views, and entries of dropdowns."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from solver.board.notation import parse_rules
from webapp.ui.filters import board_title


class Choice(NamedTuple):
    """A link among several; the `current` one leads to the view shown. `url` is None while the link leads nowhere."""

    title: str
    url: str | None
    current: bool = False
    id: str = ""


class Option(NamedTuple):
    """An entry of a dropdown."""

    value: str
    title: str
    selected: bool = False
    description: str = ""


def options(titles: Mapping[str, str], chosen: str) -> tuple[Option, ...]:
    """Make the entries of a dropdown from their titles by value, the chosen one selected."""
    return tuple(Option(value, title, value == chosen) for value, title in titles.items())


def board_options(boards: Iterable[str], chosen: str) -> tuple[Option, ...]:
    """Make the entries of a dropdown of boards; the chosen board is added if it is not on offer."""
    return options({board: board_title(parse_rules(board)) for board in (*boards, chosen)}, chosen)
