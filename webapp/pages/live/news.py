"""News of live games for pages that are open, sent over connections that stay: one task a process, however many games.

Listeners are told a game's tag, no more; the page asks for itself then. So it is no matter what was missed while
a connection was gone: the tag that comes first on the next one says whether the page is still as it should be.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from random import uniform
from typing import TYPE_CHECKING, Final, Protocol

from webapp.serving.http.log import LOGGER, log

if TYPE_CHECKING:
    from webapp.pages.live.store import LiveStore

LOOK_EVERY: Final = 0.2
"""Seconds between two looks for changes."""

BEAT_EVERY: Final = 4.0
"""Seconds between two signs of open pages, and two looks at which players are there."""

SOON: Final = 1.0
"""Seconds after which it is looked who is there when somebody has come."""

SWEEP_EVERY: Final = 60.0
"""Seconds between two looks for games that have ended."""

LONGEST: Final = (50.0, 70.0)
"""Seconds for which a connection stays, about: a sleeping machine opens no other, and its player counts as away."""

BREATH_EVERY: Final = 15.0
"""Seconds after which a connection on which nothing was said is told the same again, so that nobody takes it for dead.

A page that has heard nothing for twice as long (`live.js`) gives it up and opens another."""

RETRY: Final = 500
"""Milliseconds after which a browser opens the next connection."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a page wants news of: a game, the tag it was told of, and the seat of its visitor, or ""."""

    game: str
    seat: str
    tag: str


class Listener(Protocol):
    """A connection that stays."""

    def send(self, data: bytes) -> None:
        """Writes, or ends the connection if it is not read."""

    def end(self) -> None:
        """Ends the connection."""


def event(tag: str) -> bytes:
    """A tag as an event stream has it."""
    return f"retry: {RETRY}\ndata: {tag}\n\n".encode()


@dataclass(eq=False, slots=True)
class _Open:
    """A connection, what it listens to, when it ends, and when it has to be used again."""

    listener: Listener
    subscription: Subscription
    until: float
    breath: float


@dataclass(slots=True)
class _Watched:
    """A game that is listened to, as its listeners were last told."""

    version: int
    here: str
    seats: tuple[str, str] = ("", "")
    listeners: set[_Open] = field(default_factory=set)

    @property
    def tag(self) -> str:
        return f"{self.version}.{self.here}"


class Newsroom:
    """Tells listeners of changes. Only the loop's own thread may use it; the database is asked in others."""

    def __init__(self, store: "Callable[[], LiveStore]", clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock = store, clock
        self._games: dict[str, _Watched] = {}
        self._joined: set[_Open] = set()
        self._open = 0
        self._last: int | None = None
        self._next_beat = self._next_sweep = 0.0
        self._fails = False

    def __len__(self) -> int:
        return self._open

    def join(self, subscription: Subscription, listener: Listener) -> Callable[[], None]:
        """Tells a connection of its game from now on; gives what is to be called when it has ended."""
        now = self._clock()
        opened = _Open(listener, subscription, now + uniform(*LONGEST), now + BREATH_EVERY)
        version, here = _parts(subscription.tag)
        known = self._games.get(subscription.game)
        if subscription.seat and (known is None or known.here != here):  # who has come is to be noted soon
            self._next_beat = min(self._next_beat, now + SOON)
        watched = self._games.setdefault(subscription.game, _Watched(version, here))
        watched.listeners.add(opened)
        self._open += 1
        self._joined.add(opened)

        def leave() -> None:
            if opened in watched.listeners:
                watched.listeners.remove(opened)
                self._joined.discard(opened)
                self._open -= 1
                if not watched.listeners:
                    self._games.pop(subscription.game, None)

        return leave

    async def run(self) -> None:
        """Looks for changes for as long as anybody listens, until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if self._games:
                try:
                    await self.look()
                    self._fails = False
                except Exception as error:
                    if not self._fails:
                        LOGGER.warning("News of live games fail for now: %s", type(error).__name__)
                    self._fails = True
                    await asyncio.sleep(1)
                self._breathe()

    async def look(self) -> None:
        """Tells of all that has changed since the last look. Raises what the store raises; then nothing is missed."""
        now = self._clock()
        await self._look_for_changes()
        if now >= self._next_beat:
            self._next_beat = now + BEAT_EVERY
            await self._look_who_is_there()
        if now >= self._next_sweep:
            self._next_sweep = now + SWEEP_EVERY
            removed = await asyncio.to_thread(lambda: self._store().sweep())
            if removed:
                log("live-removed", games=removed)

    async def _look_for_changes(self) -> None:
        """Tells of the games that have changed since the last look, and of those that have before somebody joined."""
        joined, self._joined = self._joined, set()
        try:
            if self._last is None:
                self._last = await asyncio.to_thread(lambda: self._store().last_change())
            last, besides = self._last, {opened.subscription.game for opened in joined}
            self._last, changed = await asyncio.to_thread(lambda: self._store().changed(last, besides))
        except BaseException:
            self._joined |= joined
            raise
        told = set()
        for name, (version, x_seat, o_seat) in changed.items():
            if (watched := self._games.get(name)) is not None:
                watched.seats = x_seat, o_seat
                if watched.version != version:
                    watched.version = version
                    self._tell(watched, watched.listeners)
                    told.add(name)
        for opened in joined:
            name = opened.subscription.game
            watched = self._games.get(name)
            if watched is not None and name not in told and watched.version != _parts(opened.subscription.tag)[0]:
                self._tell(watched, (opened,))

    async def _look_who_is_there(self) -> None:
        """Gives a sign of all open pages, and tells which players have come or gone."""
        everyone = [opened for watched in self._games.values() for opened in watched.listeners]
        seats = {opened.subscription.seat for opened in everyone if opened.subscription.seat}

        def beaten() -> Mapping[str, Collection[str]]:
            store = self._store()
            store.beat(seats)
            return store.all_here()

        there = await asyncio.to_thread(beaten)
        for name, watched in list(self._games.items()):
            present = there.get(name, ())
            here = "".join(mark for mark, seat in zip("XO", watched.seats, strict=True) if seat in present)
            if any(watched.seats) and "".join(sorted(here)) != watched.here:
                watched.here = "".join(sorted(here))
                self._tell(watched, watched.listeners)

    def _tell(self, watched: _Watched, listeners: Collection[_Open]) -> None:
        told, breath = event(watched.tag), self._clock() + BREATH_EVERY
        for opened in list(listeners):
            opened.breath = breath
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


def _parts(tag: str) -> tuple[int, str]:
    version, _, here = tag.partition(".")
    return int(version), here
