"""Predictions and outcomes."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.notation import format_cell, parse_cell, parse_position, parse_rules
from solver.board.outcome import DRAWN, WIN, Bounds, Outcome, Score, Value, to_parent
from solver.board.position import Position, Result
from solver.errors import BadOption
from solver.proofs.predict import Solution, predict
from solver.proofs.prediction import Prediction, best_of, score_of
from solver.proofs.store import Store
from solver.proofs.study import Study, look_up_proofs, proving, study_of
from solver.report import predict_report, solve_report
from solver.search.budget import UNLIMITED, Budget, Meter
from solver.search.exact import narrowing
from solver.search.minimax import minimax
from solver.search.solver import Solver, shared_solver
from tests.solver.conftest import Run
from tests.strategies import TIC_TAC_TOE, UNKNOWN, boards, examples, minimax_score, positions, reachable


def seen(prediction: Prediction) -> dict[str, tuple[str, int | None]]:
    rules = prediction.position.rules
    return {format_cell(cell, rules): (str(it.value), it.plies) for cell, it in prediction.squares.items()}


@cache
def pons(position: Position) -> int:
    """Return the score as Connect Four's solvers define it: by the stones on the board before the winning one."""
    stones, squares = position.rules.squares - position.plies_left, position.rules.squares
    after = position.successors()
    if any(each.result not in (None, Result.DRAW) for each in after):
        return (squares + 1 - stones) // 2
    return max((-pons(each) for each in after), default=0)


@pytest.mark.parametrize("board", ["3x3x3-gravity", "4x2x3-gravity", "3x3x3"])
def test_a_score_is_half_the_stones_that_are_left_at_the_win(board: str) -> None:
    for position in reachable(parse_rules(board)):
        if position.result is None:
            prediction = predict(position)
            open_still = {cell: after for cell in position.legal_moves if not (after := position.after(cell)).result}
            assert prediction.score == pons(position)
            assert {cell: prediction.scores[cell] for cell in open_still} == {
                cell: -pons(after) for cell, after in open_still.items()
            }


def test_an_outcome_that_is_not_proved_has_no_score_and_vanishing_stones_none_at_all() -> None:
    assert score_of(Outcome(Value.UNKNOWN, None), Position("8x8x5")) is None
    with pytest.raises(BadOption, match="stones leave"):
        _ = predict("3x3x3-vanishing").score


def test_only_the_open_squares_of_every_position_are_predicted_and_as_minimax_does() -> None:
    for position in reachable(TIC_TAC_TOE):
        squares = predict(position).squares
        assert tuple(squares) == position.legal_moves
        for cell, outcome in squares.items():
            score = to_parent(minimax_score(position.play(cell)))
            assert outcome == Outcome.of_score(score, position.plies_left)


def test_a_finished_game_has_no_squares() -> None:
    prediction = predict(parse_position("XXX/OO./...", TIC_TAC_TOE))
    assert not prediction.squares
    assert prediction.best == ()


@examples(40)
@given(positions(boards(max_side=6), max_empty=7), st.integers(0, 40))
def test_what_is_predicted_on_larger_boards_is_true(position: Position, nodes: int) -> None:
    for cell, outcome in predict(position, Budget(nodes)).squares.items():
        score = to_parent(minimax(position.play(cell)).score)
        assert outcome.ranks.lower <= score <= outcome.ranks.upper
        if outcome.plies is not None:
            assert outcome == Outcome.of_score(score, position.plies_left)


@examples(40)
@given(positions(boards(max_side=5), max_empty=7))
def test_a_mirrored_or_turned_position_gets_the_mirrored_answer(position: Position) -> None:
    squares = predict(position, Budget()).squares
    assert all(outcome.plies is not None for outcome in squares.values())
    for symmetry in position.rules.symmetries:
        image = predict(position.transformed(symmetry), Budget()).squares
        assert {symmetry[cell]: outcome for cell, outcome in squares.items()} == image


@examples(40)
@given(positions(boards(max_side=5), max_empty=7))
def test_the_outcome_of_a_position_is_that_of_its_best_squares(position: Position) -> None:
    if position.result is None:
        prediction = predict(position, Budget())
        assert prediction.outcome == Outcome.of_score(minimax(position).score, position.plies_left)
        assert {prediction.squares[cell] for cell in prediction.best} == {prediction.outcome}


