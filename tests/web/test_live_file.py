"""The file of live games: found in its place, moved there once, repaired, and the same for all processes."""

import errno
import os
import shutil
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from threading import Thread
from typing import NoReturn
from urllib.request import Request, urlopen

import pytest
import sqlalchemy as sql

from tests.clock import Clock
from tests.in_thread import at_once
from tests.server import wait_for
from tests.web.live_games import HERE, has, new_game
from tests.web.test_watcher import served
from webapp import serve
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.pages.live.database import Breaker, Watchdog
from webapp.pages.live.file import FILE, live_file, set_aside
from webapp.pages.live.game import Unreachable
from webapp.pages.live.store import LiveStore
from webapp.pages.live.visitors import networks_of


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    return Breaker(pause=1.0, patience=4.0, clock=clock)


@pytest.mark.parametrize(
    "acts",
    [
        "passes, failed, refused",
        "failed, +1, passes, refused, refused",
        "failed, +1, passes, succeeded, passes, passes, passes",
        "failed, +1, passes, failed, refused, +1, passes",
        "failed, +1, passes, +5, passes",
    ],
    ids=[
        "a call that fails stops everybody",
        "after the pause one call probes",
        "a probe that succeeds lets everybody pass",
        "a probe that fails begins the pause again",
        "a probe that never reports back is followed by another",
    ],
)
def test_a_breaker(breaker: Breaker, clock: Clock, acts: str) -> None:
    for act in acts.split(", "):
        if act.startswith("+"):
            clock.now += float(act)
        elif act == "refused":
            with pytest.raises(Unreachable):
                breaker.enter()
        else:
            {"passes": breaker.enter, "failed": breaker.open, "succeeded": breaker.close}[act]()


def test_a_watchdog_shuts_down_a_socket_that_is_not_released() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs, closing(Watchdog(0.01)) as watchdog:
        watchdog.watch("a transaction", ours.fileno())
        assert theirs.recv(1) == b""


def test_a_watchdog_leaves_a_released_socket_alone() -> None:
    pairs = [socket.socketpair() for _ in range(2)]
    with closing(Watchdog(0.01)) as watchdog:
        for owner, (ours, _) in enumerate(pairs):
            watchdog.watch(owner, ours.fileno())
            if owner == 0:
                watchdog.release(owner)
        (ours, theirs), (_, other) = pairs
        assert other.recv(1) == b""  # so the deadline of both has passed
        ours.send(b"x")
        assert theirs.recv(1) == b"x"
    for pair in pairs:
        for each in pair:
            each.close()


@pytest.mark.slow
def test_a_writer_whose_turn_does_not_come_is_refused(tmp_path: Path) -> None:
    store = LiveStore(tmp_path / "live.sqlite", 3)
    assert store.trouble() == ""
    assert store.database._writing is not None
    with store.database._writing:
        assert "cannot be written" in store.trouble()
    store.close()


@pytest.fixture
def impatient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveStore]:
    """Make a store on SQLite with a short deadline, and use it once."""
    monkeypatch.setattr("webapp.pages.live.database.DEADLINE", 0.05)
    store = LiveStore(tmp_path / "live.sqlite", 3)
    assert store.trouble() == ""
    yield store
    store.close()


def test_a_queue_of_writers_refuses_no_reader(impatient: LiveStore) -> None:
    assert impatient.database._writing is not None
    with impatient.database._writing:
        assert "cannot be written" in impatient.trouble()
        assert impatient.number() == 0


