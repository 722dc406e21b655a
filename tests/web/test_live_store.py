"""The store of live games on SQLite, and the news: one of two changes at once wins, and no news is missed."""

import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError

from solver.board.game import Game
from solver.board.notation import parse_rules
from solver.board.position import Mark, Position
from solver.errors import BadOption
from tests.clock import Clock
from tests.in_thread import run_apart
from tests.web.live_games import HERE, moved_at_once, new_game
from webapp.pages.live.database import checked_database
from webapp.pages.live.game import (
    LiveGame,
    NoGame,
    NotNow,
    Unreachable,
    claim_seat,
    confirm_claim,
    play_move,
    take_seat,
)
from webapp.pages.live.news import BREATH_EVERY, LOOK_EVERY, POLL_EVERY, Newsroom, Subscription
from webapp.pages.live.store import LiveStore

LIFETIME, AGREEMENT, AWAY, GRACE = 24 * 3600, 3600, 3.5, 1


@pytest.fixture
def empty(tmp_path: Path, clock: Clock) -> Iterator[LiveStore]:
    """Return a store for three games."""
    with closing(LiveStore(tmp_path / "live.sqlite", 3, clock, clock)) as opened:
        yield opened


@pytest.fixture
def store(empty: LiveStore) -> LiveStore:
    """Return a store with one game, whose name is "aaa…"."""
    empty.add(game(), HERE)
    return empty


@pytest.fixture
def seat(empty: LiveStore) -> str:
    """Return the seat of X, whose player is the first to join the game "aaa…"."""
    empty.add(new_game("a" * 22), HERE)
    return empty.change("a" * 22, lambda live: take_seat(live, "x", 1000.0), HERE).x_seat


def game(name: str = "a" * 22, moved: float = 1000.0) -> LiveGame:
    return new_game(name, "x", "o", moved=moved)


def test_a_game_is_found_as_it_was_kept_also_by_another_process(store: LiveStore, tmp_path: Path, clock: Clock) -> None:
    kept = store.change("a" * 22, lambda live: play_move(live, "x", None, 4, 1000.0), HERE)
    other = LiveStore(tmp_path / "live.sqlite", 3, clock)
    assert other.find("a" * 22).live == kept
    assert kept.version == 1
    other.close()


def test_a_game_of_an_earlier_version_is_found(tmp_path: Path, clock: Clock) -> None:
    place = tmp_path / "live.sqlite"
    with closing(LiveStore(place, 3, clock)) as earlier:
        earlier.add(game(), HERE)
        for column in ("host", "guest", "claim"):
            drop = sql.text(f"ALTER TABLE live_games DROP COLUMN {column}")
            earlier.database.do(lambda connection, drop=drop: connection.execute(drop), writes=True)  # type: ignore[misc]
    with closing(LiveStore(place, 3, clock)) as store:
        assert store.find("a" * 22).live == game()


def test_of_many_moves_at_once_one_is_made(store: LiveStore) -> None:
    assert moved_at_once(store, "a" * 22, "x", range(8)) == [store.find("a" * 22).live]


def test_what_the_referee_refuses_leaves_the_game_as_it_was(store: LiveStore) -> None:
    with pytest.raises(NotNow):
        store.change("a" * 22, lambda live: play_move(live, "o", None, 0, 1000.0), HERE)
    assert store.find("a" * 22).live.version == 0


def test_what_changes_nothing_is_no_change(store: LiveStore) -> None:
    before = store.last_change()
    assert store.change("a" * 22, lambda live: live, HERE).version == 0
    assert store.last_change() == before


def test_the_games_that_have_changed_are_told_once(store: LiveStore) -> None:
    last, found = store.changes(0, ())
    assert set(found) == {"a" * 22}
    assert store.changes(last, ()) == (last, {})


def test_any_number_of_games_can_be_asked_for_by_name(store: LiveStore) -> None:
    names = [f"{number:022}" for number in range(600)]
    assert set(store.changes(store.last_change(), [*names, "a" * 22])[1]) == {"a" * 22}


@pytest.mark.usefixtures("seat")
def test_a_player_who_sits_down_is_there(empty: LiveStore) -> None:
    assert empty.find("a" * 22).here == {Mark.X}


@pytest.mark.usefixtures("seat")
def test_a_page_and_the_news_call_a_player_away_at_the_same_time(empty: LiveStore, clock: Clock) -> None:
    here = []
    for seconds in (3.4, 0.2):
        clock.now += seconds
        here.append((bool(empty.find("a" * 22).here), "a" * 22 in empty.all_here()))
    assert here == [(True, True), (False, False)]


def test_a_player_counts_as_away_a_second_after_their_page_was_closed(
    empty: LiveStore, seat: str, clock: Clock
) -> None:
    clock.now += 1
    empty.beat((), {seat: 0.4})
    here = []
    for seconds in (0.5, 0.2):
        clock.now += seconds
        here.append(bool(empty.find("a" * 22).here))
    assert here == [True, False]


