"""The rules: lines, shapes, symmetries, and how fast a board of any family is built."""

import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import permutations
from types import FrameType
from typing import Any

import pytest
from hypothesis import given

from solver.board import families, rules
from solver.board.families import ANIMALS, Shape
from solver.board.names import parse_rules
from solver.board.notation import parse_position
from solver.board.outcome import Value
from solver.board.position import Position
from solver.board.rules import Bits, Rules, cells_of, mapped, rules_of
from solver.errors import BadRules
from solver.proofs.file import key_of
from solver.proofs.predict import predict
from tests.strategies import boards, drawn_games, examples
from tests.strategies import families as any_family


@given(boards())
def test_a_cell_knows_exactly_the_lines_that_hold_it(rules: Rules) -> None:
    for cell in range(rules.size):
        assert set(rules.lines_through[cell]) == {line for line in rules.lines if cell in cells_of(line)}


TOP_ROW, LEFT_COLUMN = 0b111, 0b001_001_001
TOP_ROW_ONLY = Rules(3, 3, 3, winning=(TOP_ROW,))
SOME_LINES = [(), (TOP_ROW,), (LEFT_COLUMN,), (TOP_ROW, LEFT_COLUMN), (0b001_010_100, 0b100_010_001)]


def test_rules_with_given_lines_have_no_others() -> None:
    assert TOP_ROW_ONLY.lines == (TOP_ROW,)
    assert TOP_ROW_ONLY.threats(0b011_011, 0) == 0b100


@pytest.mark.parametrize(("lines", "count"), [*zip(SOME_LINES, (8, 2, 2, 2, 8), strict=True)])
def test_the_symmetries_of_given_lines_map_them_onto_themselves(lines: tuple[Bits, ...], count: int) -> None:
    rules = Rules(3, 3, 3, lines)
    assert len(rules.symmetries) == len(rules.images) == count
    assert all({mapped(line, symmetry) for line in lines} == set(lines) for symmetry in rules.symmetries)


def test_rules_with_other_lines_have_another_spelling() -> None:
    """Proofs are filed under this text."""
    assert len({str(Rules(3, 3, 3, lines)) for lines in (None, *SOME_LINES)}) == 1 + len(SOME_LINES)
    assert parse_rules(str(TOP_ROW_ONLY)) == TOP_ROW_ONLY
    assert key_of(Position(TOP_ROW_ONLY)) != key_of(Position(rules_of(3, 3, 3)))


def test_a_game_with_other_lines_is_predicted_by_these_lines() -> None:
    with_two = parse_position("XX./OO./...", TOP_ROW_ONLY)
    assert predict(with_two).best == (2,)
    assert predict(with_two.transformed(Rules(3, 3, 3).symmetries[1])).best == (0,)
    on_its_side = Position(TOP_ROW_ONLY, x=LEFT_COLUMN & ~1, o=0b010_010_000)
    assert {each.value for each in predict(on_its_side).squares.values()} == {Value.DRAW}


@pytest.mark.parametrize("board", ["3x2x2-torus", "3x2x3-mobius", "2x3-el", "3x2x2-projective", "7x1x3-cylinder"])
def test_on_small_boards_the_symmetries_are_all_there_are(board: str) -> None:
    rules = parse_rules(board)
    kept = [
        each for each in permutations(range(rules.size)) if {mapped(one, each) for one in rules.lines} == {*rules.lines}
    ]
    assert sorted(rules.symmetries) == kept


def test_too_many_symmetries_give_way_to_those_that_keep_the_first_cells() -> None:
    assert len(symmetries := parse_rules("3x3x1-torus").symmetries) == 720  # all orders of the last six
    assert all(each[:3] == (0, 1, 2) for each in symmetries)


@given(boards())
def test_flat_says_nothing_new(rules: Rules) -> None:
    assert parse_rules(f"{rules}-flat") == rules
    assert rules.is_standard


@pytest.mark.parametrize(("shape", "ways"), [*zip(ANIMALS.values(), (2, 4, 2, 8, 4, 4, 2, 1, 8), strict=True)])
def test_a_shape_lies_in_all_its_turns_and_reflections(shape: Shape, ways: int) -> None:
    drawn = shape.drawn.split("/")
    assert len(rules_of(7, 7, shape.squares, shape=shape).lines) == ways * (8 - len(drawn)) * (8 - len(drawn[0]))


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
