"""Alpha-beta: minimax to a chosen depth that leaves out what cannot change the answer.

What the horizon hides is estimated by a function the caller passes in. Source of the method: Knuth and Moore, "An
analysis of alpha-beta pruning", 1975.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from solver.board.outcome import DRAWN, LOST, WIN, Score, to_child, to_parent
from solver.board.position import Position
from solver.board.rules import Cell
from solver.search.budget import BudgetExhausted
from solver.search.minimax import Searched

Evaluate: TypeAlias = Callable[[Position], Score]
"""An estimate of an unfinished position for its mover, strictly between -PROVED and PROVED."""

Order: TypeAlias = Callable[[Position], Iterable[Cell]]
"""The moves of an unfinished position in the order to try them: good ones first prune more.

All legal moves, or fewer if those left out cannot change the score.
"""


def nothing_known(_: Position) -> Score:
    """The estimate that holds every unfinished position for even."""
    return DRAWN


def reading_order(position: Position) -> Iterable[Cell]:
    """The legal moves from the top left to the bottom right."""
    return position.legal_moves


def alphabeta(
    position: Position,
    depth: int,
    evaluate: Evaluate = nothing_known,
    order: Order = reading_order,
    max_nodes: int | None = None,
) -> Searched:
    """The minimax score of `position` with `depth` plies looked ahead and `evaluate` at the horizon.

    The score is minimax's whatever the order. Wins and losses within the horizon carry their distance. With
    `evaluate` left at `nothing_known`, a score at or beyond ±PROVED is proved for the whole game; 0 is proved only if
    `depth` reaches the full board. Raises BudgetExhausted after `max_nodes` nodes.
    """
    nodes = 0

    def value(position: Position, depth: int, alpha: Score, beta: Score) -> Score:
        """The exact score if it lies between the bounds, else a bound on the same side: fail-soft."""
        nonlocal nodes
        if nodes == max_nodes:
            raise BudgetExhausted
        nodes += 1
        if position.winning_lines:
            return LOST
        if not position.empty:
            return DRAWN
        if depth == 0:
            return evaluate(position)
        best = -WIN
        for cell in order(position):
            score = to_parent(value(position.after(cell), depth - 1, to_child(beta), to_child(max(alpha, best))))
            if score > best:
                best = score
                if best >= beta:
                    break
        return best

    return Searched(value(position, depth, -WIN, WIN), nodes)
