"""A SQLite or PostgreSQL database for many threads, with deadlines, retries and repair.

Callers wait a few seconds at most. They do not wait at all while the database is known to be down. A database server
that hangs cannot enforce its own timeouts, and its kernel still acknowledges packets. So only the client can notice
that no answer comes.
"""

import logging
import shutil
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Condition, Lock, Thread
from typing import Any, Final, NoReturn, TypeVar

import sqlalchemy as sql
from sqlalchemy.exc import DBAPIError, IntegrityError, ProgrammingError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from solver.board.notation import quoted
from solver.errors import BadOption
from solver.system import identity
from webapp.pages.live.file import (
    DAMAGE,
    alone_with,
    code_of,
    damaged_files,
    is_damaged,
    remove_leftovers,
    set_aside,
)
from webapp.pages.live.game import Unreachable

T = TypeVar("T")

LOGGER: Final = logging.getLogger("noughts")

DEADLINE: Final = 2.0
"""The limit in seconds for a transaction and for waiting on a lock. After that time, no retry begins."""

TRIES: Final = 5
"""The most tries of a transaction that gives way to another one or loses its connection."""

PAUSE: Final = 1.0
"""Seconds after a failure in which the database is not asked again."""

FULL_FOR: Final = 60.0
"""Seconds for which a disk counts as full after a failed write, even if a smaller write succeeds."""

LEAST_FREE: Final = 1 << 20
"""Free bytes below which a disk counts as full, even if a few small changes still fit."""

NOTICE_FOR: Final = 3600.0
"""Seconds for which monitors are told that the file was opened anew."""

GIVES_WAY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, "40001", "40P01", "0A000")
"""The codes of a transaction that failed only because of another one, so that it can be retried.

PostgreSQL answers 0A000 if a table has changed since a statement was prepared; a retry prepares it again."""

FULL: Final = (sqlite3.SQLITE_FULL, "53100")
"""The codes for a full disk."""

_POOL: Final[Mapping[str, Any]] = {"max_overflow": 0, "pool_timeout": 1, "hide_parameters": True}
"""Options of all engines. Errors leave out the parameters of a statement, such as a game's whole address."""

_MILLISECONDS: Final = round(1000 * DEADLINE)


