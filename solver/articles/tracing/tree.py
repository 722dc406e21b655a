"""A game tree that is small enough to be drawn, with moves in the order in which a search tries them.

All values are X's and count plies from the root: `WIN - n` if X has a line at ply n, `n - WIN` if O has one, else 0. So
a value does not change on its way up; X maximises and O minimises.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from solver.board.outcome import DRAWN, WIN, Score
from solver.board.position import Mark, Position
from solver.board.rules import Cell
from solver.errors import BadOption
from solver.search.alphabeta import Order, reading_order
from solver.search.fold import fold, itself

MAX_PLIES: Final = 4
"""The depth of the deepest tree, in plies."""

MAX_LEAVES: Final = 24
"""The number of leaves of the widest tree."""


class MoveOrder(StrEnum):
    """The order in which the moves of a position are tried: reading order, or by their values."""

    FOUND = "found"
    BEST = "best"
    WORST = "worst"


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node of a small tree.

    Numbers follow a depth-first walk from 0, so the subtree of the node has the numbers from `number` up to, but not
    including, `end`. `cell` is the move to the node, and `worth` its minimax value.
    """

    number: int
    parent: int | None
    position: Position
    ply: int
    cell: Cell | None
    children: tuple[int, ...]
    end: int
    worth: Score

    @property
    def is_max(self) -> bool:
        """True if X is to move, who takes the largest value."""
        return self.position.mover is Mark.X

    @property
    def size(self) -> int:
        """The number of nodes in the subtree of this node, including itself."""
        return self.end - self.number


@dataclass(frozen=True, slots=True)
class SmallTree:
    """The tree below a position, pruned to `depth` plies; nodes are indexed by their numbers."""

    depth: int
    nodes: tuple[TreeNode, ...]

    @property
    def root(self) -> TreeNode:
        """The node of the position itself."""
        return self.nodes[0]


def small_tree(position: Position, depth: int | None = None, tried: MoveOrder = MoveOrder.FOUND) -> SmallTree:
    """Return the tree below a position, by default as deep as can be drawn.

    Raise BadOption if the tree is too wide or the game is over.
    """
    if position.result is not None:
        raise BadOption("The game is over here, so there is nothing to search.")
    plies = _checked_depth(position, depth)
    order, worth = order_of(position, plies, tried), _worths(position, plies)
    nodes: list[TreeNode] = []

    def grow(at: Position, cell: Cell | None, parent: int | None, ply: int) -> int:
        number = len(nodes)
        nodes.append(TreeNode(number, parent, at, ply, cell, (), 0, 0))
        moves = order(at) if ply < plies and at.result is None else ()
        children = tuple(grow(at.after(move), move, number, ply + 1) for move in moves)
        nodes[number] = TreeNode(number, parent, at, ply, cell, children, len(nodes), worth(at))
        return number

    grow(position, None, None, 0)
    return SmallTree(plies, tuple(nodes))


def order_of(position: Position, depth: int, tried: MoveOrder) -> Order:
    """Return a function that orders moves in the tree below a position; equally good moves stay in reading order."""
    if tried is MoveOrder.FOUND:
        return reading_order
    worth, sign = _worths(position, depth), 1 if tried is MoveOrder.WORST else -1

    def sorted_moves(at: Position) -> list[Cell]:
        mover = sign if at.mover is Mark.X else -sign
        return sorted(at.legal_moves, key=lambda cell: mover * worth(at.after(cell)))

    return sorted_moves


def _worths(position: Position, depth: int) -> Callable[[Position], Score]:
    """Return a function from a position of the tree to its minimax value."""
    most = position.plies_left

    def moves(at: Position) -> tuple[Position, ...]:
        return at.successors() if most - at.plies_left < depth else ()

    def leaf(at: Position) -> Score:
        if not at.winning_lines:
            return DRAWN
        score = WIN - (most - at.plies_left)
        return score if at.mover is Mark.O else -score

    return fold(leaf, lambda at, below: max(below) if at.mover is Mark.X else min(below), moves, itself)


def _checked_depth(position: Position, depth: int | None) -> int:
    """Return the depth, limited to the end of the game; by default the greatest that can be drawn.

    Raise BadOption if the depth is too large or the tree too wide.
    """
    if depth is not None and not 1 <= depth <= MAX_PLIES:
        raise BadOption(f"The tree has 1 to {MAX_PLIES} plies, not {depth}.")
    most = min(depth or MAX_PLIES, position.plies_left)
    fits = max((plies for plies in range(1, most + 1) if leaves(position, plies) <= MAX_LEAVES), default=0)
    least = 1 if depth is None else most
    if fits < least:
        advice = f"take at most {fits} here" if fits else "take a position with fewer open squares"
        raise BadOption(f"A tree of {least} plies is too wide: it has more than {MAX_LEAVES} ends; {advice}.")
    return fits


def leaves(position: Position, depth: int) -> int:
    """Count the leaves of the tree pruned to a depth; stop above MAX_LEAVES."""
    found = 0
    waiting = [(position, depth)]
    while waiting and found <= MAX_LEAVES:
        at, plies = waiting.pop()
        below = at.successors() if plies else ()
        found += not below
        waiting += ((after, plies - 1) for after in below)
    return found
