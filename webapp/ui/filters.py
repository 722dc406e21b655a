"""Jinja's filters, which turn the values of views into text, and the choices on a page."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from fractions import Fraction
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from flask import Flask, url_for
from flask.templating import Environment
from jinja2.compiler import CodeGenerator
from markupsafe import _escape_inner  # type: ignore[attr-defined]

from solver.board.families import Surface
from solver.board.game import game_to
from solver.board.notation import (
    capital,
    few_cells,
    format_cell,
    format_cells,
    format_fraction,
    format_leaving,
    format_moves,
    format_outcome,
    format_percent,
    format_position,
    format_state,
    format_whole_percent,
    parse_rules,
    rounded_share,
)
from solver.board.outcome import Outcome, counted
from solver.board.position import Position
from solver.board.rules import USUAL, Goal, Marking, Rules
from solver.board.shelf import SHELF
from solver.pictures.places import extent
from solver.players import STRATEGIES
from solver.players.handbook import LIST_PREFIX, list_called
from solver.players.levels import LEVELS
from solver.reasons import Reason
from webapp.ui.address import with_query
from webapp.ui.previews import carrying

if TYPE_CHECKING:
    from solver.catalogue.entry import Entry

_TITLES: Final = {Goal.MISERE: "misère", Marking.VANISHING_STRICT: "strictly vanishing"}
"""The names of clauses that are not the words in boards' names."""

RUNGS: Final = MappingProxyType({level: STRATEGIES[level].title for level in LEVELS})
"""The titles of the levels on the ladder, the weakest first."""

_WORTHS: Final = {1: "X wins", 0: "draw", -1: "O wins"}
_COUNTS: Final = ("", "one", "two", "three", "four", "five", "six", "seven", "eight")


@lru_cache(maxsize=256)
def board_title(rules: Rules) -> str:
    """Name a board and what wins on it, e.g. "3×3, three in a row"."""
    row = _row(rules.k) if rules.winning is None else "a drawn line"
    return f"{board_size(rules)}, {rules.shape.words if rules.shape else row}"


def entry_title(entry: "Entry") -> str:
    """Name a board of the atlas, also one without a line."""
    return f"{entry.columns}×{entry.rows}, {_row(entry.k)}"


def _row(k: int) -> str:
    return "a single stone" if k == 1 else f"{_COUNTS[k]} in a row"


def board_size(rules: Rules) -> str:
    """Name a board's sides, its surface, its other clauses and its holes, e.g. "3×3 torus" or "3×3 misère"."""
    surface = "" if rules.surface is Surface.FLAT else f" {rules.surface.words}"
    turned = (each for each in (rules.drop, rules.goal, rules.marks) if each not in USUAL)
    others = "".join(f" {_TITLES.get(each, each)}" for each in turned)
    holes = f" with {counted(rules.holes.bit_count(), 'hole', 'holes')}" if rules.holes else ""
    return f"{rules.sides}{surface}{others}{holes}"


def winning_rule(rules: Rules) -> str:
    """Name a board and say what wins or loses on it, e.g. "3×3, three in a row wins"."""
    return f"{board_title(rules)} {'loses' if rules.completing_loses else 'wins'}"


def reason_or_outcome(reason: Reason | None, outcome: Outcome, position: Position) -> str:
    """Say the verified reason for a square or, without one, the square's outcome."""
    if reason is not None and reason.verified:
        return reason.text
    return f"{capital(outcome.in_moves(position.mover, position.rules))}."


def worth(value: int) -> str:
    """Name a value as X sees it: 1 is a win of X, 0 a draw, -1 a win of O."""
    return _WORTHS[value]


def signed(value: int) -> str:
    """Write a value with its sign, e.g. "+1" or "−1"."""
    return f"{value:+d}".replace("-", "−") if value else "0"


def whole_percent(share: float) -> str:
    """Write a share in whole percent. Only a share of 0 or 1, within rounding errors, reads 0% or 100%."""
    return format_whole_percent(rounded_share(share))


