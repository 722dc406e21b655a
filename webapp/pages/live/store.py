"""The store of live games: tables in SQLite or PostgreSQL, with the same statements for both.

Every change of a game is a compare-and-set on its version. If two changes come at once, the referee judges the second
one again. Each change raises a counter within its transaction, which puts the changes in order. A reader asks for the
changes after the last one that it knows, and misses none. The presence of players is noted often, so it has a table of
its own. Old and surplus games are deleted.
"""

import logging
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from math import ceil, inf
from pathlib import Path
from secrets import token_hex
from threading import Lock
from types import MappingProxyType
from typing import Any, Final

import sqlalchemy as sql
from sqlalchemy.exc import DBAPIError

from solver.board.notation import MAX_BOARD_LENGTH
from solver.board.position import Mark, Result
from webapp.pages.live.database import Database
from webapp.pages.live.file import code_of
from webapp.pages.live.game import (
    LIFETIME,
    MOST_MOVES,
    Ending,
    Full,
    LiveGame,
    Marks,
    Matter,
    NewerGame,
    NoGame,
    TooManyGames,
    Unreachable,
    game_of,
)
from webapp.pages.live.visitors import PER_ADDRESS, SPAN, WIDER, Networks
from webapp.pages.play.link import read_series

_REFUSALS: Final = ("42501", "55P03", "0A000")
"""PostgreSQL's refusals to alter a table: no right, locked by another session, used by a view."""

LONGEST_MOVES: Final = 2 * MOST_MOVES
"""Characters of the moves of the longest game: of two characters each where stones vanish, elsewhere at most 256."""

TABLES = sql.MetaData()
GAMES = sql.Table(
    "live_games",
    TABLES,
    sql.Column("id", sql.String(22), primary_key=True),
    sql.Column("board", sql.String(MAX_BOARD_LENGTH), nullable=False),
    sql.Column("moves", sql.String(LONGEST_MOVES), nullable=False),
    sql.Column("first", sql.String(1), nullable=False),
    sql.Column("x_seat", sql.String(40), nullable=False),
    sql.Column("o_seat", sql.String(40), nullable=False),
    sql.Column("ending", sql.String(4), nullable=False),
    sql.Column("series", sql.String(20), nullable=False),
    *(sql.Column(str(matter), sql.String(2), nullable=False) for matter in Matter),
    sql.Column("before", sql.String(LONGEST_MOVES), nullable=False),
    *(sql.Column(name, sql.String(41), nullable=False, server_default="") for name in ("host", "guest", "claim")),
    sql.Column("moved", sql.Double, nullable=False, index=True),
    sql.Column("version", sql.Integer, nullable=False),
    sql.Column("change", sql.BigInteger, nullable=False, index=True),
)
CHANGES = sql.Table(
    "live_changes",
    TABLES,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("last", sql.BigInteger, nullable=False),
)
PRESENCE = sql.Table(
    "live_presence",
    TABLES,
    sql.Column("seat", sql.String(40), primary_key=True),
    sql.Column("game", sql.String(22), nullable=False, index=True),
    sql.Column("seen", sql.Double, nullable=False),
)
MADE: Final = "made"
"""The value of `ORIGINS.what` for the network that made a game. For a network that took a seat, it is the mark."""

ORIGINS = sql.Table(
    "live_origins",
    TABLES,
    sql.Column("game", sql.String(22), primary_key=True),
    sql.Column("what", sql.String(4), primary_key=True),
    *(sql.Column(net, sql.String(24), nullable=False) for net in Networks._fields),
    sql.Column("at", sql.Double, nullable=False),
    *(sql.Index(f"live_origins_{net}", net, "at") for net in Networks._fields),
)
"""Digests of the networks that made games and took seats. They tell a flood from ordinary visitors."""

KEYS = sql.Table(
    "live_keys",
    TABLES,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("key", sql.String(64), nullable=False),
)
"""One row: the key that all machines sign seats with, 32 random bytes as hexadecimal digits."""


