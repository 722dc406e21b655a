"""Fair shares, by a clock that the tests put forward."""

import pytest

from tests.clock import Clock
from webapp.serving.fairness import CREDIT, FairQueue, Places, TokenBuckets, share_of


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


def test_a_visitor_has_a_share_of_the_places_and_all_together_no_more_than_there_are() -> None:
    places = Places(most=4, share=2)
    assert [places.take(visitor) for visitor in "aaabbc"] == [True, True, False, True, True, False]
    places.free("b")
    assert (places.take("c"), places.total) == (True, 4)


@pytest.mark.parametrize(
    ("address", "visitor"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("unknown", "unknown"),
    ],
)
def test_a_visitor_is_an_address_or_the_network_of_a_household(address: str, visitor: str) -> None:
    assert share_of(address) == visitor
