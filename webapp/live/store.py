"""Where live games are kept: tables in SQLite or PostgreSQL, by the same statements.

Every change of a game is a compare-and-set on its version, so of two at once the second is judged anew by the referee.
A counter that every change raises within its transaction puts the changes in order: a reader asks for those after the
last one that it knows, and misses none. Who is there is kept apart, since that changes with every breath.
"""

import logging
import sqlite3
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeVar

import sqlalchemy as sql
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from solver.board.notation import quoted
from solver.board.position import Mark
from solver.errors import BadOption
from webapp.live.game import LIFETIME, Ending, LiveGame, Marks, Matter, game_of
from webapp.play.series import read_series

T = TypeVar("T")

UNBEGUN: Final = 3600.0
"""Seconds after which a game without a move makes room, if there are too many."""

TRIES: Final = 5
"""How often a change is judged anew, because others were faster or the connection was lost."""

PATIENCE: Final = 5.0
"""Seconds after which nothing is tried again."""

PAUSE: Final = 1.0
"""Seconds for which a database that cannot be reached is not asked again."""

AWAY: Final = 12.0
"""Seconds after the last sign of somebody from which on they count as away."""

LONGEST_MOVES: Final = 128
"""Characters of the moves of the longest game: 64 squares of two."""

_POOL: Final[Mapping[str, Any]] = {"max_overflow": 0, "pool_timeout": 5, "hide_parameters": True}
"""What all connections have in common; errors leave out what a statement was given, such as a game's whole address."""

_TABLES = sql.MetaData()
_GAMES = sql.Table(
    "live_games",
    _TABLES,
    sql.Column("id", sql.String(22), primary_key=True),
    sql.Column("board", sql.String(5), nullable=False),
    sql.Column("moves", sql.String(LONGEST_MOVES), nullable=False),
    sql.Column("first", sql.String(1), nullable=False),
    sql.Column("x_seat", sql.String(40), nullable=False),
    sql.Column("o_seat", sql.String(40), nullable=False),
    sql.Column("ending", sql.String(4), nullable=False),
    sql.Column("series", sql.String(20), nullable=False),
    *(sql.Column(str(matter), sql.String(2), nullable=False) for matter in Matter),
    sql.Column("before", sql.String(LONGEST_MOVES), nullable=False),
    sql.Column("moved", sql.Double, nullable=False, index=True),
    sql.Column("version", sql.Integer, nullable=False),
    sql.Column("change", sql.BigInteger, nullable=False, index=True),
)
_CHANGES = sql.Table(
    "live_changes",
    _TABLES,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("last", sql.BigInteger, nullable=False),
)
_PRESENCE = sql.Table(
    "live_presence",
    _TABLES,
    sql.Column("seat", sql.String(40), primary_key=True),
    sql.Column("game", sql.String(22), nullable=False, index=True),
    sql.Column("seen", sql.Double, nullable=False),
)


class NoGame(Exception):
    """No game has that address, or it has ended."""


class Full(Exception):
    """As many games as there may be are going on."""


class Unreachable(Exception):
    """The database cannot be asked now. What was to be done may or may not have been."""


@dataclass(frozen=True, slots=True)
class Found:
    """A game as it is kept, and when each side has last given a sign."""

    live: LiveGame
    seen: Mapping[Mark, float]
    now: float

    @property
    def here(self) -> Marks:
        """The sides that are there."""
        return frozenset(mark for mark, seen in self.seen.items() if seen > self.now - AWAY)

    @property
    def tag(self) -> str:
        """Tells this state of the game from all others: its version and who is there, as in `12.OX`."""
        return f"{self.live.version}.{''.join(sorted(self.here))}"

    def with_sign_of(self, side: Mark) -> "Found":
        """The same after a sign of one side."""
        return replace(self, seen={**self.seen, side: self.now})


