"""How far a long command is, shown on the standard error where somebody sits at a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

WIDTH = 30

Show: TypeAlias = Callable[[int, int | None], None]
"""Is told how many are done, of how many if that is known."""


@contextmanager
def progress(of_what: str) -> Iterator[Show]:
    """A function that shows how many are done; its line is wiped away at the end."""
    if not sys.stderr.isatty():
        yield lambda _done, _all: None
        return
    shown = ""

    def show(done: int, of: int | None) -> None:
        nonlocal shown
        text = f"{done:,} {of_what}" if of is None else f"[{_bar(done, of)}] {done} of {of} {of_what}"
        if text != shown:
            print(f"\r{text}", end="", file=sys.stderr, flush=True)
            shown = text

    try:
        yield show
    finally:
        print(f"\r{' ' * len(shown)}\r", end="", file=sys.stderr, flush=True)


def _bar(done: int, of: int) -> str:
    return f"{'#' * (WIDTH * done // of if of else WIDTH):.<{WIDTH}}"
