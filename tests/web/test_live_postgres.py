"""Live games in a real PostgreSQL that two servers share: Debian's package, with a cluster for the tests."""

import os
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from threading import Thread

import pytest
from sqlalchemy import Engine, create_engine, inspect, text

from solver.board.notation import MAX_BOARD_LENGTH, parse_rules
from solver.board.position import Mark
from tests.in_thread import at_once
from tests.live import LiveTable, as_confirmed, played_together
from tests.postgres import PROGRAMS, PostgreSQL, postgresql
from tests.server import wait_for
from tests.strategies import TIC_TAC_TOE
from tests.web.live_games import HERE, has, moved_at_once, new_game
from tests.web.test_watcher import served
from webapp.pages.classes.room import ClassRoom, Mode, Room, show_more
from webapp.pages.classes.store import ClassStore
from webapp.pages.live.game import Full, LiveGame, NoGame, NotNow, TooManyGames, Unreachable, play_move
from webapp.pages.live.store import AGREEMENT, LONGEST_MOVES, LiveStore
from webapp.pages.live.visitors import networks_of

Opened = Callable[..., LiveStore]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def database() -> Iterator[PostgreSQL]:
    if PROGRAMS is None:
        if os.environ.get("CI"):
            pytest.fail("CI installs PostgreSQL")
        pytest.skip("there is no PostgreSQL of Debian's here")
    with postgresql() as cluster:
        yield cluster


@pytest.fixture
def opened(database: PostgreSQL) -> Iterator[Opened]:
    """Return a function that opens a store, each as if in a process of its own, with a limit of games."""
    with ExitStack() as stores:
        yield lambda most=100: stores.enter_context(closing(LiveStore(database.url, most)))


@pytest.fixture
def store(opened: Opened) -> LiveStore:
    return opened()


@pytest.fixture
def other(database: PostgreSQL) -> Iterator[Engine]:
    """Yield an engine for other connections, without the store's deadline."""
    engine = create_engine(database.url)
    yield engine
    engine.dispose()


def game(name: str) -> LiveGame:
    return new_game(name * 22, f"x{name}", f"o{name}", moved=4e9)


def test_the_tables_are_made_by_whoever_comes_first(opened: Opened) -> None:
    stores = [opened() for _ in range(4)]
    assert at_once(LiveStore.trouble, stores) == [""] * 4
    assert len({store.key() for store in stores}) == 1


def test_the_column_of_boards_is_widened_in_tables_of_older_versions(
    opened: Opened, store: LiveStore, other: Engine
) -> None:
    store.add(game("o"), HERE)
    with other.begin() as older:
        narrow = ("board type varchar(5)", "moves type varchar(128)", "before type varchar(128)")
        older.execute(text("alter table live_games " + ", ".join(f"alter column {each}" for each in narrow)))
    stores = [opened() for _ in range(3)]
    assert at_once(lambda each: each.find("o" * 22).live.rules, stores) == [TIC_TAC_TOE] * 3
    with other.connect() as connection:
        columns = inspect(connection).get_columns("live_games")
    widths = {each["name"]: str(each["type"]) for each in columns}
    assert widths["board"] == f"VARCHAR({MAX_BOARD_LENGTH})"
    assert widths["moves"] == widths["before"] == f"VARCHAR({LONGEST_MOVES})"


def test_columns_are_added_to_tables_of_older_versions_by_whoever_comes_first(
    opened: Opened, store: LiveStore, other: Engine
) -> None:
    store.add(game("c"), HERE)
    with other.begin() as older:
        older.execute(text("alter table live_games drop column host, drop column guest, drop column claim"))
    stores = [opened() for _ in range(3)]
    assert at_once(lambda each: each.find("c" * 22).live, stores) == [game("c")] * 3