def test_a_page_that_was_closed_sends_nobody_away_who_was_seen_since(empty: LiveStore, seat: str, clock: Clock) -> None:
    clock.now += 1
    empty.beat({seat})
    empty.beat((), {seat: 0.8})
    clock.now += 1
    assert empty.find("a" * 22).here == {Mark.X}


def test_games_in_which_nobody_has_moved_for_a_day_are_deleted(store: LiveStore, clock: Clock) -> None:
    clock.now += LIFETIME + 1
    store.add(game("b" * 22, clock.now), HERE)
    assert (store.sweep(), store.number()) == (1, 1)
    with pytest.raises(NoGame):
        store.find("a" * 22)


def test_a_sweep_deletes_more_games_than_one_transaction_may(
    empty: LiveStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.pages.live.store.TOGETHER", 1)
    for name in "ab":
        empty.add(game(name * 22), HERE)
    clock.now += LIFETIME + 1
    assert (empty.sweep(), empty.number()) == (2, 0)


def test_a_game_that_is_not_deleted_yet_is_found_whatever_its_age(store: LiveStore, clock: Clock) -> None:
    clock.now += LIFETIME + 1
    assert store.find("a" * 22).live.id == "a" * 22


def test_a_clock_that_jumps_deletes_no_game_within_the_hour(tmp_path: Path, clock: Clock) -> None:
    steady = Clock(1000.0)
    store = LiveStore(tmp_path / "live.sqlite", 3, clock, steady)
    store.add(game(), HERE)
    for each in (clock, steady):
        each.now += AGREEMENT
    clock.now += LIFETIME
    assert store.sweep() == 0
    for each in (clock, steady):
        each.now += AGREEMENT
    assert store.sweep() == 1
    store.close()


def test_a_game_that_is_added_again_since_the_answer_was_lost_is_there_once(store: LiveStore) -> None:
    store.add(game(), HERE)
    assert store.number() == 1


def test_a_lost_answer_to_the_last_game_of_a_network_is_no_refusal(empty: LiveStore) -> None:
    names = [f"{number:022}" for number in range(30)]
    for name in (*names, names[-1]):
        empty.add(new_game(name), HERE)
    assert empty.find(names[-1]).live.id == names[-1]


def test_a_key_that_was_never_committed_signs_nothing(empty: LiveStore, tmp_path: Path) -> None:
    with empty.database._engine.connect() as connection:
        empty._make_missing(connection)
        connection.rollback()
    with closing(LiveStore(tmp_path / "live.sqlite", 3)) as other:
        assert empty.key() == other.key()


def test_games_that_changed_are_found_beside_those_that_are_named(empty: LiveStore) -> None:
    for letter in "abc":
        empty.add(game(letter * 22), HERE)
    last = empty.last_change()
    assert empty.changes(last, ()) == (last, {})
    empty.change("b" * 22, lambda live: play_move(live, "x", None, 4, 1000.0), HERE)
    changed, found = empty.changes(last, ["a" * 22])
    assert changed == empty.last_change()
    assert {name: version for name, (version, *_) in found.items()} == {"a" * 22: 0, "b" * 22: 1}


def test_no_error_of_the_database_tells_the_address_of_a_game(store: LiveStore) -> None:
    store.add(game("b" * 22), HERE)
    with pytest.raises(IntegrityError) as error:
        store.change("a" * 22, lambda live: replace(live, id="b" * 22), HERE)
    assert "b" * 22 not in str(error.value)


def test_what_the_longest_game_needs_fits(empty: LiveStore) -> None:
    rules = parse_rules("8x8x8")
    whole = Game.starting(Position(rules))
    while whole.last.result is None:
        whole = whole.play(random.choice(whole.last.legal_moves))
    live = replace(game(), game=whole, before="a1" * 64, x_seat="f" * 40)
    empty.add(live, HERE)
    assert empty.find(live.id).live.moves == live.moves


def test_a_database_that_cannot_be_reached_is_said_and_not_waited_for(tmp_path: Path) -> None:
    away = LiveStore(f"sqlite:///{tmp_path}/no/folder/live.sqlite", 3)
    for _ in range(2):
        with pytest.raises(Unreachable):
            away.find("a" * 22)
    assert "cannot be written" in away.trouble()


IN_NO_FILE = ("sqlite://", "sqlite:///:memory:", "sqlite:///file:live?mode=memory&uri=true")


@pytest.mark.parametrize("address", ["nonsense", "mysql://a/b", "oracle+none://x", "sqlite+none:///x", *IN_NO_FILE])
def test_an_address_of_no_database_is_refused(address: str) -> None:
    with pytest.raises(BadOption):
        checked_database(address)


def test_postgresql_is_asked_by_the_driver_that_is_installed() -> None:
    checked_database("postgresql://somebody@localhost/live")


class Listener:
    """A connection that stays, with the data that it was sent."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.ended = False

    def send(self, data: bytes) -> None:
        self.told += [line[6:] for line in data.decode().splitlines() if line.startswith("data: ")]

    def end(self) -> None:
        self.ended = True


@pytest.fixture
def newsroom(empty: LiveStore, clock: Clock) -> Newsroom:
    return Newsroom(lambda: empty, clock)


def listening(newsroom: Newsroom, store: LiveStore, seat: str = "") -> Listener:
    listener, found = Listener(), store.find("a" * 22)
    newsroom.join(Subscription("a" * 22, seat, found.tag), listener)
    return listener


def look(newsroom: Newsroom) -> None:
    run_apart(newsroom.poll())


def test_those_who_listen_are_told_of_every_change_and_of_nothing_else(newsroom: Newsroom, store: LiveStore) -> None:
    store.add(game("b" * 22), HERE)
    listener = listening(newsroom, store)
    look(newsroom)
    assert listener.told == []
    store.change("b" * 22, lambda live: play_move(live, "x", None, 4, 1000.0), HERE)
    look(newsroom)
    assert listener.told == []
    store.change("a" * 22, lambda live: play_move(live, "x", None, 4, 1000.0), HERE)
    look(newsroom)
    look(newsroom)
    assert listener.told == ["1."]


def test_what_changes_between_a_page_and_its_stream_is_told(newsroom: Newsroom, store: LiveStore) -> None:
    tag = store.find("a" * 22).tag
    early = listening(newsroom, store)
    store.change("a" * 22, lambda live: play_move(live, "x", None, 4, 1000.0), HERE)
    look(newsroom)
    late = Listener()
    newsroom.join(Subscription("a" * 22, "", tag), late)
    look(newsroom)
    assert (early.told, late.told) == (["1."], ["1."])


def test_who_comes_and_goes_is_told(newsroom: Newsroom, empty: LiveStore, clock: Clock) -> None:
    empty.add(new_game("a" * 22), HERE)
    for secret in ("x", "o"):
        empty.change("a" * 22, lambda live, secret=secret: take_seat(live, secret, 1000.0), HERE)  # type: ignore[misc]
    seat = empty.find("a" * 22).live.x_seat
    watcher, player = listening(newsroom, empty), Listener()
    leave = newsroom.join(Subscription("a" * 22, seat, empty.find("a" * 22).tag), player)
    clock.now += AWAY - 1
    look(newsroom)
    clock.now += 5
    look(newsroom)
    leave()
    clock.now += AWAY + 1
    look(newsroom)
    assert watcher.told == ["2.X", "2."]


def test_a_player_who_leaves_counts_as_away_within_five_seconds(
    newsroom: Newsroom, empty: LiveStore, seat: str, clock: Clock
) -> None:
    leave = newsroom.join(Subscription("a" * 22, seat, empty.find("a" * 22).tag), Listener())
    watcher = listening(newsroom, empty)
    look(newsroom)
    leave()
    waited = 0.0
    while watcher.told != ["1."]:
        clock.now += POLL_EVERY
        waited += POLL_EVERY
        look(newsroom)
    assert GRACE <= waited < GRACE + 2 * LOOK_EVERY, "a lost connection is noticed within two more"


def test_a_page_that_is_loaded_again_does_not_send_its_player_away(
    newsroom: Newsroom, empty: LiveStore, seat: str, clock: Clock
) -> None:
    leave = newsroom.join(Subscription("a" * 22, seat, empty.find("a" * 22).tag), Listener())
    watcher = listening(newsroom, empty)
    leave()
    clock.now += GRACE / 2
    newsroom.join(Subscription("a" * 22, seat, empty.find("a" * 22).tag), Listener())
    for _ in range(3):
        clock.now += LOOK_EVERY
        look(newsroom)
    assert watcher.told == []


def test_a_seat_that_was_given_away_can_be_given_back(store: LiveStore) -> None:
    for mine in "zx":
        asked = store.change("a" * 22, lambda live, mine=mine: claim_seat(live, mine, Mark.X), HERE)  # type: ignore[misc]
        store.change("a" * 22, lambda live, claim=asked.claim: confirm_claim(live, "o", claim), HERE)  # type: ignore[misc]
        assert store.find("a" * 22).live.side_of(mine) is Mark.X


def test_where_nothing_happens_the_same_is_told_again_now_and_then(
    newsroom: Newsroom, store: LiveStore, clock: Clock
) -> None:
    listener = listening(newsroom, store)
    for _ in range(2):
        clock.now += BREATH_EVERY
        newsroom._breathe()
    assert listener.told == ["0."] * 2


def test_an_outage_of_the_database_loses_no_news(newsroom: Newsroom, store: LiveStore) -> None:
    listener = listening(newsroom, store)
    look(newsroom)
    store.change("a" * 22, lambda live: play_move(live, "x", None, 4, 1000.0), HERE)
    with patch.object(store, "changes", side_effect=Unreachable), pytest.raises(Unreachable):
        look(newsroom)
    look(newsroom)
    assert listener.told == ["1."]