def test_what_the_budget_leaves_unproved_is_unknown_and_nothing_is_best() -> None:
    prediction = predict(Position(parse_rules("8x6x4")), Budget(nodes=100))
    assert {outcome.value for outcome in prediction.squares.values()} == {Value.UNKNOWN}
    assert (prediction.best, prediction.proved, prediction.nodes) == ((), 0, 100)


def test_a_win_at_once_is_best_although_other_squares_are_not_proved() -> None:
    rules = parse_rules("7x7x5")
    text = "XXXX.../OOOO.../......./......./......./......./......."
    prediction = predict(parse_position(text, rules), Budget(nodes=2000))
    assert seen(prediction)["e7"] == ("win", 1)
    assert [format_cell(cell, rules) for cell in prediction.best] == ["e7"]


def test_no_square_is_best_while_an_unproved_one_might_beat_it() -> None:
    win, draw, loss = Outcome(Value.WIN, 3), Outcome(Value.DRAW, 5), Outcome(Value.LOSS, 2)
    no_win, no_quick_win = (Outcome(Value.UNKNOWN, None, Bounds(upper=upper)) for upper in (DRAWN, WIN - 3))
    won_in_time = Outcome(Value.WIN, None, Bounds(WIN - 9, WIN - 3))
    assert best_of({0: win, 1: no_quick_win, 2: draw}) == (0,)
    assert best_of({0: win, 1: UNKNOWN, 2: draw}) == ()
    assert best_of({0: draw, 1: no_win}) == (0,)
    assert best_of({0: win, 1: won_in_time}) == (0,)
    assert best_of({0: draw, 1: won_in_time}) == ()
    assert best_of({0: draw, 1: UNKNOWN}) == ()
    assert best_of({0: loss, 1: UNKNOWN}) == ()
    assert best_of({0: draw, 1: loss, 2: draw}) == (0, 2)


def test_outcomes_are_ordered_from_the_quickest_win_to_the_quickest_loss() -> None:
    best_first = [(Value.WIN, 1), (Value.WIN, 3), (Value.DRAW, 5), (Value.LOSS, 4), (Value.LOSS, 2)]
    ranks = [Outcome(value, plies).rank for value, plies in best_first]
    assert ranks == sorted(ranks, reverse=True)
    assert len(set(ranks)) == len(ranks)


def test_an_unknown_outcome_has_no_rank() -> None:
    with pytest.raises(ValueError, match="no rank"):
        assert UNKNOWN.rank


def test_a_prediction_is_made_again_only_when_more_is_known() -> None:
    study = Study(Position(parse_rules("8x8x5")))
    first = study.prediction()
    assert study.prediction() is first
    study.learn(study.bounds)
    assert study.prediction() is first
    (after, (cell, *_)), *_ = study.orbits.items()
    study.learn({after: Bounds(DRAWN, DRAWN)})
    assert study.prediction().squares[cell] == Outcome(Value.DRAW, 64)


def test_a_line_of_best_play_ends_with_the_game_or_its_budget() -> None:
    position = Position(parse_rules("4x4x4"))
    study, draws = Study(position), Outcome(Value.DRAW, 16)
    shared_solver.cache_clear()
    assert len(study.best_play(5, draws, Budget(nodes=0))) < 16
    line = study.best_play(5, draws, Budget())
    for cell in line:
        position = position.play(cell)
    assert (len(line), position.result) == (16, Result.DRAW)


def test_no_move_is_better_than_what_the_store_knows_of_the_position(tmp_path: Path) -> None:
    drawn = parse_position("..../..../..../....", parse_rules("4x4x4"))
    with Store(tmp_path / "cache.sqlite") as store:
        store.keep({drawn: Bounds(upper=DRAWN)})
        study = Study(drawn)
        first, *_ = study.bounds
        study.learn({first: Bounds(upper=DRAWN)})
        study.look_up(store)
    assert {bounds.to_parent().upper for bounds in study.bounds.values()} == {DRAWN}
    assert study.bounds[first].score == DRAWN


LARGE = Position(parse_rules("8x8x5"))


def unknown(lower: Score, upper: Score) -> Outcome:
    return Outcome(Value.UNKNOWN, None, Bounds(lower, upper))


def after_each_answer(position: Position, budget: Budget = UNLIMITED) -> list[Prediction]:
    """Yield the known bounds of a position at the start of a search by a new solver, and after each answer."""
    study = Study(position)
    known = [study.prediction()]
    for after, bounds in narrowing(Solver(position.rules), study.bounds, Meter(budget)):
        study.learn({after: bounds})
        known.append(study.prediction())
    return known


