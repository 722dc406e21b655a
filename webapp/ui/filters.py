"""How the templates write what the solver hands them: Jinja's filters, by name."""

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from flask import Flask, url_for

from solver.board.notation import (
    few_cells,
    format_cell,
    format_cells,
    format_fraction,
    format_moves,
    format_outcome,
    format_percent,
    format_position,
    format_state,
    format_whole_percent,
    rounded_share,
)
from solver.board.outcome import counted
from solver.board.position import Position
from solver.players.lists import LIST_PREFIX, list_called
from webapp.ui.address import with_query
from webapp.ui.kept import carrying
from webapp.ui.words import board_title

_WORTHS: Final = {1: "X wins", 0: "draw", -1: "O wins"}


def worth(value: int) -> str:
    """What a value seen by X says: 1 a win of X, 0 a draw, -1 a win of O."""
    return _WORTHS[value]


def signed(value: int) -> str:
    """A value with its sign, e.g. "+1" or "−1"."""
    return f"{value:+d}".replace("-", "−") if value else "0"


def whole_percent(share: float) -> str:
    """A share in whole percent; only a certainty looks like one, but for what floating-point numbers are wrong by."""
    return format_whole_percent(rounded_share(share))


def thousands(number: int) -> str:
    """A number with its thousands set off."""
    return f"{number:,}"


def exactly(number: Fraction) -> str:
    """A fraction, and what it is about where it is no whole number, e.g. "1/3 = 0.333"."""
    return format_fraction(number).replace("-", "−")


def figure(value: object) -> str:
    """A claim's figure: a number with its thousands set off, an object without its quotes."""
    if isinstance(value, int) and not isinstance(value, bool):
        return thousands(value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {figure(part)}" for name, part in value.items())
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def play_url(position: Position) -> str:
    """Return the link to play on from a position: against a friend, unless the board is empty."""
    parts = {"from": format_position(position), "o": "friend"} if position.x else {}
    return with_query(url_for("pages.play", board=str(position.rules)), parts)


def trial_url(name: str) -> str:
    """The address of the page that says whether an opponent can be beaten: of a list of rules the workshop."""
    if list_called(name):
        return url_for("learn.lesson", name="workshop", rules=name.removeprefix(LIST_PREFIX))
    return url_for("learn.lesson", name="trial", strategy=name)


FILTERS: Final[Mapping[str, Callable[..., str]]] = MappingProxyType(
    {
        "board": board_title,
        "cell": format_cell,
        "cells": format_cells,
        "few_cells": few_cells,
        "moves": format_moves,
        "state": format_state,
        "outcome": format_outcome,
        "worth": worth,
        "signed": signed,
        "percent": format_percent,
        "whole_percent": whole_percent,
        "thousands": thousands,
        "plural": counted,
        "exactly": exactly,
        "figure": figure,
        "duration": duration,
        "play_url": play_url,
        "carrying": carrying,
        "trial_url": trial_url,
        "with_query": with_query,
    }
)
"""What each filter is called."""


def init_app(app: Flask) -> None:
    """Gives the filters to the application's templates."""
    app.jinja_env.filters.update(FILTERS)
