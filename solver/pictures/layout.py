"""The places of the boards of a picture: one row a ply, with each board near those that its moves join it to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from solver.articles.graph import Graph
from solver.board.position import Position
from solver.errors import TooLarge
from solver.pictures.ordering import Neighbours, Rows, ordered

MAX_BOARDS: Final = 1000
"""The most boards in one picture: more cannot be looked at."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The centre of each board, `x` in units of the least distance of two boards in a row, `y` in plies from the root.

    The leftmost board lies at 0, the rightmost at `width`, the last row at `depth`.
    """

    places: Mapping[Position, tuple[float, int]]
    width: float
    depth: int


def too_many() -> TooLarge:
    """Return the error for more than `MAX_BOARDS` boards, in the same words wherever it is raised."""
    return TooLarge(
        f"That would be more than {MAX_BOARDS:,} boards in one picture, and {MAX_BOARDS:,} are drawn at most."
        " Start later in the game, or look less deep."
    )


def laid_out(graph: Graph) -> Layout:
    """Lay out a graph. Raises TooLarge beyond `MAX_BOARDS` boards."""
    if len(graph.nodes) > MAX_BOARDS:
        raise too_many()
    number = {node: index for index, node in enumerate(graph.nodes)}
    above, below = [list[int]() for _ in number], [list[int]() for _ in number]
    for parent, child in dict.fromkeys((number[edge.parent], number[edge.child]) for edge in graph.edges):
        below[parent].append(child)
        above[child].append(parent)
    plies = {node: graph.root.plies_left - node.plies_left for node in graph.nodes}
    depth = max(plies.values())
    rows = tuple(tuple(number[node] for node in graph.nodes if plies[node] == ply) for ply in range(depth + 1))
    across = _spread(ordered(rows, above, below), above, below)
    left = min(across.values())
    places = {node: (across[index] - left, plies[node]) for node, index in number.items()}
    return Layout(places, max(across.values()) - left, depth)


def apart(wished: Sequence[float]) -> list[float]:
    """Return the numbers nearest to those given, by least squares, of which each is at least 1 above the last.

    This is isotonic regression by pooling neighbours that are too near: a pool lies around the mean of its members'
    wishes.
    """
    pools: list[tuple[float, int]] = []  # each the place of its first member, and how many members it has
    for index, wish in enumerate(wished):
        start, size = wish - index, 1
        while pools and pools[-1][0] > start:
            before, members = pools.pop()
            start, size = (before * members + start * size) / (members + size), members + size
        pools.append((start, size))
    starts = (start for start, size in pools for _ in range(size))
    return [start + index for index, start in enumerate(starts)]


def _spread(rows: Rows, above: Neighbours, below: Neighbours) -> dict[int, float]:
    """Return how far right each node lies, once its row is in order.

    Downwards, each row is put as near as it has room to the means of its nodes' parents; then upwards, as near to the
    means of their children. So a parent stands in the middle of its children wherever it can.
    """
    across = dict.fromkeys(rows[0], 0.0)

    def middle(node: int, joined: Sequence[int]) -> float:
        return sum(across[each] for each in joined) / len(joined) if joined else across[node]

    for row, neighbours in (*((row, above) for row in rows), *((row, below) for row in reversed(rows))):
        places = apart([middle(node, neighbours[node]) for node in row])
        across.update(zip(row, places, strict=True))
    return across
