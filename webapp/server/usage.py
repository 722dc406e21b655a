"""Accounts of how much each client has used the gate lately: light clients go before heavy ones.

Use is measured in seconds of one place: a client that holds two places uses two a second.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from math import exp2, inf, log
from typing import Final, TypeVar

T = TypeVar("T")

HALF_LIFE: Final = 20.0
"""Seconds after which half of a client's use is forgotten."""

PER_REQUEST: Final = 0.1
"""Use that each request adds, so that a flood of refused requests counts too."""

LIGHT: Final = 10.0
"""Use up to which short work goes before long work, whichever client is lighter: that of an occasional visitor."""

REMEMBERED: Final = 4096
"""Accounts of clients that hold no place; beyond them the lightest are forgotten."""


@dataclass(frozen=True, slots=True)
class _Account:
    """A client's use at the time `at`, and the places that it holds from then on."""

    used: float
    at: float
    held: int


class Usage:
    """The accounts of all clients. Not thread-safe."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._accounts: dict[str, _Account] = {}

    def __len__(self) -> int:
        return len(self._accounts)

    def count_request(self, client: str) -> None:
        """Add a request to the client's use."""
        self._change(client, PER_REQUEST, 0)

    def hold(self, client: str) -> None:
        """Give the client one more place, which it uses until `release`."""
        self._change(client, 0, 1)

    def release(self, client: str) -> None:
        """Take back one of the client's places."""
        self._change(client, 0, -1)

    def of(self, client: str) -> float:
        """Return the client's use: what it has used, halved every `HALF_LIFE` seconds."""
        account = self._accounts.get(client)
        if account is None:
            return 0.0
        left = exp2((account.at - self._clock()) / HALF_LIFE)
        return account.used * left + account.held * (1 - left) * HALF_LIFE / log(2)

    def each(self, clients: Iterable[str]) -> dict[str, float]:
        """Return the use of each of the clients, read once, so that comparisons agree while the clock runs."""
        return {client: self.of(client) for client in set(clients)}

    def least(self, clients: Iterable[str]) -> float:
        """Return the use of the lightest of the clients, infinity if there are none."""
        return min(map(self.of, clients), default=inf)

    def to_displace(self, client: str, waiting: Mapping[T, Collection[str]]) -> T | None:
        """Return the newest item of the heaviest client, if it is heavier than the given client; else None.

        `waiting` holds each item's clients, oldest item first. An item of several clients is as light as the lightest.
        """
        used = self.each([client, *chain.from_iterable(waiting.values())])
        least = {item: min((used[each] for each in clients), default=inf) for item, clients in waiting.items()}
        heaviest = max(reversed(least), key=least.__getitem__, default=None)
        return heaviest if heaviest is not None and least[heaviest] > used[client] else None

    def _change(self, client: str, used: float, held: int) -> None:
        account = self._accounts.get(client)
        if account is None:
            self._make_room()
        before = account.held if account else 0
        self._accounts[client] = _Account(self.of(client) + used, self._clock(), before + held)

    def _make_room(self) -> None:
        """Forget the lightest clients that hold no place if there are too many accounts."""
        if len(self._accounts) < REMEMBERED:
            return
        idle = sorted((client for client, account in self._accounts.items() if not account.held), key=self.of)
        for client in idle[: REMEMBERED // 2]:
            del self._accounts[client]
