"""Accounts of each client's recent use of the gate, so that light clients go before heavy ones.

Use is measured in seconds of holding one place: a client that holds two places for a second uses two.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import exp2, inf, log
from typing import Final, TypeAlias, TypeVar

T = TypeVar("T")

Wait: TypeAlias = tuple[str, float]
"""A waiting client, and the time when it began to wait."""

HALF_LIFE: Final = 20.0
"""Seconds after which half of a client's use is forgotten."""

PER_REQUEST: Final = 0.1
"""Use that each request adds, so that a flood of refused requests counts too."""

MARGIN: Final = 2.0
"""Seconds of use by which a client must be lighter than another to displace its work.

Without this margin, a network with many addresses would displace everybody by always asking from a new one.
"""

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

    def of(self, client: str, now: float | None = None) -> float:
        """Return the client's use at a time, by default now: what it has used, halved every `HALF_LIFE` seconds."""
        account = self._accounts.get(client)
        if account is None:
            return 0.0
        left = exp2((account.at - (self._clock() if now is None else now)) / HALF_LIFE)
        return account.used * left + account.held * (1 - left) * HALF_LIFE / log(2)

    def each(self, clients: Iterable[str]) -> dict[str, float]:
        """Return the use of each of the clients, all at the same time."""
        now = self._clock()
        return {client: self.of(client, now) for client in clients}

    def rank(self, waits: Iterable[Wait], now: float | None = None) -> float:
        """Return the lowest rank of the waiting clients. A rank is the client's use minus the seconds of its wait.

        The smallest rank is served first, so newcomers cannot overtake for ever.
        """
        now = self._clock() if now is None else now
        return min((self.of(client, now) - (now - since) for client, since in waits), default=inf)

    def to_displace(self, client: str, waiting: Mapping[T, Iterable[Wait]]) -> T | None:
        """Return the item that has to give way to the client: the item with the highest rank, the newest of equals.

        Return None unless this rank exceeds the client's use by more than `MARGIN`.
        """
        now = self._clock()
        ranks = {item: self.rank(waits, now) for item, waits in waiting.items()}
        last = max(reversed(ranks), key=ranks.__getitem__, default=None)
        return last if last is not None and ranks[last] > self.of(client, now) + MARGIN else None

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