def test_a_table_of_an_older_version_that_is_in_use_is_served_as_it_is(
    opened: Opened, store: LiveStore, other: Engine
) -> None:
    store.add(game("p"), HERE)
    with other.begin() as older:
        older.execute(text("alter table live_games alter column board type varchar(5)"))
    with other.begin() as backup:
        backup.execute(text("lock table live_games in access share mode"))
        assert opened().find("p" * 22).live.rules == TIC_TAC_TOE


def test_who_has_read_goes_on_after_the_table_was_altered(store: LiveStore, other: Engine) -> None:
    store.add(game("q"), HERE)
    for length in (5, MAX_BOARD_LENGTH):
        for _ in range(8):  # so often that the statement is prepared
            assert store.find("q" * 22).live.rules == TIC_TAC_TOE
        with other.begin() as altering:
            altering.execute(text(f"alter table live_games alter column board type varchar({length})"))
        assert store.find("q" * 22).live.rules == TIC_TAC_TOE


def test_of_many_moves_at_once_one_is_made(store: LiveStore) -> None:
    store.add(game("a"), HERE)
    assert moved_at_once(store, "a" * 22, "xa", range(6)) == [store.find("a" * 22).live]


def waiting(other: Engine) -> int:
    """Return the number of statements that wait for a row that another transaction has changed."""
    asked = text("select count(*) from pg_stat_activity where wait_event_type = 'Lock'")
    with other.connect() as connection:
        return int(connection.scalar(asked) or 0)


def test_of_two_who_make_the_last_game_at_once_one_is_refused(opened: Opened, store: LiveStore, other: Engine) -> None:
    almost_full, made = opened(store.number() + 1), []

    def make(name: str) -> None:
        with suppress(Full):
            almost_full.add(game(name), HERE)
            made.append(name)

    threads = [Thread(target=make, args=(name,)) for name in "xy"]
    with other.begin() as holding:
        holding.execute(text("update live_changes set last = last"))
        for thread in threads:
            thread.start()
        wait_for(lambda: waiting(other) == 2)
    for thread in threads:
        thread.join()
    assert len(made) == 1


def test_a_move_in_a_game_that_is_about_to_be_deleted_keeps_its_player_there(
    database: PostgreSQL, store: LiveStore, other: Engine
) -> None:
    store.add(replace(game("z"), x_seat="", moved=0.0), HERE)
    with other.begin() as holding:
        holding.execute(text("insert into live_presence values (:seat, :game, 4e9)"), {"seat": "z", "game": "z" * 22})
    now = [3e9]
    sweeper = LiveStore(database.url, 100, lambda: now[0], lambda: now[0])
    now[0] += AGREEMENT
    sweeping = Thread(target=sweeper.sweep)
    with other.begin() as holding:
        holding.execute(
            text("update live_games set x_seat = 'z', moved = 4e9, version = version + 1 where id = :game"),
            {"game": "z" * 22},
        )
        sweeping.start()
        wait_for(lambda: waiting(other) == 1)
    sweeping.join()
    sweeper.close()
    assert store.find("z" * 22).here == {Mark.X}


def test_in_a_full_room_a_newcomer_takes_the_place_of_a_game_that_two_networks_do_not_play(
    opened: Opened, store: LiveStore
) -> None:
    store.add(replace(game("k"), o_seat=""), networks_of("192.0.2.7"))
    opened(store.number()).add(game("l"), networks_of("192.0.2.8"))
    assert [has(store, name * 22) for name in "kl"] == [False, True]


def test_a_network_that_makes_too_many_games_is_told_when_it_may_make_more(store: LiveStore) -> None:
    flooder = networks_of("192.0.2.9")
    names = [f"{number:022}" for number in range(31)]
    for name in names[:-1]:
        store.add(new_game(name), flooder)
    with pytest.raises(TooManyGames) as refused:
        store.add(new_game(names[-1]), flooder)
    assert 0 < refused.value.seconds <= 600


