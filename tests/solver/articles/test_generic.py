"""Minimax without distance, the order of the article's set, and games played again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.articles.claims.scala import SET_ORDER
from solver.articles.generic import PlainMinimax
from solver.board.position import Position
from solver.board.rules import Rules
from solver.errors import BadOption
from solver.players import STRATEGIES
from solver.search.minimax import minimax
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, positions


@given(positions(st.sampled_from(SMALL_BOARDS), max_empty=6))
def test_value_and_nodes_are_those_of_plain_minimax(position: Position) -> None:
    plain, searched = PlainMinimax().plain(position), minimax(position)
    assert plain.value == (searched.score > 0) - (searched.score < 0)
    assert plain.nodes == searched.nodes


@given(positions(st.just(TIC_TAC_TOE)))
def test_the_best_moves_are_those_of_the_player_on_offer(position: Position) -> None:
    if position.result is None:
        assert PlainMinimax().best(position) == tuple(STRATEGIES["minimax"].decide(position).choices)


def test_a_tree_with_too_many_positions_is_refused() -> None:
    with pytest.raises(BadOption, match="different positions"):
        PlainMinimax(max_positions=100).plain(Position(Rules(4, 4, 4)))


def test_the_order_of_the_set_holds_every_square_once() -> None:
    assert sorted(SET_ORDER) == list(range(9))
