"""A database that is asked by many threads and may fail in any way: transactions, their deadline, and when to retry.

It is SQLite or PostgreSQL. Callers wait a few seconds at most, and not at all while it is known to be away.
"""

import logging
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Lock
from typing import Any, Final, Literal, NoReturn, TypeAlias, TypeVar

import sqlalchemy as sql
from sqlalchemy.exc import DBAPIError, IntegrityError, ProgrammingError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from solver.board.notation import quoted
from solver.errors import BadOption
from solver.proofs.store import identity
from webapp.live.errors import Unreachable
from webapp.live.file import (
    alone_with,
    damaged_files,
    free_bytes,
    is_damage,
    is_damaged,
    remove_leftovers,
    set_aside,
)
from webapp.live.hanging import Breaker, Watchdog

T = TypeVar("T")

Identity: TypeAlias = tuple[int, int] | Literal["a server"] | None

LOGGER: Final = logging.getLogger("noughts")

DEADLINE: Final = 2.0
"""Seconds that a transaction may take. Nothing is tried again later than that."""

TRIES: Final = 5
"""How often a transaction is tried that gave way to another one or lost its connection."""

PAUSE: Final = 1.0
"""Seconds for which a database that failed is not asked again."""

FULL_FOR: Final = 60.0
"""Seconds for which a disk that was full counts as full: smaller changes may find room where others do not."""

LEAST_FREE: Final = 1 << 20
"""Bytes below which a disk counts as full: a small change may fit still, but not many more."""

_POOL: Final[Mapping[str, Any]] = {"max_overflow": 0, "pool_timeout": 1, "hide_parameters": True}
"""Options of all engines. Errors leave out the parameters of a statement, such as a game's whole address."""

_MILLISECONDS: Final = round(1000 * DEADLINE)


class Database:
    """The database of an address, or a SQLite file. Any thread may use it.

    `prepare` makes what is missing in it; it runs in a transaction of its own before the first one, and again where
    another process was faster. Raises BadOption for an address that names no database, or whose driver is missing.
    """

    def __init__(self, place: str | Path, prepare: Callable[[sql.Connection], None]) -> None:
        self._make_missing = prepare
        self._watchdog = Watchdog(DEADLINE)
        self._engine = _engine(place, self._watchdog)
        self._file = _file_of(self._engine.url)
        self._breaker = Breaker(PAUSE, 2 * DEADLINE)  # a probe may have to connect first
        self._lock = Lock()
        # SQLite has one writer at a time, and others look again and again: those of one process queue here.
        self._writing = Lock() if self._engine.dialect.name == "sqlite" else None
        self._prepared: Identity = None
        self._full_at = -FULL_FOR
        self._notice = ""

    def close(self) -> None:
        """Give up the connections."""
        self._engine.dispose()
        self._watchdog.close()

    def do(self, work: Callable[[sql.Connection], T], writes: bool = False) -> T:
        """Return what `work` does within a transaction; it runs again if the transaction has to be tried again.

        Raises Unreachable, IntegrityError, and what `work` raises.
        """
        self._breaker.enter()
        last = time.monotonic() + DEADLINE
        attempt = 0
        while True:
            attempt += 1
            try:
                self._prepare()
                with self._turn(writes):
                    done = self._transact(work, writes)
            except IntegrityError:
                self._breaker.succeeded()
                raise
            except DBAPIError as error:
                if _is_full(error):
                    self._say_full(error)
                if self._file is not None and is_damage(error.orig):
                    self._set_aside(self._file)
                    may_pass = True
                else:
                    may_pass = error.connection_invalidated or _gives_way(error)
                if not may_pass or attempt == TRIES or time.monotonic() > last:
                    self._refuse(error)
                time.sleep(0.02 * attempt)
            except (PoolTimeout, OSError, sqlite3.Error) as error:
                self._refuse(error)
            except Exception:
                self._breaker.succeeded()  # it is the work's own error: the database has answered
                raise
            else:
                self._breaker.succeeded()
                return done

    def trouble(self, work: Callable[[sql.Connection], object]) -> str:
        """Return in words why this work, which writes, cannot be done now; "" where it can."""
        try:
            self.do(work, writes=True)
        except Unreachable as error:
            if not self._is_full():
                return f"the database of live games cannot be written ({_kind(error.__cause__ or error)})"
        full = self._is_full() or (self._file is not None and free_bytes(self._file) < LEAST_FREE)
        return "the disk of live games is full" if full else ""

    def notice(self) -> str:
        """Return in words what has happened to the file and may be worth a look; "" for nothing."""
        aside = damaged_files(self._file) if self._file is not None else []
        damaged = f"{', '.join(aside)} was damaged and is set aside" if aside else ""
        return "; ".join(filter(None, (self._notice, damaged)))

    @contextmanager
    def _turn(self, writes: bool) -> Iterator[None]:
        """Wait until this thread may write. Raises TimeoutError."""
        if self._writing is None or not writes:
            yield
            return
        if not self._writing.acquire(timeout=DEADLINE):
            raise TimeoutError("other writers of this process take too long")
        try:
            yield
        finally:
            self._writing.release()

    def _transact(self, work: Callable[[sql.Connection], T], writes: bool) -> T:
        with self._engine.connect().execution_options(writes=writes) as connection, connection.begin():
            return work(connection)

    def _refuse(self, error: Exception) -> NoReturn:
        self._breaker.failed()
        LOGGER.warning("The database of live games cannot be used for now: %s", _reason(error))
        raise Unreachable from error

    def _say_full(self, error: DBAPIError) -> NoReturn:
        """Refuse this caller alone: what reads still works."""
        if not self._is_full():
            LOGGER.warning("The disk of live games is full: %s", _reason(error))
        self._full_at = time.monotonic()
        self._breaker.succeeded()
        raise Unreachable from error

    def _is_full(self) -> bool:
        return time.monotonic() < self._full_at + FULL_FOR

    def _prepare(self) -> None:
        """Make what is missing, also where another file has taken the place of the one that was open."""
        if self._prepared is not None and self._prepared == self._identity():
            return
        with self._lock:
            found = self._identity()
            if self._prepared is not None:
                if self._prepared == found:
                    return
                self._forget_file()
                self._notice = f"the file was removed or replaced, and was opened anew at {_utc()}"
                LOGGER.warning("%s was removed or replaced; it is opened anew", self._file)
            with alone_with(self._file) if self._file is not None else nullcontext():
                if self._file is not None and not self._file.exists():
                    remove_leftovers(self._file)
                try:
                    self._transact(self._make_missing, writes=True)
                except (IntegrityError, ProgrammingError):  # another process has made it meanwhile
                    self._transact(self._make_missing, writes=True)
                self._prepared = self._identity()

    def _identity(self) -> Identity:
        return "a server" if self._file is None else identity(self._file)

    def _forget_file(self) -> None:
        self._engine.dispose()
        self._prepared = None

    def _set_aside(self, file: Path) -> None:
        """Rename the file if it is damaged indeed; another process may have begun a new one."""
        with self._lock:
            self._forget_file()
            with suppress(OSError, sqlite3.Error), alone_with(file):  # the next try says what is wrong
                if is_damaged(file):
                    LOGGER.error("%s is damaged and set aside as %s", file, set_aside(file).name)


