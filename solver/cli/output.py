"""Positions and tables as lines of text, and the progress of long commands on the standard error of a terminal."""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TypeAlias

from solver.board.notation import format_cell, format_outcome, format_state
from solver.board.outcome import Outcome, Value, counted
from solver.board.position import Position
from solver.board.rules import COLUMNS, Cell, Rules
from solver.proofs.prediction import UNPROVED, Prediction


def position_text(position: Position) -> list[str]:
    """Return the lines that show a position, then the player to move or the result."""
    return [*str(position).splitlines(), format_state(position)]


COLORS: Final = {Value.WIN: "97;48;5;25", Value.DRAW: "30;48;5;248", Value.LOSS: "30;48;5;166"}
"""Blue, grey and vermilion as on the pages, as parameters of the terminal's escape sequence for colours."""


def prediction_text(prediction: Prediction, in_color: bool) -> list[str]:
    """Return the lines that show a position; in colour, with the letter of each outcome in its open square."""
    position = prediction.position
    if not in_color:
        return position_text(position)
    shown = prediction.by_cell
    labels = {cell: label(outcome) for cell, outcome in shown.items()}
    width = max(map(len, labels.values()), default=1)

    def drawn(cell: Cell) -> str:
        text = f" {labels.get(cell) or position.sign_at(cell):^{width}} "
        color = COLORS.get(shown[cell].value) if cell in labels else None
        return f"\x1b[{color}m{text}\x1b[0m" if color else text

    return [*letter_rows(position, drawn, width + 2), format_state(position)]


def letter_rows(position: Position, drawn: Callable[[Cell], str], width: int = 1) -> Iterator[str]:
    """Yield the lines of a board with row numbers and column letters. In space each layer has its own, from the bottom.

    `drawn` returns the text of a cell, and `width` is how wide it looks.
    """
    rules = position.rules
    for layer in range(rules.layers):
        if rules.in_space:
            yield f"layer {layer + 1}"
        for row in range(rules.rows):
            cells = (rules.cell(column, row, layer) for column in range(rules.columns))
            yield f"{rules.rows - row}  {' '.join(map(drawn, cells))}".rstrip()
        yield f"   {' '.join(f'{letter:^{width}}' for letter in COLUMNS[: rules.columns])}".rstrip()


def label(outcome: Outcome) -> str:
    """Return the letter of an outcome; of a win or a loss with its distance in plies."""
    return outcome.letter if outcome.value is Value.DRAW else format_outcome(outcome)


def squares_text(prediction: Prediction) -> list[str]:
    """Return a table of the open squares and their outcomes, with the best ones marked; empty for a finished game."""
    position, best = prediction.position, prediction.best
    rows = [
        (
            format_cell(cell, position.rules),
            outcome.words(position.mover, position.rules),
            "best" if cell in best else "",
        )
        for cell, outcome in prediction.squares.items()
    ]
    if not rows:
        return []
    remark = [] if prediction.complete else [UNPROVED]
    return table_text([("square", "outcome", "best"), *rows], words=(0, 1, 2)) + remark


def line_text(line: Sequence[Cell], rules: Rules, ends: bool) -> str:
    """Return a line of best play, with … if it doesn't go to the end of the game."""
    return " ".join([format_cell(cell, rules) for cell in line] + ([] if ends else ["…"]))


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
    """Yield a function that shows how many are done, on a line that is wiped away at the end.

    The words begin with the plural of what is counted, for example "games played".
    """
    if not sys.stderr.isatty():
        yield lambda _done, _all: None
        return
    shown = ""

    def show(done: int, of: int | None) -> None:
        nonlocal shown
        number = counted(done, re.sub(r"s\b", "", of_what, count=1), of_what)
        text = number if of is None else f"[{_bar(done, of)}] {done} of {of} {of_what}"
        if text != shown:
            print(f"\r{text}", end="", file=sys.stderr, flush=True)
            shown = text

    try:
        yield show
    finally:
        print(f"\r{' ' * len(shown)}\r", end="", file=sys.stderr, flush=True)


def _bar(done: int, of: int) -> str:
    return f"{'#' * (WIDTH * done // of if of else WIDTH):.<{WIDTH}}"