def make_tables(connection: sql.Connection) -> None:
    """Make missing tables and columns, and widen the column of boards that older versions made in PostgreSQL."""
    TABLES.create_all(connection)
    types = {each["name"]: each["type"] for each in sql.inspect(connection).get_columns(GAMES.name)}
    for column in (GAMES.c.host, GAMES.c.guest, GAMES.c.claim):
        if column.name not in types:
            _add_column(connection, column)
    if connection.dialect.name != "postgresql":  # SQLite takes texts of any length in every column
        return
    texts = (GAMES.c.board, GAMES.c.moves, GAMES.c.before)
    if narrow := [each for each in texts if (getattr(types[each.name], "length", None) or inf) < _length(each)]:
        _widen(connection, narrow)


def _add_column(connection: sql.Connection, column: "sql.Column[str]") -> None:
    """Add a column to the table of games. Servers of earlier versions can go on writing to the table."""
    is_server = connection.dialect.name == "postgresql"  # where another machine may add the column at the same time
    definition = sql.schema.CreateColumn(column).compile(dialect=connection.dialect)
    unless = "IF NOT EXISTS " if is_server else ""
    connection.execute(sql.text(f"ALTER TABLE {GAMES.name} ADD COLUMN {unless}{definition}"))


def _length(column: "sql.Column[str]") -> int:
    return getattr(column.type, "length", None) or 0


def _widen(connection: sql.Connection, columns: "list[sql.Column[str]]") -> None:
    """Widen columns of texts. Give up if that is forbidden, or if the table stays in use, as during a backup.

    The games of older versions fit in any case, and the next process that starts tries again.
    """
    changes = ", ".join(f"ALTER COLUMN {column.name} TYPE VARCHAR({_length(column)})" for column in columns)
    try:
        with connection.begin_nested():
            connection.execute(sql.text("SET LOCAL lock_timeout = '200ms'"))
            connection.execute(sql.text(f"ALTER TABLE {GAMES.name} {changes}"))
            connection.execute(sql.text("SET LOCAL lock_timeout = DEFAULT"))
    except DBAPIError as error:
        if code_of(error.orig) not in _REFUSALS:
            raise


_AS_THEY_ARE: Final = ("id", "x_seat", "o_seat", "before", "host", "guest", "claim", "moved", "version")
"""The columns that hold a game's field of the same name, without a conversion."""


def row_of(live: LiveGame) -> dict[str, Any]:
    """Return the columns of a game, except `change`."""
    return {name: getattr(live, name) for name in _AS_THEY_ARE} | {
        "board": str(live.rules),
        "moves": live.moves,
        "first": str(live.first),
        "ending": str(live.ending),
        "series": str(live.series),
        **{str(matter): "".join(sorted(live.wishes[matter])) for matter in Matter},
    }


def game_in(row: sql.RowMapping) -> LiveGame:
    """Return the game of a row. Raises NewerGame if it is by rules that this version doesn't know."""
    try:
        return LiveGame(
            game=game_of(row["board"], row["moves"]),
            first=Mark(row["first"]),
            ending=Ending(row["ending"]),
            series=read_series(row["series"]),
            wishes={matter: frozenset(map(Mark, row[str(matter)])) for matter in Matter},
            **{name: row[name] for name in _AS_THEY_ARE},
        )
    except ValueError as error:
        raise NewerGame from error


IDLE: Final = 3600.0
"""Seconds without a move after which a game between two networks can be evicted."""

TOGETHER: Final = 1000
"""The most rows that one transaction deletes from a table, so that it ends before its deadline."""

AGREEMENT: Final = 3600.0
"""Seconds for which both clocks must agree before old games are deleted by the wall clock."""

JUMP: Final = 60.0
"""The largest correction of the wall clock, in seconds, that does not count as a jump."""


