"""A bar on the standard error that shows how far a long command is, where somebody sits at a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

WIDTH = 30


@contextmanager
def progress(of_what: str) -> Iterator[Callable[[int, int], None]]:
    """A function to be told how many are done, of how many; the bar is wiped away at the end."""
    if not sys.stderr.isatty():
        yield lambda _done, _all: None
        return
    shown = ""

    def show(done: int, of: int) -> None:
        nonlocal shown
        filled = WIDTH * done // of if of else WIDTH
        bar = f"[{'#' * filled:.<{WIDTH}}] {done} of {of} {of_what}"
        if bar != shown:
            print(f"\r{bar}", end="", file=sys.stderr, flush=True)
            shown = bar

    try:
        yield show
    finally:
        print(f"\r{' ' * len(shown)}\r", end="", file=sys.stderr, flush=True)
