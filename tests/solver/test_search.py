"""Minimax is the oracle: the table, alpha-beta and the proofs agree with it."""

import random
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.notation import parse_position, parse_rules
from solver.outcome import DRAWN, LOST, PROVED, WIN, Score, to_child, to_parent
from solver.position import Position
from solver.rules import Cell, Rules
from solver.search.alphabeta import BudgetExhausted, alphabeta
from solver.search.minimax import minimax
from solver.search.proof import prove_moves, worth_trying
from solver.search.table import looked_up, table
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, boards, positions, reachable


def backwards(position: Position) -> Iterable[Cell]:
    return reversed(position.legal_moves)


def shuffled(position: Position) -> Iterable[Cell]:
    moves = list(position.legal_moves)
    random.Random(hash((position.x, position.o))).shuffle(moves)
    return moves


def test_the_whole_tree_of_tic_tac_toe_has_549946_nodes_and_is_a_draw() -> None:
    searched = minimax(Position(TIC_TAC_TOE))
    assert (searched.score, searched.nodes) == (DRAWN, 549_946)


@pytest.fixture(scope="module")
def oracle() -> dict[Position, Score]:
    """The score of every position of tic-tac-toe by plain minimax, unpruned and without memory."""
    return {position: minimax(position).score for position in reachable(TIC_TAC_TOE)}


def test_the_table_holds_exactly_the_reachable_positions() -> None:
    assert len(table(TIC_TAC_TOE)) == 5478


def test_the_table_agrees_with_minimax_on_every_position(oracle: dict[Position, Score]) -> None:
    assert {position: looked_up(position) for position in oracle} == oracle


@pytest.mark.parametrize("order", [None, backwards, shuffled], ids=["reading", "backwards", "shuffled"])
def test_alphabeta_agrees_with_minimax_on_every_position(oracle: dict[Position, Score], order: object) -> None:
    for position, score in oracle.items():
        found = alphabeta(position, 9, order=order) if callable(order) else alphabeta(position, 9)
        assert found.score == score, position


def test_alphabeta_visits_fewer_nodes_than_minimax() -> None:
    start = Position(TIC_TAC_TOE)
    assert alphabeta(start, 9).nodes * 10 < minimax(start).nodes


@pytest.mark.parametrize("rules", SMALL_BOARDS, ids=str)
def test_the_table_of_every_small_board_agrees_with_minimax(rules: Rules) -> None:
    for position in reachable(rules):
        if position.plies_left <= 5:
            assert looked_up(position) == minimax(position).score


@settings(max_examples=60, deadline=None)
@given(positions(boards(max_side=6), max_empty=7))
def test_alphabeta_agrees_with_minimax_on_larger_boards(position: Position) -> None:
    assert alphabeta(position, position.plies_left, order=shuffled).score == minimax(position).score


@settings(max_examples=60, deadline=None)
@given(positions(boards(max_side=6), max_empty=7), st.integers(0, 3000))
def test_a_proof_is_minimax_or_missing_whatever_the_budget(position: Position, budget: int) -> None:
    proofs = prove_moves(position, position.legal_moves, budget)
    assert proofs.nodes <= budget
    for cell, score in proofs.scores.items():
        assert score == to_parent(minimax(position.play(cell)).score)


@settings(max_examples=30, deadline=None)
@given(positions(boards(max_side=5), max_empty=6))
def test_with_budget_enough_every_move_is_proved(position: Position) -> None:
    assert prove_moves(position, position.legal_moves, 1_000_000).scores.keys() == set(position.legal_moves)


def test_trying_deciding_moves_only_changes_no_score_and_saves_most_nodes() -> None:
    start = Position(TIC_TAC_TOE)
    plain, deciding = alphabeta(start, 9), alphabeta(start, 9, order=worth_trying)
    assert plain.score == deciding.score
    assert deciding.nodes * 10 < plain.nodes


def test_a_threat_leaves_one_move_worth_trying() -> None:
    assert worth_trying(parse_position("XX./OO./...", TIC_TAC_TOE)) == (2,)
    assert worth_trying(parse_position("XX./O../...", TIC_TAC_TOE)) == (2,)


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


@pytest.mark.parametrize("board", ["4x3x3", "3x4x3"])
def test_x_wins_four_by_three(board: str) -> None:
    # Uiterwijk and van den Herik, "The advantage of the initiative", 2000: (4,3,3) is a first-player win.
    start = Position(parse_rules(board))
    proofs = prove_moves(start, start.legal_moves, 100_000)
    assert max(proofs.scores.values()) >= PROVED


@given(st.integers(1, 64), st.booleans())
def test_to_parent_and_to_child_are_inverses_and_change_sides(plies: int, wins: bool) -> None:
    score = WIN - plies if wins else plies - WIN
    assert to_child(to_parent(score)) == score == to_parent(to_child(score))
    assert (to_parent(score) > 0) != wins
    assert abs(to_parent(score)) == abs(score) - 1
