"""The answers of a process, counted for `/metrics`; the first process adds the counts up."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper ends, in seconds, of the intervals in which the time of answers is counted."""


@dataclass(slots=True)
class RequestCounts:
    """Answers by route, method and status; their times by route; and the refusals before a request was whole."""

    answers: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    times: Counter[tuple[str, float]] = field(default_factory=Counter)
    """How many answers of a route took so long, by the upper end of the interval (infinity for the last)."""
    seconds: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Counts one answer."""
        self.answers[route, method, status] += 1
        self.times[route, next((end for end in BUCKETS if seconds <= end), float("inf"))] += 1
        self.seconds[route] += seconds  # type: ignore[assignment]  # a sum of times is no whole number

    def add(self, other: "RequestCounts") -> None:
        """Adds another process's counts."""
        self.answers.update(other.answers)
        self.times.update(other.times)
        self.seconds.update(other.seconds)
        self.refusals.update(other.refusals)
