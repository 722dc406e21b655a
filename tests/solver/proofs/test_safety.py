"""The knowledge about a square before its outcome is proved: how long neither side can force a line."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.notation import parse_cell, parse_rules
from solver.board.outcome import WIN, Bounds, Outcome, Score, Value, to_parent
from solver.board.position import Position
from solver.proofs.predict import Solution, predict
from solver.proofs.prediction import Prediction
from solver.proofs.store import Store
from solver.proofs.study import Study, look_up_proofs, proving, study_of
from solver.report import predict_report, solve_report
from solver.search.budget import UNLIMITED, Budget, Meter
from solver.search.exact import narrowing
from solver.search.minimax import minimax
from solver.search.solver import Solver
from tests.solver.conftest import Run
from tests.strategies import TIC_TAC_TOE, boards, examples, positions

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
