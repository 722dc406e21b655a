"""Families of lines: surfaces, shapes, their names and their symmetries."""

from itertools import permutations

import pytest
from hypothesis import given

from solver.board.families import ANIMALS, Shape
from solver.board.notation import parse_rules
from solver.board.rules import Rules, mapped, rules_of
from tests.strategies import boards


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
