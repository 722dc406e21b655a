"""A deadline for what is asked of a server over a socket, kept on this side.

A server that is stopped cannot keep its own timeouts, and its kernel still acknowledges what it is sent. So nothing but
the asking side notices that no answer comes. A thread that waits for one is woken by shutting its socket down.
"""

import socket
import time
from contextlib import suppress
from threading import Condition, Thread
from typing import NamedTuple


class _Watched(NamedTuple):
    deadline: float
    socket: socket.socket


class Watchdog:
    """Shut down sockets that are not released within `seconds`. Any thread may use it.

    It holds a duplicate of each socket, so the number of a closed one is never mistaken for another's.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._changed = Condition()
        self._watched: dict[object, _Watched] = {}  # all have the same time, so the first has the earliest deadline
        self._thread: Thread | None = None
        self._closed = False

    def watch(self, owner: object, descriptor: int) -> None:
        """Shut this socket down unless its owner is released in time; an owner has one socket."""
        copy = socket.fromfd(descriptor, socket.AF_INET, socket.SOCK_STREAM)  # no call on it depends on the family
        with self._changed:
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
