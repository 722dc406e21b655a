"""Impossible: perfect play, as far as it is proved."""

from solver.outcome import Value
from solver.position import Position
from solver.predict import predict
from solver.search.potential import potential
from solver.strategies.decision import Decision, any_of


def impossible(position: Position) -> Decision:
    """Any of the best squares: the quickest win, else a draw, else the slowest loss.

    Where the best is not proved, the best proved win or draw is safe; without one the most promising square that is not
    proved lost.
    """
    prediction = predict(position)
    squares, mover = prediction.squares, position.mover
    if best := prediction.best:
        return any_of(best, "the best outcome there is", squares[best[0]].words(mover))
    proved = {cell: outcome.rank for cell, outcome in squares.items() if outcome.value in (Value.WIN, Value.DRAW)}
    if proved:
        safest = [cell for cell in proved if proved[cell] == max(proved.values())]
        words = squares[safest[0]].words(mover)
        return any_of(safest, "the best that is proved", f"{words}; whether another square is better is not proved")
    open_questions = [cell for cell, outcome in squares.items() if outcome.value is Value.UNKNOWN]
    worth = {cell: potential(position, cell) for cell in open_questions}
    top = max(worth.values(), default=0)
    promising = [cell for cell in worth if worth[cell] == top]
    return any_of(promising, "the most promising square, its outcome not proved")
