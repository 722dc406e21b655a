"""Accounts of what clients use."""

from itertools import count

import pytest

from webapp.server.usage import HALF_LIFE, REMEMBERED, Usage


class Clock:
    """A clock to set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def usage(clock: Clock) -> Usage:
    return Usage(clock)


def test_a_client_that_nobody_knows_has_used_nothing(usage: Usage) -> None:
    assert usage.of("stranger") == 0


def test_half_of_the_use_is_forgotten_after_the_half_life(usage: Usage, clock: Clock) -> None:
    usage.count_request("a")
    before = usage.of("a")
    clock.now += HALF_LIFE
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


def test_the_heaviest_gives_way_before_the_newest(usage: Usage, clock: Clock) -> None:
    for client in ("heavy", "heavy", "light"):
        usage.hold(client)
    clock.now += 1
    waiting = {"old": ["heavy"], "new": ["heavy"], "newest": ["light"]}
    assert usage.to_displace("stranger", waiting) == "new"


def test_the_newest_gives_way_though_places_weigh_more_from_moment_to_moment() -> None:
    usage = Usage(count().__next__)
    for _ in range(2):
        usage.hold("heavy")
    assert usage.to_displace("stranger", {"old": ["heavy"], "new": ["heavy"]}) == "new"


def test_nothing_gives_way_to_a_client_that_is_as_heavy(usage: Usage) -> None:
    for client in "ab":
        usage.count_request(client)
    assert usage.to_displace("b", {"a's": ["a"]}) is None


def test_nothing_gives_way_where_nothing_waits(usage: Usage) -> None:
    waiting: dict[str, list[str]] = {}
    assert usage.to_displace("a", waiting) is None


def test_accounts_are_bounded_and_the_heaviest_are_kept(usage: Usage) -> None:
    for _ in range(2):
        usage.count_request("heavy")
    for number in range(2 * REMEMBERED):
        usage.count_request(str(number))
    assert len(usage) <= REMEMBERED
    assert usage.of("heavy") > 0
