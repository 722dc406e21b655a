"""What commands print for people."""

from solver.notation import format_cell, format_position
from solver.position import Position, Result
from solver.prediction import Prediction


def position_text(position: Position) -> list[str]:
    """The lines that show a position, and who is to move or how the game ended."""
    match position.result:
        case None:
            state = f"{position.mover} to move."
        case Result.DRAW:
            state = "The game is over: a draw."
        case winner:
            state = f"The game is over: {winner} has won."
    return [*format_position(position).split("/"), state]


def squares_text(prediction: Prediction) -> list[str]:
    """A line for each open square with its outcome in words."""
    position, best = prediction.position, prediction.best
    return [
        f"{format_cell(cell, position.rules)}  {outcome.words(position.mover)}{'  best' if cell in best else ''}"
        for cell, outcome in prediction.squares.items()
    ]