def since_boot() -> float:
    """Return the seconds of a clock that is never set. If the system can, it also counts the time asleep."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class ClockWatch:
    """A comparison of the wall clock with a clock that is never set. Thread-safe."""

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float]) -> None:
        self._wall, self._steady = wall, steady
        self._lock = Lock()
        self._since = steady()
        self._ahead = wall() - self._since

    def is_trusted(self) -> bool:
        """Return whether both clocks have agreed for an hour. Log a jump, which starts the hour again."""
        with self._lock:
            now = self._steady()
            jump = self._wall() - now - self._ahead
            if abs(jump) > JUMP:
                self._since, self._ahead = now, self._ahead + jump
                logging.getLogger("noughts").warning(
                    "The clock has jumped by %+.0f seconds; no old games are deleted for an hour", jump
                )
            return now - self._since >= AGREEMENT


def seconds_to_wait(connection: sql.Connection, networks: Networks, now: float) -> float:
    """Return the seconds until these networks may make another game; 0 if they may now.

    If the clock was set back, some games have later times than now. They count if they are at most a span ahead.
    """
    waits = []
    for net, network, most in zip(Networks._fields, networks, (PER_ADDRESS, *WIDER.values()), strict=True):
        made = sql.and_(ORIGINS.c.what == MADE, ORIGINS.c[net] == network, ORIGINS.c.at.between(now - SPAN, now + SPAN))
        latest = sql.select(ORIGINS.c.at).where(made).order_by(ORIGINS.c.at.desc())
        first = connection.scalar(latest.offset(most - 1).limit(1))
        if first is not None:
            waits.append(min(first + SPAN - now, SPAN))
    return max(waits, default=0.0)


def make_room(connection: sql.Connection, wanted: int, idle_since: float | None) -> int:
    """Delete up to `wanted` games in the order below, but no more than `TOGETHER`. Return the number deleted.

    A game is one-sided if a seat is free or one network holds both seats. A crowd is more than `PER_ADDRESS` one-sided
    games that one network has made.

    1. Crowds, the largest first; within a crowd, the games with the fewest moves first.
    2. Other one-sided games, the longest idle first.
    3. Games between two networks without a move after `idle_since`, the longest idle first; none if that is None.
    """
    made, x, o = (ORIGINS.alias(name) for name in ("made", "x", "o"))
    joined = GAMES
    for origin, what in ((made, MADE), (x, "X"), (o, "O")):
        joined = joined.outerjoin(origin, sql.and_(origin.c.game == GAMES.c.id, origin.c.what == what))  # type: ignore[assignment]
    alone = sql.or_(GAMES.c.x_seat == "", GAMES.c.o_seat == "", x.c.net48 == o.c.net48)
    of_one = sql.case((alone, 1), else_=0)
    network = sql.func.coalesce(made.c.net48, GAMES.c.id)  # earlier versions stored no origins
    number = sql.func.count().over(partition_by=(of_one, network))
    crowd = sql.case((sql.and_(alone, number > PER_ADDRESS), number), else_=0)
    moves = sql.func.length(GAMES.c.moves) + sql.func.length(GAMES.c.before)
    going = (
        sql.select(GAMES.c.id, GAMES.c.version)
        .select_from(joined)
        .where(alone if idle_since is None else sql.or_(alone, GAMES.c.moved < idle_since))
        .order_by(of_one.desc(), crowd.desc(), sql.case((crowd > 0, moves), else_=0), GAMES.c.moved, moves)
        .limit(min(wanted, TOGETHER))
    )
    return _delete(connection, going)


def delete_older(connection: sql.Connection, moved_before: float) -> int:
    """Delete at most `TOGETHER` games whose last move is before a time. Return the number deleted."""
    old = sql.select(GAMES.c.id, GAMES.c.version).where(GAMES.c.moved < moved_before).limit(TOGETHER)
    return _delete(connection, old)


def forget_origins(connection: sql.Connection, before: float) -> int:
    """Delete at most `TOGETHER` origins of games that are gone. Return the number deleted.

    Origins of the last span stay, because they still limit their networks.
    """
    gone = ORIGINS.c.game.not_in(sql.select(GAMES.c.id))
    key = (ORIGINS.c.game, ORIGINS.c.what)
    old = sql.select(*key).where(ORIGINS.c.at < before - SPAN, gone).limit(TOGETHER)
    return connection.execute(sql.delete(ORIGINS).where(sql.tuple_(*key).in_(old))).rowcount


def _delete(connection: sql.Connection, going: "sql.Select[tuple[str, int]]") -> int:
    """Delete games with their presence rows and the origins of their seats. Skip games that changed meanwhile."""
    chosen = [tuple(row) for row in connection.execute(going)]
    if not chosen:
        return 0
    versions = sql.tuple_(GAMES.c.id, GAMES.c.version)
    gone = connection.scalars(sql.delete(GAMES).where(versions.in_(chosen)).returning(GAMES.c.id)).all()
    connection.execute(sql.delete(PRESENCE).where(PRESENCE.c.game.in_(gone)))
    connection.execute(sql.delete(ORIGINS).where(ORIGINS.c.game.in_(gone), ORIGINS.c.what != MADE))
    return len(gone)


SLICES: Final = 100
"""Evictions take 1 / SLICES of all games at a time, because the search for games to evict is expensive."""

STUCK_FOR: Final = 5.0
"""Seconds to the next search for games to evict, after a search that found none."""

TRIES: Final = 5
"""The most times that the referee judges a change, if other changes keep coming first."""

AWAY: Final = 3.5
"""Seconds after which a player who was not seen again counts as away."""

GRACE: Final = 1.0
"""Seconds from the closing of a page until its player counts as away. Reloading a page takes less."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A stored game, with the time at which each side was last seen and the present time, in seconds."""

    live: LiveGame
    seen: Mapping[Mark, float]
    now: float

    @property
    def here(self) -> Marks:
        """The sides whose players are there."""
        return frozenset(mark for mark, seen in self.seen.items() if seen > self.now - AWAY)

    @property
    def tag(self) -> str:
        """The version of the game and the sides that are there, as in `12.OX`."""
        return f"{self.live.version}.{''.join(sorted(self.here))}"


