"""The time to build the costliest boards of all families: their lines and their symmetries."""

import time
from collections.abc import Iterator

from tests.solver.board.test_rules import WORST, build

TRIES = 5


def figures() -> Iterator[str]:
    """Yield the boards that take most processor time, in milliseconds: the least of several tries each."""
    took = sorted(((_milliseconds(name), name) for name in WORST), reverse=True)
    yield "boards, ms (bar: 5 ms): " + ", ".join(f"{name} {least:.1f}" for least, name in took[:4])


def _milliseconds(name: str) -> float:
    least = float("inf")
    for _ in range(TRIES):
        began = time.process_time()
        build(name)
        least = min(least, time.process_time() - began)
    return least * 1000
