"""The accounts of the clients' use."""

import pytest

from tests.clock import Clock
from webapp.serving.pool.usage import Usage, Wait


@pytest.fixture
def clock() -> Clock:
    return Clock(100.0)


@pytest.fixture
def usage(clock: Clock) -> Usage:
    return Usage(clock)


def test_a_client_that_nobody_knows_has_used_nothing(usage: Usage) -> None:
    assert usage.of("stranger") == 0


def test_half_of_the_use_is_forgotten_after_the_half_life(usage: Usage, clock: Clock) -> None:
    usage.count_request("a")
    before = usage.of("a")
    clock.now += 20
    assert usage.of("a") == pytest.approx(before / 2)


def test_two_places_weigh_twice_as_much_as_one(usage: Usage, clock: Clock) -> None:
    for client in ("one", "two", "two"):
        usage.hold(client)
    clock.now += 7
    assert usage.of("two") == pytest.approx(2 * usage.of("one"))


def test_a_place_weighs_the_same_however_often_it_is_looked_at(usage: Usage, clock: Clock) -> None:
    usage.hold("still")
    for _ in range(10):
        usage.hold("busy")
        clock.now += 1
        usage.release("busy")
    assert usage.of("busy") == pytest.approx(usage.of("still"))


def test_a_place_that_was_given_back_weighs_less_and_less(usage: Usage, clock: Clock) -> None:
    usage.hold("a")
    clock.now += 7
    usage.release("a")
    before = usage.of("a")
    clock.now += 1
    assert usage.of("a") < before


def test_the_newest_item_of_the_heaviest_client_gives_way(usage: Usage, clock: Clock) -> None:
    waiting = {}
    for client, item in (("heavy", "old"), ("heavy", "new"), ("light", "newest")):
        usage.hold(client)
        waiting[item] = [(client, clock.now)]
        clock.now += 1
    assert usage.to_displace("stranger", waiting) == "new"


def test_waiting_for_one_thing_makes_nobody_give_way(usage: Usage, clock: Clock) -> None:
    since = clock.now
    usage.hold("patient")
    clock.now += 5
    usage.count_request("late")
    assert usage.to_displace("late", {"patient's": [("patient", since)]}) is None


def test_who_has_waited_goes_before_an_equal_who_comes_anew(usage: Usage, clock: Clock) -> None:
    since = clock.now
    for client in ("early", "late"):
        usage.count_request(client)
    usage.hold("early")
    clock.now += 5
    assert usage.rank([("early", since)]) < usage.rank([("late", clock.now)])


def test_work_of_several_clients_ranks_as_that_of_the_lightest(usage: Usage, clock: Clock) -> None:
    usage.count_request("heavy")
    assert usage.rank([("heavy", clock.now), ("light", clock.now)]) == usage.rank([("light", clock.now)])


def test_nothing_gives_way_to_a_client_that_is_as_heavy(usage: Usage, clock: Clock) -> None:
    for client in "ab":
        usage.count_request(client)
    assert usage.to_displace("b", {"a's": [("a", clock.now)]}) is None


def test_nothing_gives_way_where_nothing_waits(usage: Usage) -> None:
    waiting: dict[str, list[Wait]] = {}
    assert usage.to_displace("a", waiting) is None


def test_accounts_are_bounded_and_the_heaviest_are_kept(usage: Usage) -> None:
    for _ in range(2):
        usage.count_request("heavy")
    for number in range(2 * 4096):
        usage.count_request(str(number))
    assert len(usage) <= 4096
    assert usage.of("heavy") > 0


def test_a_client_that_holds_a_place_is_not_forgotten(usage: Usage, clock: Clock) -> None:
    usage.hold("holding")
    for number in range(2 * 4096):
        usage.count_request(str(number))
    clock.now += 1
    assert usage.of("holding") > 0


def test_of_items_that_wait_equally_long_the_newest_gives_way(usage: Usage, clock: Clock) -> None:
    waiting = {item: [("heavy", clock.now)] for item in ("old", "new")}
    for _ in waiting:
        usage.hold("heavy")
    clock.now += 5
    assert usage.to_displace("stranger", waiting) == "new"


def test_only_a_client_that_is_lighter_by_two_seconds_displaces_another(usage: Usage, clock: Clock) -> None:
    displaced = []
    for seconds in (2.0, 0.2):  # a little is forgotten meanwhile: 1.93 and then 2.12 seconds are used
        usage.hold("visitor")
        clock.now += seconds
        usage.release("visitor")
        displaced.append(usage.to_displace("new address", {"visitor's": [("visitor", clock.now)]}))
    assert displaced == [None, "visitor's"]
