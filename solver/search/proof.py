"""Proofs on boards too large for a table: deeper and deeper alpha-beta within a budget of nodes.

The horizon counts as even, so a win or loss found is proved, and found first at its true distance; a draw is proved
once the search reaches the full board. What the budget does not reach stays unproved.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.outcome import PROVED, Score, to_parent
from solver.position import Position
from solver.rules import Cell
from solver.search.alphabeta import BudgetExhausted, alphabeta


@dataclass(frozen=True, slots=True)
class Proofs:
    """The proved scores of moves, for the player who makes them, and the nodes they took. Others are missing."""

    scores: dict[Cell, Score]
    nodes: int


def prove_moves(position: Position, moves: Sequence[Cell], max_nodes: int) -> Proofs:
    """Proves as many of `moves` as `max_nodes` allow, one ply deeper at a time for all of them."""
    scores: dict[Cell, Score] = {}
    nodes = 0
    for depth in range(position.plies_left):
        for cell in moves:
            if cell in scores:
                continue
            try:
                searched = alphabeta(position.after(cell), depth, order=worth_trying, max_nodes=max_nodes - nodes)
            except BudgetExhausted:
                return Proofs(scores, max_nodes)
            nodes += searched.nodes
            if abs(searched.score) >= PROVED or depth == position.plies_left - 1:
                scores[cell] = to_parent(searched.score)
    return Proofs(scores, nodes)


def worth_trying(position: Position) -> Sequence[Cell]:
    """The moves that decide a position: a win now, else a block of the opponent's win, else all, most lines first.

    Leaving out the others changes no score: nothing beats winning at once, and nothing loses sooner than not blocking.
    """
    mover = position.mover
    if winning := position.completing(mover):
        return winning[:1]
    if threatened := position.completing(mover.other):
        return threatened[:1]
    lines_through = position.rules.lines_through
    return sorted(position.legal_moves, key=lambda cell: -len(lines_through[cell]))
