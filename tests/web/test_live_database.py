"""The database of live games when it fails: callers do not wait for long, and a single one probes it."""

import socket
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Thread

import pytest

from tests.clock import Clock
from webapp.pages.live.database import Breaker, Watchdog
from webapp.pages.live.game import Unreachable
from webapp.pages.live.store import LiveStore


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
            {"passes": breaker.enter, "failed": breaker.failed, "succeeded": breaker.succeeded}[act]()


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


def test_a_writer_whose_turn_does_not_come_is_refused(tmp_path: Path) -> None:
    store = LiveStore(tmp_path / "live.sqlite", 3)
    assert store.trouble() == ""
    assert store._database._writing is not None
    with store._database._writing:
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
    assert impatient._database._writing is not None
    with impatient._database._writing:
        assert "cannot be written" in impatient.trouble()
        assert impatient.number() == 0


def test_a_writer_in_another_process_refuses_no_reader(impatient: LiveStore, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "live.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "SQLITE_BUSY" in impatient.trouble()
        assert impatient.number() == 0


def test_a_pool_without_a_free_connection_refuses_all(impatient: LiveStore, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = impatient._database._engine
    monkeypatch.setattr(engine.pool, "_timeout", 0.05)
    with ExitStack() as connections:
        for _ in range(4):
            connections.enter_context(engine.connect())
        with pytest.raises(Unreachable):
            impatient.number()
    with pytest.raises(Unreachable):
        impatient.number()


def test_a_caller_waits_no_longer_than_the_deadline_for_a_thread_that_connects(impatient: LiveStore) -> None:
    impatient._database._prepared = None
    with impatient._database._lock, pytest.raises(Unreachable):
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


def test_a_database_that_hangs_at_the_first_question_is_given_up(silent_server: int) -> None:
    store = LiveStore(f"postgresql+psycopg://somebody@127.0.0.1:{silent_server}/live", 3)
    with pytest.raises(Unreachable):
        store.number()
    store.close()
