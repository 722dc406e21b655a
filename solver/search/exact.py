"""Exact scores on any board, as far as a budget of nodes reaches.

A position is decided in n plies if its mover can force a line within n (odd) or cannot prevent the opponent's (even).
Asked for growing n, the first yes is the score with its distance; no to both without limit is a draw. Short wins and
losses are asked for first, since on many boards they settle the matter before the long questions become hard.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from solver.outcome import DRAWN, LOST, WIN, Score, to_parent
from solver.position import Position
from solver.rules import Cell
from solver.search.alphabeta import BudgetExhausted
from solver.search.attack import ALL, Prover, Techniques

SHORT = 11
"""Plies up to which wins and losses are asked for one by one, of all moves, before a draw is."""


@dataclass(frozen=True, slots=True)
class Proofs:
    """The proved scores of moves, for the player who makes them, and the nodes they took. Others are missing."""

    scores: dict[Cell, Score]
    nodes: int


@dataclass(frozen=True, slots=True)
class Solution:
    """The proved score of a position for its mover, None where the budget did not reach it, and the nodes it took."""

    score: Score | None
    nodes: int


def solve(position: Position, max_nodes: int | None = None, techniques: Techniques = ALL) -> Solution:
    """The exact score of a position, within `max_nodes` nodes if given."""
    prover = Prover(position.rules, max_nodes, techniques)
    try:
        score = _score(prover, position)
    except BudgetExhausted:
        return Solution(None, prover.nodes)
    return Solution(score, prover.nodes)


def prove_moves(
    position: Position, moves: Sequence[Cell], max_nodes: int | None = None, techniques: Techniques = ALL
) -> Proofs:
    """The scores of as many of `moves` as `max_nodes` allow: first all that are decided soon, then one by one."""
    prover = Prover(position.rules, max_nodes, techniques)
    scores: dict[Cell, Score] = {}
    reached = {cell: position.after(cell) for cell in moves}
    try:
        for plies in range(min(SHORT, position.plies_left)):  # after the move: up to SHORT with it
            for cell, after in reached.items():
                if cell not in scores and (score := _decided(prover, after, plies)) is not None:
                    scores[cell] = to_parent(score)
        for cell, after in reached.items():
            if cell not in scores:
                scores[cell] = to_parent(_score(prover, after, decided_later_than=SHORT - 1))
    except BudgetExhausted:
        pass
    return Proofs(scores, prover.nodes)


def _score(prover: Prover, position: Position, decided_later_than: int = -1) -> Score:
    """The score of a position that is known not to be decided in so few plies. Raises BudgetExhausted."""
    left = position.plies_left
    short = range(decided_later_than + 1, min(SHORT, left) + 1)
    if (score := _first_decided(prover, position, short)) is not None:
        return score
    for longest in (left, left - 1):  # one is odd and asks for a win, the other even and asks for a loss
        if longest > 0 and _decided(prover, position, longest) is not None:
            score = _first_decided(prover, position, range(SHORT + 1, left + 1))
            assert score is not None  # noqa: S101 - the longest question has been answered with yes
            return score
    return DRAWN


def _first_decided(prover: Prover, position: Position, lengths: Iterable[int]) -> Score | None:
    for plies in lengths:
        if (score := _decided(prover, position, plies)) is not None:
            return score
    return None


def _decided(prover: Prover, position: Position, plies: int) -> Score | None:
    """The score if the position is decided within `plies` and not within fewer: odd for a win, even for a loss."""
    if position.winning_lines:
        return LOST
    if not position.empty:
        return DRAWN
    if plies % 2:
        return WIN - plies if prover.wins(position.own, position.other, True, plies) else None
    if position.empty == position.rules.full:
        return None  # An extra stone never harms, so the first player could steal a strategy that wins for the second.
    return plies - WIN if prover.wins(position.other, position.own, False, plies) else None
