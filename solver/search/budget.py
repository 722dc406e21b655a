"""What a search may cost."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """What a search may cost: nodes, seconds, or both; by default as much as it takes."""

    nodes: int | None = None
    seconds: float | None = None


UNLIMITED = Budget()


class BudgetExhausted(Exception):
    """The search has spent all that it was allowed before it had an answer."""