class LiveStore:
    """A store of at most `most` games, in a database at an address or in a SQLite file. Any thread may use it.

    `clock` is the wall clock, and `steady` is a clock that is never set; both count seconds. The database is not asked
    before the first call of a method. Raises BadOption for an address that names no database, or whose driver is
    missing.
    """

    def __init__(
        self,
        place: str | Path,
        most: int,
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = since_boot,
    ) -> None:
        self._most, self.clock, self._steady = most, clock, steady
        self.clocks = ClockWatch(clock, steady)
        self.database = Database(place, self._make_missing)
        self._key = b""
        self._stuck_until = steady()

    def close(self) -> None:
        """Give up the connections."""
        self.database.close()

    def add(self, live: LiveGame, visitor: Networks) -> int:
        """Store a new game that a visitor from these networks made. Return the number of games evicted for it.

        Raises TooManyGames, Full or Unreachable.
        """
        networks, now = visitor.digests(self.key()), self.clock()

        def add(connection: sql.Connection) -> int | None:
            change = next_change(connection)  # another thread that adds a game waits here, and counts this one
            if connection.scalar(sql.select(GAMES.c.id).where(GAMES.c.id == live.id)) is not None:
                return 0  # this is a retry: the first try stored the game, but the database's answer was lost
            if wait := seconds_to_wait(connection, networks, now):
                raise TooManyGames(ceil(wait))
            number, gone = _number(connection), 0
            if number >= self._most:
                gone = self._make_room(connection, number)
                if number - gone >= self._most:
                    return None
            connection.execute(sql.insert(GAMES).values(**row_of(live), change=change))
            connection.execute(sql.insert(ORIGINS).values(game=live.id, what=MADE, at=now, **networks._asdict()))
            for seat in filter(None, (live.x_seat, live.o_seat)):
                connection.execute(sql.insert(PRESENCE).values(seat=seat, game=live.id, seen=0.0))
            return gone

        evicted = self.database.do(add, writes=True)
        if evicted is None:  # raised outside the transaction, so that the evictions stay
            raise Full
        return evicted

    def find(self, name: str) -> StoredGame:
        """Return a game and the times its players were last seen. Raises NoGame, NewerGame or Unreachable."""

        def find(connection: sql.Connection) -> StoredGame:
            live = _read(connection, name)
            rows = connection.execute(sql.select(PRESENCE.c.seat, PRESENCE.c.seen).where(PRESENCE.c.game == name))
            seen = {row.seat: row.seen for row in rows}
            return StoredGame(live, {mark: seen.get(live.seat(mark), 0.0) for mark in Mark}, self.clock())

        return self.database.do(find)

    def results(self, names: Collection[str]) -> Mapping[str, Result | None]:
        """Return the results of games by name, None for one that goes on. Games that are gone have none.

        Raises NewerGame or Unreachable.
        """
        wanted = sql.select(GAMES).where(GAMES.c.id.in_(names))
        rows = self.database.do(lambda connection: connection.execute(wanted).mappings().all())
        return {row["id"]: game_in(row).result for row in rows}

    def change(self, name: str, judge: Callable[[LiveGame], LiveGame], visitor: Networks) -> LiveGame:
        """Store the game that the referee's `judge` returns for a visitor's request, and return it.

        `judge` runs again if another change was faster, or if the database's answer was lost. So it has to accept a
        change that was made already. A new seat is counted for the visitor's networks. Raises NoGame, NewerGame,
        Unreachable, and the errors of `judge`.
        """
        origin = visitor.digests(self.key())._asdict()

        def change(connection: sql.Connection) -> LiveGame | None:
            live = _read(connection, name)
            after = judge(live)
            if after is live:
                return live
            after = replace(after, version=live.version + 1)
            changed = connection.execute(
                sql.update(GAMES)
                .where(GAMES.c.id == name, GAMES.c.version == live.version)
                .values(**row_of(after), change=next_change(connection))
            )
            if changed.rowcount != 1:
                return None
            now, seats, before = self.clock(), {after.x_seat, after.o_seat}, {live.x_seat, live.o_seat}
            connection.execute(sql.delete(PRESENCE).where(PRESENCE.c.seat.in_(before - seats)))
            for seat in seats - before:
                connection.execute(sql.insert(PRESENCE).values(seat=seat, game=name, seen=now))
            for mark in live.free:
                if after.seat(mark):
                    connection.execute(sql.insert(ORIGINS).values(game=name, what=str(mark), at=now, **origin))
            return after

        for _ in range(TRIES):
            changed = self.database.do(change, writes=True)
            if changed is not None:
                return changed
        raise Unreachable

    def beat(self, seats: Collection[str], left: Mapping[str, float] = MappingProxyType({})) -> None:
        """Note that the players in these seats are there. Raises Unreachable.

        `left` gives the seconds since a player's page was closed. Such a player soon counts as away, unless the player
        was seen since.
        """
        now = self.clock()
        signs = [(seat, now, inf) for seat in seats]
        signs += [(seat, now - AWAY + GRACE - ago, now - ago) for seat, ago in left.items()]
        if not signs:
            return
        # Always in the same order, so that two processes never wait for each other.
        rows = [{"of": seat, "at": at, "since": since} for seat, at, since in sorted(signs)]
        note = (
            sql.update(PRESENCE)
            .where(PRESENCE.c.seat == sql.bindparam("of"), PRESENCE.c.seen <= sql.bindparam("since"))
            .values(seen=sql.bindparam("at"))
        )
        self.database.do(lambda connection: connection.execute(note, rows), writes=True)

    def all_here(self) -> Mapping[str, set[str]]:
        """Return the seats whose players are there, by game. Raises Unreachable."""
        seen = sql.select(PRESENCE.c.game, PRESENCE.c.seat).where(PRESENCE.c.seen > self.clock() - AWAY)
        seats: dict[str, set[str]] = {}
        for name, seat in self.database.do(lambda connection: connection.execute(seen).all()):
            seats.setdefault(name, set()).add(seat)
        return seats

    def last_change(self) -> int:
        """Return the number of the last change of any game. Raises Unreachable."""
        return self.database.do(lambda connection: connection.scalar(sql.select(CHANGES.c.last))) or 0

    def changes(self, since: int, besides: Collection[str]) -> tuple[int, Mapping[str, tuple[int, str, str]]]:
        """Return the number of the last change, and the games that changed after `since` or are in `besides`.

        A game is given by its version and the seats of X and O. Raises Unreachable.
        """
        columns = (GAMES.c.id, GAMES.c.version, GAMES.c.x_seat, GAMES.c.o_seat, GAMES.c.change)
        wanted = GAMES.c.change > since
        if besides:
            wanted |= GAMES.c.id.in_(besides)
        rows = self.database.do(lambda connection: connection.execute(sql.select(*columns).where(wanted)).all())
        last = max((since, *(row.change for row in rows)))
        return last, {name: (version, x_seat, o_seat) for name, version, x_seat, o_seat, _ in rows}

    def sweep(self) -> int:
        """Delete the games without a move for `LIFETIME`; return how many were deleted. Raises Unreachable.

        Nothing is deleted until the clock has been right for an hour.
        """
        if not self.clocks.is_trusted():
            return 0
        now, deleted = self.clock(), 0
        while some := self.database.do(lambda connection: delete_older(connection, now - LIFETIME), writes=True):
            deleted += some
        while self.database.do(lambda connection: forget_origins(connection, now), writes=True):
            pass
        return deleted

    def number(self) -> int:
        """Return the number of games. Raises Unreachable."""
        return self.database.do(_number)

    def trouble(self) -> str:
        """Return the reason why writes fail now, or an empty string."""
        return self.database.trouble(next_change)

    def notice(self) -> str:
        """Return a note for operators if the file of games was damaged or removed, or else an empty string."""
        return self.database.notice()

    def key(self) -> bytes:
        """Return the secret key of all servers that share these games. Raises Unreachable."""
        if not self._key:
            key = self.database.do(lambda connection: connection.scalars(sql.select(KEYS.c.key)).one())
            self._key = bytes.fromhex(key)
        return self._key

    def _make_missing(self, connection: sql.Connection) -> None:
        """Make the tables, the counter of changes and the key if they are missing. Forget the key read so far."""
        self._key = b""
        make_tables(connection)
        if connection.scalar(sql.select(CHANGES.c.last)) is None:
            connection.execute(sql.insert(CHANGES).values(id=1, last=0))
        if connection.scalar(sql.select(KEYS.c.id)) is None:
            connection.execute(sql.insert(KEYS).values(id=1, key=token_hex(32)))

    def _make_room(self, connection: sql.Connection, number: int) -> int:
        """Evict some of the `number` games, unless a recent search found none to evict; return how many went."""
        if not self._most or self._steady() < self._stuck_until:
            return 0
        idle_since = self.clock() - IDLE if self.clocks.is_trusted() else None
        gone = make_room(connection, number - self._most + ceil(self._most / SLICES), idle_since)
        if not gone:
            self._stuck_until = self._steady() + STUCK_FOR
        return gone


def _read(connection: sql.Connection, name: str) -> LiveGame:
    """Return a game. Old games are found too, until a sweep deletes them. Raises NoGame or NewerGame."""
    row = connection.execute(sql.select(GAMES).where(GAMES.c.id == name)).mappings().first()
    if row is None:
        raise NoGame
    return game_in(row)


def next_change(connection: sql.Connection) -> int:
    """Return the number of a new change. Later changes wait until this transaction ends, so numbers appear in order."""
    raised = sql.update(CHANGES).values(last=CHANGES.c.last + 1).returning(CHANGES.c.last)
    return int(connection.execute(raised).scalar_one())


def _number(connection: sql.Connection) -> int:
    """Return the number of games."""
    return int(connection.scalar(sql.select(sql.func.count()).select_from(GAMES)) or 0)