def test_a_writer_in_another_process_refuses_no_reader(impatient: LiveStore, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "live.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "SQLITE_BUSY" in impatient.trouble()
        assert impatient.number() == 0


def test_a_pool_without_a_free_connection_refuses_all(impatient: LiveStore, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = impatient.database._engine
    monkeypatch.setattr(engine.pool, "_timeout", 0.05)
    with ExitStack() as connections:
        for _ in range(4):
            connections.enter_context(engine.connect())
        with pytest.raises(Unreachable):
            impatient.number()
    with pytest.raises(Unreachable):
        impatient.number()


def test_a_caller_waits_no_longer_than_the_deadline_for_a_thread_that_connects(impatient: LiveStore) -> None:
    impatient.database._prepared = None
    with impatient.database._lock, pytest.raises(Unreachable):
        impatient.number()


def test_a_watchdog_that_is_closed_holds_no_socket() -> None:
    ours, theirs = socket.socketpair()
    watchdog = Watchdog(60)
    watchdog.close()
    with theirs:
        with ours:
            watchdog.watch("a transaction", ours.fileno())
        theirs.setblocking(False)
        assert theirs.recv(1) == b""


@pytest.fixture
def silent_server() -> Iterator[int]:
    """Yield the port of a PostgreSQL that accepts connections and then hangs."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        taken = []

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                taken.append(connection)
                while int.from_bytes(connection.recv(4096)[4:8], "big") != 196608:  # not the startup, but TLS or GSSAPI
                    connection.sendall(b"N")
                connection.sendall(b"R\0\0\0\x08\0\0\0\0" + b"Z\0\0\0\x05I")

        thread = Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
        for connection in taken:
            connection.close()


@pytest.mark.slow
def test_a_database_that_hangs_at_the_first_question_is_given_up(silent_server: int) -> None:
    store = LiveStore(f"postgresql+psycopg://somebody@127.0.0.1:{silent_server}/live", 3)
    with pytest.raises(Unreachable):
        store.number()
    store.close()


Opened = Callable[[Path], LiveStore]


def add(store: LiveStore, letter: str = "a") -> None:
    store.add(new_game(letter * 22), HERE)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / FILE


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Return a function that opens a store, each as if in a process of its own."""
    with ExitStack() as stores:
        yield lambda path: stores.enter_context(closing(LiveStore(path, 1000)))


def test_processes_that_have_a_removed_file_open_find_the_new_one(path: Path, opened: Opened) -> None:
    one, two = opened(path), opened(path)
    add(one, "a")
    assert has(two, "a" * 22)
    path.unlink()
    add(one, "b")
    assert [(has(store, "a" * 22), has(store, "b" * 22)) for store in (one, two)] == [(False, True)] * 2


def test_a_new_file_has_nothing_of_the_one_that_was_removed(path: Path, opened: Opened) -> None:
    one = opened(path)
    add(one, "a")
    path.unlink()
    add(opened(path), "b")
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)


def test_a_removed_file_is_told_of_in_the_log_and_for_an_hour_to_monitors(
    path: Path, opened: Opened, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(path)
    add(store)
    path.unlink()
    assert store.trouble() == ""
    assert "was removed or replaced" in store.notice()
    assert "was removed or replaced" in caplog.text
    monkeypatch.setattr("webapp.pages.live.database.NOTICE_FOR", 0.0)
    assert store.notice() == ""


@pytest.mark.parametrize("begins", [0, 5000], ids=["no SQLite file", "malformed within"])
def test_a_damaged_file_is_set_aside_and_a_new_one_begun(path: Path, opened: Opened, begins: int) -> None:
    store = opened(path)
    add(store, "a")
    store.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:begins] + b"\xff" * (len(whole) - begins))
    again = opened(path)
    add(again, "b")
    assert [has(again, letter * 22) for letter in "ab"] == [False, True]
    aside = [each for each in path.parent.iterdir() if ".damaged-" in each.name]
    assert [each.stat().st_size for each in aside] == [len(whole)]
    assert f"{aside[0].name} was damaged" in again.notice()


def test_monitors_are_told_of_a_damaged_file_and_that_games_are_kept_again(path: Path) -> None:
    path.write_bytes(b"nonsense" * 1000)
    client = create_app(config=AppConfig(database=f"sqlite:///{path}")).test_client()
    check = client.get("/readyz").get_json()["checks"]["live"]
    assert check["ok"]
    assert "reads and writes; live.sqlite.damaged-" in check["detail"]


