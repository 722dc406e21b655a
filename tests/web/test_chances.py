"""The chances that the oracle gives a page: exact on small boards, late on others, and never expensive."""

import pytest

from solver import oracle
from solver.analysis.chances import chances, positions_below
from solver.board.notation import parse_position, parse_rules
from solver.board.position import Position
from solver.oracle import LATE_POSITIONS
from solver.players import STRATEGIES
from tests.strategies import TIC_TAC_TOE

LATE = parse_position("XOXO/OXOX/XO../....", parse_rules("4x4x4"))
"""A position with six open squares."""


@pytest.mark.parametrize("name", STRATEGIES)
def test_on_3x3_every_opponent_has_them_from_the_first_move_on(name: str) -> None:
    empty = Position(TIC_TAC_TOE)
    assert oracle.chances(empty, STRATEGIES[name]) == chances(empty, STRATEGIES[name])
    assert len(oracle.chances(empty, STRATEGIES[name])) == 9


def test_an_opponent_has_none_where_it_does_not_play() -> None:
    assert oracle.chances(Position(parse_rules("2x2x2")), STRATEGIES["pyfl-program"]) == {}


def test_a_finished_game_has_none() -> None:
    assert oracle.chances(parse_position("XXX/OO./..."), STRATEGIES["hard"]) == {}


@pytest.mark.parametrize("name", ["easy", "medium", "hard", "rulebook", "short-rulebook"])
def test_on_a_larger_board_players_by_rules_have_them_as_soon_as_six_squares_are_open(name: str) -> None:
    assert oracle.chances(LATE, STRATEGIES[name]) == chances(LATE, STRATEGIES[name])
    assert len(oracle.chances(LATE, STRATEGIES[name])) == 6


def test_earlier_on_a_larger_board_there_are_none() -> None:
    earlier = parse_position("XOXO/OXOX/X.../....", parse_rules("4x4x4"))
    assert positions_below(LATE) <= LATE_POSITIONS < positions_below(earlier)
    assert oracle.chances(earlier, STRATEGIES["easy"]) == {}


@pytest.mark.parametrize("name", [name for name, each in STRATEGIES.items() if not each.quick(LATE.rules)])
def test_on_a_larger_board_opponents_that_search_have_none(name: str) -> None:
    assert not LATE.rules.is_small
    assert oracle.chances(LATE, STRATEGIES[name]) == {}
