"""Exact scores on any board: every reason a search uses is proved against the plain reference."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.notation import parse_position, parse_rules
from solver.outcome import DRAWN, LOST, WIN, to_parent
from solver.position import Mark, Position
from solver.search.attack import Prover, Techniques
from solver.search.exact import prove_moves, solve
from solver.search.minimax import minimax
from solver.search.pairing import find_pairing
from solver.search.table import table
from tests.strategies import TIC_TAC_TOE, boards, positions, reachable

SWITCHED_OFF = [
    Techniques(),
    Techniques(forks=False),
    Techniques(parries=False),
    Techniques(pairings=False),
    Techniques(dominance=False),
    Techniques(forks=False, parries=False, pairings=False, dominance=False),
]


def start(board: str) -> Position:
    return Position(parse_rules(board))


def test_every_position_of_tic_tac_toe_agrees_with_minimax() -> None:
    for position in reachable(TIC_TAC_TOE):
        if position.plies_left <= 7:
            assert solve(position).score == minimax(position).score, position
    assert solve(Position(TIC_TAC_TOE)).score == DRAWN


@pytest.mark.parametrize("techniques", SWITCHED_OFF, ids=str)
@settings(max_examples=60, deadline=None)
@given(position=positions(boards(max_side=6), max_empty=7))
def test_each_reason_alone_left_out_changes_no_score_and_no_distance(
    techniques: Techniques, position: Position
) -> None:
    moves = {cell: to_parent(minimax(position.after(cell)).score) for cell in position.legal_moves}
    assert prove_moves(position, position.legal_moves, techniques=techniques).scores == moves
    assert solve(position, techniques=techniques).score == minimax(position).score


@pytest.mark.parametrize("board", ["4x3x3", "3x4x3", "5x2x2", "2x5x3", "6x2x3"])
def test_every_position_of_larger_boards_agrees_with_a_table_of_all_of_them(board: str) -> None:
    rules = parse_rules(board)
    for (own, other), score in table.__wrapped__(rules).items():
        x_to_move = own.bit_count() == other.bit_count()
        position = Position(rules, own, other) if x_to_move else Position(rules, other, own)
        assert solve(position).score == score, position


# Uiterwijk and van den Herik, "The advantage of the initiative", 2000, for k = 3 and 4x4x4, 5x5x4; Uiterwijk, "Solving
# strong and weak 4-in-a-row", 2019, for the other boards with k = 4; Hsu et al., "Solving 7,7,5-game and 8,8,5-game",
# 2020, for 6x6x5. A side shorter than k, k ≥ 3, draws; k = 2 is won by the third ply on three cells or more.
@pytest.mark.parametrize(
    ("board", "result"),
    [
        ("3x3x3", None),
        ("4x3x3", Mark.X),
        ("4x4x3", Mark.X),
        ("8x8x3", Mark.X),
        ("4x4x4", None),
        ("5x4x4", None),
        ("6x4x4", None),
        ("5x5x4", None),
        ("6x5x4", Mark.X),
        ("6x6x4", Mark.X),
        ("5x5x5", None),
        ("6x6x5", None),
        ("6x2x3", None),
        ("8x1x2", Mark.X),
    ],
)
def test_the_value_of_the_empty_board_is_the_published_one(board: str, result: Mark | None) -> None:
    score = solve(start(board)).score
    assert score is not None
    assert (score > 0) == (result is Mark.X)
    assert score >= DRAWN


@pytest.mark.parametrize(
    ("board", "plies"), [("4x3x3", 7), ("4x4x3", 5), ("6x5x4", 11), ("6x6x4", 11), ("3x2x2", 3), ("2x2x1", 1)]
)
def test_a_won_empty_board_is_won_in_so_many_plies(board: str, plies: int) -> None:
    assert solve(start(board)).score == WIN - plies


@pytest.mark.parametrize(
    ("board", "nodes"),
    [("4x4x4", 10), ("5x4x4", 300), ("5x5x4", 2000), ("6x4x4", 4000), ("6x5x4", 3000), ("6x6x4", 3000), ("6x6x5", 200)],
)
def test_value_and_distance_of_the_empty_board_take_few_nodes(board: str, nodes: int) -> None:
    assert solve(start(board)).nodes <= nodes


@settings(max_examples=60, deadline=None)
@given(positions(boards(max_side=6), max_empty=7), st.integers(0, 30))
def test_a_proof_is_minimax_or_missing_whatever_the_budget(position: Position, budget: int) -> None:
    proofs = prove_moves(position, position.legal_moves, budget)
    assert proofs.nodes <= budget
    for cell, score in proofs.scores.items():
        assert score == to_parent(minimax(position.play(cell)).score)


def test_a_position_that_the_budget_does_not_reach_has_no_score() -> None:
    unsolved = solve(start("8x8x5"), max_nodes=20)
    assert (unsolved.score, unsolved.nodes) == (None, 20)


def test_a_finished_game_needs_no_search() -> None:
    won = parse_position("XXX/OO./...", TIC_TAC_TOE)
    drawn = parse_position("XOX/XOO/OXX", TIC_TAC_TOE)
    assert (solve(won).score, solve(won).nodes) == (LOST, 0)
    assert (solve(drawn).score, solve(drawn).nodes) == (DRAWN, 0)


@settings(max_examples=60, deadline=None)
@given(positions(boards(max_side=5), max_empty=8), st.data())
def test_an_answer_within_more_plies_never_turns_from_yes_to_no(position: Position, data: st.DataObject) -> None:
    if position.winning_lines:
        return
    prover = Prover(position.rules)
    lengths = data.draw(st.permutations(range(1, position.plies_left + 1, 2))) if position.empty else []
    answers = {plies: prover.wins(position.own, position.other, True, plies) for plies in lengths}
    ordered = [answers[plies] for plies in sorted(answers)]
    assert ordered == sorted(ordered)


@settings(max_examples=80, deadline=None)
@given(positions(boards(max_side=5), max_empty=8))
def test_whoever_faces_a_pairing_cannot_win(position: Position) -> None:
    if position.result is not None:
        return
    lines = [line & ~position.own for line in position.rules.lines if not line & position.other]
    pairing = find_pairing(lines, position.empty)
    if pairing is not None:
        assert pairing & ~position.empty == 0
        assert pairing.bit_count() % 2 == 0
        assert all((line & pairing).bit_count() >= 2 for line in lines)
        assert minimax(position).score <= DRAWN


def test_a_pairing_is_found_where_there_is_one_and_not_where_a_line_lacks_a_pair() -> None:
    assert find_pairing([0b0011, 0b1100], 0b1111) == 0b1111
    assert find_pairing([0b0011, 0b0110], 0b0111) is None
    assert find_pairing([0b0001], 0b1111) is None
    assert find_pairing([], 0b1111) == 0
