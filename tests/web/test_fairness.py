"""Fair shares, by a clock that the tests put forward."""

import pickle

import pytest

from tests.clock import Clock
from webapp.serving.fairness import CREDIT, FairQueue, Places, TokenBuckets, Usage, Wait, network_of, share_of


@pytest.fixture
def clock() -> Clock:
    return Clock(100.0)


@pytest.fixture
def usage(clock: Clock) -> Usage:
    return Usage(clock)


def homes(number: int, network: str = "192.0.2") -> list[str]:
    """Return addresses of one network."""
    return [f"{network}.{home}" for home in range(number)]


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


def test_the_addresses_of_a_network_may_ask_as_often_as_four_visitors(clock: Clock) -> None:
    buckets = TokenBuckets(10, 10, clock)
    assert [buckets.take(home) for home in homes(50)] == [0] * 40 + [1] * 10
    assert buckets.take("198.51.100.1") == 0
    clock.now += 0.5
    assert [buckets.take(home) for home in homes(21)] == [0] * 20 + [1]


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


def test_many_addresses_of_a_network_hold_nobody_else_up(queue: FairQueue[str], clock: Clock) -> None:
    for address in (*homes(40), "198.51.100.1"):
        for _ in range(9):
            queue.put(address, address)
    order = [served(queue, clock) for _ in range(90)]
    assert [address for address in order[41:] if address == "198.51.100.1"] == ["198.51.100.1"] * 8


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
    for visitor in "aabc":
        places.free(visitor)
    assert pickle.dumps(places) == pickle.dumps(Places(most=4, share=2)), "nothing is kept of those who have none"


def test_a_network_has_half_of_the_places_unless_a_visitor_may_have_more() -> None:
    places = Places(most=4, share=1)
    assert [places.take(home) for home in homes(3)] == [True, True, False]
    assert places.take("198.51.100.1")
    places.free(homes(1)[0])
    assert places.take(homes(3)[2])
    assert all(map(Places(most=4, share=4).take, homes(4)))


@pytest.mark.parametrize(
    ("address", "visitor", "network"),
    [
        ("192.0.2.1", "192.0.2.1", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/56"),
        ("fe80::1%eth0", "fe80::/64", "fe80::/56"),
        ("::ffff:192.0.2.1", "192.0.2.1", "192.0.2.0/24"),
        ("unknown", "unknown", ""),
    ],
)
def test_a_visitor_is_an_address_or_the_network_of_a_household_within_a_wider_one(
    address: str, visitor: str, network: str
) -> None:
    assert (share_of(address), network_of(visitor)) == (visitor, network)


def test_a_visitor_that_nobody_knows_has_used_nothing(usage: Usage) -> None:
    assert usage.of("stranger") == 0


def test_half_of_the_use_is_forgotten_after_the_half_life(usage: Usage, clock: Clock) -> None:
    usage.charge("a")
    before = usage.of("a")
    clock.now += 20
    assert usage.of("a") == pytest.approx(before / 2)


def test_two_places_weigh_twice_as_much_as_one(usage: Usage, clock: Clock) -> None:
    for client in ("one", "two", "two"):
        usage.charge(client, 0, places=1)
    clock.now += 7
    assert usage.of("two") == pytest.approx(2 * usage.of("one"))


def test_a_place_weighs_the_same_however_often_it_is_looked_at(usage: Usage, clock: Clock) -> None:
    usage.charge("still", 0, places=1)
    for _ in range(10):
        usage.charge("busy", 0, places=1)
        clock.now += 1
        usage.charge("busy", 0, places=-1)
    assert usage.of("busy") == pytest.approx(usage.of("still"))


def test_a_place_that_was_given_back_weighs_less_and_less(usage: Usage, clock: Clock) -> None:
    usage.charge("a", 0, places=1)
    clock.now += 7
    usage.charge("a", 0, places=-1)
    before = usage.of("a")
    clock.now += 1
    assert usage.of("a") < before


def test_the_newest_item_of_the_heaviest_client_gives_way(usage: Usage, clock: Clock) -> None:
    waiting = {}
    for client, item in (("heavy", "old"), ("heavy", "new"), ("light", "newest")):
        usage.charge(client, 0, places=1)
        waiting[item] = [(client, clock.now)]
        clock.now += 1
    assert usage.to_displace("stranger", waiting) == "new"


def test_waiting_for_one_thing_makes_nobody_give_way(usage: Usage, clock: Clock) -> None:
    since = clock.now
    usage.charge("patient", 0, places=1)
    clock.now += 5
    usage.charge("late")
    assert usage.to_displace("late", {"patient's": [("patient", since)]}) is None


def test_who_has_waited_goes_before_an_equal_who_comes_anew(usage: Usage, clock: Clock) -> None:
    since = clock.now
    for client in ("early", "late"):
        usage.charge(client)
    usage.charge("early", 0, places=1)
    clock.now += 5
    assert usage.rank([("early", since)]) < usage.rank([("late", clock.now)])


def test_work_of_several_clients_ranks_as_that_of_the_lightest(usage: Usage, clock: Clock) -> None:
    usage.charge("heavy")
    assert usage.rank([("heavy", clock.now), ("light", clock.now)]) == usage.rank([("light", clock.now)])


def test_nothing_gives_way_to_a_visitor_that_is_as_heavy(usage: Usage, clock: Clock) -> None:
    for client in "ab":
        usage.charge(client)
    assert usage.to_displace("b", {"a's": [("a", clock.now)]}) is None


def test_nothing_gives_way_where_nothing_waits(usage: Usage) -> None:
    assert usage.to_displace("a", dict[str, list[Wait]]()) is None


def test_accounts_are_bounded_and_the_longest_idle_are_forgotten(usage: Usage) -> None:
    for number in range(20_000):
        usage.charge(str(number))
    assert len(usage._accounts) == 10_000
    assert usage.of("0") < usage.of("19999")


def test_a_visitor_is_as_heavy_as_a_quarter_of_its_network(usage: Usage, clock: Clock) -> None:
    for home in homes(40):
        usage.charge(home, 1)
    assert usage.of("192.0.2.99") == 10
    assert usage.to_displace("198.51.100.1", {"a": [("192.0.2.1", clock.now)]}) == "a"
    assert usage.to_displace("192.0.2.99", {"a": [("198.51.100.1", clock.now)]}) is None


def test_of_items_that_wait_equally_long_the_newest_gives_way(usage: Usage, clock: Clock) -> None:
    waiting = {item: [("heavy", clock.now)] for item in ("old", "new")}
    for _ in waiting:
        usage.charge("heavy", 0, places=1)
    clock.now += 5
    assert usage.to_displace("stranger", waiting) == "new"


def test_only_a_visitor_that_is_lighter_by_two_seconds_displaces_another(usage: Usage, clock: Clock) -> None:
    displaced = []
    for seconds in (2.0, 0.2):  # a little is forgotten meanwhile: 1.93 and then 2.12 seconds are used
        usage.charge("visitor", 0, places=1)
        clock.now += seconds
        usage.charge("visitor", 0, places=-1)
        displaced.append(usage.to_displace("new address", {"visitor's": [("visitor", clock.now)]}))
    assert displaced == [None, "visitor's"]
