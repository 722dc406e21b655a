"""Clauses on marks: wild, where a move places either mark, and vanishing, where the oldest stone leaves."""

import pickle
from functools import reduce
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Game, Position, parse_game, predict, review, solve
from solver.board.notation import format_cell, format_moves, parse_cell
from solver.board.outcome import DRAWN, WIN, Outcome, Value
from solver.board.pasted import read_pasted
from solver.board.position import Mark, Result
from solver.errors import IllegalMove
from solver.kernel import engine
from solver.search import vanishing
from solver.search.budget import UNLIMITED, Budget, Meter
from solver.search.exact import prove_score
from solver.search.solver import principal_variation
from solver.search.tablebase import look_up
from tests.marked import exhaustive
from tests.strategies import examples

WILD, VANISHING, STRICT = (Position(f"3x3x3-{marks}") for marks in ("wild", "vanishing", "vanishing-strict"))
FULL = parse_game("3x3x3-vanishing", None, "b2a1a3c1b1b3").last


def wins_within(position: Position, plies: int) -> bool:
    """Return whether the mover forces a win within some plies, by plain search of that depth."""
    if position.result is not None:
        return str(position.result) == position.mover
    return plies > 0 and any(loses_within(after, plies - 1) for after in position.successors())


def loses_within(position: Position, plies: int) -> bool:
    """Return whether the opponent forces a win within some plies."""
    if position.result is not None:
        return str(position.result) == position.mover.other
    return plies > 0 and all(wins_within(after, plies - 1) for after in position.successors())


def test_a_wild_move_says_its_mark() -> None:
    game = parse_game("3x3x3-wild", None, "Xb2 oa1 XA3")
    assert format_moves(game.moves, game.last.rules) == "Xb2Oa1Xa3"
    assert str(game.last) == "X..\n.X.\nO.."
    assert [position.mover for position in game.positions] == [Mark.X, Mark.O, Mark.X, Mark.O]


@given(st.sampled_from(range(18)))
def test_a_wild_move_reads_back_as_written(number: int) -> None:
    move = WILD.legal_moves[number]
    assert parse_cell(format_cell(move, WILD.rules), WILD.rules) == move


def test_whoever_completes_a_line_of_either_mark_wins_wild() -> None:
    game = parse_game("3x3x3-wild", None, "Xa1Xb1Xc1")
    assert game.last.result is Result.X
    assert parse_game("3x3x3-misere-wild", None, "Oa1Ob1Oc1").last.result is Result.O


@pytest.mark.parametrize(("board", "nodes"), [("4x3x4-wild", 12_000), ("4x3x4-misere-wild", 17_000)])
def test_dead_lines_and_cells_are_left_out_of_the_search_of_wild(board: str, nodes: int) -> None:
    found = prove_score(Position(board))
    assert found.score == DRAWN
    assert found.nodes <= nodes


def test_the_oldest_stone_leaves_as_a_fourth_is_placed() -> None:
    assert (FULL.mover, format_cell(FULL.ages[0], FULL.rules)) == (Mark.X, "b2")
    after = FULL.play("c3")
    assert after.mark_at(4) is None
    assert (after.x.bit_count(), after.o.bit_count(), after.mover) == (3, 3, Mark.O)


def test_the_square_that_is_freed_can_be_taken_at_once_unless_the_rule_is_strict() -> None:
    assert FULL.play("b2").mark_at(4) is Mark.X
    with pytest.raises(IllegalMove, match="b2 is about to be freed, and by the strict rule"):
        parse_game("3x3x3-vanishing-strict", None, "b2a1a3c1b1b3").last.play("b2")


def test_a_line_counts_among_the_stones_that_are_left() -> None:
    # X had b2 and c1; the oldest stone, a3, leaves as X completes what would have been a diagonal with it.
    game = parse_game("3x3x3-vanishing", None, "a3a1b2a2b1c2c1")
    assert game.last.result is None


def test_a_vanishing_game_is_told_by_its_moves() -> None:
    assert read_pasted("3x3x3-vanishing b2 a1").last.ages == (4, 6)


def test_a_draw_without_end_has_no_plies() -> None:
    outcome = predict(VANISHING).outcome
    assert (outcome, outcome.letter, outcome.number) == (Outcome(Value.DRAW, None), "D", "")
    assert outcome.is_exact
    assert outcome.is_endless


@pytest.mark.parametrize(("moves", "plies"), [("3x2x3-vanishing", None), ("3x2x3-vanishing-strict", 1)])
def test_a_draw_has_plies_where_the_board_is_full_before_a_stone_can_leave(moves: str, plies: int | None) -> None:
    before_last = parse_game(moves, None, "a1a2b1b2c2").last
    assert set(predict(before_last).squares.values()) == {Outcome(Value.DRAW, plies)}


