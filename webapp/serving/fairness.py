"""Fair shares: who a visitor is, and how much of anything scarce one visitor gets.

There are four scarce things: a rate of requests, places of which there are few, the time of one thread, and the use of
the pool. Each is counted by visitor and also by the visitor's network, so that whoever has many addresses does not
crowd out everybody else. Idle visitors are forgotten. Nothing here is thread-safe.
"""

import heapq
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, ip_address, ip_network
from math import ceil, exp2, inf, log
from typing import Final, Generic, TypeAlias, TypeVar

T = TypeVar("T")

MOST_COOKIES: Final = 20
"""The cookies of a request among which a member's secret is looked for."""

REMEMBERED: Final = 10_000
"""Visitors and networks that are remembered; the longest idle are forgotten first."""

NETWORK: Final = 4
"""The shares of a network, where a visitor has one."""

CREDIT: Final = 0.05
"""The head start, in seconds, of a visitor who has asked for little: enough for a few pages in a row."""

HALF_LIFE: Final = 20.0
"""Seconds after which half of a visitor's use is forgotten."""

PER_REQUEST: Final = 0.1
"""Use that each request adds, so that a flood of refused requests counts too."""

MARGIN: Final = 2.0
"""Seconds of use by which a visitor must be lighter than another to displace its work.

Without this margin, whoever always asks from a new address would displace everybody.
"""

Wait: TypeAlias = tuple[str, float]
"""A waiting visitor, and the time when it began to wait."""


def share_of(address: str) -> str:
    """Return the key that a visitor is counted by: an IPv4 address, or the /64 network of an IPv6 address."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv4Address):
        return address
    return str(parsed.ipv4_mapped or ip_network((int(parsed) >> 64 << 64, 64)))


@lru_cache(maxsize=4096)
def network_of(visitor: str) -> str:
    """Return the network that a visitor belongs to: the /24 or /56. It is empty if the visitor has no address."""
    try:
        network = ip_network(visitor)
    except ValueError:
        return ""
    return str(network.supernet(new_prefix=24 if network.version == 4 else 56))


@lru_cache(maxsize=4096)
def shares_of(visitor: str) -> tuple[tuple[str, int], ...]:
    """Return what a visitor is counted by, the visitor and its network, each with its number of shares."""
    network = network_of(visitor)
    return ((visitor, 1), (network, NETWORK)) if network else ((visitor, 1),)


class TokenBuckets:
    """One token bucket per visitor: `burst` requests at once, and `rate` a second on average."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float]) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._full: OrderedDict[str, float] = OrderedDict()
        """The time at which each bucket will be full again."""

    def take(self, visitor: str) -> int:
        """Take a token and return 0. If none is left, return the seconds until there is one."""
        after, seconds = self._after(visitor)
        if seconds <= 0:
            remember(self._full, after)
        return seconds

    def wait(self, visitor: str) -> int:
        """Return the seconds until there is a token; 0 if there is one now."""
        return max(0, self._after(visitor)[1])

    def _after(self, visitor: str) -> tuple[dict[str, float], int]:
        """Return the buckets after taking a token, and the seconds until there is one."""
        now, wait, after = self._clock(), 0.0, {}
        for key, share in shares_of(visitor):
            after[key] = max(self._full.get(key, now), now) + 1 / (self._rate * share)
            wait = max(wait, after[key] - now - self._burst / self._rate)
        return after, ceil(wait - 1e-6)  # sums of floats are a little off


class Members:
    """The visitors who are counted with a group, such as a class, and not by their address.

    A school has one address, so its pupils would have one visitor's share. The application has checked each member, by
    the secret in a cookie; groups are few, and each has one visitor's share.
    """

    def __init__(self) -> None:
        self._groups: OrderedDict[str, str] = OrderedDict()

    def note(self, secret: str, group: str) -> None:
        """Count the holder of a secret with a group from now on."""
        remember(self._groups, {secret: group})

    def group_of(self, cookies: str, visitor: str) -> str:
        """Return the group of the member whose secret is among these cookies, or else the visitor."""
        values = (each.partition("=")[2].strip() for each in cookies.split(";")[:MOST_COOKIES])
        return next((self._groups[value] for value in values if value in self._groups), visitor)


