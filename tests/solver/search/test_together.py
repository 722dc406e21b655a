"""Proofs by several threads are those of one thread, take no more time, and leave no thread behind."""

import sys
import threading
import time
from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from solver.board.notation import parse_rules
from solver.board.outcome import Bounds
from solver.board.position import Position
from solver.kernel.engine import KERNEL
from solver.search import solver as solvers_module
from solver.search.budget import UNLIMITED, Budget, BudgetExhausted, Meter
from solver.search.exact import ALONE, at_first, narrowing, narrowing_together
from solver.search.solver import MAX_THREADS, Solver, shared_solver, shared_solvers
from tests.solver.stored_proofs import opened
from tests.strategies import boards, examples, positions

LONG = "6x6x4" if KERNEL == "compiled" else "5x5x4"
"""A board whose first moves take longer than one thread searches alone."""

ENDLESS = "8x8x5"


def solvers(board: str, threads: int = 2) -> tuple[Solver, ...]:
    return Solver(parse_rules(board)).team(threads)


def proved_by(threads: int, position: Position) -> dict[Position, Bounds]:
    known = opened(position)
    return known | dict(narrowing_together(solvers(str(position.rules), threads), known, Meter(UNLIMITED)))


def start(board: str) -> Position:
    return Position(parse_rules(board))


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> threading.Barrier:
    """Let two searchers begin only once both are ready."""
    barrier, decided = threading.Barrier(2), Solver.decided
    begun = set[Solver]()

    def decided_at_once(solver: Solver, position: Position, plies: int, meter: Meter, helper: int = 0) -> bool:
        if threading.current_thread() is not threading.main_thread() and solver not in begun:
            begun.add(solver)
            barrier.wait(timeout=60)
        return decided(solver, position, plies, meter, helper)

    monkeypatch.setattr(Solver, "decided", decided_at_once)
    return barrier


@pytest.mark.parametrize("threads", [2, *(pytest.param(threads, marks=pytest.mark.slow) for threads in (1, 5))])
def test_threads_prove_what_one_proves(threads: int) -> None:
    known, meter = opened(start(LONG)), Meter(UNLIMITED)
    alone = known | dict(narrowing(Solver(parse_rules(LONG)), known, meter))
    assert meter.nodes > ALONE
    assert proved_by(threads, start(LONG)) == alone


@examples(25)
@given(position=positions(boards(max_side=5)))
def test_any_position_is_proved_alike(position: Position) -> None:
    known = opened(position)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.search.exact.ALONE", 0)  # the threads have all to do
        patch.setattr("solver.search.exact.FIRST_SHARE", 10)  # and change often
        spent = Budget(seconds=2)
        alone = known | dict(narrowing(Solver(position.rules), known, Meter(spent)))
        together = known | dict(narrowing_together(solvers(str(position.rules)), known, Meter(spent)))
    for after, bounds in alone.items():
        assert None in {bounds.score, together[after].score} or bounds == together[after]


def test_false_bounds_that_cross_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.search.exact.ALONE", 0)
    crossed = dict.fromkeys(opened(start(LONG)), Bounds(5, -5))
    assert list(narrowing_together(solvers(LONG), crossed, Meter(UNLIMITED))) == []


@pytest.mark.usefixtures("at_once")
def test_all_threads_count_their_nodes() -> None:
    both, known, meter = solvers(LONG), opened(start(LONG)), Meter(UNLIMITED)
    list(narrowing_together(both, known, meter))
    nodes = [solver.nodes for solver in both]
    assert meter.nodes == sum(nodes)


def test_solvers_of_threads_share_what_they_remember() -> None:
    one, other = solvers(LONG)
    for solver in (one, other):
        list(narrowing(solver, opened(start(LONG)), Meter(UNLIMITED)))
    assert 10 * other.nodes < one.nodes


def test_threads_that_overwrite_what_others_remember_prove_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.search.exact.ALONE", 0)
    first, known = Solver(parse_rules("5x5x4"), max_entries=1024), opened(start("5x5x4"))
    together = known | dict(narrowing_together(first.team(4), known, Meter(UNLIMITED)))
    assert together == known | dict(narrowing(Solver(first.rules), known, Meter(UNLIMITED)))


def test_who_finds_nothing_helps_with_the_last(monkeypatch: pytest.MonkeyPatch, at_once: threading.Barrier) -> None:
    monkeypatch.setattr("solver.search.exact.ALONE", 0)
    both, last = solvers(LONG), start(LONG).after(0)
    alone = dict(narrowing(Solver(last.rules), {last: at_first(last)}, Meter(UNLIMITED)))
    assert dict(narrowing_together(both, {last: at_first(last)}, Meter(UNLIMITED))) == alone
    assert not at_once.broken, "one of them searched alone"


