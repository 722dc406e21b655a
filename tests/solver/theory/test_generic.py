"""Minimax without distance, the order of the article's set, and games played again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.game import Game, parse_game
from solver.board.notation import format_cell
from solver.board.position import Position
from solver.board.rules import Rules
from solver.errors import BadOption
from solver.proofs.prediction import predict
from solver.search.minimax import minimax
from solver.strategies import STRATEGIES
from solver.theory.claims.scala import PUBLISHED, SET_ORDER
from solver.theory.generic import PlainMinimax
from solver.theory.replay import Grade, replayed
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


def test_the_published_game_s_moves_are_graded() -> None:
    turns = replayed(parse_game("3x3x3", None, PUBLISHED))
    assert [turn.grade for turn in turns] == [
        *(Grade.BEST, Grade.BEST, Grade.BEST, Grade.BEST, Grade.ERROR),
        *(Grade.SLOW, Grade.BEST, Grade.BEST),
    ]
    assert [format_cell(cell, TIC_TAC_TOE) for cell in turns[5].best] == ["b3"]


@given(positions(st.just(TIC_TAC_TOE)))
def test_a_move_is_an_error_exactly_when_it_gives_value_away(position: Position) -> None:
    for cell, outcome in predict(position).squares.items():
        (turn,) = replayed(Game.starting(position).play(cell))
        top = max(predict(position).squares.values(), key=lambda each: each.rank)
        assert (turn.grade is Grade.ERROR) == (outcome.value is not top.value)
        assert (turn.grade is Grade.BEST) == (outcome.rank == top.rank)


def test_a_move_of_which_nothing_is_proved_is_not_graded() -> None:
    (turn,) = replayed(parse_game("8x8x5", None, "a1"))
    assert turn.grade is Grade.UNKNOWN
