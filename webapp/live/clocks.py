"""Whether the wall clock can be trusted with deleting games: it may be set, and then every game looks old."""

import logging
import time
from collections.abc import Callable
from threading import Lock
from typing import Final

AGREEMENT: Final = 3600.0
"""Seconds for which the wall clock has to have kept step before anything is deleted by it."""

JUMP: Final = 60.0
"""Seconds by which it may be off: clocks are set right by less than that all the time."""


def since_boot() -> float:
    """Return seconds of a clock that nobody sets; it counts a sleep of the machine where the system can tell."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class ClockWatch:
    """Compare the wall clock with one that nobody sets. Any thread may use it."""

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float]) -> None:
        self._wall, self._steady = wall, steady
        self._lock = Lock()
        self._since = steady()
        self._ahead = wall() - self._since

    def is_trusted(self) -> bool:
        """Return whether both have agreed for an hour; log a jump, and begin the hour anew."""
        with self._lock:
            now = self._steady()
            jump = self._wall() - now - self._ahead
            if abs(jump) > JUMP:
                self._since, self._ahead = now, self._ahead + jump
                logging.getLogger("noughts").warning(
                    "The clock has jumped by %+.0f seconds; no old games are deleted for an hour", jump
                )
            return now - self._since >= AGREEMENT
