"""Positions and tables as lines of text."""

from collections.abc import Sequence

from solver.board.notation import format_cell, format_position, format_state
from solver.board.position import Position
from solver.proofs.prediction import Prediction


def position_text(position: Position) -> list[str]:
    """The lines that show a position, then who is to move or how the game ended."""
    return [*format_position(position).split("/"), format_state(position)]


def squares_text(prediction: Prediction) -> list[str]:
    """A table of the open squares with their outcomes in words, the best marked; nothing where the game is over."""
    position, best = prediction.position, prediction.best
    rows = [
        (format_cell(cell, position.rules), outcome.words(position.mover), "best" if cell in best else "")
        for cell, outcome in prediction.squares.items()
    ]
    return table_text([("square", "outcome", "best"), *rows], words=(0, 1, 2)) if rows else []


def table_text(rows: Sequence[Sequence[str]], words: Sequence[int] = ()) -> list[str]:
    """The rows of a table as lines, the first being the titles; columns of words are flush left, others flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            f"{cell:{'<' if number in words else '>'}{width}}"
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
