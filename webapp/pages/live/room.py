"""Eviction of games: of the oldest by a clock that can be trusted, and when there are too many. Floods go first."""

import logging
import time
from collections.abc import Callable, Collection
from threading import Lock
from typing import Final

import sqlalchemy as sql

from webapp.pages.live.tables import GAMES, MADE, ORIGINS, PRESENCE
from webapp.pages.live.visitors import PER_ADDRESS, SPAN, WIDER, Networks

IDLE: Final = 3600.0
"""Seconds after its last move from which on a game between two networks can be evicted."""

TOGETHER: Final = 1000
"""The most rows that one transaction deletes from a table, so that it ends before its deadline."""

AGREEMENT: Final = 3600.0
"""Seconds for which the wall clock must have kept step before games are deleted by it."""

JUMP: Final = 60.0
"""The largest correction of the wall clock, in seconds, that does not count as a jump."""


def since_boot() -> float:
    """Return seconds of a clock that nobody sets. It counts a sleep of the machine where the system can tell."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class ClockWatch:
    """A comparison of the wall clock with one that nobody sets. Any thread may use it."""

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
    """Return the seconds until these networks may make another game; 0 for now.

    A clock that was set back leaves games from the future: those within the next span count.
    """
    waits = []
    for column, name, most in (
        (ORIGINS.c.net64, networks.net64, PER_ADDRESS),
        (ORIGINS.c.net56, networks.net56, WIDER[56]),
        (ORIGINS.c.net48, networks.net48, WIDER[48]),
    ):
        made = sql.and_(ORIGINS.c.what == MADE, column == name, ORIGINS.c.at.between(now - SPAN, now + SPAN))
        latest = sql.select(ORIGINS.c.at).where(made).order_by(ORIGINS.c.at.desc())
        first = connection.scalar(latest.offset(most - 1).limit(1))
        if first is not None:
            waits.append(min(first + SPAN - now, SPAN))
    return max(waits, default=0.0)


def make_room(connection: sql.Connection, wanted: int, idle_since: float | None) -> int:
    """Delete up to `wanted` games, at most `TOGETHER`, in the order below; return how many were deleted.

    1. Crowds: games that no two networks play (a seat is free, or one network has both), where one network has made
       more of them than an address may make in a span. The largest crowd goes first, and of it the fewest moves.
    2. Other games that no two networks play, the longest idle first.
    3. Games between two networks without a move after `idle_since`, the longest idle first; none of them for None.
    """
    made, x, o = (ORIGINS.alias(name) for name in ("made", "x", "o"))
    joined = GAMES
    for origin, what in ((made, MADE), (x, "X"), (o, "O")):
        joined = joined.outerjoin(origin, sql.and_(origin.c.game == GAMES.c.id, origin.c.what == what))  # type: ignore[assignment]
    alone = sql.or_(GAMES.c.x_seat == "", GAMES.c.o_seat == "", x.c.net48 == o.c.net48)
    of_one = sql.case((alone, 1), else_=0)
    network = sql.func.coalesce(made.c.net48, GAMES.c.id)  # of games made by an earlier version nothing is known
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
    """Delete games without a move since a time, at most `TOGETHER`; return how many were deleted."""
    old = sql.select(GAMES.c.id, GAMES.c.version).where(GAMES.c.moved < moved_before).limit(TOGETHER)
    return _delete(connection, old)


def forget_origins(connection: sql.Connection, before: float) -> int:
    """Delete the origins of games that are gone, at most `TOGETHER`; return how many were deleted.

    Those of the last span still count.
    """
    gone = ORIGINS.c.game.not_in(sql.select(GAMES.c.id))
    key = (ORIGINS.c.game, ORIGINS.c.what)
    old = sql.select(*key).where(ORIGINS.c.at < before - SPAN, gone).limit(TOGETHER)
    return connection.execute(sql.delete(ORIGINS).where(sql.tuple_(*key).in_(old))).rowcount


def _delete(connection: sql.Connection, going: "sql.Select[tuple[str, int]]") -> int:
    """Delete games with their presence rows and the origins of their seats; skip any that was moved in meanwhile."""
    chosen = [tuple(row) for row in connection.execute(going)]
    if not chosen:
        return 0
    versions = sql.tuple_(GAMES.c.id, GAMES.c.version)
    gone = connection.scalars(sql.delete(GAMES).where(versions.in_(chosen)).returning(GAMES.c.id)).all()
    _forget(connection, sorted(gone))
    return len(gone)


def _forget(connection: sql.Connection, games: Collection[str]) -> None:
    """Delete the presence rows of games and the origins of their seats."""
    if games:
        connection.execute(sql.delete(PRESENCE).where(PRESENCE.c.game.in_(games)))
        connection.execute(sql.delete(ORIGINS).where(ORIGINS.c.game.in_(games), ORIGINS.c.what != MADE))
