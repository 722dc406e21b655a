"""Fair shares of one thread among visitors: a rate limit, and the order of requests.

Both classes count by visitor, take a clock, and forget idle visitors. Neither is thread-safe.
"""

import heapq
from collections import OrderedDict, deque
from collections.abc import Callable
from math import ceil
from typing import Final, Generic, TypeVar

T = TypeVar("T")

REMEMBERED: Final = 10_000
"""Visitors that are remembered; the longest idle are forgotten first."""

CREDIT: Final = 0.05
"""The head start, in seconds, of a visitor who has asked for little: enough for a few pages in a row."""


class TokenBuckets:
    """One token bucket per visitor: `burst` requests at once, and `rate` a second on average."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float]) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Each visitor's tokens left after the last request, and the time of that request."""

    def take(self, visitor: str) -> int:
        """Take a token and return 0. If none is left, return the seconds until there is one."""
        now = self._clock()
        tokens, then = self._buckets.pop(visitor, (float(self._burst), now))
        tokens = min(self._burst, tokens + (now - then) * self._rate)
        self._buckets[visitor] = (tokens - 1 if tokens >= 1 else tokens, now)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return 0 if tokens >= 1 else ceil((1 - tokens) / self._rate)


class FairQueue(Generic[T]):
    """Requests of many visitors. The visitor who has been given the least time is served first.

    A new visitor starts level with the visitor being served, plus a small credit. So nobody saves up more time than the
    credit, and nobody waits for all requests of another visitor. This is start-time fair queueing (Goyal, Vin and
    Cheng 1996), charged with the measured time of each request.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._waiting: dict[str, deque[T]] = {}
        self._turns: list[tuple[float, int, str]] = []
        """A heap of waiting visitors. Each entry holds the time given so far, the order of arrival and the name."""
        self._given: OrderedDict[str, float] = OrderedDict()
        self._level = 0.0
        self._entries = 0

    def __bool__(self) -> bool:
        return bool(self._turns)

    def put(self, visitor: str, request: T) -> None:
        """Add a request of a visitor."""
        queue = self._waiting.get(visitor)
        if queue is None:
            self._waiting[visitor] = deque([request])
            self._enter(visitor)
        else:
            queue.append(request)

    def serve(self, answer: Callable[[T], object]) -> None:
        """Answer the next request, and charge its visitor for the time. Raises IndexError if nobody waits."""
        start, _, visitor = heapq.heappop(self._turns)
        self._level = max(self._level, start)
        queue, began = self._waiting[visitor], self._clock()
        try:
            answer(queue.popleft())
        finally:
            self._given.pop(visitor, None)
            self._given[visitor] = start + self._clock() - began
            if queue:
                self._enter(visitor)
            else:
                del self._waiting[visitor]
            if len(self._given) > REMEMBERED:
                self._given.popitem(last=False)

    def _enter(self, visitor: str) -> None:
        self._entries += 1
        start = max(self._given.get(visitor, 0.0), self._level - CREDIT)
        heapq.heappush(self._turns, (start, self._entries, visitor))
