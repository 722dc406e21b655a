"""The figures for `/readyz` and `/metrics`: each page process counts its answers, and the gate adds them up."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Final

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper ends, in seconds, of the intervals of the histogram of response times."""


@dataclass(slots=True)
class RequestCounts:
    """Counts of answers by route, method and status, and of requests refused before they were complete."""

    answers: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    times: Counter[tuple[str, float]] = field(default_factory=Counter)
    """Answers by route and by the upper end of their interval in the histogram. The last interval ends at infinity."""
    seconds: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count one answer."""
        self.answers[route, method, status] += 1
        self.times[route, next((end for end in BUCKETS if seconds <= end), float("inf"))] += 1
        self.seconds[route] += seconds  # type: ignore[assignment]  # a sum of times is no whole number

    def add(self, other: "RequestCounts") -> None:
        """Add another process's counts."""
        for counter in fields(self):
            getattr(self, counter.name).update(getattr(other, counter.name))


@dataclass(frozen=True, slots=True)
class ServerState:
    """The state of the whole server, as the gate knows it."""

    pages: int = 0
    """Page processes that are ready."""
    pool: int = 0
    """Pool processes that are ready."""
    pool_wanted: int = 0
    pool_busy: int = 0
    waiting: int = 0
    """Tasks that wait or run, at most `waiting_most`."""
    waiting_most: int = 0
    oldest: float = 0.0
    """Seconds since the oldest waiting task came."""
    refused: int = 0
    """Tasks and positions that the gate has refused."""
    cancelled: int = 0
    proving: int = 0
    """Positions that are proved in turns."""
    restarts: int = 0
    under_way: int = 0
    """Requests that are not answered yet."""
    streams: int = 0
    memory: Mapping[str, int] = field(default_factory=dict)
    """Bytes of memory that each process uses, by the name of the process."""
    counts: RequestCounts = field(default_factory=RequestCounts)
