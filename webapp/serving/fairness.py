"""Fair shares: who a visitor is, and how much of anything scarce one visitor gets.

Everything here counts by visitor, takes a clock where it needs one, and forgets idle visitors. Nothing is thread-safe.
"""

import heapq
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from ipaddress import IPv4Address, ip_address, ip_network
from math import ceil
from typing import Final, Generic, TypeVar

T = TypeVar("T")

REMEMBERED: Final = 10_000
"""Visitors that are remembered; the longest idle are forgotten first."""

CREDIT: Final = 0.05
"""The head start, in seconds, of a visitor who has asked for little: enough for a few pages in a row."""


def share_of(address: str) -> str:
    """Return the key that a visitor is counted by: an IPv4 address, or the /64 network of an IPv6 address."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return address
    return str(found.ipv4_mapped or ip_network((int(found) >> 64 << 64, 64)))


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


class Places:
    """A number of places, such as threads, streams or bytes, of which one visitor may take a share."""

    def __init__(self, most: int, share: int) -> None:
        self._most, self._share = most, share
        self._taken: Counter[str] = Counter()
        self.total = 0

    def take(self, visitor: str, places: int = 1) -> bool:
        """Take places for a visitor. Return False if the visitor or all visitors together would have too many."""
        if self.total + places > self._most or self._taken[visitor] + places > self._share:
            return False
        self._taken[visitor] += places
        self.total += places
        return True

    def free(self, visitor: str, places: int = 1) -> None:
        """Give places back that were taken for a visitor."""
        self.total -= places
        self._taken[visitor] -= places
        if self._taken[visitor] <= 0:
            del self._taken[visitor]
