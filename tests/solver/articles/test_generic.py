"""The Scala article's minimax without distances, the order of its set, and its search for lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.articles.claims.scala import SET_ORDER
from solver.articles.generic import PlainMinimax, attempts
from solver.board.notation import format_cells, parse_position
from solver.board.outcome import sign
from solver.board.position import Mark, Position
from solver.board.rules import Rules, bits_of
from solver.errors import BadOption
from solver.players import STRATEGIES
from solver.search.minimax import minimax
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, examples, positions


@given(positions(st.sampled_from(SMALL_BOARDS), max_empty=6))
def test_value_and_nodes_are_those_of_plain_minimax(position: Position) -> None:
    plain, searched = PlainMinimax().plain(position), minimax(position)
    assert (plain.value, plain.nodes) == (sign(searched.score), searched.nodes)


@given(positions(st.just(TIC_TAC_TOE)))
def test_the_best_moves_are_those_of_the_player_on_offer(position: Position) -> None:
    if position.result is None:
        assert PlainMinimax().best(position) == tuple(STRATEGIES["minimax"].decide(position).choices)


def test_a_tree_with_too_many_positions_is_refused() -> None:
    with pytest.raises(BadOption, match="different positions"):
        PlainMinimax(max_positions=100).plain(Position(Rules(4, 4, 4)))


def test_the_order_of_the_set_holds_every_square_once() -> None:
    assert sorted(SET_ORDER) == list(range(9))


@examples(100)
@given(positions())
def test_a_line_is_found_exactly_where_a_player_has_one(position: Position) -> None:
    for mark in Mark:
        runs = tuple(attempts(position, mark))
        assert any(run.is_line for run in runs) is bool(position.lines_of(mark))
        for run in runs:
            assert run.start == run.stones[0]
            assert all(position.mark_at(cell) is mark for cell in run.stones)
            assert run.stopped_by is None or position.mark_at(run.stopped_by) is not mark
            assert run.is_line is (bits_of(run.stones) in position.lines_of(mark))


def test_the_check_stops_at_the_first_line() -> None:
    # the end of the game in the log of the Scala article
    end = parse_position("XOX/OO./XOX")
    runs = tuple(attempts(end, Mark.O))
    assert [run.is_line for run in runs] == [False] * (len(runs) - 1) + [True]
    assert format_cells(runs[-1].stones, end.rules) == "b3, b2, b1"
