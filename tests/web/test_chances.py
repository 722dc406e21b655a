"""The chances that a page shows: exact on small boards, late on others, and never expensive."""

import pytest

from solver.analysis.chances import chances, positions_below
from solver.board.notation import parse_position, parse_rules
from solver.board.position import Position
from solver.players import STRATEGIES
from solver.search.tablebase import has_table
from tests.strategies import TIC_TAC_TOE
from webapp.serving.pool.analyses import LATE_POSITIONS, chances_now

LATE = parse_position("XOXO/OXOX/XO../....", parse_rules("4x4x4"))
"""A position with six open squares."""


@pytest.mark.parametrize("name", STRATEGIES)
def test_on_3x3_every_opponent_has_them_from_the_first_move_on(name: str) -> None:
    empty = Position(TIC_TAC_TOE)
    assert chances_now(empty, name) == chances(empty, STRATEGIES[name])
    assert len(chances_now(empty, name)) == 9


@pytest.mark.parametrize("name", ["human", "friend", "nobody"])
def test_people_have_none(name: str) -> None:
    assert chances_now(Position(TIC_TAC_TOE), name) == {}


def test_an_opponent_has_none_where_it_does_not_play() -> None:
    assert chances_now(Position(parse_rules("2x2x2")), "pyfl-program") == {}


def test_a_finished_game_has_none() -> None:
    assert chances_now(parse_position("XXX/OO./..."), "hard") == {}


@pytest.mark.parametrize("name", ["easy", "medium", "hard", "rulebook", "short-rulebook"])
def test_on_a_larger_board_players_by_rules_have_them_as_soon_as_six_squares_are_open(name: str) -> None:
    assert chances_now(LATE, name) == chances(LATE, STRATEGIES[name])
    assert len(chances_now(LATE, name)) == 6


def test_earlier_on_a_larger_board_there_are_none() -> None:
    earlier = parse_position("XOXO/OXOX/X.../....", parse_rules("4x4x4"))
    assert positions_below(LATE) <= LATE_POSITIONS < positions_below(earlier)
    assert chances_now(earlier, "easy") == {}


@pytest.mark.parametrize("name", [name for name, each in STRATEGIES.items() if not each.quick(LATE.rules)])
def test_on_a_larger_board_opponents_that_search_have_none(name: str) -> None:
    assert not has_table(LATE.rules)
    assert chances_now(LATE, name) == {}