def outcomes(prediction: Prediction) -> list[Outcome]:
    """Return the outcomes of the squares and of the position."""
    return [*prediction.squares.values(), prediction.outcome]


def assert_nobody_wins_sooner(known: list[Prediction], plies: list[int | None]) -> None:
    """Check known bounds against the plies in which each outcome is decided, None for a draw."""
    for prediction in known:
        for outcome, decided_in in zip(outcomes(prediction), plies, strict=True):
            if decided_in is not None and outcome.safe_plies is not None:
                assert outcome.safe_plies < decided_in


def plies_of(score: Score) -> int | None:
    return WIN - abs(score) if score else None


@examples(40)
@given(positions(boards(max_side=6), max_empty=7))
def test_no_line_is_forced_within_the_safe_plies(position: Position) -> None:
    if position.result is None:
        scores = [to_parent(minimax(position.play(cell)).score) for cell in position.legal_moves]
        assert_nobody_wins_sooner(after_each_answer(position), [*map(plies_of, scores), plies_of(max(scores))])


@pytest.mark.parametrize("board", ["4x3x3", "4x4x3", "5x4x4", "6x5x4", "6x6x4"])
def test_no_line_is_forced_within_them_on_boards_that_are_proved_whole(board: str) -> None:
    known = after_each_answer(Position(parse_rules(board)))
    assert known[-1].complete
    decided_in = [None if outcome.value is Value.DRAW else outcome.plies for outcome in outcomes(known[-1])]
    assert_nobody_wins_sooner(known, decided_in)


@examples(40)
@given(positions(boards(max_side=8)), st.integers(0, 200))
def test_they_never_become_fewer(position: Position, nodes: int) -> None:
    if position.result is None:
        moments = [
            [outcome.safe_plies for outcome in outcomes(each)] for each in after_each_answer(position, Budget(nodes))
        ]
        for of_one in zip(*moments, strict=True):
            until_proved = [plies for plies in of_one if plies is not None]
            assert until_proved == sorted(until_proved)


def test_they_grow_while_nothing_else_is_proved() -> None:
    first, *_, last = after_each_answer(LARGE, Budget(nodes=2000))
    assert (first.proved, last.proved) == (0, 0)
    for before, after in zip(outcomes(first), outcomes(last), strict=True):
        assert before.safe_plies is not None
        assert after.safe_plies is not None
        assert before.safe_plies < after.safe_plies


def test_a_board_where_a_line_takes_five_stones_is_safe_for_eight_plies_without_any_search() -> None:
    squares = after_each_answer(LARGE, Budget(nodes=0))[-1].squares
    assert {outcome.safe_plies for outcome in squares.values()} == {8}


def test_they_are_kept_with_the_proofs(path: Path) -> None:
    study_of.cache_clear()
    with Store(path) as store:
        *_, last = proving(LARGE, Budget(nodes=2000), Solver(LARGE.rules), store)
    study_of.cache_clear()
    with Store(path) as store:
        first, *_ = proving(LARGE, Budget(nodes=0), Solver(LARGE.rules), store)
    study_of.cache_clear()
    assert [each.safe_plies for each in outcomes(first)] == [each.safe_plies for each in outcomes(last)]


def test_an_unknown_square_has_them_in_json_and_no_other_has() -> None:
    prediction = after_each_answer(LARGE, Budget(nodes=0))[-1]
    squares = predict_report(prediction)["squares"]
    assert squares["d4"] == {"outcome": "unknown", "plies": None, "safe_plies": 8}
    assert solve_report(Solution(prediction, ()), 0.0)["safe_plies"] == 8
    assert all("safe_plies" not in each for each in predict_report(predict(Position(TIC_TAC_TOE)))["squares"].values())


@pytest.mark.parametrize("command", ["predict", "solve"])
def test_the_commands_say_them(run: Run, command: str) -> None:
    position = LARGE.play(parse_cell("a1", LARGE.rules))
    asked = (command, "8x8x5", "--moves", "a1", "--budget", "0n")
    text = run(*asked)[1]
    plies = look_up_proofs(position).squares[parse_cell("h8", position.rules)].safe_plies
    assert plies is not None
    assert plies >= 7, "which is known without a search; more where the tests above have learnt it"
    assert re.search(
        rf"^h8 +not proved, but at most a draw, and nobody wins within {plies // 2} moves", text, re.MULTILINE
    )
    assert json.loads(run(*asked, "--json")[1])["squares"]["h8"]["safe_plies"] == plies