def test_the_share_of_one_who_has_a_helper_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    shares, part = list[float](), Meter.part

    def noted(meter: Meter, nodes: float) -> Meter:
        shares.append(nodes)
        return part(meter, nodes)

    monkeypatch.setattr("solver.search.exact.ALONE", 0)
    monkeypatch.setattr("solver.search.exact.FIRST_SHARE", 100)
    monkeypatch.setattr(Meter, "part", noted)
    last = start(ENDLESS).after(0)
    list(narrowing_together(solvers(ENDLESS), {last: at_first(last)}, Meter(Budget(nodes=100_000))))
    assert len(shares) < 100


@pytest.mark.slow
@given(position=positions(boards(max_side=4)), plies=st.integers(1, 16), helper=st.integers(1, 3))
def test_a_helper_finds_the_same_answer(position: Position, plies: int, helper: int) -> None:
    first, other = solvers(str(position.rules)), Solver(position.rules)
    plies = min(plies, position.plies_left)
    assume(position.result is None)
    meter = Meter(Budget(nodes=20_000))
    with suppress(BudgetExhausted):
        answer = other.decided(position, plies, meter)
        assert [solver.decided(position, plies, meter, helper) for solver in first] == [answer, answer]


def test_a_helper_begins_elsewhere() -> None:
    after, (one, other) = start("5x5x4").after(12), (Solver(parse_rules("5x5x4")) for _ in range(2))
    answers = {solver.decided(after, 24, Meter(UNLIMITED), helper) for helper, solver in enumerate((one, other))}
    assert len(answers) == 1
    assert one.nodes != other.nodes


def test_a_budget_of_nodes_brings_the_same_every_time() -> None:
    def proved() -> dict[Position, Bounds]:
        known = opened(start(LONG))
        return known | dict(narrowing_together(solvers(LONG), known, Meter(Budget(nodes=4 * ALONE))))

    assert proved() == proved()


def test_threads_keep_to_the_seconds_of_the_budget() -> None:
    meter = Meter(Budget(seconds=0.2))
    list(narrowing_together(solvers(ENDLESS), opened(start(ENDLESS)), meter))
    assert meter.exhausted  # and it ends, where the proof would not
    assert meter.seconds >= 0.2


def test_stopping_early_leaves_no_thread_and_it_goes_on_with_the_rest_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.search.exact.ALONE", 0)
    before, meter = set(threading.enumerate()), Meter(Budget(seconds=600))
    answers = narrowing_together(solvers(ENDLESS), opened(start(ENDLESS)), meter)
    while not set(threading.enumerate()) - before:
        next(answers)
    answers.close()
    assert not set(threading.enumerate()) - before
    assert not meter.exhausted


def test_what_goes_wrong_in_a_thread_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bool:
        raise MemoryError

    both = solvers(LONG)
    monkeypatch.setattr("solver.search.exact.ALONE", 0)
    monkeypatch.setattr(Solver, "decided", fail)
    with pytest.raises(MemoryError):
        list(narrowing_together(both, opened(start(LONG)), Meter(UNLIMITED)))


@pytest.mark.parametrize(("processors", "threads"), [(1, 1), (2, 2), (64, MAX_THREADS)])
def test_there_is_a_thread_for_each_processor_where_the_kernel_lets_them_run_at_once(
    monkeypatch: pytest.MonkeyPatch, processors: int, threads: int
) -> None:
    monkeypatch.setattr(solvers_module, "processors", lambda: processors)
    rules = parse_rules("4x4x4")
    shared_solvers.cache_clear()
    found = shared_solvers(rules)
    shared_solvers.cache_clear()
    assert found[0] is shared_solver(rules)
    assert len(found) == (threads if KERNEL == "compiled" else 1)


@pytest.mark.skipif(KERNEL != "compiled", reason="on the interpreted kernel threads take turns")
def test_the_compiled_kernel_lets_other_threads_run_while_it_searches() -> None:
    after = start(ENDLESS).after(0)
    questions = narrowing(Solver(after.rules), {after: Bounds()}, Meter(Budget(nodes=20_000)))
    searching, turns, before = threading.Thread(target=lambda: list(questions)), 0, sys.getswitchinterval()
    sys.setswitchinterval(60)  # no thread has to stop for another
    try:
        searching.start()
        while searching.is_alive():
            time.sleep(0)
            turns += 1
    finally:
        sys.setswitchinterval(before)
    assert turns > 100
