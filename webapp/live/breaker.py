"""A circuit breaker: after a failure, callers are refused at once until one of them has tried again and succeeded."""

import time
from collections.abc import Callable
from threading import Lock

from webapp.live.errors import Unreachable


class Breaker:
    """Refuse calls for `pause` seconds after a failure, then let a single call probe. Any thread may use it.

    A probe that has not reported back after `patience` more seconds counts as failed.
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
        """Let everybody pass again."""
        if self._open_until is not None:
            with self._lock:
                self._open_until = None