class LiveStore:
    """The games of a database, named by its address, or of a SQLite file. Any thread may use it.

    Nothing is asked of the database before the first use. Raises BadOption for an address that names none, or one whose
    driver is not installed.
    """

    def __init__(self, place: str | Path, most: int, clock: Callable[[], float] = time.time) -> None:
        self._most, self._clock = most, clock
        self._engine = _engine(place)
        self._lock = Lock()
        # SQLite has one writer at a time, and others look again and again: those of one process stand in line here.
        self._writing: AbstractContextManager[object] = (
            Lock() if self._engine.dialect.name == "sqlite" else nullcontext()
        )
        self._ready = False
        self._refused_until = 0.0

    def close(self) -> None:
        """Gives up the connections."""
        self._engine.dispose()

    def add(self, live: LiveGame) -> None:
        """Keeps a new game. Raises Full or Unreachable."""

        def add(connection: sql.Connection) -> None:
            change = _next_change(connection)  # who adds another one waits here, and counts this one
            if _number(connection) >= self._most:
                self._make_room(connection)
                if _number(connection) >= self._most:
                    raise Full
            connection.execute(sql.insert(_GAMES).values(**_row(live), change=change))

        try:
            self._do(add, writes=True)
        except IntegrityError:
            self.find(live.id)  # it is there: the answer to the first try was lost

    def find(self, name: str) -> Found:
        """The game of an address, and who is there. Raises NoGame or Unreachable."""

        def find(connection: sql.Connection) -> Found:
            live = self._read(connection, name)
            rows = connection.execute(sql.select(_PRESENCE.c.seat, _PRESENCE.c.seen).where(_PRESENCE.c.game == name))
            seen = {row.seat: row.seen for row in rows}
            return Found(live, {mark: seen.get(live.seat(mark), 0.0) for mark in Mark}, self._clock())

        return self._do(find)

    def change(self, name: str, judge: Callable[[LiveGame], LiveGame]) -> LiveGame:
        """Changes a game as the referee says, and gives it as it is then. What `judge` raises is raised.

        Where somebody else was faster, or the answer of the database was lost, the referee judges again: it has to know
        what was done already. Raises NoGame or Unreachable too.
        """

        def change(connection: sql.Connection) -> LiveGame | None:
            live = self._read(connection, name)
            after = judge(live)
            if after is live:
                return live
            after = replace(after, version=live.version + 1)
            changed = connection.execute(
                sql.update(_GAMES)
                .where(_GAMES.c.id == name, _GAMES.c.version == live.version)
                .values(**_row(after), change=_next_change(connection))
            )
            if changed.rowcount != 1:
                return None
            for seat in {after.x_seat, after.o_seat} - {live.x_seat, live.o_seat}:
                connection.execute(sql.insert(_PRESENCE).values(seat=seat, game=name, seen=self._clock()))
            return after

        for _ in range(TRIES):
            changed = self._do(change, writes=True)
            if changed is not None:
                return changed
        raise Unreachable

    def beat(self, seats: Collection[str]) -> None:
        """Notes that the holders of these seats are there. Raises Unreachable."""
        if not seats:
            return
        seen = self._clock()
        # Always in the same order, so that two processes never wait for each other.
        rows = [{"of": seat, "at": seen} for seat in sorted(seats)]
        note = sql.update(_PRESENCE).where(_PRESENCE.c.seat == sql.bindparam("of")).values(seen=sql.bindparam("at"))
        self._do(lambda connection: connection.execute(note, rows), writes=True)

    def all_here(self) -> Mapping[str, set[str]]:
        """The seats whose holders are there, by the game. Raises Unreachable."""
        since = self._clock() - AWAY
        seen = sql.select(_PRESENCE.c.game, _PRESENCE.c.seat).where(_PRESENCE.c.seen > since)
        found: dict[str, set[str]] = {}
        for name, seat in self._do(lambda connection: connection.execute(seen).all()):
            found.setdefault(name, set()).add(seat)
        return found

    def last_change(self) -> int:
        """The number of the last change of any game. Raises Unreachable."""
        return self._do(lambda connection: connection.scalar(sql.select(_CHANGES.c.last))) or 0

    def changed(self, since: int, besides: Collection[str]) -> tuple[int, Mapping[str, tuple[int, str, str]]]:
        """The number of the last change, and the games that have changed after `since` or are named `besides`.

        Of each its version and the seats of X and O. Raises Unreachable.
        """
        columns = (_GAMES.c.id, _GAMES.c.version, _GAMES.c.x_seat, _GAMES.c.o_seat, _GAMES.c.change)
        asked = sql.select(*columns).where(_GAMES.c.change > since)
        named = sorted(besides)
        slices = [named[start : start + 500] for start in range(0, len(named), 500)]

        def find(connection: sql.Connection) -> tuple[int, dict[str, tuple[int, str, str]]]:
            rows = connection.execute(asked).all()
            last = max((row[4] for row in rows), default=since)
            for each in slices:
                rows = [*rows, *connection.execute(sql.select(*columns).where(_GAMES.c.id.in_(each))).all()]
            return last, {name: (version, x_seat, o_seat) for name, version, x_seat, o_seat, _ in rows}

        return self._do(find)

    def sweep(self) -> int:
        """Deletes the games that have ended because nobody moved; how many there were. Raises Unreachable."""
        return self._do(lambda connection: _delete(connection, self._clock() - LIFETIME), writes=True)

    def number(self) -> int:
        """How many games there are. Raises Unreachable."""
        return self._do(_number)

    def trouble(self) -> str:
        """Why games cannot be kept now, in words; empty where they can."""
        try:
            self._do(_next_change, writes=True)
        except (Unreachable, SQLAlchemyError) as error:
            return f"the database of live games cannot be written ({type(error.__cause__ or error).__name__})"
        return ""

    def _read(self, connection: sql.Connection, name: str) -> LiveGame:
        row = connection.execute(sql.select(_GAMES).where(_GAMES.c.id == name)).mappings().first()
        live = _live(row) if row is not None else None
        if live is None or live.has_expired(self._clock()):
            raise NoGame
        return live

    def _make_room(self, connection: sql.Connection) -> None:
        _delete(connection, self._clock() - LIFETIME)
        _delete(connection, self._clock() - UNBEGUN, _GAMES.c.moves == "", _GAMES.c.before == "")

    def _do(self, work: Callable[[sql.Connection], T], writes: bool = False) -> T:
        """Does something within a transaction, and again if the connection was lost. Raises Unreachable."""
        last = time.monotonic() + PATIENCE
        for attempt in range(1, TRIES + 1):
            try:
                self._prepare()
                with self._writing if writes else nullcontext():
                    return self._transact(work, writes)
            except IntegrityError:
                raise
            except PoolTimeout as error:
                raise Unreachable from error
            except DBAPIError as error:
                gives_way = error.connection_invalidated or _gives_way(error)
                if not gives_way or attempt == TRIES or time.monotonic() > last:
                    self._refuse(error)
                time.sleep(0.02 * attempt)
            except OSError as error:
                self._refuse(error)
        raise Unreachable

    def _transact(self, work: Callable[[sql.Connection], T], writes: bool) -> T:
        if time.monotonic() < self._refused_until:
            raise Unreachable
        with self._engine.connect().execution_options(writes=writes) as connection, connection.begin():
            return work(connection)

    def _refuse(self, error: Exception) -> None:
        self._refused_until = time.monotonic() + PAUSE
        logging.getLogger("noughts").warning("The database of live games cannot be used for now: %s", _reason(error))
        raise Unreachable from error

    def _prepare(self) -> None:
        """Makes the tables that are missing. Several processes may do so at once."""
        if self._ready:
            return
        with self._lock:
            if self._ready:
                return
            try:
                self._make_tables()
            except DBAPIError:
                self._make_tables()  # another process has made them meanwhile, or this raises what is wrong
            self._ready = True

    def _make_tables(self) -> None:
        def make(connection: sql.Connection) -> None:
            _TABLES.create_all(connection)
            if connection.scalar(sql.select(_CHANGES.c.last)) is None:
                connection.execute(sql.insert(_CHANGES).values(id=1, last=0))

        self._transact(make, writes=True)


