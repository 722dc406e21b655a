"""Positions and tables as lines of text, and the progress of long commands on the standard error of a terminal."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from solver.board.notation import format_cell, format_position, format_state
from solver.board.position import Position
from solver.proofs.prediction import Prediction


def position_text(position: Position) -> list[str]:
    """Return the lines that show a position, then the player to move or the result."""
    return [*format_position(position).split("/"), format_state(position)]


def squares_text(prediction: Prediction) -> list[str]:
    """Return a table of the open squares and their outcomes, with the best ones marked; empty for a finished game."""
    position, best = prediction.position, prediction.best
    rows = [
        (format_cell(cell, position.rules), outcome.words(position.mover), "best" if cell in best else "")
        for cell, outcome in prediction.squares.items()
    ]
    return table_text([("square", "outcome", "best"), *rows], words=(0, 1, 2)) if rows else []


def table_text(rows: Sequence[Sequence[str]], words: Sequence[int] = ()) -> list[str]:
    """Return a table as lines, titles first. The columns numbered in `words` are flush left, the others flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            f"{cell:{'<' if number in words else '>'}{width}}"
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


WIDTH = 30

Show: TypeAlias = Callable[[int, int | None], None]
"""A function that is called with the number done, and with the number of all if it is known."""


@contextmanager
def progress(of_what: str) -> Iterator[Show]:
    """Yield a function that shows how many are done, on a line that is wiped away at the end."""
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
