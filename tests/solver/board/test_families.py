"""Families of lines: surfaces, shapes, their names and their symmetries."""

from itertools import permutations

import pytest
from hypothesis import given

from solver.board.families import ANIMALS, Shape, Surface, shape_named
from solver.board.notation import format_line, parse_cell, parse_rules, split_moves
from solver.board.rules import Rules, bits_of, mapped, rules_of
from tests.strategies import boards


def line(cells: str, board: str) -> int:
    rules = parse_rules(board)
    return bits_of(parse_cell(name, rules) for name in split_moves(cells, rules))


@pytest.mark.parametrize(
    ("board", "count"),
    [
        ("1x1x1", 1),
        ("3x3x1", 9),
        ("3x3x3", 8),
        ("4x3x3", 14),
        ("4x4x4", 10),
        ("5x5x4", 28),
        ("8x8x5", 96),
        ("2x2x2x2", 28),  # ((k + 2)³ - k³) / 2 on a cube: each line leaves one that is larger by one on two sides
        ("3x3x3x3", 49),
        ("4x4x4x4", 76),
        ("3x3x2x3", 16),
        ("3x3x3-cylinder", 12),  # three rows, three columns, and three diagonals each way
        ("3x3x3-torus", 12),
        ("4x4x3-cylinder", 40),  # 16 rows, 8 columns and 8 diagonals each way
        ("4x4x3-torus", 64),
        ("8x8x5-torus", 256),
        ("5x5x5-torus", 20),
        ("1x1x1-torus", 1),
        ("7x7-skinny", 56),  # four rows of four in each of 7 rows and 7 columns
        ("3x3-domino", 12),
        ("3x3-el", 16),  # four in each 2×2 square
        ("3x3-fatty", 4),
        ("3x3-tippy", 8),  # two in each of the two 2×3 blocks, and two in each of the 3×2 blocks
        ("3x3-fatty-torus", 9),
    ],
)
def test_a_board_has_as_many_lines_as_counting_by_hand_gives(board: str, count: int) -> None:
    assert len(parse_rules(board).lines) == count


@pytest.mark.parametrize(
    ("cells", "board", "is_line"),
    [
        ("c1d1a1", "4x3x3-cylinder", True),
        ("c1d1a1", "4x3x3-torus", True),
        ("c1d1a3", "4x3x3-mobius", True),  # the right end of the bottom row meets the left end of the top row
        ("c1d1a3", "4x3x3-klein", True),
        ("c1d1a1", "4x3x3-mobius", False),
        ("c1d2a1", "4x3x3-mobius", True),  # up across the edge comes back at the bottom, and goes on down
        ("d2a1b1", "4x3x3-mobius", False),
        ("c3d2a1", "4x3x3-cylinder", True),
        ("a2a1a3", "4x3x3-torus", True),
        ("a3a4a1", "4x4x3-cylinder", False),
        ("a3a4a1", "4x4x3-klein", True),
        ("a3a4d1", "4x4x3-projective", True),  # the top of the left column meets the bottom of the right column
        ("a3a4a1", "4x4x3-projective", False),
        ("c3d4a1", "4x4x3-torus", True),
        ("c3d4a1", "4x4x3-klein", False),
    ],
)
def test_a_row_goes_on_over_the_edges_that_meet(cells: str, board: str, is_line: bool) -> None:
    assert (line(cells, board) in parse_rules(board).lines) is is_line


@pytest.mark.parametrize("board", ["3x2x2-torus", "3x2x3-mobius", "2x3-el", "3x2x2-projective", "7x1x3-cylinder"])
def test_on_small_boards_the_symmetries_are_all_there_are(board: str) -> None:
    rules = parse_rules(board)
    kept = [
        each for each in permutations(range(rules.size)) if {mapped(one, each) for one in rules.lines} == {*rules.lines}
    ]
    assert sorted(rules.symmetries) == kept


@pytest.mark.parametrize(
    ("board", "count"),
    [
        ("1x1x1", 1),
        ("3x3x3", 8),
        ("4x3x3", 4),
        ("5x1x2", 2),
        ("3x3x3-gravity", 2),
        ("3x3x3x3", 48),
        ("4x4x4x4", 192),  # four times as many as a cube: its middle layers can be turned inside out
        ("3x3x3-torus", 432),  # all affine maps of the plane of nine points
        ("4x4x3-torus", 128),  # 16 shifts, 8 turns and reflections
        ("6x6x4-torus", 288),
        ("6x4x4-mobius", 24),  # 6 shifts, 4 turns and reflections
        ("6x4x4-klein", 48),  # shifts by half of the rows, too
        ("6x3x4-klein", 24),
        ("5x5x4-projective", 8),
        ("8x8x5-torus", 8),  # of 512, those that keep a corner
        ("5x4x4-cylinder", 20),
        ("7x7-skinny", 8),
        ("5x4-tippy", 4),
    ],
)
def test_some_symmetries_are_known(board: str, count: int) -> None:
    assert len(parse_rules(board).symmetries) == count


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


@pytest.mark.parametrize("surface", [each for each in Surface if each is not Surface.FLAT])
def test_a_surface_says_which_edges_meet(surface: Surface) -> None:
    assert surface.words
    assert surface.sentence.startswith("The left edge meets the right")


def test_a_line_that_is_not_straight_is_named_by_all_its_squares() -> None:
    assert format_line(line("a1b3c2", "3x3x3-torus"), parse_rules("3x3x3-torus")) == "b3–c2–a1"
    assert format_line(line("a1b2c3", "3x3x3"), parse_rules("3x3x3")) == "a1–c3"


@pytest.mark.parametrize(
    ("name", "drawn", "written"),
    [
        ("zb", "X", "zb"),
        ("zd", "XX", "domino"),
        ("zbb", "X/X", "domino"),
        ("zdg", "XX./.XX", "tippy"),
        ("zhhh", "XXX/XXX/XXX", None),
        ("zfb", "X.X/X..", "zbad"),
        ("zbbbb", "X/X/X/X", "skinny"),
    ],
)
def test_a_drawn_shape_has_one_name_in_all_its_turns(name: str, drawn: str, written: str | None) -> None:
    assert Shape(name).drawn == drawn
    assert shape_named(name) == written
