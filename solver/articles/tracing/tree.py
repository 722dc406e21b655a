"""A game tree that is small enough to be drawn, its moves in the order in which a search tries them.

All values are X's and count from the root: `WIN - n` where X has a line at ply n, `n - WIN` where O has, else 0, so
that a value stays the same on its way up, X takes the most and O the least.
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
"""Plies of the deepest tree."""

MAX_LEAVES: Final = 24
"""Ends of the widest tree."""


class MoveOrder(StrEnum):
    """The order in which the moves of a position are tried: as the board lists them, or by what they are worth."""

    FOUND = "found"
    BEST = "best"
    WORST = "worst"


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node: `number` counts as a search goes through the whole tree, from 0; so its part of it is `number` to `end`.

    `cell` is the move that led here, `worth` what minimax makes of the node.
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
        """Whether X is to move, who takes the largest value."""
        return self.position.mover is Mark.X

    @property
    def size(self) -> int:
        """The nodes of its part of the tree, itself among them."""
        return self.end - self.number


@dataclass(frozen=True, slots=True)
class SmallTree:
    """The tree below a position, pruned to `depth` plies: its nodes by their numbers."""

    depth: int
    nodes: tuple[TreeNode, ...]

    @property
    def root(self) -> TreeNode:
        """The node of the position itself."""
        return self.nodes[0]


def small_tree(position: Position, depth: int | None = None, tried: MoveOrder = MoveOrder.FOUND) -> SmallTree:
    """The tree below a position, by default as deep as can be drawn.

    Raises BadOption where it is too wide for that, or the game is over.
    """
    if position.result is not None:
        raise BadOption("The game is over here, so there is nothing to search.")
    plies = drawable_depth(position) if depth is None else checked_plies(position, depth)
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
    """The order of the moves in the tree below a position: equally good ones in reading order."""
    if tried is MoveOrder.FOUND:
        return reading_order
    worth, sign = _worths(position, depth), 1 if tried is MoveOrder.WORST else -1

    def sorted_moves(at: Position) -> list[Cell]:
        mover = sign if at.mover is Mark.X else -sign
        return sorted(at.legal_moves, key=lambda cell: mover * worth(at.after(cell)))

    return sorted_moves


def _worths(position: Position, depth: int) -> Callable[[Position], Score]:
    """What minimax makes of the positions of the tree."""
    most = position.plies_left

    def moves(at: Position) -> tuple[Position, ...]:
        return at.successors() if most - at.plies_left < depth else ()

    def leaf(at: Position) -> Score:
        if not at.winning_lines:
            return DRAWN
        score = WIN - (most - at.plies_left)
        return score if at.mover is Mark.O else -score

    return fold(leaf, lambda at, below: max(below) if at.mover is Mark.X else min(below), moves, itself)


def checked_plies(position: Position, depth: int) -> int:
    """The plies of a tree, as many as the position has. Raises BadOption where there are too many, or too many ends."""
    if not 1 <= depth <= MAX_PLIES:
        raise BadOption(f"The tree has 1 to {MAX_PLIES} plies, not {depth}.")
    plies = min(depth, position.plies_left)
    if leaves(position, plies) > MAX_LEAVES:
        fits = max((few for few in range(1, plies) if leaves(position, few) <= MAX_LEAVES), default=0)
        advice = f"take at most {fits} here" if fits else "take a position with fewer open squares"
        raise BadOption(f"A tree of {plies} plies is too wide: it has more than {MAX_LEAVES} ends; {advice}.")
    return plies


def drawable_depth(position: Position) -> int:
    """The plies of the deepest tree that can be drawn here. Raises BadOption where not even one ply can."""
    deepest = min(MAX_PLIES, position.plies_left)
    for plies in range(deepest, 0, -1):
        if leaves(position, plies) <= MAX_LEAVES:
            return plies
    return checked_plies(position, 1)


def leaves(position: Position, depth: int) -> int:
    """The ends of the tree pruned to a depth, but no more than one above MAX_LEAVES are counted."""
    found = 0
    waiting = [(position, depth)]
    while waiting and found <= MAX_LEAVES:
        at, plies = waiting.pop()
        below = at.successors() if plies else ()
        found += not below
        waiting += ((after, plies - 1) for after in below)
    return found