def checked_database(address: str) -> None:
    """Check that games can be kept at this address, without asking the database. Raises BadOption."""
    _engine(address, Watchdog(DEADLINE)).dispose()


def _file_of(url: sql.URL) -> Path | None:
    """Return the file of a SQLite database that is in one."""
    name = url.database if url.get_backend_name() == "sqlite" else None
    return None if not name or name == ":memory:" or name.startswith("file:") else Path(name)


def _engine(place: str | Path, watchdog: Watchdog) -> sql.Engine:
    if isinstance(place, Path):
        return _sqlite_engine(sql.URL.create("sqlite", database=str(place)))
    try:
        url = sql.make_url(place)
        if url.drivername in ("postgresql", "postgres"):
            url = url.set(drivername="postgresql+psycopg")
        if url.get_backend_name() not in ("sqlite", "postgresql"):
            raise BadOption(f"Live games are kept in SQLite or PostgreSQL, not in {quoted(url.get_backend_name())}.")
        return _sqlite_engine(url) if url.get_backend_name() == "sqlite" else _postgresql_engine(url, watchdog)
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

    def release(_: object, record: object) -> None:
        watchdog.release(record)

    # In front of SQLAlchemy's own listener, which asks a new server for its version.
    sql.event.listen(engine, "connect", watch, insert=True)
    sql.event.listen(engine, "checkout", watch)
    sql.event.listen(engine, "checkin", release)
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
    if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):  # to set it again may find the file locked
        connection.execute("PRAGMA journal_mode=WAL")


def _begin_sqlite(connection: sql.Connection) -> None:
    """Begin a transaction. A writer takes the lock at once: two that have read first would block each other."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _gives_way(error: DBAPIError) -> bool:
    """Return whether a transaction ended for the sake of another one, so that it may be tried again."""
    return _sqlite_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or (
        getattr(error.orig, "sqlstate", None) in ("40001", "40P01")
    )


def _is_full(error: DBAPIError) -> bool:
    return _sqlite_code(error) == sqlite3.SQLITE_FULL or getattr(error.orig, "sqlstate", None) == "53100"


def _sqlite_code(error: DBAPIError) -> int:
    return int(getattr(error.orig, "sqlite_errorcode", 0)) & 0xFF


def _kind(error: BaseException) -> str:
    original = getattr(error, "orig", None) or error
    return str(getattr(original, "sqlite_errorname", type(original).__name__))


def _utc() -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())


def _reason(error: Exception) -> str:
    """Return an error in one line, without the statement or the address of the database."""
    original = getattr(error, "orig", None) or error
    return f"{type(original).__name__}: {str(original).splitlines()[0][:200] if str(original) else ''}"
