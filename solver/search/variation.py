"""The principal variation: a line of best play, in which each move keeps what is proved of the position."""

from solver.board.outcome import DRAWN, WIN, Score, to_child
from solver.board.position import Position
from solver.board.rules import Cell
from solver.kernel.potential import promising
from solver.search.budget import BudgetExhausted
from solver.search.decider import Decider
from solver.search.meter import Meter


def principal_variation(solver: Decider, position: Position, score: Score, meter: Meter) -> tuple[Cell, ...]:
    """The moves of one game in which both sides play perfectly from a position of this proved score.

    Of several best moves the one with the greatest potential is taken. The line ends early where the meter runs out.
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
    """Whether a move that leads to `after` is as good as the score of the position before it, which is the best."""
    if after.winning_lines:
        return score == WIN - 1
    if not after.empty:
        return score == DRAWN
    plies = after.plies_left
    if score > DRAWN:  # the opponent must be lost in as many plies as are left of the win
        return score < WIN - 1 and solver.decided(after, WIN - score - 1, meter)
    if score < DRAWN:  # the opponent must not win sooner than that
        sooner = WIN + score - 3
        return sooner < 1 or not solver.decided(after, sooner, meter)
    return not solver.decided(after, plies - 1 + plies % 2, meter)
