"""The budget of a search, and the meter that counts against it."""

import time
from dataclasses import dataclass
from math import inf
from threading import Lock


@dataclass(frozen=True, slots=True)
class Budget:
    """The most nodes and seconds of a search; None stands for no limit.

    >>> from solver import solve
    >>> solve("4x3x3", Budget(seconds=60)).outcome
    Outcome(Value.WIN, 7)
    """

    nodes: int | None = None
    seconds: float | None = None


UNLIMITED = Budget()


class BudgetExhausted(Exception):
    """A search has spent its budget without an answer."""


class Meter:
    """A counter of the nodes that a search spends, with the deadline of its budget. Threads may share it."""

    def __init__(self, budget: Budget) -> None:
        self.nodes = 0
        self._max_nodes = inf if budget.nodes is None else budget.nodes
        self._deadline = inf if budget.seconds is None else time.monotonic() + budget.seconds
        self._whole: Meter | None = None
        self._lock = Lock()

    def part(self, nodes: float) -> "Meter":
        """Return a meter for at most `nodes` nodes of this budget. This meter counts the part's nodes too."""
        part = Meter(Budget())
        part._whole = self
        part._max_nodes = min(nodes, self.nodes_left)
        return part

    def count(self, nodes: int) -> None:
        """Count searched nodes."""
        with self._lock:
            self.nodes += nodes
        if self._whole is not None:
            self._whole.count(nodes)

    def cancel(self) -> None:
        """End the budget, for all threads that share the meter."""
        self._deadline = -inf

    @property
    def nodes_left(self) -> float:
        """The nodes that can still be searched."""
        return max(0, self._max_nodes - self.nodes)

    @property
    def seconds_left(self) -> float:
        """The seconds that are left."""
        left = max(0.0, self._deadline - time.monotonic())
        return left if self._whole is None else min(left, self._whole.seconds_left)

    @property
    def exhausted(self) -> bool:
        """True once no nodes or no seconds are left."""
        return self.nodes >= self._max_nodes or not self.seconds_left
