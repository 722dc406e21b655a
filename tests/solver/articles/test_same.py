"""Boards that are the same: every order of moves, and what each symmetry is called."""

from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.articles.census import MAX_STONES, orders, symmetry_name
from solver.board.notation import format_cell, parse_position, parse_rules
from solver.board.position import Position
from solver.errors import BadOption, TooLarge
from tests.strategies import TIC_TAC_TOE, positions


@given(positions(st.just(TIC_TAC_TOE)).filter(lambda each: each.plies_left >= 9 - MAX_STONES))
def test_every_order_leads_to_the_position_and_none_is_missing(position: Position) -> None:
    found = orders(position)
    assert len(set(found)) == len(found) == factorial(position.x.bit_count()) * factorial(position.o.bit_count())
    for moves in found:
        at = Position(TIC_TAC_TOE)
        for move in moves:
            at = at.play(move)
        assert at == position


def test_an_order_in_which_the_game_ends_before_is_none() -> None:
    rules = parse_rules("5x1x2")
    found = ["".join(format_cell(cell, rules)[0] for cell in moves) for moves in orders(parse_position("XXOXO", rules))]
    assert len(found) == 8
    assert {moves[-1] for moves in found} == {"a", "b"}  # d last would come after a and b, which are a line


def test_orders_of_many_stones_are_refused() -> None:
    with pytest.raises(TooLarge, match="up to 6 stones"):
        orders(parse_position("XOX/XOO/.X.", TIC_TAC_TOE))


@pytest.mark.parametrize(
    ("name", "corner", "edge"),
    [
        ("as it is", "a3", "b3"),
        ("turned a quarter to the right", "c3", "c2"),
        ("turned half round", "c1", "b1"),
        ("turned a quarter to the left", "a1", "a2"),
        ("mirrored left to right", "c3", "b3"),
        ("mirrored top to bottom", "a1", "b1"),
        ("mirrored on the diagonal from the top left", "a3", "a2"),
        ("mirrored on the diagonal from the top right", "c1", "c2"),
    ],
)
def test_a_symmetry_does_what_it_is_called(name: str, corner: str, edge: str) -> None:
    (symmetry,) = (each for each in TIC_TAC_TOE.symmetries if symmetry_name(TIC_TAC_TOE, each) == name)
    assert [format_cell(symmetry[cell], TIC_TAC_TOE) for cell in (0, 1)] == [corner, edge]


def test_a_board_that_is_no_square_has_no_names() -> None:
    rules = parse_rules("4x3x3")
    with pytest.raises(BadOption, match="squares"):
        symmetry_name(rules, rules.symmetries[0])
