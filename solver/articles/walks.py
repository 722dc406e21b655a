"""The Clojure article's two ways to count the game tree: a pure walk, and a walk that changes a shared table.

Both count the nodes by ply and result. A lesson shows their source side by side. Each takes the function that walks on,
so that a run can remember what it returned.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache, reduce
from operator import add
from typing import TypeAlias, TypeVar

from solver.board.position import Position, Result

T = TypeVar("T")

NodeKind: TypeAlias = tuple[int, Result | None]
"""A kind of node: its ply, and the result of the game if it is over."""


def node(position: Position) -> NodeKind:
    """Return the kind of node that a position is."""
    return position.rules.squares - position.plies_left, position.result


def pure(position: Position, walk: Callable[[Position], Counter[NodeKind]]) -> Counter[NodeKind]:
    """Return the nodes of a tree: the root, and what the walks of its children return."""
    nodes = Counter([node(position)])
    below = map(walk, position.successors())
    return reduce(add, below, nodes)


def shared(position: Position, walk: Callable[[Position], None], table: Counter[NodeKind]) -> None:
    """Count the nodes of a tree in a table that all walks share."""
    table[node(position)] += 1
    for child in position.successors():
        walk(child)


def run(step: Callable[[Position, Callable[[Position], T]], T], root: Position, remember: bool) -> tuple[T, int]:
    """Walk a tree, and return what the walk of the root returns and the number of steps.

    With `remember`, take only one step for each position, and use what it returned again.
    """
    steps = 0

    def walk(position: Position) -> T:
        nonlocal steps
        steps += 1
        return step(position, on)

    on = cache(walk) if remember else walk
    return on(root), steps


def run_pure(root: Position, remember: bool = False) -> tuple[Counter[NodeKind], int]:
    """Return the nodes that the pure walk counts, and its steps."""
    return run(pure, root, remember)


def run_shared(root: Position, remember: bool = False) -> tuple[Counter[NodeKind], int]:
    """Return the nodes that the walk with the shared table counts, and its steps."""
    table = Counter[NodeKind]()
    _, steps = run(lambda position, walk: shared(position, walk, table), root, remember)
    return table, steps