@examples(20)
@given(st.permutations(range(6)), st.integers(0, 4))
def test_a_board_that_is_full_before_a_stone_can_leave_is_the_usual_game(order: list[int], played: int) -> None:
    strict, usual = (Game.starting(board).playing(order[:played]) for board in ("3x2x3-vanishing-strict", "3x2x3"))
    assert predict(strict.last).squares == predict(usual.last).squares


def test_positions_of_vanishing_games_print_and_pickle() -> None:
    assert eval(repr(FULL)) == FULL  # noqa: S307 - a repr is code
    assert pickle.loads(pickle.dumps(FULL)) == FULL  # noqa: S301 - of our own
    assert Position(FULL.rules, FULL.x, FULL.o, FULL.ages[2:] + FULL.ages[:2]) != FULL


@examples(20)
@given(st.sampled_from((VANISHING.rules, STRICT.rules)), st.lists(st.integers(0, 8), max_size=30))
def test_looked_up_scores_agree_with_a_plain_search_of_limited_depth(rules: object, choices: list[int]) -> None:
    position = VANISHING if rules == VANISHING.rules else STRICT
    for choice in choices:
        if position.result is None:
            position = position.after(position.legal_moves[choice % len(position.legal_moves)])
    if position.result is None:
        score = look_up(position)
        for plies in range(6):
            assert wins_within(position, plies) == (score >= WIN - plies), repr(position)
            assert loses_within(position, plies) == (score <= plies - WIN), repr(position)
        assert look_up(position.canonical()) == score


def test_beyond_the_table_wins_are_proved_and_nothing_else() -> None:
    position = parse_game("4x4x3-vanishing", None, "b2a1b3d4").last
    assert not position.rules.is_small
    squares = predict(position, Budget(nodes=3000)).squares
    assert str(squares[parse_cell("b1", position.rules)]) == "win in 1 ply"
    assert {each.value for each in squares.values()} <= {Value.WIN, Value.LOSS, Value.UNKNOWN}


def test_a_strict_game_is_won_from_an_edge_by_best_play() -> None:
    score = look_up(STRICT)
    line = principal_variation(
        lambda position, plies, _: look_up(position) >= WIN - plies if plies % 2 else look_up(position) <= plies - WIN,
        STRICT,
        score,
        Meter(UNLIMITED),
    )
    game = Game.starting(STRICT).playing(line)
    assert (len(line), game.last.result) == (13, Result.X)
    assert format_cell(line[0], STRICT.rules) in {"a2", "b1", "b3", "c2"}


def test_no_move_of_play_without_end_is_a_mistake() -> None:
    assert review(Game.starting(VANISHING).playing([4, 0, 8])).mistakes == ()


def test_orders_are_counted_before_all_scores_are_computed() -> None:
    assert vanishing.orders(VANISHING.rules) == 79210


@pytest.mark.parametrize("board", ["3x3-fatty", "3x3x3-linesa1b1c1a1b2c3", "4x4x3-holesa1b2c3d4a4b1c2", "5x2x3"])
def test_a_vanishing_game_of_up_to_nine_squares_has_a_table(board: str) -> None:
    rules = Position(f"{board}-vanishing").rules
    assert rules.is_small == (rules.squares <= 9)


@pytest.mark.parametrize("marks", ["vanishing", "vanishing-strict", "misere-vanishing", "misere-vanishing-strict"])
@pytest.mark.parametrize(
    "board", ["1x1x1", "3x2x2-linesa1b1b1c2", "3x2x3", *exhaustive("3x3x3", "4x3x2-holesb2c3d1", "2x4x4")]
)
def test_the_table_of_a_vanishing_game_has_the_scores_found_up_to_symmetry(board: str, marks: str) -> None:
    start = Position(f"{board}-{marks}")
    for ages, score in vanishing.scores(start.rules).items():
        assert look_up(Position(start.rules, ages=ages)) == score, ages


@pytest.mark.parametrize("board", ["3x2x2-vanishing", "3x2x2-misere-vanishing-strict"])
def test_the_interpreted_table_is_the_compiled_one(board: str) -> None:
    rules = Position(board).rules
    interpreted, chosen = engine.interpreted().VanishingTable(rules), engine.kernel.VanishingTable(rules)
    for orders in (permutations(range(rules.size), stones) for stones in range(5)):
        for ages in (reduce(lambda ages, cell: ages << 6 | cell, each, 1) for each in orders):
            assert interpreted.plies(ages) == chosen.plies(ages)


@pytest.mark.parametrize("board", ["3x3x3-vanishing", "3x3x3-linesa1b1c1-vanishing", "3x2x3-vanishing-strict"])
def test_a_small_vanishing_game_is_solved_without_a_search(board: str) -> None:
    solution = solve(board, Budget(nodes=0))
    assert solution.prediction.squares == predict(board).squares
    assert solution.outcome.value is Value.DRAW
    assert solution.prediction.nodes == 0
