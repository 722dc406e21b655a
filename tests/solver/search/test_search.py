"""Minimax is the oracle: the table, alpha-beta and the proofs agree with it."""

import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.notation import parse_position, parse_rules
from solver.board.outcome import DRAWN, LOST, WIN, Score, to_child, to_parent
from solver.board.position import Position
from solver.board.rules import Cell
from solver.search.budget import BudgetExhausted
from solver.search.minimax import alphabeta, minimax
from solver.search.tablebase import look_up, table, unfinished
from tests.strategies import TIC_TAC_TOE, boards, examples, minimax_score, positions, reachable


def backwards(position: Position) -> Iterable[Cell]:
    return reversed(position.legal_moves)


def shuffled(position: Position) -> Iterable[Cell]:
    moves = list(position.legal_moves)
    random.Random(hash((position.x, position.o))).shuffle(moves)
    return moves


@pytest.mark.slow
def test_the_whole_tree_of_tic_tac_toe_has_549946_nodes_and_is_a_draw() -> None:
    start = Position(TIC_TAC_TOE)
    searched = minimax(start)
    assert (searched.score, searched.nodes) == (DRAWN, 549_946)
    assert (look_up(start), alphabeta(start, 9).score) == (DRAWN, DRAWN)


@pytest.fixture(scope="module", params=[5, pytest.param(1, marks=pytest.mark.slow)])
def oracle(request: pytest.FixtureRequest) -> dict[Position, Score]:
    """Return the score of every position of tic-tac-toe, or of every fifth one, by plain minimax."""
    return {position: minimax(position).score for position in reachable(TIC_TAC_TOE)[1 :: request.param]}


def test_the_table_holds_exactly_the_reachable_positions() -> None:
    assert len(table(TIC_TAC_TOE)) == 5478


def test_unfinished_positions_are_those_in_which_somebody_is_to_move() -> None:
    found = unfinished(TIC_TAC_TOE)
    assert len(found) == len(set(found))
    assert set(found) == {position for position in reachable(TIC_TAC_TOE) if position.result is None}


@pytest.mark.parametrize(("board", "is_small"), [("3x3x3", True), ("8x1x3", True), ("5x2x2", False), ("4x4x4", False)])
def test_boards_of_up_to_nine_squares_are_looked_up(board: str, is_small: bool) -> None:
    assert parse_rules(board).is_small == is_small


def test_minimax_that_remembers_finds_the_same(oracle: dict[Position, Score]) -> None:
    assert {position: minimax_score(position) for position in oracle} == oracle


def test_the_table_agrees_with_minimax_on_every_position(oracle: dict[Position, Score]) -> None:
    assert {position: look_up(position) for position in oracle} == oracle


OTHERS = [pytest.param(order, marks=pytest.mark.exhaustive) for order in (backwards, shuffled)]


@pytest.mark.parametrize("order", [None, *OTHERS], ids=["reading", "backwards", "shuffled"])
def test_alphabeta_agrees_with_minimax_on_every_position(oracle: dict[Position, Score], order: object) -> None:
    for position, score in oracle.items():
        found = alphabeta(position, 9, order=order) if callable(order) else alphabeta(position, 9)
        assert found.score == score, position


@examples(60)
@given(positions(boards(max_side=6), max_empty=7))
def test_alphabeta_agrees_with_minimax_on_larger_boards(position: Position) -> None:
    assert alphabeta(position, position.plies_left, order=shuffled).score == minimax(position).score


def test_the_depth_limits_what_alphabeta_sees() -> None:
    win_in_three = parse_position("X../.../..O", TIC_TAC_TOE).play(2).play(1)
    assert alphabeta(win_in_three, 2).score == DRAWN
    assert alphabeta(win_in_three, 3).score == WIN - 3


def test_the_horizon_is_valued_by_the_function_passed_in() -> None:
    position = Position(TIC_TAC_TOE)
    assert alphabeta(position, 1, evaluate=lambda reached: -(reached.x.bit_length())).score == 9
    assert alphabeta(position, 2, evaluate=lambda reached: reached.x.bit_length()).score == 9


def test_a_finished_game_is_one_node_whatever_the_depth() -> None:
    won = parse_position("XXX/OO./...", TIC_TAC_TOE)
    assert (alphabeta(won, 0).score, alphabeta(won, 9).nodes) == (LOST, 1)


def test_a_search_stops_at_its_budget() -> None:
    with pytest.raises(BudgetExhausted):
        alphabeta(Position(TIC_TAC_TOE), 9, max_nodes=100)


@given(st.integers(1, 64), st.booleans())
def test_to_parent_and_to_child_are_inverses_and_change_sides(plies: int, wins: bool) -> None:
    score = WIN - plies if wins else plies - WIN
    assert to_child(to_parent(score)) == score == to_parent(to_child(score))
    assert (to_parent(score) > 0) != wins
    assert abs(to_parent(score)) == abs(score) - 1
