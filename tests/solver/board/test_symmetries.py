"""A board of any family is built within a few milliseconds: no name makes a page's thread search for long."""

import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

import pytest
from hypothesis import given

from solver.board import families, rules
from solver.board.names import parse_rules
from solver.board.rules import Rules
from solver.errors import BadRules
from tests.strategies import drawn_games, examples
from tests.strategies import families as any_family

MOST_LINES_RUN = 45_000
"""The lines of Python that run as a board is built. So many take less than 5 ms: `make bench` prints the times."""

WORST = (
    *("8x8x5-torus", "8x8x1-cylinder", "8x7x8-mobius", "8x8-klein-fatty", "8x8-projective-tic", "8x8-torus-el"),
    *("6x6-torus-domino", "6x6x4-torus", "6x8x3-torus", "4x8-torus-elly", "8x8x5-torus-holesd4", "8x7x5-gravity"),
    *(
        "5x3x3-torus",
        "5x3x3-klein",
        "5x3-klein-elly",
        "3x3-torus-tippy",
        "4x4-skinny",
        "4x4-torus-elly",
        "2x8x8-mobius",
    ),
    *("8x2x7-cylinder", "3x4-mobius-zpp", "8x2-cylinder-zbbbbbbbb", "4x4x3-klein-holesb2c3", "4x4x3-torus-notakto"),
    *("4x4x4x4", "4x4x4x3", "3x4x4x4", "2x2x4x3", "2x1x8x7", "8x8x1-linesa1h8c3", "8x8-torus-wild-el"),
    *("2x8x8-linesa2a4a5a6a7b4b6b8a1a6a8b2b3b4b5b8a1a2a5b1b4b6b7b8", "4x4x2-linesa1b2b3c4d1a2c3d4b4c1a4d3b1c2a3d2"),
    *("8x8-elly", "8x8-torus-zpp", "8x8-klein-zfbaajb", "4x4x4x2", "2x2-torus-skinny"),  # refused
)
"""Boards of all families that take most work, and some that are refused."""


def lines_run(action: Callable[[], object]) -> int:
    """Return how many lines of Python an action runs."""
    count, before = 0, sys.gettrace()

    def trace(_: FrameType, event: str, __: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)
    return count


def build(name: str) -> None:
    """Compute what a page asks of the rules of a board that nobody asked for before."""
    rules._other.cache_clear()
    families._unroll.cache_clear()
    with suppress(BadRules):
        look_at(parse_rules(name))


def look_at(board: Rules) -> None:
    _ = board.lines, board.lines_through, board.symmetries, board.images, board.is_straight


@pytest.mark.parametrize("name", WORST)
def test_the_costliest_boards_are_built_in_few_steps(name: str) -> None:
    assert lines_run(lambda: build(name)) <= MOST_LINES_RUN


@examples(60)
@given(any_family() | drawn_games())
def test_every_board_is_built_in_few_steps(board: Rules) -> None:
    families._unroll.cache_clear()
    fresh = Rules(board.columns, board.rows, board.k, **board.clauses._asdict())
    assert lines_run(lambda: look_at(fresh)) <= MOST_LINES_RUN
