"""Protection from a database that hangs: callers wait no longer than a deadline, and not at all once it is noticed.

A server that is stopped cannot keep its own timeouts, and its kernel still acknowledges what it is sent. Only the side
that asks can notice that no answer comes.
"""

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Condition, Lock, Thread
from typing import NamedTuple

from webapp.pages.live.errors import Unreachable


class Breaker:
    """A circuit breaker: it refuses calls for `pause` seconds after a failure, then lets a single call probe.

    A probe that has not reported back after `patience` more seconds counts as failed. Any thread may use it.
    """

    def __init__(self, pause: float, patience: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._pause, self._patience, self._clock = pause, patience, clock
        self._lock = Lock()
        self._open_until: float | None = None

    def enter(self) -> None:
        """Let the caller pass, as the probe if the pause is over. Raises Unreachable."""
        if self._open_until is None:
            return
        with self._lock:
            if self._open_until is None:
                return
            if self._clock() < self._open_until:
                raise Unreachable
            self._open_until = self._clock() + self._pause + self._patience  # the others wait for this probe

    def failed(self) -> None:
        """Refuse calls from now on."""
        with self._lock:
            self._open_until = self._clock() + self._pause

    def succeeded(self) -> None:
        """Let all calls pass again."""
        if self._open_until is not None:
            with self._lock:
                self._open_until = None


class _Watched(NamedTuple):
    deadline: float
    socket: socket.socket


class Watchdog:
    """A deadline for sockets: it shuts down those that are not released within `seconds`, which wakes their threads.

    It holds a duplicate of each socket, since the number of a closed one is soon another's. Any thread may use it.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._changed = Condition()
        self._watched: dict[object, _Watched] = {}  # all have the same time, so the first has the earliest deadline
        self._thread: Thread | None = None
        self._closed = False

    def watch(self, owner: object, descriptor: int) -> None:
        """Shut this socket down unless its owner is released in time, or all is closed; an owner has one socket."""
        with self._changed:
            if self._closed:
                return
            copy = socket.fromfd(descriptor, socket.AF_INET, socket.SOCK_STREAM)  # no call on it depends on the family
            self._forget(owner)
            self._watched[owner] = _Watched(time.monotonic() + self._seconds, copy)
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
        watched = self._watched.pop(owner, None)
        if watched is not None:
            watched.socket.close()

    def _run(self) -> None:
        with self._changed:
            while not self._closed:
                owner, first = next(iter(self._watched.items()), (None, None))
                if first is None:
                    self._changed.wait()
                elif (left := first.deadline - time.monotonic()) > 0:
                    self._changed.wait(left)
                else:
                    with suppress(OSError):  # the server may have ended the connection already
                        first.socket.shutdown(socket.SHUT_RDWR)
                    self._forget(owner)
