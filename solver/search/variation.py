"""The principal variation: a line of best play, in which each move keeps what is proved of the position."""

from solver.board.outcome import DRAWN, WIN, Score, to_child
from solver.board.position import Position
from solver.board.rules import Cell
from solver.kernel.potential import promising
from solver.search.budget import BudgetExhausted, Meter
from solver.search.tablebase import Decider


def principal_variation(solver: Decider, position: Position, score: Score, meter: Meter) -> tuple[Cell, ...]:
    """Return the moves of a game in which both sides play perfectly from a position of this proved score.

    Of several best moves it takes the one with the greatest potential. It ends early where the meter runs out.
    """
    line: list[Cell] = []
    while position.result is None:
        try:
            cell = next(cell for cell in promising(position) if _keeps(solver, position.after(cell), score, meter))
        except BudgetExhausted:
            break
        line.append(cell)
        position, score = position.after(cell), to_child(score)
    return tuple(line)


def _keeps(solver: Decider, after: Position, score: Score, meter: Meter) -> bool:
    """Return whether a move that leads to `after` keeps `score`, the score of the position before it."""
    if after.winning_lines:
        return score == WIN - 1
    if not after.empty:
        return score == DRAWN
    if score > DRAWN:  # the opponent must lose within the remaining plies of the win
        return score < WIN - 1 and solver.decided(after, WIN - score - 1, meter)
    if score < DRAWN:  # the opponent must not win sooner than that
        sooner = WIN + score - 3
        return sooner < 1 or not solver.decided(after, sooner, meter)
    longest_win = after.plies_left - 1 + after.plies_left % 2
    return not solver.decided(after, longest_win, meter)
