"""News of live games for open pages, sent over event streams by one task in each process.

A listener gets only the tag of a game, and its page then asks for the game. A lost connection loses no news, because
the next connection begins with the present tag.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import uniform
from typing import Final, Protocol

from webapp.serving.http.log import LOGGER, log

POLL_EVERY: Final = 0.2
"""Seconds between two polls of the database for changes."""

LOOK_EVERY: Final = 1.0
"""Seconds between two checks of which players are there."""

BEAT_EVERY: Final = 2.0
"""Seconds between two updates of the presence of players with open pages. Each one writes a row for each player."""

SWEEP_EVERY: Final = 60.0
"""Seconds between two deletions of old games."""

LONGEST: Final = (50.0, 70.0)
"""The range of a connection's lifetime in seconds. A sleeping machine opens no new one, so its player is away."""

BREATH_EVERY: Final = 15.0
"""Seconds without news after which a connection gets the same tag again, to show that it still works.

A page that hears nothing for twice as long opens another connection (`live.js`)."""

RETRY: Final = 500
"""Milliseconds after which a browser opens the next connection."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A page's request for news of a game. `tag` is the tag that the page has; `seat` is "" for a spectator.

    `room` names the newsroom: "live" for games, "class" for classes.
    """

    game: str
    seat: str
    tag: str
    room: str = "live"


class NewsStore(Protocol):
    """What a newsroom asks of a store, of live games or of classes."""

    def last_change(self) -> int:
        """Return the number of the last change."""

    def changes(self, since: int, besides: Collection[str]) -> tuple[int, Mapping[str, tuple[int, str, str]]]:
        """Return the last change, and the version and seats of what has changed `since` or is in `besides`."""

    def beat(self, seats: Collection[str], left: Mapping[str, float]) -> None:
        """Note who is there, and who has left how many seconds ago."""

    def all_here(self) -> Mapping[str, set[str]]:
        """Return the seats whose holders are there."""

    def sweep(self) -> int:
        """Delete what is old, and return how many were deleted."""


class Listener(Protocol):
    """An event stream."""

    def send(self, data: bytes) -> None:
        """Write data, in place of what is not written yet."""

    def end(self) -> None:
        """End the connection."""


def event(tag: str) -> bytes:
    """Return a tag as an event of a stream."""
    return f"retry: {RETRY}\ndata: {tag}\n\n".encode()


@dataclass(eq=False, slots=True)
class _Open:
    """A connection, with its visitor's seat and the version of the game that its page shows.

    The connection ends at `until`. Without news before `breath`, it gets the present tag again then.
    """

    listener: Listener
    seat: str
    version: int
    until: float
    breath: float


@dataclass(slots=True)
class _Watched:
    """A game with listeners. `version` and `here`, the sides that are there, are as last read."""

    version: int
    here: str
    seats: Sequence[str] = ("", "")
    listeners: set[_Open] = field(default_factory=set)

    @property
    def tag(self) -> str:
        return f"{self.version}.{self.here}"


class Newsroom:
    """A sender of news to listeners. Only the event loop's thread may use it; other threads ask the database."""

    def __init__(self, store: "Callable[[], NewsStore]", clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock = store, clock
        self._games: dict[str, _Watched] = {}
        self._joined: set[str] = set()  # the games that got a listener since the last poll
        self._left: dict[str, float] = {}  # when the page of a seat was closed, until the store is told
        self._last: int | None = None
        self._next_look = self._next_beat = self._next_sweep = 0.0
        self._fails = False

    def join(self, subscription: Subscription, listener: Listener) -> Callable[[], None]:
        """Send a connection the news of its game; return a function to call when the connection has ended."""
        now, game = self._clock(), subscription.game
        text, _, here = subscription.tag.partition(".")
        opened = _Open(listener, subscription.seat, int(text), now + uniform(*LONGEST), now + BREATH_EVERY)
        watched = self._games.setdefault(game, _Watched(opened.version, here))
        watched.listeners.add(opened)
        self._joined.add(game)

        def leave() -> None:
            watched.listeners.discard(opened)
            if opened.seat and self._clock() < opened.until:  # at `until`, the page opens the next connection at once
                self._left[opened.seat] = self._clock()
            if not watched.listeners and self._games.get(game) is watched:
                del self._games[game]

        return leave

    async def run(self) -> None:
        """Poll for changes while there are listeners, until cancelled."""
        while True:
            await asyncio.sleep(POLL_EVERY)
            if self._games:
                try:
                    await self.poll()
                    self._fails = False
                except Exception as error:
                    if not self._fails:
                        LOGGER.warning("News of live games fail for now: %s", type(error).__name__)
                    self._fails = True
                    await asyncio.sleep(1)
                self._breathe()

    async def poll(self) -> None:
        """Send all news since the last poll. If the store raises an error, the next poll sends the same news."""
        now = self._clock()
        await self._send_changes()
        if now >= self._next_look:
            self._next_look = now + LOOK_EVERY
            await self._send_presence()
        if now >= self._next_sweep:
            self._next_sweep = now + SWEEP_EVERY
            removed = await asyncio.to_thread(lambda: self._store().sweep())
            if removed:
                log("live-removed", games=removed)

    async def _send_changes(self) -> None:
        """Send the tags of games that have changed since the last poll, or since a new listener's page was made."""
        joined, self._joined = self._joined, set()
        try:
            if self._last is None:
                self._last = await asyncio.to_thread(lambda: self._store().last_change())
            last = self._last
            self._last, changed = await asyncio.to_thread(lambda: self._store().changes(last, joined))
        except BaseException:
            self._joined |= joined
            raise
        for name, (version, *seats) in changed.items():
            if (watched := self._games.get(name)) is not None:
                watched.version, watched.seats = version, seats
                self._tell(watched, [opened for opened in watched.listeners if opened.version != version])

    async def _send_presence(self) -> None:
        """Note the players with open pages, and send the tags of games whose players have come or gone."""
        seats = {opened.seat for watched in self._games.values() for opened in watched.listeners if opened.seat}
        now = self._clock()
        left = {seat: now - at for seat, at in self._left.items() if seat not in seats}
        self._left = {}
        beating = seats if now >= self._next_beat else set()
        if beating:
            self._next_beat = now + BEAT_EVERY

        def beaten() -> Mapping[str, Collection[str]]:
            store = self._store()
            store.beat(beating, left)
            return store.all_here()

        there = await asyncio.to_thread(beaten)
        for name, watched in list(self._games.items()):
            present = there.get(name, ())
            here = "".join(mark for mark, seat in zip("OX", reversed(watched.seats), strict=True) if seat in present)
            if any(watched.seats) and here != watched.here:
                watched.here = here
                self._tell(watched, list(watched.listeners))

    def _tell(self, watched: _Watched, listeners: Sequence[_Open]) -> None:
        told, breath = event(watched.tag), self._clock() + BREATH_EVERY
        for opened in listeners:
            opened.version, opened.breath = watched.version, breath
            opened.listener.send(told)

    def _breathe(self) -> None:
        now = self._clock()
        for watched in list(self._games.values()):
            for opened in list(watched.listeners):
                if now >= opened.until:
                    opened.listener.end()
                elif now >= opened.breath:
                    opened.breath = now + BREATH_EVERY
                    opened.listener.send(event(watched.tag))
