"""Plain minimax, and alpha-beta.

Plain minimax visits the whole game tree; nothing is pruned or remembered. All other searches are tested against it.

Alpha-beta is minimax to a chosen depth that leaves out moves which cannot change the score. The caller passes in a
function that estimates positions at the horizon. Source of the method: Knuth and Moore, "An analysis of alpha-beta
pruning", 1975.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from solver.board.outcome import DRAWN, LOST, WIN, Score, to_child, to_parent
from solver.board.position import Position, Result
from solver.board.rules import Bits, Cell, cells_of
from solver.search.budget import BudgetExhausted


@dataclass(frozen=True, slots=True)
class Searched:
    """The result of a search: the score for the mover, and the number of positions visited, the root included."""

    score: Score
    nodes: int


def minimax(position: Position) -> Searched:
    """Return the exact score of a position by visiting its whole tree: 549,946 nodes from the empty 3×3 board."""
    rules = position.rules
    nodes = 0
    if not rules.stones_never_harm:
        return _by_the_rules(position)

    def value(own: Bits, other: Bits) -> Score:
        nonlocal nodes
        nodes += 1
        for line in rules.lines:
            if other & line == line:
                return LOST
        empty = rules.full & ~(own | other)
        if not empty:
            return DRAWN
        return max(to_parent(value(other, own | 1 << cell)) for cell in cells_of(empty))

    return Searched(value(position.own, position.other), nodes)


def _by_the_rules(position: Position) -> Searched:
    """Return the score of a position of any game. It learns the rules from positions alone."""
    if (result := position.result) is not None:
        return Searched(DRAWN if result is Result.DRAW else WIN if str(result) == position.mover else LOST, 1)
    searched = [_by_the_rules(after) for after in position.successors()]
    return Searched(max(to_parent(reply.score) for reply in searched), 1 + sum(reply.nodes for reply in searched))


Evaluate: TypeAlias = Callable[[Position], Score]
"""An estimate of an unfinished position for its mover, strictly between -PROVED and PROVED."""

Order: TypeAlias = Callable[[Position], Iterable[Cell]]
"""The moves of an unfinished position in the order to try them. Moves that cannot change the score can be left out."""


def nothing_known(_: Position) -> Score:
    """Estimate every unfinished position as even."""
    return DRAWN


def reading_order(position: Position) -> Iterable[Cell]:
    """Return the legal moves from the top left to the bottom right."""
    return position.legal_moves


def alphabeta(
    position: Position,
    depth: int,
    evaluate: Evaluate = nothing_known,
    order: Order = reading_order,
    max_nodes: int | None = None,
) -> Searched:
    """Return the minimax score of a position with a look-ahead of `depth` plies and `evaluate` at the horizon.

    The order of moves does not change the score. A score at or beyond ±PROVED is proved for the whole game; 0 is proved
    only if `depth` reaches the full board. Raises BudgetExhausted after `max_nodes` nodes.
    """
    nodes = 0

    def value(position: Position, depth: int, alpha: Score, beta: Score) -> Score:
        """Return the score if it lies between `alpha` and `beta`, else a bound of it on that side (fail-soft)."""
        nonlocal nodes
        if nodes == max_nodes:
            raise BudgetExhausted
        nodes += 1
        if position.winning_lines:
            if position.rules.completing_loses:
                return WIN
            return LOST
        if not position.playable:
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


def two_in_a_row(position: Position) -> Score:
    """Estimate a position by the mover's open lines that lack one stone, less the opponent's.

    On 3×3 such lines have two in a row. The article on lazy game trees in Haskell counts only complete lines, and says
    that its estimate lacks this term.
    """
    own, other = position.own, position.other
    return sum(_lacks_one(line, own, other) - _lacks_one(line, other, own) for line in position.rules.lines)


def _lacks_one(line: Bits, stones: Bits, blocking: Bits) -> bool:
    return not line & blocking and (line & ~stones).bit_count() == 1
