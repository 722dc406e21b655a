"""The budget of a search."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a search may take: nodes, seconds, or both; by default as much as it needs."""

    nodes: int | None = None
    seconds: float | None = None


UNLIMITED = Budget()


class BudgetExhausted(Exception):
    """The search has spent all that it was allowed before it had an answer."""