class Breaker:
    """A circuit breaker: it refuses calls for `pause` seconds after a failure, then lets a single call probe.

    A probe that has not reported back after `patience` more seconds counts as failed. Any thread may use it.
    """

    def __init__(self, pause: float, patience: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._pause, self._patience, self._clock = pause, patience, clock
        self._lock = Lock()
        self._open_until: float | None = None

    def enter(self) -> None:
        """Let a call pass, or raise Unreachable. The first call after the pause passes as the probe."""
        with self._lock:
            if self._open_until is not None:
                if self._clock() < self._open_until:
                    raise Unreachable
                self._open_until = self._clock() + self._pause + self._patience  # other calls are refused meanwhile

    def open(self) -> None:
        """Refuse calls for `pause` seconds."""
        with self._lock:
            self._open_until = self._clock() + self._pause

    def close(self) -> None:
        """Let all calls pass again."""
        with self._lock:
            self._open_until = None


class Watchdog:
    """A deadline for sockets. A socket that is not released within `seconds` is shut down, which wakes its thread.

    The watchdog holds a duplicate of each socket, because the system can reuse the number of a closed socket. Any
    thread may use the watchdog.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._changed = Condition()
        self._watched: dict[object, tuple[float, socket.socket]] = {}  # the earliest deadline first
        self._thread: Thread | None = None
        self._closed = False

    def watch(self, owner: object, descriptor: int) -> None:
        """Watch a socket for its owner, in place of the owner's earlier socket."""
        with self._changed:
            if self._closed:
                return
            copy = socket.fromfd(descriptor, socket.AF_INET, socket.SOCK_STREAM)  # no call on it depends on the family
            self._forget(owner)
            self._watched[owner] = (time.monotonic() + self._seconds, copy)
            if self._thread is None:
                self._thread = Thread(target=self._run, name="live-deadlines", daemon=True)
                self._thread.start()
            if len(self._watched) == 1:  # else the thread waits for an earlier deadline
                self._changed.notify()

    def release(self, owner: object) -> None:
        """Stop watching the owner's socket."""
        with self._changed:
            self._forget(owner)

    def close(self) -> None:
        """Stop watching, and end the thread."""
        with self._changed:
            self._closed = True
            for owner in tuple(self._watched):
                self._forget(owner)
            self._changed.notify()

    def _forget(self, owner: object) -> None:
        if owner in self._watched:
            self._watched.pop(owner)[1].close()

    def _run(self) -> None:
        with self._changed:
            while not self._closed:
                if not self._watched:
                    self._changed.wait()
                    continue
                owner, (deadline, watched) = next(iter(self._watched.items()))
                if (left := deadline - time.monotonic()) > 0:
                    self._changed.wait(left)
                else:
                    with suppress(OSError):  # the server may have ended the connection already
                        watched.shutdown(socket.SHUT_RDWR)
                    self._forget(owner)


class Database:
    """A database at an address, or in a SQLite file. Any thread may use it.

    `prepare` makes missing tables. It runs in a transaction of its own before all others. It runs again if the tables
    are gone, or if another process makes them at the same time. Raises BadOption for an address that names no database,
    or whose driver is missing.
    """

    def __init__(self, place: str | Path, prepare: Callable[[sql.Connection], None]) -> None:
        self._preparing = [prepare]
        self._watchdog = Watchdog(DEADLINE)
        self._engine = _engine(place, self._watchdog)
        self._file = Path(str(self._engine.url.database)) if self._engine.dialect.name == "sqlite" else None
        self._breaker = Breaker(PAUSE, 2 * DEADLINE)  # a probe may have to connect first
        self._lock = Lock()
        # SQLite lets one connection write at a time, and the others poll. The threads of this process queue instead.
        self._writing = Lock() if self._file is not None else None
        self._prepared: object = None  # the identity of the file or server that has all tables
        self._full_at = -FULL_FOR
        self._reopened = (-NOTICE_FOR, "")

    def also(self, prepare: Callable[[sql.Connection], None]) -> None:
        """Have `prepare` make more tables, before the next transaction."""
        if prepare not in self._preparing:
            self._preparing.append(prepare)
            self._prepared = None

    def close(self) -> None:
        """Give up the connections."""
        self._engine.dispose()
        self._watchdog.close()

    def do(self, work: Callable[[sql.Connection], T], writes: bool = False) -> T:
        """Run `work` in a transaction and return its result. A retry of the transaction runs `work` again.

        Raises Unreachable, IntegrityError, and the errors of `work`.
        """
        self._breaker.enter()
        last = time.monotonic() + DEADLINE
        attempt = 0
        while True:
            attempt += 1
            try:
                self._prepare()
                with _held(self._writing) if writes and self._writing is not None else nullcontext():
                    done = self._transact(work, writes)
            except IntegrityError:
                self._breaker.close()
                raise
            except DBAPIError as error:
                if not self._mend(error) or attempt == TRIES or time.monotonic() > last:
                    self._refuse(error)
                time.sleep(0.02 * attempt)
            except (PoolTimeout, OSError, sqlite3.Error) as error:
                self._refuse(error)
            except Exception:
                self._breaker.close()  # `work` itself failed; the database has answered
                raise
            else:
                self._breaker.close()
                return done

    def trouble(self, work: Callable[[sql.Connection], object]) -> str:
        """Run work that writes. Return the reason why it fails, or an empty string."""
        try:
            self.do(work, writes=True)
        except Unreachable as error:
            cause = _origin(error.__cause__ or error)
            if code_of(cause) not in FULL:
                kind = getattr(cause, "sqlite_errorname", type(cause).__name__)
                return f"the database of live games cannot be written ({kind})"
        full = self._was_full() or (self._file is not None and shutil.disk_usage(self._file.parent).free < LEAST_FREE)
        return "the disk of live games is full" if full else ""

    def notice(self) -> str:
        """Return a note for operators if the file was damaged or removed, or else an empty string."""
        aside = damaged_files(self._file) if self._file is not None else []
        damaged = f"{', '.join(aside)} was damaged and is set aside" if aside else ""
        when, reopened = self._reopened
        return "; ".join(filter(None, (reopened if time.monotonic() < when + NOTICE_FOR else "", damaged)))

    def _transact(self, work: Callable[[sql.Connection], T], writes: bool) -> T:
        with self._engine.connect().execution_options(writes=writes) as connection, connection.begin():
            return work(connection)

    def _mend(self, error: DBAPIError) -> bool:
        """Mend the cause of an error if possible. Return whether another try can succeed."""
        code = code_of(error.orig)
        if code in FULL:
            self._say_full(error)
        if self._file is not None and code in DAMAGE:
            self._set_aside(self._file)
            return True
        if isinstance(error, ProgrammingError):
            self._prepared = None  # tables may be gone
            return True
        return error.connection_invalidated or code in GIVES_WAY

    def _refuse(self, error: Exception) -> NoReturn:
        """Refuse this call. Refuse all others for a while too, unless the database is only busy."""
        # Before the database is prepared, a timeout is a failure: the thread with the lock waits for the database.
        gives_way = isinstance(error, DBAPIError) and code_of(error.orig) in GIVES_WAY
        if gives_way or (isinstance(error, TimeoutError) and self._prepared is not None):
            self._breaker.close()
        else:
            self._breaker.open()
        LOGGER.warning("The database of live games cannot be used for now: %s", _reason(error))
        raise Unreachable from error

    def _say_full(self, error: DBAPIError) -> NoReturn:
        """Refuse this call only, because reading still works."""
        if not self._was_full():
            LOGGER.warning("The disk of live games is full: %s", _reason(error))
        self._full_at = time.monotonic()
        self._breaker.close()
        raise Unreachable from error

    def _was_full(self) -> bool:
        """Return whether the disk was full within the last `FULL_FOR` seconds."""
        return time.monotonic() < self._full_at + FULL_FOR

    def _prepare(self) -> None:
        """Make missing tables, unless this file or server has been prepared already. Raises TimeoutError."""
        if self._prepared is not None and self._prepared == self._identity():
            return
        with _held(self._lock):
            identity = self._identity()
            if self._prepared is not None:
                if self._prepared == identity:
                    return
                self._forget_file()
                utc = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
                self._reopened = (time.monotonic(), f"the file was removed or replaced, and was opened anew at {utc}")
                LOGGER.warning("%s was removed or replaced; it is opened anew", self._file)
            with alone_with(self._file) if self._file is not None else nullcontext():
                if self._file is not None and not self._file.exists():
                    remove_leftovers(self._file)
                try:
                    self._transact(self._make_missing, writes=True)
                except (IntegrityError, ProgrammingError):  # another process has made it meanwhile
                    self._transact(self._make_missing, writes=True)
                self._prepared = self._identity()

    def _make_missing(self, connection: sql.Connection) -> None:
        for prepare in self._preparing:
            prepare(connection)

    def _identity(self) -> object:
        """Return the device and inode of the file, None for a missing file, or a constant for a server."""
        return "a server" if self._file is None else identity(self._file)

    def _forget_file(self) -> None:
        self._engine.dispose()
        self._prepared = None

    def _set_aside(self, file: Path) -> None:
        """Rename the file if it is still damaged: another process may have begun a new one."""
        with suppress(OSError, sqlite3.Error), _held(self._lock):  # the next try reports the problem
            self._forget_file()
            with alone_with(file):
                if is_damaged(file):
                    LOGGER.error("%s is damaged and set aside as %s", file, set_aside(file).name)


def checked_database(address: str) -> None:
    """Check that games can be kept at this address, without asking the database. Raises BadOption."""
    _engine(address, Watchdog(DEADLINE)).dispose()


@contextmanager
def _held(lock: Lock) -> Iterator[None]:
    """Hold a lock. Raises TimeoutError if other threads keep it for too long."""
    if not lock.acquire(timeout=DEADLINE):
        raise TimeoutError("other threads of this process take too long")
    try:
        yield
    finally:
        lock.release()


def _engine(place: str | Path, watchdog: Watchdog) -> sql.Engine:
    """Return the engine of a file or an address. Raises BadOption."""
    if isinstance(place, Path):
        return _sqlite_engine(sql.URL.create("sqlite", database=str(place)))
    try:
        url = sql.make_url(place)
        if url.drivername in ("postgresql", "postgres"):
            url = url.set(drivername="postgresql+psycopg")
        if url.get_backend_name() not in ("sqlite", "postgresql"):
            raise BadOption(f"Live games are kept in SQLite or PostgreSQL, not in {quoted(url.get_backend_name())}.")
        if url.get_backend_name() == "postgresql":
            return _postgresql_engine(url, watchdog)
        if not url.database or url.database.startswith((":memory:", "file:")):
            raise BadOption("Live games need a file: write its address as in sqlite:////var/lib/noughts/live.sqlite.")
        return _sqlite_engine(url)
    except ImportError as error:
        raise BadOption(f"The database needs a driver ({error.name}): install noughts[postgres].") from None
    except SQLAlchemyError:
        raise BadOption(
            "The address of the database cannot be read; write it as in postgresql+psycopg://name@host/database."
        ) from None


def _postgresql_engine(url: sql.URL, watchdog: Watchdog) -> sql.Engine:
    options = {
        "connect_timeout": round(DEADLINE),
        "options": f"-c statement_timeout={_MILLISECONDS}",
        "tcp_user_timeout": _MILLISECONDS,
    }
    engine = sql.create_engine(url, pool_size=8, connect_args=options, **_POOL)

    def watch(connection: Any, record: object, *_: object) -> None:
        watchdog.watch(record, connection.fileno())

    # Start the deadline before SQLAlchemy's own listener, which already asks a new server for its version.
    sql.event.listen(engine, "connect", watch, insert=True)
    sql.event.listen(engine, "checkout", watch)
    sql.event.listen(engine, "checkin", lambda _, record: watchdog.release(record))
    return engine


def _sqlite_engine(url: sql.URL) -> sql.Engine:
    options = {"timeout": DEADLINE, "check_same_thread": False}
    engine = sql.create_engine(url, pool_size=4, connect_args=options, **_POOL)
    sql.event.listen(engine, "connect", _prepare_sqlite)
    sql.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None  # `_begin_sqlite` begins transactions
    connection.execute("PRAGMA synchronous=FULL")
    if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):  # setting it again can fail on a locked file
        connection.execute("PRAGMA journal_mode=WAL")


def _begin_sqlite(connection: sql.Connection) -> None:
    """Begin a transaction. A writer takes the lock at once, because two writers that read first block each other."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _origin(error: BaseException) -> BaseException:
    """Return the driver's error inside an error of SQLAlchemy. Return any other error unchanged."""
    origin: BaseException | None = getattr(error, "orig", None)
    return error if origin is None else origin


def _reason(error: Exception) -> str:
    """Return an error in one line, without the statement or the address of the database."""
    origin = _origin(error)
    first_line = str(origin).partition("\n")[0]
    return f"{type(origin).__name__}: {first_line[:200]}"
