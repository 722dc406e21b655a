"""A budget means the same everywhere: a floor of nodes, then processor time; a larger one goes on."""

from collections.abc import Iterator
from itertools import count
from threading import Thread
from typing import Never

import pytest

from solver.analysis.review import review
from solver.board.game import parse_game
from solver.board.notation import format_cell, parse_position
from solver.board.outcome import Value
from solver.board.position import Position
from solver.proofs.predict import Solution, predict, predict_together, solve
from solver.proofs.study import study_of
from solver.reasons import explain
from solver.report import explain_report, review_report, solve_report
from solver.search.budget import Budget, Meter
from solver.search.solver import borrowed_solvers, shared_solver, shared_solvers

OPEN = Position("8x8x5").play("d4").play("e5")
"""A position whose squares no short search proves."""

CHEAP = Position("4x4x4").play("b2").play("c3")
"""A position whose squares take a few nodes."""


@pytest.fixture(autouse=True)
def _without_proofs() -> None:
    forget()


def forget() -> None:
    """Forget the proofs of this process."""
    for remembered in (study_of, shared_solver, shared_solvers):
        remembered.cache_clear()


def hours() -> Iterator[float]:
    """Return a processor clock that goes on by an hour at each look."""
    return count(step=3600.0)


def test_a_cheap_position_is_proved_without_a_second() -> None:
    assert predict(CHEAP, Budget(seconds=0)).complete


def test_a_busy_machine_changes_no_cheap_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    idle = predict(CHEAP).squares
    forget()
    monkeypatch.setattr("time.thread_time", hours().__next__)
    assert predict(CHEAP).squares == idle


def test_seconds_end_a_search_at_the_floor() -> None:
    prediction = predict(OPEN, Budget(seconds=0))
    assert not prediction.complete
    assert 5000 <= prediction.nodes < 15_000  # each thread looks at the meter every 2,048 nodes


def test_a_larger_budget_goes_on_where_a_smaller_one_stopped() -> None:
    smaller = predict(OPEN, Budget(nodes=1000))
    assert smaller.nodes == 1000
    assert predict(OPEN, Budget(nodes=1000)) is predict(OPEN, Budget(nodes=500)) is smaller
    assert predict(OPEN, Budget(nodes=3000)).nodes == 3000


def test_more_seconds_go_on_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.thread_time", count(step=0.01).__next__)
    smaller = predict(OPEN, Budget(seconds=0.02, floor=100))
    assert predict(OPEN, Budget(seconds=0.02, floor=100)) is smaller
    assert predict(OPEN, Budget(seconds=0.2, floor=100)).nodes > smaller.nodes


def test_solving_goes_on_where_a_prediction_stopped() -> None:
    predict(OPEN, Budget(nodes=1000))
    assert solve(OPEN, Budget(nodes=3000)).prediction.nodes == 3000


def test_a_search_that_has_nothing_left_to_find_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[object] = []

    def find_nothing(*asked: object) -> Iterator[Never]:
        searches.append(asked)
        yield from ()

    monkeypatch.setattr("solver.proofs.study.narrowing_together", find_nothing)
    for seconds in (1, 60):
        predict(OPEN, Budget(seconds=seconds))
    assert len(searches) == 1


def test_the_positions_of_a_request_share_one_floor() -> None:
    positions = [OPEN.after(cell) for cell in OPEN.legal_moves[:10]]
    found = predict_together(positions, most=0)
    assert sum(each.nodes for each in found.values()) == 5000
    assert {each.nodes for each in found.values()} == {500}


def test_what_a_cheap_position_leaves_goes_to_the_others() -> None:
    cheap, other = predict_together([CHEAP, OPEN], most=0).values()
    assert cheap.complete
    assert cheap.nodes + other.nodes >= 5000


def test_a_review_shares_one_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.proofs.predict.SOON", 0)
    reviewed = review(parse_game("8x8x5", None, "d4e5d5d3c5e4"))
    assert sum(turn.prediction.nodes for turn in reviewed.turns) <= 5000
    assert not reviewed.complete
    report = review_report(reviewed)
    assert (report["complete"], report["moves"][1]["complete"]) == (False, False)


def test_a_position_is_proved_while_another_thread_searches_with_the_shared_solvers() -> None:
    found: list[bool] = []
    with borrowed_solvers(CHEAP.rules):
        thread = Thread(target=lambda: found.append(predict(CHEAP, Budget(seconds=0)).complete))
        thread.start()
        thread.join()
    assert found == [True]


def test_seconds_are_those_of_all_threads() -> None:
    meter = Meter(Budget(seconds=2, floor=10))
    for part in (meter.part(100), meter.part(100)):
        assert not meter.exhausted
        part.count(5, 1.0)
    assert meter.exhausted


def test_the_floor_is_within_a_limit_of_nodes() -> None:
    meter = Meter(Budget(nodes=20, seconds=0))
    assert not meter.exhausted
    assert meter.ahead(2048) == 20
    meter.count(20)
    assert meter.exhausted


def test_a_line_that_is_cut_short_is_not_complete() -> None:
    found = solve("4x3x3")
    assert (found.line_complete, found.complete, len(found.line)) == (True, True, 7)
    cut = Solution(found.prediction, found.line[:2])
    assert solve_report(cut, 0.0)["line_complete"] is False
    assert str(cut).endswith("…")


def test_a_reason_says_if_its_line_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position("6x5x4")
    prediction = predict(position, Budget())
    cell = prediction.best[0]
    monkeypatch.setattr("solver.reasons.explaining.NODES", dict.fromkeys(("compiled", "interpreted"), 1))
    cut, whole = explain(position, cell, prediction), explain(position, cell, prediction, Budget())
    assert len(cut.refutation) < len(whole.refutation) == 10
    assert (cut.line_complete, whole.line_complete) == (False, True)
    told = explain_report(prediction, {cell: cut})
    assert (told["complete"], told["squares"][format_cell(cell, position.rules)]["line_complete"]) == (True, False)


def test_an_endless_draw_is_followed_as_far_as_it_is_told() -> None:
    drawn = next(each for each, outcome in predict("3x3x3-vanishing").squares.items() if outcome.value is Value.DRAW)
    reason = explain("3x3x3-vanishing", drawn)
    assert (len(reason.refutation), reason.line_complete) == (12, True)


def test_an_answer_that_is_not_complete_says_so() -> None:
    assert str(predict(OPEN, Budget(nodes=0))).endswith("Not every square is proved yet.")
    assert "proved yet" not in str(predict(parse_position("X.O/.X./..O")))
