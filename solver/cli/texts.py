"""What commands print for people."""

from collections.abc import Sequence

from solver.board.notation import format_cell, format_position, format_state
from solver.board.position import Position
from solver.proofs.prediction import Prediction


def position_text(position: Position) -> list[str]:
    """The lines that show a position, and who is to move or how the game ended."""
    return [*format_position(position).split("/"), format_state(position)]


def squares_text(prediction: Prediction) -> list[str]:
    """A line for each open square with its outcome in words."""
    position, best = prediction.position, prediction.best
    return [
        f"{format_cell(cell, position.rules)}  {outcome.words(position.mover)}{'  best' if cell in best else ''}"
        for cell, outcome in prediction.squares.items()
    ]


def table_text(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows of a table as lines, each column as wide as it needs to be and flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
