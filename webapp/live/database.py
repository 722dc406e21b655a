"""A database that is asked by many threads and may fail in any way: transactions, their deadline, and when to retry.

It is SQLite or PostgreSQL. Callers wait a few seconds at most, and not at all while it is known to be away.
"""

import logging
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from threading import Lock
from typing import Any, Final, NoReturn, TypeVar

import sqlalchemy as sql
from sqlalchemy.exc import DBAPIError, IntegrityError, ProgrammingError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from solver.board.notation import quoted
from solver.errors import BadOption
from webapp.live.breaker import Breaker
from webapp.live.errors import Unreachable
from webapp.live.watchdog import Watchdog

T = TypeVar("T")

DEADLINE: Final = 2.0
"""Seconds that a transaction may take. Nothing is tried again later than that."""

TRIES: Final = 5
"""How often a transaction is tried that gave way to another one or lost its connection."""

PAUSE: Final = 1.0
"""Seconds for which a database that failed is not asked again."""

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
        self._breaker = Breaker(PAUSE, 2 * DEADLINE)  # a probe may have to connect first
        self._lock = Lock()
        # SQLite has one writer at a time, and others look again and again: those of one process queue here.
        self._writing: AbstractContextManager[object] = (
            Lock() if self._engine.dialect.name == "sqlite" else nullcontext()
        )
        self._ready = False

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
                with self._writing if writes else nullcontext():
                    done = self._transact(work, writes)
            except IntegrityError:
                self._breaker.succeeded()
                raise
            except DBAPIError as error:
                may_pass = error.connection_invalidated or _gives_way(error)
                if not may_pass or attempt == TRIES or time.monotonic() > last:
                    self._refuse(error)
                time.sleep(0.02 * attempt)
            except (PoolTimeout, OSError) as error:
                self._refuse(error)
            except Exception:
                self._breaker.succeeded()  # it is the work's own error: the database has answered
                raise
            else:
                self._breaker.succeeded()
                return done

    def _transact(self, work: Callable[[sql.Connection], T], writes: bool) -> T:
        with self._engine.connect().execution_options(writes=writes) as connection, connection.begin():
            return work(connection)

    def _refuse(self, error: Exception) -> NoReturn:
        self._breaker.failed()
        logging.getLogger("noughts").warning("The database of live games cannot be used for now: %s", _reason(error))
        raise Unreachable from error

    def _prepare(self) -> None:
        """Make what is missing. Several processes may do so at once."""
        if self._ready:
            return
        with self._lock:
            if self._ready:
                return
            try:
                self._transact(self._make_missing, writes=True)
            except (IntegrityError, ProgrammingError):  # another process has made it meanwhile
                self._transact(self._make_missing, writes=True)
            self._ready = True


def checked_database(address: str) -> None:
    """Check that games can be kept at this address, without asking the database. Raises BadOption."""
    _engine(address, Watchdog(DEADLINE)).dispose()


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


def _sqlite_code(error: DBAPIError) -> int:
    return int(getattr(error.orig, "sqlite_errorcode", 0)) & 0xFF


def _reason(error: Exception) -> str:
    """Return an error in one line, without the statement or the address of the database."""
    original = getattr(error, "orig", None) or error
    return f"{type(original).__name__}: {str(original).splitlines()[0][:200] if str(original) else ''}"