def test_on_a_full_disk_games_are_still_shown_and_monitors_are_told(path: Path, opened: Opened) -> None:
    store = opened(path)
    add(store, "a")
    with closing(sqlite3.connect(path)) as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    store.close()
    full = opened(path)
    sql.event.listen(
        full.database._engine, "connect", lambda each, _: each.execute(f"PRAGMA max_page_count={pages + 1}")
    )

    def fill() -> None:
        for number in count():
            full.add(new_game(f"{number:022}"), networks_of(str(number)))

    with pytest.raises(Unreachable):
        fill()
    assert has(full, "a" * 22)
    assert full.trouble() == "the disk of live games is full"
    assert full.database._writing is not None
    with full.database._writing:
        assert "cannot be written (TimeoutError)" in full.trouble()


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Return the cache folder, where earlier versions kept the file, and the data folder."""
    cache, data = tmp_path / "cache", tmp_path / "data"
    cache.mkdir()
    monkeypatch.setenv("NOUGHTS_CACHE", str(cache))
    return cache, data


@pytest.mark.parametrize(
    ("data", "cache", "expected"),
    [
        ("/data", "/cache", "data"),
        ("", "/cache", "cache"),
        ("", "", "user"),
        ("off", "/cache", ""),
        ("", "off", ""),
        ("/data", "off", "data"),
    ],
)
def test_live_games_are_in_the_folder_that_is_named_or_else_the_user_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: str, cache: str, expected: str
) -> None:
    monkeypatch.setattr("webapp.pages.live.file.user_data_path", lambda *_, **__: tmp_path / "user")
    monkeypatch.setenv("NOUGHTS_DATA", data and data.replace("/", f"{tmp_path}/"))
    monkeypatch.setenv("NOUGHTS_CACHE", cache and cache.replace("/", f"{tmp_path}/"))
    assert live_file(AppConfig.from_environment().data_folder) == (tmp_path / expected / FILE if expected else None)


def test_a_file_in_the_cache_folder_is_moved_with_changes_that_are_not_in_it_yet(
    tmp_path: Path, folders: tuple[Path, Path], opened: Opened
) -> None:
    cache, data = folders
    store = opened(tmp_path / FILE)
    add(store)
    for beside in ("", "-wal"):  # as a killed server leaves them
        shutil.copy(f"{tmp_path / FILE}{beside}", f"{cache / FILE}{beside}")
    assert live_file(str(data)) == data / FILE
    assert has(opened(data / FILE), "a" * 22)
    assert not (cache / FILE).exists()


def test_of_two_processes_that_move_the_file_neither_loses_it(folders: tuple[Path, Path], opened: Opened) -> None:
    cache, data = folders
    kept(opened, cache)
    assert at_once(live_file, [str(data)] * 4) == [data / FILE] * 4
    assert has(opened(data / FILE), "a" * 22)


def test_a_file_that_another_server_has_open_is_used_where_it_is(folders: tuple[Path, Path], opened: Opened) -> None:
    cache, data = folders
    add(opened(cache / FILE))
    assert live_file(str(data)) == cache / FILE


def test_a_file_in_the_cache_folder_does_not_replace_one_in_the_data_folder(
    folders: tuple[Path, Path], opened: Opened, caplog: pytest.LogCaptureFixture
) -> None:
    cache, data = folders
    data.mkdir()
    for folder, letter in ((cache, "a"), (data, "b")):
        store = opened(folder / FILE)
        add(store, letter)
        store.close()
    assert live_file(str(data)) == data / FILE
    assert has(opened(data / FILE), "b" * 22)
    assert f"those in {cache / FILE} are not used" in caplog.text


def failing(code: int) -> Callable[..., NoReturn]:
    """Return a function that fails with this error number."""

    def fail(*_: object) -> NoReturn:
        raise OSError(code, os.strerror(code))

    return fail


@pytest.mark.parametrize(
    "failures",
    [{"os.rename": errno.EACCES}, {"os.rename": errno.EXDEV, "os.fsync": errno.ENOSPC}],
    ids=["it cannot be renamed", "the other disk has no room"],
)
def test_a_file_that_cannot_be_moved_is_used_where_it_is_and_leaves_no_copy(
    folders: tuple[Path, Path], opened: Opened, monkeypatch: pytest.MonkeyPatch, failures: dict[str, int]
) -> None:
    cache, data = folders
    kept(opened, cache)
    for function, code in failures.items():
        monkeypatch.setattr(function, failing(code))
    assert live_file(str(data)) == cache / FILE
    assert not list(data.glob("*.copy"))


def test_a_file_that_cannot_be_deleted_after_its_copy_is_used_in_the_new_place(
    folders: tuple[Path, Path], opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, data = folders
    kept(opened, cache)
    monkeypatch.setattr("os.rename", failing(errno.EXDEV))
    unlink = Path.unlink
    monkeypatch.setattr(
        Path, "unlink", lambda path, **how: (failing(errno.EACCES) if path.parent == cache else unlink)(path, **how)
    )
    assert live_file(str(data)) == data / FILE
    assert has(opened(data / FILE), "a" * 22)


def kept(opened: Opened, folder: Path) -> None:
    """Keep a game in a folder, and close its store."""
    store = opened(folder / FILE)
    add(store)
    store.close()


def test_two_processes_that_set_a_file_aside_at_once_keep_both(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.strftime", lambda *_: "now")
    for process in (1, 2):
        monkeypatch.setattr("os.getpid", lambda process=process: process)
        path.write_bytes(bytes([process]))
        set_aside(path)
    assert sorted(each.read_bytes() for each in path.parent.iterdir()) == [b"\x01", b"\x02"]


@pytest.mark.slow
def test_all_processes_of_a_server_share_games_that_no_later_run_needs(tmp_path: Path) -> None:
    with served(tmp_path, "--workers", "2", "--provers", "0", environment={"NOUGHTS_DATA": "off"}) as server:
        wait_for(server.is_ready)
        with urlopen(Request(f"{server.address}/live", b"board=3x3x3")) as made:
            address = made.url
        for _ in range(20):
            with urlopen(address) as page:
                assert page.status == 200
        assert len(list(tmp_path.rglob(FILE))) == 1
    assert not list(tmp_path.rglob(FILE))


def test_live_games_stay_in_the_users_folder_where_proofs_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.pages.live.file.user_data_path", lambda *_, **__: tmp_path)
    monkeypatch.setattr("webapp.pages.live.file.cache_folder", lambda: None)
    monkeypatch.setattr("solver.proofs.store.Store.trouble", lambda _: "the disk cannot be read")
    config = serve._with_folders(AppConfig(data_folder=""), tmp_path / "run")
    assert serve._cache_at(tmp_path / "run") == {"NOUGHTS_CACHE": str(tmp_path / "run")}
    assert config.data_folder == str(tmp_path)
    assert config.database == ""
