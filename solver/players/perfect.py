"""The perfect opponent: the best squares, as far as they are proved."""

from solver.board.outcome import DRAWN, Value
from solver.board.position import Position
from solver.kernel.potential import potential
from solver.players.decision import FINISHED, Decision, any_of
from solver.proofs.prediction import Prediction, predict, predict_reproducibly


def impossible(position: Position) -> Decision:
    """Any of the best squares: the quickest win, else a draw, else the slowest loss.

    Where the best is not proved, the square that is proved to be worth most, if it does not lose; else the most
    promising one that is not proved lost; else the one that is proved to hold out longest.
    """
    return _among(predict(position))


def impossible_reproducibly(position: Position) -> Decision:
    """As `impossible`, from what a search of a fixed length proves: the same on every machine, however busy."""
    return _among(predict_reproducibly(position))


def _among(prediction: Prediction) -> Decision:
    """The choice among the squares by what is predicted of them. Raises ValueError for a finished game."""
    position, squares, mover = prediction.position, prediction.squares, prediction.position.mover
    if not squares:
        raise ValueError(FINISHED)
    if best := prediction.best:
        return any_of(best, "the best outcome there is", squares[best[0]].words(mover))
    floor = {cell: outcome.ranks.lower for cell, outcome in squares.items()}
    top = max(floor.values())
    safest = [cell for cell in floor if floor[cell] == top]
    if top >= DRAWN:
        words = squares[safest[0]].words(mover)
        return any_of(safest, "the best that is proved", f"{words}; whether another square is better is not proved")
    holding = {cell: potential(position, cell) for cell in squares if squares[cell].value is not Value.LOSS}
    promising = [cell for cell in holding if holding[cell] == max(holding.values())]
    if not promising:
        return any_of(safest, "the longest resistance that is proved", squares[safest[0]].words(mover))
    return any_of(promising, "the most promising square, its outcome not proved")
