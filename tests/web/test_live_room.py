"""The limit of games for one network, and the games that are evicted when the store is full."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sql

from tests.clock import Clock
from tests.web.live_games import has, new_game
from webapp.pages.live.game import Full, TooManyGames, play_move, take_seat
from webapp.pages.live.store import GAMES as TABLE
from webapp.pages.live.store import ORIGINS, ClockWatch, LiveStore, forget_origins
from webapp.pages.live.visitors import networks_of

MOST = 50
PER_ADDRESS, WIDER, SPAN = 30, {56: 60, 48: 120}, 600
IDLE, STUCK_FOR, AGREEMENT, JUMP = 3600, 5, 3600, 60
Opened = Callable[[int], LiveStore]
NAMES = (f"{number:022}" for number in count())


@pytest.fixture
def opened(tmp_path: Path, clock: Clock) -> Iterator[Opened]:
    """Return a function that opens the store, as after a restart, with a limit of games."""
    with ExitStack() as stores:
        yield lambda most: stores.enter_context(closing(LiveStore(tmp_path / "live.sqlite", most, clock, clock)))


@pytest.fixture
def store(opened: Opened) -> LiveStore:
    return opened(MOST)


def make(store: LiveStore, address: str, *seats: str, moves: int = 0) -> str:
    """Make a game from an address, with seats taken from two others and some moves; return its name."""
    name, now = next(NAMES), store.clock()
    store.add(new_game(name, moved=now), networks_of(address))
    for secret, seat in zip("xo", seats, strict=False):
        store.change(name, lambda live, secret=secret: take_seat(live, secret, now), networks_of(seat))  # type: ignore[misc]
    for ply in range(moves):
        store.change(name, lambda live, ply=ply: play_move(live, "xo"[ply % 2], None, ply, now), networks_of(address))  # type: ignore[misc]
    return name


def made(store: LiveStore, addresses: Iterator[str], most: int) -> int:
    """Make games from these addresses in turn until one is refused; return their number."""
    for number in range(most):
        try:
            make(store, next(addresses))
        except TooManyGames:
            return number
    return most


@pytest.mark.parametrize(
    ("network", "games"),
    [
        ("192.0.2.1", PER_ADDRESS),
        ("192.0.2.{}", WIDER[56]),
        ("2001:db8:0:1::{:x}", PER_ADDRESS),
        ("2001:db8:0:1{:02x}::1", WIDER[56]),
        ("2001:db8:0:{:x}::1", WIDER[48]),
        ("::ffff:192.0.2.1", PER_ADDRESS),
    ],
    ids=["an IPv4 address", "a /24", "a /64", "a /56", "a /48", "an IPv4 address in IPv6"],
)
def test_a_network_makes_only_so_many_games_from_whatever_addresses_of_it(
    store: LiveStore, network: str, games: int
) -> None:
    spread = 0x100 if games == WIDER[48] else 1
    addresses = (network.format(number * spread % 0xFFFF) for number in count(1))
    assert made(store, addresses, games + 1) == games


def test_after_the_wait_that_is_told_a_network_may_make_another_game(store: LiveStore, clock: Clock) -> None:
    for _ in range(PER_ADDRESS):
        make(store, "192.0.2.1")
        clock.now += 1
    with pytest.raises(TooManyGames) as refused:
        make(store, "192.0.2.1")
    assert refused.value.seconds == SPAN - PER_ADDRESS
    clock.now += refused.value.seconds
    make(store, "192.0.2.1")


def test_a_clock_that_is_set_back_keeps_nobody_waiting(store: LiveStore, clock: Clock) -> None:
    for _ in range(PER_ADDRESS):
        make(store, "192.0.2.1")
    clock.now -= 2 * SPAN
    make(store, "192.0.2.1")


def test_games_that_had_to_make_room_still_count(opened: Opened) -> None:
    assert made(opened(2), iter(["192.0.2.1"] * 50), 50) == PER_ADDRESS


def test_what_is_kept_of_networks_tells_no_address_and_is_forgotten(store: LiveStore, clock: Clock) -> None:
    make(store, "192.0.2.1", "2001:db8::1")
    rows = store.database.do(lambda connection: connection.execute(sql.select(ORIGINS)).mappings().all())
    assert [row["what"] for row in rows] == ["made", "X"]
    assert "192.0" not in str(rows)
    assert "2001" not in str(rows)
    clock.now += 2 * 24 * 3600
    store.sweep()
    assert not store.database.do(lambda connection: connection.scalar(sql.select(sql.func.count(ORIGINS.c.game))))


def fill(store: LiveStore, *seats: str, moves: int = 0, most: int = MOST) -> list[str]:
    """Fill the store from many networks, each below its limit; return the names of the games."""
    names: list[str] = []
    while store.number() < most:
        number = len(names)
        address = f"2001:db8:{number:x}::1"
        names.append(make(store, address, *(seats or (address, address)), moves=moves))
    return names


def flood(store: LiveStore, games: int) -> list[str]:
    return [make(store, f"2001:db8:ffff:{number:x}00::1") for number in range(games)]


def test_a_flood_makes_room_for_others_and_nobody_else_does(opened: Opened) -> None:
    store = opened(150)
    waiting = make(store, "192.0.2.1", "192.0.2.1")
    flooding = flood(store, 70)
    fill(store, most=150)
    newcomers = [make(store, f"198.51.100.{number}") for number in range(30)]
    assert has(store, waiting)
    assert all(has(store, name) for name in newcomers)
    assert sum(has(store, name) for name in flooding) == 40


def test_a_flood_that_goes_on_in_a_full_room_makes_room_for_itself(opened: Opened) -> None:
    store = opened(100)
    waiting = [make(store, f"192.0.2.{number}", f"192.0.2.{number}") for number in range(40)]
    flood(store, WIDER[48])
    assert all(has(store, name) for name in waiting)


def test_of_a_flood_the_games_with_the_fewest_moves_make_room(opened: Opened, clock: Clock) -> None:
    store = opened(100)
    address = "2001:db8:ffff::1"
    played_in = make(store, address, address, address, moves=3)
    begun = [make(store, address, address, address, moves=1) for _ in range(PER_ADDRESS - 1)]
    clock.now += SPAN
    empty = [make(store, address) for _ in range(2)]
    fill(store, most=100)
    for _ in empty:
        make(store, "198.51.100.1")
    assert [has(store, name) for name in (played_in, *begun, *empty)] == [True] * PER_ADDRESS + [False] * 2


def test_without_a_flood_the_games_that_stood_longest_make_room(opened: Opened, clock: Clock) -> None:
    store = opened(100)
    abandoned = [make(store, f"192.0.2.{number}", f"192.0.2.{number}") for number in range(2)]
    clock.now += 60
    school = [make(store, "198.51.100.1", "198.51.100.1", "198.51.100.1") for _ in range(PER_ADDRESS)]
    fill(store, most=100)
    for _ in abandoned:
        make(store, "203.0.113.1")
    assert not any(has(store, name) for name in abandoned)
    assert all(has(store, name) for name in school)


def test_origins_are_forgotten_by_slices_until_none_is_left(
    store: LiveStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.pages.live.store.TOGETHER", 2)
    for number in range(3):
        make(store, f"192.0.2.{number}")
    clock.now += 2 * 24 * 3600
    store.database.do(lambda connection: connection.execute(sql.delete(TABLE)), writes=True)
    assert store.database.do(lambda connection: forget_origins(connection, clock.now), writes=True) == 2
    store.sweep()
    assert not store.database.do(lambda connection: connection.scalar(sql.select(sql.func.count(ORIGINS.c.game))))


def test_a_game_that_two_networks_play_never_makes_room_within_the_hour(store: LiveStore, clock: Clock) -> None:
    clock.now += AGREEMENT
    names = fill(store, "192.0.2.1", "192.0.2.2")
    with pytest.raises(Full):
        make(store, "198.51.100.1")
    assert all(has(store, name) for name in names)


def test_a_game_that_two_networks_play_makes_room_after_an_hour_without_a_move(store: LiveStore, clock: Clock) -> None:
    fill(store, "192.0.2.1", "192.0.2.2")
    clock.now += IDLE + 1
    make(store, "198.51.100.1")


def test_an_abandoned_game_of_two_networks_makes_room_after_all_others(store: LiveStore, clock: Clock) -> None:
    abandoned = make(store, "203.0.113.1", "192.0.2.1", "192.0.2.2")
    clock.now += IDLE + 1
    fill(store)
    make(store, "198.51.100.1")
    assert has(store, abandoned)


def test_no_played_game_makes_room_by_a_clock_that_is_not_trusted(tmp_path: Path, clock: Clock) -> None:
    with closing(LiveStore(tmp_path / "live.sqlite", MOST, clock, Clock(1000.0))) as store:
        fill(store, "192.0.2.1", "192.0.2.2")
        clock.now += IDLE + 1
        with pytest.raises(Full):
            make(store, "198.51.100.1")


def test_a_full_room_is_not_searched_again_at_once(opened: Opened, clock: Clock) -> None:
    small = opened(1)
    clock.now += AGREEMENT
    make(small, "192.0.2.1", "192.0.2.1", "192.0.2.2")
    for seconds in (IDLE - STUCK_FOR / 2, STUCK_FOR - 1):
        clock.now += seconds
        with pytest.raises(Full):
            make(small, "198.51.100.1")
    clock.now += 1
    make(small, "198.51.100.1")


def test_a_played_game_of_an_earlier_version_is_not_taken_for_a_flood(store: LiveStore) -> None:
    names = fill(store, "192.0.2.1", "192.0.2.2")
    store.database.do(lambda connection: connection.execute(sql.delete(ORIGINS)), writes=True)
    with pytest.raises(Full):
        make(store, "198.51.100.1")
    assert all(has(store, name) for name in names)


def test_games_make_room_by_slices(opened: Opened) -> None:
    room = opened(300)
    for number in range(301):
        make(room, f"2001:db8:{number:x}::1")
    assert room.number() == 298


def test_a_game_can_be_made_at_once_after_the_number_of_games_was_lowered(store: LiveStore, opened: Opened) -> None:
    fill(store)
    fewer = opened(25)
    make(fewer, "198.51.100.1")
    assert fewer.number() == 25


def test_what_one_transaction_cannot_evict_is_evicted_by_the_next(
    store: LiveStore, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.pages.live.store.TOGETHER", 15)
    fill(store)
    fewer = opened(25)
    with pytest.raises(Full):
        make(fewer, "198.51.100.1")
    assert fewer.number() == MOST - 15
    make(fewer, "198.51.100.1")


def test_where_no_game_may_be_made_the_others_stay(store: LiveStore, opened: Opened) -> None:
    name = make(store, "192.0.2.1")
    with pytest.raises(Full):
        make(opened(0), "198.51.100.1")
    assert has(store, name)


def test_a_clock_is_trusted_after_it_has_kept_step_for_an_hour() -> None:
    wall, steady = Clock(1000.0), Clock(1000.0)
    watch = ClockWatch(wall, steady)
    assert not watch.is_trusted()
    wall.now += AGREEMENT + JUMP
    steady.now += AGREEMENT
    assert watch.is_trusted()


@pytest.mark.parametrize("jump", [JUMP + 1, -JUMP - 1])
def test_a_jump_is_logged_once_and_begins_the_hour_anew(jump: float, caplog: pytest.LogCaptureFixture) -> None:
    wall, steady = Clock(1000.0), Clock(1000.0)
    watch = ClockWatch(wall, steady)
    for clock in (wall, steady):
        clock.now += AGREEMENT
    wall.now += jump
    assert not watch.is_trusted()
    for clock in (wall, steady):
        clock.now += AGREEMENT
    assert watch.is_trusted()
    assert caplog.text.count("has jumped") == 1
