"""Fair shares of one thread, by a clock that the tests put forward."""

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import pytest

from tests.clock import Clock
from tests.in_thread import run_apart
from webapp.config import AppConfig, FrontLimits, ServerLimits
from webapp.serving.counts import RequestCounts
from webapp.serving.front.exchange import Request
from webapp.serving.front.fairness import CREDIT, FairQueue, TokenBuckets
from webapp.serving.front.front import Front

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(clock: Clock) -> FairQueue[str]:
    return FairQueue(clock)


def put(queue: FairQueue[str], visitors: str, number: int) -> None:
    """Add requests of each visitor, who has a letter: a0, a1 and so on."""
    for visitor in visitors:
        for each in range(number):
            queue.put(visitor, f"{visitor}{each}")


def served(queue: FairQueue[str], clock: Clock, seconds: float = 1.0) -> str:
    """Serve the next request, which takes these seconds, and return it."""
    answered = []

    def answer(request: str) -> None:
        answered.append(request)
        clock.now += seconds

    queue.serve(answer)
    return answered[0]


def test_a_visitor_may_ask_for_a_burst_at_once_and_then_so_often_a_second(clock: Clock) -> None:
    buckets = TokenBuckets(128, 1000, clock)
    assert [buckets.take("a") for _ in range(1000)] == [0] * 1000
    assert buckets.take("a") == 1
    for _ in range(500):
        clock.now += 1 / 128
        assert buckets.take("a") == 0
    assert buckets.take("a") == 1


def test_one_visitors_requests_are_not_anothers(clock: Clock) -> None:
    buckets = TokenBuckets(1, 1, clock)
    assert (buckets.take("a"), buckets.take("a"), buckets.take("b")) == (0, 1, 0)


def test_a_refused_visitor_is_told_how_long_to_wait(clock: Clock) -> None:
    buckets = TokenBuckets(0.1, 1, clock)
    buckets.take("a")
    assert buckets.take("a") == 10
    clock.now += 10
    assert buckets.take("a") == 0


def test_visitors_take_turns_however_many_requests_each_has(queue: FairQueue[str], clock: Clock) -> None:
    put(queue, "m", 3)
    put(queue, "f", 1)
    assert [served(queue, clock) for _ in range(4)] == ["m0", "f0", "m1", "m2"]
    assert not queue


def test_a_newcomer_comes_before_all_who_have_been_given_time(queue: FairQueue[str], clock: Clock) -> None:
    put(queue, "abcdef", 9)
    for _ in range(20):
        served(queue, clock)
    queue.put("new", "new")
    assert "new" in [served(queue, clock) for _ in range(5)]


def test_who_asks_for_little_comes_first_several_times_in_a_row(queue: FairQueue[str], clock: Clock) -> None:
    put(queue, "abcdef", 99)
    for _ in range(300):
        served(queue, clock, CREDIT / 4)
    for number in range(4):
        queue.put("r", f"rare{number}")
        assert served(queue, clock, CREDIT / 4) == f"rare{number}"
    put(queue, "r", 9)
    assert "r8" not in [served(queue, clock, CREDIT / 4) for _ in range(18)]


def test_who_takes_longer_is_served_less_often(queue: FairQueue[str], clock: Clock) -> None:
    for _ in range(20):
        queue.put("slow", "slow")
        queue.put("quick", "quick")
    order = []

    def answer(request: str) -> None:
        order.append(request)
        clock.now += 3 if request == "slow" else 1

    for _ in range(12):
        queue.serve(answer)
    assert order.count("quick") == 3 * order.count("slow")


def test_nobody_saves_up_time_by_waiting(queue: FairQueue[str], clock: Clock) -> None:
    put(queue, "b", 50)
    for _ in range(30):
        served(queue, clock)
    put(queue, "l", 9)
    order = [served(queue, clock) for _ in range(8)]
    assert sum(request.startswith("b") for request in order) >= 3


def test_a_request_that_fails_is_charged_and_gone(queue: FairQueue[str]) -> None:
    queue.put("a", "broken")

    def fail(_: str) -> None:
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - it is ours
        queue.serve(fail)
    assert not queue


def test_the_loop_gets_its_turn_between_requests_that_follow_each_other() -> None:
    answered: list[int] = []

    def hello(_: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        start("200 OK", [])
        return []

    async def turns() -> int:
        config = AppConfig(limits=ServerLimits(front=FrontLimits(slice=0)))
        front, over = Front(hello, config, RequestCounts(), None), asyncio.Event()

        def ask(left: int) -> Callable[[object], None]:
            def finish(_: object) -> None:
                answered.append(left)
                ask(left - 1) if left else over.set()

            front.begin(Request("192.0.2.1", ("localhost", 80), "GET", "/"), finish)
            return finish

        for _ in range(3):
            ask(10)
        most = 0
        while not over.is_set():
            before = len(answered)
            await asyncio.sleep(0)
            most = max(most, len(answered) - before)
        return most

    assert run_apart(turns()) == 1