def checked_database(address: str) -> None:
    """Raises BadOption for an address that names no database games can be kept in; asks nothing of it."""
    _engine(address).dispose()


def _engine(place: str | Path) -> sql.Engine:
    if isinstance(place, Path):
        return _engine_at(sql.URL.create("sqlite", database=str(place)))
    try:
        url = sql.make_url(place)
        if url.drivername in ("postgresql", "postgres"):
            url = url.set(drivername="postgresql+psycopg")
        if url.get_backend_name() not in ("sqlite", "postgresql"):
            raise BadOption(f"Live games are kept in SQLite or PostgreSQL, not in {quoted(url.get_backend_name())}.")
        return _engine_at(url)
    except ImportError as error:
        raise BadOption(f"The database needs a driver ({error.name}): install noughts[postgres].") from None
    except SQLAlchemyError:
        raise BadOption(
            "The address of the database cannot be read; write it as in postgresql+psycopg://name@host/database."
        ) from None


def _engine_at(parsed: sql.URL) -> sql.Engine:
    if parsed.get_backend_name() == "sqlite":
        waits = {"timeout": 5.0, "check_same_thread": False}
        engine = sql.create_engine(parsed, pool_size=4, connect_args=waits, **_POOL)
        sql.event.listen(engine, "connect", _prepare_sqlite)
        sql.event.listen(engine, "begin", _begin_sqlite)
        return engine
    options = {"connect_timeout": 3, "options": "-c statement_timeout=5000", "tcp_user_timeout": 5000}
    return sql.create_engine(parsed, pool_size=8, connect_args=options, **_POOL)


