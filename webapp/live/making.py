"""How many games one visitor may make: so many in a while, counted in the memory of the process that is asked."""

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from math import ceil
from threading import Lock
from typing import Final

GAMES: Final = 30
"""Games that one visitor may make within the span: a class behind one address needs as many."""

SPAN: Final = 600.0
"""Seconds."""

VISITORS: Final = 10_000
"""Visitors that are remembered; beyond them the one who has made none for longest is forgotten."""


class Allowance:
    """Counts the games that each visitor makes. Any thread may use it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._made: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = Lock()

    def take(self, visitor: str) -> int:
        """Counts one game more and gives 0; or the seconds after which the visitor may make another one."""
        with self._lock:
            now = self._clock()
            made = self._made.setdefault(visitor, deque())
            self._made.move_to_end(visitor)
            while made and made[0] <= now - SPAN:
                made.popleft()
            if len(made) >= GAMES:
                return ceil(made[0] + SPAN - now)
            made.append(now)
            while len(self._made) > VISITORS:
                self._made.popitem(last=False)
            return 0
