"""The machine of the load tests. If it is virtual, its host may take the processors away for a while."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

import psutil  # type: ignore[import-untyped,unused-ignore]

T = TypeVar("T")

TRIES: Final = 3
"""The most tries of a measurement."""

HELD: Final = 0.01
"""The share of lost processor time above which a late answer may be the host's fault."""

PATIENCE: Final = 300.0
"""The most seconds to wait for the host before each try."""


def taken() -> float:
    """Return the processor seconds so far that the host of a virtual machine gave to others."""
    return float(getattr(psutil.cpu_times(), "steal", 0.0))


def wait_for_the_host() -> None:
    """Wait until a second's work takes hardly more than a second, or patience ends. An idle machine loses no time."""
    over = time.monotonic() + PATIENCE
    while time.monotonic() < over:
        began, before = time.monotonic(), taken()
        while time.monotonic() < began + 1:
            pass
        if taken() - before < 5 * HELD * (time.monotonic() - began):
            return
        time.sleep(5)


def undisturbed(measure: Callable[[], T], check: Callable[[T], None]) -> T:
    """Return a measurement; repeat a failed one if the host took the processors away meanwhile.

    The measurement that is returned may have failed too.
    """
    for _ in range(TRIES):
        wait_for_the_host()
        began, before = time.monotonic(), taken()
        found = measure()
        share = (taken() - before) / ((time.monotonic() - began) * (psutil.cpu_count() or 1))
        if share >= HELD:
            print(f"\nthe host took {share:.0%} of the processors meanwhile", flush=True)
        try:
            check(found)
        except AssertionError:
            if share >= HELD:
                continue
        break
    return found
