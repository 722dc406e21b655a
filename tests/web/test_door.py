"""The door: admission, deadlines, and connections that make room for others."""

from dataclasses import replace

import pytest

from tests.clock import Clock
from webapp.config import FrontLimits
from webapp.serving.door import Door, share_of

LIMITS = FrontLimits(connections=6, per_client=3, first=10, idle=15, unread=20, unread_bytes=100)


class Visitor:
    def __init__(self, name: str, client: str = "a") -> None:
        self.name, self.client, self.deadline = name, client, float("inf")
        self.end = ""
        self.left = 0

    def overdue(self) -> None:
        self.end = "overdue"

    def make_room(self) -> None:
        self.end = "made room"

    def unread(self) -> int:
        return self.left


def entered(door: Door, number: int, apart: bool = False, at_work: bool = False) -> list[Visitor]:
    """Let visitors in, each from an address of its own if `apart`, and have them wait for an answer if `at_work`."""
    visitors = [Visitor(str(each), str(each) if apart else "a") for each in range(number)]
    for visitor in visitors:
        door.enter(visitor)
        if at_work:
            door.at_work(visitor)
    return visitors


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def door(clock: Clock) -> Door:
    return Door(LIMITS, True, clock)


def test_who_says_nothing_is_ended_when_its_time_is_over(door: Door, clock: Clock) -> None:
    silent, asking = Visitor("silent"), Visitor("asking")
    door.enter(silent)
    door.enter(asking)
    door.at_work(asking)
    clock.now = LIMITS.first + 1
    door.sweep()
    assert (silent.end, asking.end) == ("overdue", "")


def test_each_answer_gives_time_for_the_next_request(door: Door, clock: Clock) -> None:
    (visitor,) = entered(door, 1, at_work=True)
    clock.now = 100
    door.answered(visitor)
    clock.now += LIMITS.idle - 1
    door.sweep()
    assert visitor.end == ""
    clock.now += 2
    door.sweep()
    assert visitor.end == "overdue"


def test_a_newcomer_of_a_crowded_address_takes_the_place_of_the_one_that_has_waited_longest(
    door: Door, clock: Clock
) -> None:
    visitors = entered(door, 3)
    clock.now += LIMITS.patience + 0.1
    assert door.enter(Visitor("new"))
    assert [visitor.end for visitor in visitors] == ["made room", "", ""]
    assert len(door) == 3


def test_of_a_crowded_address_nobody_goes_who_has_only_just_come(door: Door) -> None:
    visitors = [Visitor(str(number)) for number in range(5)]
    assert all(map(door.enter, visitors))
    assert {visitor.end for visitor in visitors} == {""}


def test_those_who_never_asked_go_before_those_who_did(door: Door, clock: Clock) -> None:
    (regular,) = entered(door, 1, at_work=True)
    door.answered(regular)
    strangers = entered(door, 2)
    clock.now += LIMITS.patience + 0.1
    door.enter(Visitor("new"))
    assert regular.end == ""
    assert strangers[0].end == "made room"


def test_who_is_being_answered_never_makes_room(door: Door) -> None:
    visitors = entered(door, 6, at_work=True)
    assert not door.enter(Visitor("new", "b"))
    assert {visitor.end for visitor in visitors} == {""}


def test_no_address_takes_the_place_of_another_while_its_own_is_full(door: Door, clock: Clock) -> None:
    other = Visitor("other", "b")
    door.enter(other)
    for number in range(9):
        clock.now += LIMITS.patience + 0.1
        door.wait(other, LIMITS.idle)
        door.enter(Visitor(str(number)))
    assert other.end == ""


def test_a_full_house_makes_room_too(door: Door) -> None:
    visitors = entered(door, 6, apart=True)
    assert door.enter(Visitor("new", "new"))
    assert visitors[0].end == "made room"
    assert len(door) == 6


def test_behind_a_proxy_connections_are_not_counted_by_address(clock: Clock) -> None:
    door = Door(LIMITS, False, clock)
    visitors = [Visitor(str(number)) for number in range(6)]
    assert all(map(door.enter, visitors))
    assert {visitor.end for visitor in visitors} == {""}


def test_who_does_not_read_is_ended_in_time(door: Door, clock: Clock) -> None:
    (visitor,) = entered(door, 1, at_work=True)
    visitor.left = 50
    door.answered(visitor)
    clock.now = LIMITS.unread + 1
    door.sweep()
    assert visitor.end == "overdue"


def test_answers_that_nobody_reads_are_bounded_by_their_bytes(door: Door) -> None:
    visitors = [Visitor(str(number), str(number)) for number in range(3)]
    for visitor in visitors:
        door.enter(visitor)
        door.at_work(visitor)
        visitor.left = 45
        door.answered(visitor)
    assert [visitor.end for visitor in visitors] == ["made room", "", ""]


def test_who_has_left_is_forgotten(door: Door) -> None:
    visitors = [Visitor(str(number)) for number in range(3)]
    for visitor in visitors:
        door.enter(visitor)
        door.leave(visitor)
    assert len(door) == 0
    assert door.enter(Visitor("new"))
    assert {visitor.end for visitor in visitors} == {""}


def test_who_was_refused_is_not_in_the_books(door: Door) -> None:
    visitors = entered(door, 6, apart=True, at_work=True)
    refused = Visitor("refused", "b")
    assert not door.enter(refused)
    door.wait(refused, LIMITS.parting)
    door.leave(visitors[0])
    assert door.enter(Visitor("new", "c"))
    assert refused.end == ""


@pytest.mark.parametrize(
    ("address", "share"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("", ""),
    ],
)
def test_of_ipv6_a_whole_network_has_one_share(address: str, share: str) -> None:
    assert share_of(address) == share


def test_a_connection_that_stays_for_news_has_no_deadline_and_takes_no_place_of_others(
    door: Door, clock: Clock
) -> None:
    visitors = entered(door, 4, at_work=True)
    for visitor in visitors:
        assert door.stay(visitor)
    clock.now = 1000
    door.sweep()
    assert [visitor.end for visitor in visitors] == [""] * 4
    assert (len(door), door.streams) == (0, 4)


def test_only_so_many_connections_of_one_address_and_in_all_may_stay(clock: Clock) -> None:
    door = Door(replace(LIMITS, streams=3, streams_per_client=2), True, clock)
    visitors = [Visitor(str(number), client) for number, client in enumerate("aaabb")]
    stayed = [door.enter(visitor) and door.stay(visitor) for visitor in visitors]
    assert stayed == [True, True, False, True, False]
    door.left("a")
    assert door.stay(visitors[2])


def test_an_address_whose_connections_are_all_at_work_gets_only_so_many() -> None:
    roomy = Door(replace(LIMITS, connections=100), True, Clock())
    visitors = [Visitor(str(number)) for number in range(4 * LIMITS.per_client)]
    for visitor in visitors:
        assert roomy.enter(visitor)
        roomy.at_work(visitor)
    assert not roomy.enter(Visitor("one more"))
    roomy.wait(visitors[0], 10)
    assert roomy.enter(Visitor("one more"))
    assert visitors[0].end == "made room"
    assert roomy.enter(Visitor("somebody else", "b"))