def _prepare_sqlite(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None  # transactions are begun below
    for pragma in ("busy_timeout=5000", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")
    if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):  # to set it again may find the file locked
        connection.execute("PRAGMA journal_mode=WAL")


def _begin_sqlite(connection: sql.Connection) -> None:
    """A writer says so at once: two that have read first would stand in each other's way."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _gives_way(error: DBAPIError) -> bool:
    """Whether a transaction has ended for the sake of another one, so that it may be tried again."""
    in_sqlite = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
    return in_sqlite in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or (
        getattr(error.orig, "sqlstate", None) in ("40001", "40P01")
    )


def _reason(error: Exception) -> str:
    """An error in one line, without the statement or the address of the database."""
    original = getattr(error, "orig", None) or error
    return f"{type(original).__name__}: {str(original).splitlines()[0][:200] if str(original) else ''}"


def _next_change(connection: sql.Connection) -> int:
    """The number of a change: later ones wait until this transaction has ended, so that numbers appear in order."""
    raised = sql.update(_CHANGES).values(last=_CHANGES.c.last + 1).returning(_CHANGES.c.last)
    return int(connection.execute(raised).scalar_one())


def _number(connection: sql.Connection) -> int:
    return int(connection.scalar(sql.select(sql.func.count()).select_from(_GAMES)) or 0)


def _delete(connection: sql.Connection, moved_before: float, *conditions: Any) -> int:
    """Deletes games and then who is there, of those alone that are gone: one may have been moved in just now."""
    ended = sql.delete(_GAMES).where(_GAMES.c.moved < moved_before, *conditions).returning(_GAMES.c.id)
    rows = [{"of": name} for name in connection.scalars(ended)]
    if rows:
        connection.execute(sql.delete(_PRESENCE).where(_PRESENCE.c.game == sql.bindparam("of")), rows)
    return len(rows)


def _row(live: LiveGame) -> dict[str, Any]:
    return {
        "id": live.id,
        "board": str(live.rules),
        "moves": live.moves,
        "first": str(live.first),
        "x_seat": live.x_seat,
        "o_seat": live.o_seat,
        "ending": str(live.ending),
        "series": str(live.series),
        "before": live.before,
        "moved": live.moved,
        "version": live.version,
    } | {str(matter): "".join(sorted(live.wishes[matter])) for matter in Matter}


def _live(row: sql.RowMapping) -> LiveGame:
    return LiveGame(
        id=row["id"],
        game=game_of(row["board"], row["moves"]),
        first=Mark(row["first"]),
        moved=row["moved"],
        x_seat=row["x_seat"],
        o_seat=row["o_seat"],
        ending=Ending(row["ending"]),
        series=read_series(row["series"]),
        wishes={matter: frozenset(map(Mark, row[str(matter)])) for matter in Matter},
        before=row["before"],
        version=row["version"],
    )
