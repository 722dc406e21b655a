"""The store of live games: tables in SQLite or PostgreSQL, with the same statements for both.

Every change of a game is a compare-and-set on its version. If two changes come at once, the referee judges the second
one again. Each change raises a counter within its transaction, which puts the changes in order. A reader asks for the
changes after the last one that it knows, and misses none. The presence of players is noted often, so it has a table of
its own.
"""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from math import ceil, inf
from pathlib import Path
from secrets import token_hex
from types import MappingProxyType
from typing import Final

import sqlalchemy as sql

from solver.board.position import Mark
from webapp.pages.live.database import Database
from webapp.pages.live.game import LIFETIME, Full, LiveGame, Marks, NoGame, TooManyGames, Unreachable
from webapp.pages.live.tables import (
    CHANGES,
    GAMES,
    IDLE,
    KEYS,
    MADE,
    ORIGINS,
    PRESENCE,
    ClockWatch,
    delete_older,
    forget_origins,
    game_in,
    make_room,
    make_tables,
    row_of,
    seconds_to_wait,
    since_boot,
)
from webapp.pages.live.visitors import Networks

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
class Found:
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
        self._most, self._clock, self._steady = most, clock, steady
        self._clocks = ClockWatch(clock, steady)
        self._database = Database(place, self._make_missing)
        self._key = b""
        self._stuck_until = steady()

    def close(self) -> None:
        """Give up the connections."""
        self._database.close()

    def add(self, live: LiveGame, visitor: Networks) -> int:
        """Store a new game that a visitor from these networks made. Return the number of games evicted for it.

        Raises TooManyGames, Full or Unreachable.
        """
        networks, now = visitor.digests(self.key()), self._clock()

        def add(connection: sql.Connection) -> int | None:
            change = _next_change(connection)  # another thread that adds a game waits here, and counts this one
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
            return gone

        evicted = self._database.do(add, writes=True)
        if evicted is None:  # raised outside the transaction, so that the evictions stay
            raise Full
        return evicted

    def find(self, name: str) -> Found:
        """Return a game and the times its players were last seen. Raises NoGame, NewerGame or Unreachable."""

        def find(connection: sql.Connection) -> Found:
            live = _read(connection, name)
            rows = connection.execute(sql.select(PRESENCE.c.seat, PRESENCE.c.seen).where(PRESENCE.c.game == name))
            seen = {row.seat: row.seen for row in rows}
            return Found(live, {mark: seen.get(live.seat(mark), 0.0) for mark in Mark}, self._clock())

        return self._database.do(find)

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
                .values(**row_of(after), change=_next_change(connection))
            )
            if changed.rowcount != 1:
                return None
            now, seats, before = self._clock(), {after.x_seat, after.o_seat}, {live.x_seat, live.o_seat}
            connection.execute(sql.delete(PRESENCE).where(PRESENCE.c.seat.in_(before - seats)))
            for seat in seats - before:
                connection.execute(sql.insert(PRESENCE).values(seat=seat, game=name, seen=now))
            for mark in live.free:
                if after.seat(mark):
                    connection.execute(sql.insert(ORIGINS).values(game=name, what=str(mark), at=now, **origin))
            return after

        for _ in range(TRIES):
            changed = self._database.do(change, writes=True)
            if changed is not None:
                return changed
        raise Unreachable

    def beat(self, seats: Collection[str], left: Mapping[str, float] = MappingProxyType({})) -> None:
        """Note that the players in these seats are there. Raises Unreachable.

        `left` gives the seconds since a player's page was closed. Such a player soon counts as away, unless the player
        was seen since.
        """
        now = self._clock()
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
        self._database.do(lambda connection: connection.execute(note, rows), writes=True)

    def all_here(self) -> Mapping[str, set[str]]:
        """Return the seats whose players are there, by game. Raises Unreachable."""
        since = self._clock() - AWAY
        seen = sql.select(PRESENCE.c.game, PRESENCE.c.seat).where(PRESENCE.c.seen > since)
        found: dict[str, set[str]] = {}
        for name, seat in self._database.do(lambda connection: connection.execute(seen).all()):
            found.setdefault(name, set()).add(seat)
        return found

    def last_change(self) -> int:
        """Return the number of the last change of any game. Raises Unreachable."""
        return self._database.do(lambda connection: connection.scalar(sql.select(CHANGES.c.last))) or 0

    def changed(self, since: int, besides: Collection[str]) -> tuple[int, Mapping[str, tuple[int, str, str]]]:
        """Return the number of the last change, and the games that changed after `since` or are in `besides`.

        A game is given by its version and the seats of X and O. Raises Unreachable.
        """
        columns = (GAMES.c.id, GAMES.c.version, GAMES.c.x_seat, GAMES.c.o_seat, GAMES.c.change)
        wanted = GAMES.c.change > since
        if besides:
            wanted |= GAMES.c.id.in_(besides)
        rows = self._database.do(lambda connection: connection.execute(sql.select(*columns).where(wanted)).all())
        last = max((since, *(row.change for row in rows)))
        return last, {name: (version, x_seat, o_seat) for name, version, x_seat, o_seat, _ in rows}

    def sweep(self) -> int:
        """Delete the games without a move for `LIFETIME`; return how many were deleted. Raises Unreachable.

        Nothing is deleted until the clock has been right for an hour.
        """
        if not self._clocks.is_trusted():
            return 0
        now, deleted = self._clock(), 0
        while some := self._database.do(lambda connection: delete_older(connection, now - LIFETIME), writes=True):
            deleted += some
        while self._database.do(lambda connection: forget_origins(connection, now), writes=True):
            pass
        return deleted

    def number(self) -> int:
        """Return the number of games. Raises Unreachable."""
        return self._database.do(_number)

    def trouble(self) -> str:
        """Return the reason why writes fail now, or an empty string."""
        return self._database.trouble(_next_change)

    def notice(self) -> str:
        """Return a note for operators if the file of games was damaged or removed, or else an empty string."""
        return self._database.notice()

    def key(self) -> bytes:
        """Return the secret key of all servers that share these games. Raises Unreachable."""
        if not self._key:
            key = self._database.do(lambda connection: connection.scalars(sql.select(KEYS.c.key)).one())
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
        idle_since = self._clock() - IDLE if self._clocks.is_trusted() else None
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


def _next_change(connection: sql.Connection) -> int:
    """Return the number of a new change. Later changes wait until this transaction ends, so numbers appear in order."""
    raised = sql.update(CHANGES).values(last=CHANGES.c.last + 1).returning(CHANGES.c.last)
    return int(connection.execute(raised).scalar_one())


def _number(connection: sql.Connection) -> int:
    """Return the number of games."""
    return int(connection.scalar(sql.select(sql.func.count()).select_from(GAMES)) or 0)