class Places:
    """A number of places, such as threads, streams or bytes. One visitor may take a share, and one network half."""

    def __init__(self, most: int, share: int) -> None:
        self._most, self._limits = most, (share, max(share, most // 2))
        self._taken: Counter[str] = Counter()
        self.total = 0

    def take(self, visitor: str, places: int = 1) -> bool:
        """Take places for a visitor. Return False if the visitor, its network or all together would have too many."""
        keys = [key for key, _ in shares_of(visitor)]
        if self.total + places > self._most or any(
            self._taken[key] + places > limit for key, limit in zip(keys, self._limits, strict=False)
        ):
            return False
        self.total += places
        self._taken.update(dict.fromkeys(keys, places))
        return True

    def free(self, visitor: str, places: int = 1) -> None:
        """Give places back that were taken for a visitor."""
        self.total -= places
        for key, _ in shares_of(visitor):
            self._taken[key] -= places
            if self._taken[key] <= 0:
                del self._taken[key]


class FairQueue(Generic[T]):
    """Requests of many visitors for one thread's time. The visitor who has been given the least is served first.

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
        """The time that each visitor and each network has been given, for every share that it has."""
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
            spent = self._clock() - began
            remember(self._given, {key: self._start(key) + spent / share for key, share in shares_of(visitor)})
            if queue:
                self._enter(visitor)
            else:
                del self._waiting[visitor]

    def _start(self, key: str) -> float:
        return max(self._given.get(key, 0.0), self._level - CREDIT)

    def _enter(self, visitor: str) -> None:
        self._entries += 1
        start = max(self._start(key) for key, _ in shares_of(visitor))
        heapq.heappush(self._turns, (start, self._entries, visitor))


@dataclass(frozen=True, slots=True)
class _Account:
    """The use at the time `at`, and the places that are held from then on."""

    used: float
    at: float
    held: int

    def at_time(self, now: float) -> float:
        left = exp2((self.at - now) / HALF_LIFE)
        return self.used * left + self.held * (1 - left) * HALF_LIFE / log(2)


class Usage:
    """Accounts of the recent use of places in the pool, so that light visitors go before heavy ones.

    Use is measured in seconds of holding one place: a visitor who holds two places for a second uses two. It halves
    every `HALF_LIFE`. A visitor is as heavy as its network is for one of its shares, if that is more.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._accounts: OrderedDict[str, _Account] = OrderedDict()

    def charge(self, visitor: str, seconds: float = PER_REQUEST, places: int = 0) -> None:
        """Add to a visitor's use, and to the places that it holds from now on."""
        now = self._clock()
        for key, _ in shares_of(visitor):
            before = self._accounts.get(key, _Account(0, now, 0))
            after = _Account(before.at_time(now) + seconds, now, max(0, before.held + places))
            remember(self._accounts, {key: after})

    def of(self, visitor: str, now: float | None = None) -> float:
        """Return a visitor's use at a time, by default now."""
        now = self._clock() if now is None else now
        return max(
            self._accounts[key].at_time(now) / share if key in self._accounts else 0.0
            for key, share in shares_of(visitor)
        )

    def rank(self, waits: Iterable[Wait]) -> float:
        """Return the lowest rank of the waiting visitors. A rank is the visitor's use minus the seconds of its wait.

        The smallest rank is served first, so newcomers cannot overtake for ever.
        """
        now = self._clock()
        return min((self.of(visitor, now) - (now - since) for visitor, since in waits), default=inf)

    def to_displace(self, visitor: str, waiting: Mapping[T, Iterable[Wait]]) -> T | None:
        """Return the item that has to give way to the visitor: the item with the highest rank, the newest of equals.

        Return None unless this rank exceeds the visitor's use by more than `MARGIN`.
        """
        ranks = {item: self.rank(waits) for item, waits in waiting.items()}
        last = max(reversed(ranks), key=ranks.__getitem__, default=None)
        return last if last is not None and ranks[last] > self.of(visitor) + MARGIN else None


def remember(accounts: OrderedDict[str, T], new: Mapping[str, T], most: int = REMEMBERED) -> None:
    """Set accounts as the most recently used; forget the longest idle beyond `most`."""
    for key, value in new.items():
        accounts[key] = value
        accounts.move_to_end(key)
    while len(accounts) > most:
        accounts.popitem(last=False)