def test_a_class_is_kept_beside_the_games_and_counts_each_answer_once(store: LiveStore) -> None:
    classes, room = ClassStore(store, 10), Room(Mode.ASK, ("play/3x3x3",))
    classes.add(ClassRoom("BCDFG", "teacher", "key", room, 4e9, 1, 1), HERE)
    since = classes.last_change()
    seats = [f"seat-{number}" for number in range(8)]
    assert sorted(pupil.number for pupil in at_once(lambda seat: classes.join("BCDFG", seat, ""), seats)) == [*range(8)]
    at_once(lambda seat: classes.answer("BCDFG", seat, 0, "0.0.0", "b2"), seats * 2)
    found = classes.change("BCDFG", lambda now: show_more(now.room, now.room.point))
    assert found.counts(0) == {"b2": 8}
    with pytest.raises(NotNow, match="gone on"):
        classes.answer("BCDFG", classes.join("BCDFG", "late", "").seat, 0, "0.0.0", "b2")
    last, told = classes.changes(since, ())
    assert last > since
    assert told.keys() == {"BCDFG", "BCDFG/wall"}
    classes.delete("BCDFG")
    with pytest.raises(NoGame):
        classes.find("BCDFG")


def test_who_asks_for_changes_while_others_are_made_misses_none(store: LiveStore) -> None:
    names = [each * 22 for each in "bcdefg"]
    for each in "bcdefg":
        store.add(game(each), HERE)
    last, seen = store.last_change(), dict.fromkeys(names, 0)

    def play(name: str) -> None:
        for ply, cell in enumerate((0, 1, 3, 4)):
            store.change(name, lambda live: play_move(live, f"{'xo'[ply % 2]}{name[0]}", None, cell, 4e9), HERE)  # noqa: B023

    threads = [Thread(target=play, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    over = False
    while not over:
        over = not any(thread.is_alive() for thread in threads)  # then one look more sees the rest
        last, changed = store.changes(last, ())
        seen |= {name: version for name, (version, *_) in changed.items() if name in seen}
    assert seen == dict.fromkeys(names, 4)


def test_a_database_that_is_started_again_is_found_again(database: PostgreSQL, store: LiveStore) -> None:
    store.add(game("h"), HERE)
    database.stop("immediate")
    with pytest.raises(Unreachable):
        store.find("h" * 22)
    assert "cannot be written" in store.trouble()
    database.start()
    wait_for(lambda: not store.trouble())
    assert store.find("h" * 22).live.id == "h" * 22


def test_everybody_who_asks_a_hanging_database_is_refused_and_it_is_found_again(
    database: PostgreSQL, store: LiveStore
) -> None:
    store.add(game("i"), HERE)

    def is_refused(name: str) -> bool:
        try:
            store.find(name)
        except Unreachable:
            return True
        return False

    with database.hanging():
        assert all(at_once(is_refused, ["i" * 22] * 200))
    wait_for(lambda: not store.trouble())
    assert store.find("i" * 22).live.id == "i" * 22


def test_tables_that_are_gone_are_made_again_with_another_key(store: LiveStore, other: Engine) -> None:
    store.add(game("j"), HERE)
    key = store.key()
    with other.begin() as dropping:
        dropping.execute(text("drop table live_games, live_changes, live_presence, live_origins, live_keys"))
    store.add(game("n"), HERE)
    assert store.find("n" * 22).live.id == "n" * 22
    assert store.key() != key


def test_two_servers_share_the_games_and_a_database_that_dies_loses_no_move(
    database: PostgreSQL, tmp_path: Path
) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    options = ("--provers", "0", "--database", database.url)
    with served(folders[0], *options) as one, served(folders[1], *options) as two:
        addresses = cycle((one.address, two.address))
        playing = [LiveTable(lambda: next(addresses), parse_rules("4x4x4")) for _ in range(4)]
        threads = played_together(playing, lambda position: random.choice(position.legal_moves))
        wait_for(lambda: sum(len(table.confirmed) for table in playing) >= 8)
        database.stop("immediate")
        database.start()
        for thread in threads:
            thread.join()
        assert all(map(as_confirmed, playing))
        answers = [one.get("/readyz"), two.get("/readyz")]
        assert answers == [200, 200]