def thousands(number: int) -> str:
    """Write a number with commas between the thousands."""
    return f"{number:,}"


def exactly(number: Fraction) -> str:
    """Write a fraction, with its decimals unless it is a whole number, e.g. "1/3 = 0.333"."""
    return format_fraction(number).replace("-", "−")


def figure(value: object) -> str:
    """Write the figure of a claim: a number with commas between the thousands, or an object without quotes."""
    if isinstance(value, int) and not isinstance(value, bool):
        return thousands(value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {figure(part)}" for name, part in value.items())
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def duration(seconds: float) -> str:
    """Write a time in a suitable unit."""
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def play_url(position: Position) -> str:
    """Return the link to play on from a position: against a friend, unless the board is empty."""
    rules, game = position.rules, game_to(position)
    start = {"moves": format_moves(game.moves, rules)} if game.moves else {"from": format_position(position)}
    return with_query(url_for("pages.play", board=str(rules)), start | {"o": "friend"} if position.is_begun else {})


def trial_url(name: str) -> str:
    """Return the address of an opponent's trial, or of the workshop for a list of rules."""
    if list_called(name):
        return url_for("learn.lesson", name="workshop", rules=name.removeprefix(LIST_PREFIX))
    return url_for("learn.lesson", name="workshop", strategy=name)


FILTERS: Final[Mapping[str, Callable[..., object]]] = MappingProxyType(
    {
        "board": board_title,
        "winning_rule": winning_rule,
        "extent": extent,
        "entry": entry_title,
        "cell": format_cell,
        "cells": format_cells,
        "few_cells": few_cells,
        "moves": format_moves,
        "leaving": format_leaving,
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
"""The filters by name."""


_INCLUDES: Final = re.compile(r'{% include "([^"]+)" %}\n?')


class _Code(CodeGenerator):
    def write(self, x: str) -> None:
        """Write a piece of a template's code, which escapes values by `escaped`."""
        super().write("environment.escaped(" if x == "escape(" else x)


class Templates(Environment):
    """The environment of the application's templates."""

    code_generator_class = _Code

    def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
        """Return a template with what it includes in place: one function renders faster than several."""
        return super().preprocess(_INCLUDES.sub(self._included, source), name, filename)

    def _included(self, match: re.Match[str]) -> str:
        assert self.loader is not None  # noqa: S101 - Flask's
        source, *_ = self.loader.get_source(self, match[1])
        return _INCLUDES.sub(self._included, source.removesuffix("\n"))

    @staticmethod
    def escaped(value: Any) -> str:
        """Return a value in HTML, as `escape` does. It is joined at once, so it need not be marked as safe."""
        if type(value) is str:
            return _escape_inner(value)
        return value.__html__() if hasattr(value, "__html__") else _escape_inner(str(value))

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals as they are. Jinja would put a map before them, which each rendering copies slowly."""
        return super().make_globals(d) if d else self.globals


def init_app(app: Flask) -> None:
    """Give the templates the filters, the levels of the ladder, the games with names, `url_for` and `static`.

    `static` adds the digest of the file to its address.
    """

    @cache
    def static(name: str) -> str:
        digest = blake2b(Path(app.static_folder or "", name).read_bytes(), digest_size=6).hexdigest()
        return app.url_for("static", filename=name, v=digest)

    kept_url_for = lru_cache(maxsize=256)(app.url_for)  # the same addresses on every page
    app.jinja_env.filters.update(FILTERS)
    app.jinja_env.globals.update(rungs=RUNGS, shelf=SHELF, url_for=kept_url_for, static=static)


class Choice(NamedTuple):
    """A link among several; the `current` one leads to the view shown. `url` is None while the link leads nowhere.

    A link that is `away` leads to a page with styles and scripts of its own.
    """

    title: str
    url: str | None
    current: bool = False
    id: str = ""
    away: bool = False


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
