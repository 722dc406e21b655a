"""A game tree that is small enough to draw. Its moves are in the order in which a search tries them.

All values are X's: `WIN - n` if X has a line n plies after the root, `n - WIN` if O has one, else 0. X maximises and O
minimises. A value stays the same on its way up the tree.
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
"""The greatest depth of a tree, in plies."""

MAX_LEAVES: Final = 24
"""The greatest number of leaves in a tree."""


class MoveOrder(StrEnum):
    """The order in which moves are tried: in reading order, best first or worst first."""

    FOUND = "found"
    BEST = "best"
    WORST = "worst"


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node of a small tree.

    Nodes are numbered from 0 in depth-first order. The numbers of a subtree begin at `number` and end before `end`.
    `cell` is the move to the node, and `worth` is the node's minimax value.
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
        """True if X is to move, since X takes the largest value."""
        return self.position.mover is Mark.X

    @property
    def size(self) -> int:
        """The number of nodes in the subtree, with this node."""
        return self.end - self.number


@dataclass(frozen=True, slots=True)
class SmallTree:
    """The tree below a position, pruned to `depth` plies. The index of a node in `nodes` is its number."""

    depth: int
    nodes: tuple[TreeNode, ...]

    @property
    def root(self) -> TreeNode:
        """The node of the position itself."""
        return self.nodes[0]


def small_tree(position: Position, depth: int | None = None, tried: MoveOrder = MoveOrder.FOUND) -> SmallTree:
    """Return the tree below a position, by default as deep as possible.

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
    """Return a function that orders the moves of a position in this tree. Equal moves stay in reading order."""
    if tried is MoveOrder.FOUND:
        return reading_order
    worth, sign = _worths(position, depth), 1 if tried is MoveOrder.WORST else -1

    def sorted_moves(at: Position) -> list[Cell]:
        mover = sign if at.mover is Mark.X else -sign
        return sorted(at.legal_moves, key=lambda cell: mover * worth(at.after(cell)))

    return sorted_moves


def _worths(position: Position, depth: int) -> Callable[[Position], Score]:
    """Return a function that gives the minimax value of any position in the tree."""
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
    """Return the smaller of `depth` and the plies left in the game; by default, the greatest possible depth.

    Raise BadOption if the tree would be too deep or too wide.
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
    """Count the leaves of the tree pruned to `depth`. Stop counting above MAX_LEAVES."""
    found = 0
    waiting = [(position, depth)]
    while waiting and found <= MAX_LEAVES:
        at, plies = waiting.pop()
        below = at.successors() if plies else ()
        found += not below
        waiting += ((after, plies - 1) for after in below)
    return found
