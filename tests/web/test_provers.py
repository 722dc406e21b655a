"""Proving in the background: shared, in turns, bounded, and never a reason to wait."""

import os
import signal
import time
from collections.abc import Callable, Iterator

import pytest

from solver.notation import parse_rules
from solver.position import Position
from solver.worker import Worker, WorkerDied
from webapp.provers import Limits, Look, Provers, Standing

EASY = Position(parse_rules("4x4x4"))
HARD = Position(parse_rules("8x8x5"))


@pytest.fixture
def pool_of() -> Iterator[Callable[[Limits], Provers]]:
    pools: list[Provers] = []

    def start(limits: Limits) -> Provers:
        pools.append(Provers(limits))
        return pools[-1]

    yield start
    for pool in pools:
        pool.close()


def wait_for(pool: Provers, position: Position, *standings: Standing) -> Look:
    """Looks until the position fares in one of these ways."""
    deadline = time.monotonic() + 30
    while (look := pool.look(position)).standing not in standings:
        assert time.monotonic() < deadline, look
        time.sleep(0.02)
    return look


def test_a_position_is_proved_square_by_square(pool_of: Callable[[Limits], Provers]) -> None:
    look = wait_for(pool_of(Limits()), EASY, Standing.DONE)
    assert {bounds.score for bounds in look.found.values()} == {0}
    assert set(look.found) == {EASY.after(orbit[0]) for orbit in EASY.orbits()}


def test_what_is_not_proved_in_time_is_given_up_with_what_was_found(pool_of: Callable[[Limits], Provers]) -> None:
    look = wait_for(pool_of(Limits(seconds=0.5, turn=0.2)), HARD, Standing.SPENT)
    assert len(look.found) == len(HARD.orbits())
    assert any(bounds.lower > -9998 for bounds in look.found.values())


def test_positions_take_turns(pool_of: Callable[[Limits], Provers]) -> None:
    pool = pool_of(Limits(turn=0.1))
    pool.look(HARD)
    assert wait_for(pool, EASY, Standing.DONE).found
    assert pool.look(HARD).standing is Standing.PROVING


def test_no_more_positions_are_taken_on_than_the_limit_allows(pool_of: Callable[[Limits], Provers]) -> None:
    pool = pool_of(Limits(positions=2))
    looks = [pool.look(HARD.after(cell)).standing for cell in range(3)]
    assert looks[2] is Standing.BUSY
    assert Standing.BUSY not in looks[:2]


def test_positions_of_before_are_taken_on_again_only_within_the_limit(pool_of: Callable[[Limits], Provers]) -> None:
    pool = pool_of(Limits(positions=2, lease=0.1, turn=0.1))
    earlier = [HARD.after(cell) for cell in range(6)]
    for position in earlier:
        wait_for(pool, position, Standing.PROVING)
        time.sleep(0.15)
    assert [pool.look(position).standing for position in earlier].count(Standing.BUSY) >= 4


def test_an_error_in_a_turn_stops_no_other_position(
    pool_of: Callable[[Limits], Provers], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = pool_of(Limits(turn=0.1))
    with monkeypatch.context() as patch:
        patch.setattr(Worker, "prove", lambda *_: 1 / 0)
        pool.look(HARD)
        time.sleep(0.3)
    assert wait_for(pool, EASY, Standing.DONE)


def test_a_position_that_nobody_looks_at_any_more_makes_room(pool_of: Callable[[Limits], Provers]) -> None:
    pool = pool_of(Limits(positions=1, turn=0.1))
    pool.look(HARD)
    pool.release(HARD)
    assert wait_for(pool, EASY, Standing.DONE)


def test_a_position_that_was_not_looked_at_for_a_while_makes_room(pool_of: Callable[[Limits], Provers]) -> None:
    pool = pool_of(Limits(positions=1, lease=0.3, turn=0.1))
    pool.look(HARD)
    assert wait_for(pool, EASY, Standing.DONE)


def test_outcomes_of_old_positions_are_forgotten(pool_of: Callable[[Limits], Provers]) -> None:
    pool = pool_of(Limits(kept=1, lease=0.1))
    for cell in range(3):
        wait_for(pool, EASY.after(cell), Standing.DONE)
        time.sleep(0.2)
    assert len(pool._jobs) <= 2


def test_a_pool_without_processes_proves_nothing_and_says_so(pool_of: Callable[[Limits], Provers]) -> None:
    assert pool_of(Limits(workers=0)).look(HARD) == Look(Standing.OFF)


def test_a_process_that_is_killed_is_replaced(pool_of: Callable[[Limits], Provers]) -> None:
    pool = pool_of(Limits(turn=0.2))
    wait_for(pool, HARD, Standing.PROVING)
    (worker,) = pool._workers
    deadline = time.monotonic() + 30
    while worker._process.pid is None and time.monotonic() < deadline:  # its work begins with starting it
        time.sleep(0.02)
    assert worker._process.pid is not None
    os.kill(worker._process.pid, signal.SIGKILL)
    assert wait_for(pool, EASY, Standing.DONE)


def test_a_killed_worker_says_so_and_works_again() -> None:
    worker = Worker()
    try:
        assert worker.prove(EASY, 5)
        assert worker._process.pid is not None
        os.kill(worker._process.pid, signal.SIGKILL)
        with pytest.raises(WorkerDied):
            worker.prove(HARD, 5)
        assert worker.prove(EASY, 5)
    finally:
        worker.stop()
