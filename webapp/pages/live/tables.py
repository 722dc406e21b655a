"""The tables of live games, a game as a row, and the deletion of old and surplus games."""

import logging
import time
from collections.abc import Callable
from math import inf
from threading import Lock
from typing import Any, Final

import sqlalchemy as sql
from sqlalchemy.exc import DBAPIError

from solver.board.notation import MAX_BOARD_LENGTH
from solver.board.position import Mark
from webapp.pages.live.file import code_of
from webapp.pages.live.game import MOST_MOVES, Ending, LiveGame, Matter, NewerGame, game_of
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
    *(sql.Column(name, sql.String(41), nullable=False, server_default="") for name in ("host", "claim")),
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
    found = {each["name"]: each["type"] for each in sql.inspect(connection).get_columns(GAMES.name)}
    for column in (GAMES.c.host, GAMES.c.claim):
        if column.name not in found:
            _add_column(connection, column)
    if connection.dialect.name != "postgresql":  # SQLite takes texts of any length in every column
        return
    texts = (GAMES.c.board, GAMES.c.moves, GAMES.c.before)
    if narrow := [each for each in texts if (getattr(found[each.name], "length", None) or inf) < _length(each)]:
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
    changes = ", ".join(f"ALTER COLUMN {each.name} TYPE VARCHAR({_length(each)})" for each in columns)
    try:
        with connection.begin_nested():
            connection.execute(sql.text("SET LOCAL lock_timeout = '200ms'"))
            connection.execute(sql.text(f"ALTER TABLE {GAMES.name} {changes}"))
            connection.execute(sql.text("SET LOCAL lock_timeout = DEFAULT"))
    except DBAPIError as error:
        if code_of(error.orig) not in _REFUSALS:
            raise


_AS_THEY_ARE: Final = ("id", "x_seat", "o_seat", "before", "host", "claim", "moved", "version")
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
