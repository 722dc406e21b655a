"""The budget of a search, and the meter that counts against it."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from threading import Lock
from typing import Final, Protocol

FLOOR: Final = 5_000
"""The nodes that a request searches however few its seconds are: about 50 ms by the compiled kernel."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The most nodes and seconds of a search; None stands for no limit.

    Seconds are processor time of the search, added up over its threads and processes: on a busy machine it takes longer
    and proves as much. They end no search before it has searched `floor` nodes, so that a cheap position is always
    proved. A budget of nodes alone proves the same every time. A larger budget goes on where a smaller one stopped.

    >>> from solver import solve
    >>> solve("4x3x3", Budget(seconds=60)).outcome
    Outcome(Value.WIN, 7)
    """

    nodes: int | None = None
    seconds: float | None = None
    floor: int = FLOOR

    def share(self, count: int) -> "Budget":
        """Return an equal share of the budget for each of `count` positions of a request."""
        nodes = None if self.nodes is None else self.nodes // count
        return Budget(nodes, None if self.seconds is None else self.seconds / count, self.floor // count)

    def after(self, nodes: int, seconds: float) -> "Budget":
        """Return the rest of the budget after a search of this cost."""
        return Budget(
            None if self.nodes is None else max(0, self.nodes - nodes),
            None if self.seconds is None else max(0.0, self.seconds - seconds),
            max(0, self.floor - nodes),
        )


UNLIMITED = Budget()


class BudgetExhausted(Exception):
    """A search has spent its budget without an answer."""


class Meter:
    """A counter of the nodes and the processor time that a search spends of its budget. Threads may share it.

    `nodes` and `seconds` are what an earlier search has spent of the same budget.
    """

    def __init__(self, budget: Budget, nodes: int = 0, seconds: float = 0.0) -> None:
        self.nodes, self.seconds = nodes, seconds
        self._max_nodes = inf if budget.nodes is None else budget.nodes
        self._max_seconds = inf if budget.seconds is None else budget.seconds
        self._floor = budget.floor
        self._cancelled = False
        self._whole: Meter | None = None
        self._lock = Lock()

    def part(self, nodes: float) -> "Meter":
        """Return a meter for at most `nodes` nodes of this budget. This meter counts what the part spends too."""
        part = Meter(Budget(floor=0))
        part._whole = self
        part._max_nodes = min(nodes, self.nodes_left)
        return part

    def count(self, nodes: int, seconds: float = 0.0) -> None:
        """Count searched nodes, and the processor time of the search."""
        with self._lock:
            self.nodes += nodes
            self.seconds += seconds
        if self._whole is not None:
            self._whole.count(nodes, seconds)

    def cancel(self) -> None:
        """End the budget, for all threads that share the meter."""
        self._cancelled = True

    @property
    def nodes_left(self) -> float:
        """The nodes that can still be searched."""
        return max(0, self._max_nodes - self.nodes)

    @property
    def seconds_left(self) -> float:
        """The seconds that are left."""
        left = max(0.0, self._max_seconds - self.seconds)
        return left if self._whole is None else min(left, self._whole.seconds_left)

    @property
    def exhausted(self) -> bool:
        """True once no nodes are left, or no seconds and the floor is searched."""
        spent = self.nodes >= self._max_nodes or (self.nodes >= self._floor and self.seconds >= self._max_seconds)
        return spent or self._cancelled or (self._whole is not None and self._whole.exhausted)

    def ahead(self, most: int) -> int:
        """Return the nodes until the next look at the meter: `most`, or less up to a limit."""
        floor_left = self._floor - self.nodes
        left = min(most, self.nodes_left, floor_left if floor_left > 0 else inf)
        return int(left) if self._whole is None else self._whole.ahead(int(left))


class NodeCounter(Protocol):
    """A search that counts its nodes and calls `on_pause` when it reaches `pause_at`, as those of the kernel do."""

    nodes: int
    pause_at: int
    on_pause: Callable[[], int]


def ask_within(searcher: NodeCounter, pause: int, meter: Meter, question: Callable[[], bool]) -> bool:
    """Return the searcher's answer to a question, and count what it costs. Raises BudgetExhausted.

    The search looks at the meter every `pause` nodes.
    """
    counted, began = searcher.nodes, time.thread_time()

    def count() -> None:
        nonlocal counted, began
        nodes, now = searcher.nodes, time.thread_time()
        meter.count(nodes - counted, now - began)
        counted, began = nodes, now

    def look() -> int:
        count()
        if meter.exhausted:
            raise BudgetExhausted
        return counted + meter.ahead(pause)

    searcher.pause_at, searcher.on_pause = counted, look
    try:
        return question()
    finally:
        count()
