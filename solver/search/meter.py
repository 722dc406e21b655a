"""The cost of a search so far, against its budget."""

import time
from math import inf
from threading import Lock

from solver.search.budget import Budget


class Meter:
    """Counts the nodes of a search against its budget, while the clock counts the seconds. Threads may share it."""

    def __init__(self, budget: Budget) -> None:
        self.nodes = 0
        self._max_nodes = inf if budget.nodes is None else budget.nodes
        self._deadline = inf if budget.seconds is None else time.monotonic() + budget.seconds
        self._whole: Meter | None = None
        self._lock = Lock()

    def part(self, nodes: float) -> "Meter":
        """A meter for the next `nodes` nodes of this budget at most; what it counts, this one counts too."""
        part = Meter(Budget())
        part._whole = self
        part._max_nodes = min(nodes, self.nodes_left)
        return part

    def count(self, nodes: int) -> None:
        """Takes nodes off the budget."""
        with self._lock:
            self.nodes += nodes
        if self._whole is not None:
            self._whole.count(nodes)

    def cancel(self) -> None:
        """Ends the budget, for all threads that share it."""
        self._deadline = -inf

    @property
    def nodes_left(self) -> float:
        """The nodes that may still be searched."""
        return max(0, self._max_nodes - self.nodes)

    @property
    def seconds_left(self) -> float:
        """The seconds that are left."""
        left = max(0.0, self._deadline - time.monotonic())
        return left if self._whole is None else min(left, self._whole.seconds_left)

    @property
    def exhausted(self) -> bool:
        """Whether nothing is left."""
        return self.nodes >= self._max_nodes or not self.seconds_left
