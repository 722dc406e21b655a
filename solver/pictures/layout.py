"""The places of the boards of a picture: one row for each ply, and each board near its parents and children.

The boards of a row are put in an order in which few moves cross. Rows are sorted by barycentres, down and up in turn
(Sugiyama, Tagawa and Toda, "Methods for Visual Understanding of Hierarchical System Structures", 1981). Neighbours are
then swapped while swaps remove crossings (the transposition of Gansner, Koutsofios, North and Vo, "A Technique for
Drawing Directed Graphs", 1993). Every move leads to the next row, so the dummy nodes of both articles are not needed.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from solver.articles.graph import Graph
from solver.board.position import Position
from solver.errors import TooLarge

MAX_BOARDS: Final = 1000
"""The most boards in one picture, since nobody can take in more."""

Rows: TypeAlias = tuple[tuple[int, ...], ...]
"""The numbers of the nodes in each row, from left to right. There is a row for each ply."""

Neighbours: TypeAlias = Sequence[Sequence[int]]
"""The neighbours of each node in the row above, or in the row below."""

SWEEPS: Final = 24
"""The number of times that rows are sorted, as in Gansner et al."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The centre of each board: `x` in units of the smallest distance between neighbours, `y` in plies from the root.

    The leftmost board lies at 0, the rightmost at `width`, the last row at `depth`.
    """

    places: Mapping[Position, tuple[float, int]]
    width: float
    depth: int


def too_many() -> TooLarge:
    """Return the error for more than `MAX_BOARDS` boards."""
    return TooLarge(
        f"That would be more than {MAX_BOARDS:,} boards in one picture, and {MAX_BOARDS:,} are drawn at most."
        " Start later in the game, or look less deep."
    )


def lay_out(graph: Graph) -> Layout:
    """Lay out a graph. Raise TooLarge beyond `MAX_BOARDS` boards."""
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
    """Return numbers that are as near as possible to the wished ones, but each at least 1 above the last.

    The sum of the squared differences is the least possible. This is isotonic regression: wishes that are too near to
    each other form a pool, and each pool is centred on the mean of its wishes.
    """
    pools: list[tuple[float, int]] = []  # the place of each pool's first member, and the number of members
    for index, wish in enumerate(wished):
        start, size = wish - index, 1
        while pools and pools[-1][0] > start:
            before, members = pools.pop()
            start, size = (before * members + start * size) / (members + size), members + size
        pools.append((start, size))
    starts = (start for start, size in pools for _ in range(size))
    return [start + index for index, start in enumerate(starts)]


def _spread(rows: Rows, above: Neighbours, below: Neighbours) -> dict[int, float]:
    """Return the horizontal place of each node of rows that are in order.

    First put each row, from the top, as near as possible to the means of its nodes' parents. Then put each row, from
    the bottom, as near as possible to the means of their children, so that parents stand over the middle of children.
    """
    across = dict.fromkeys(rows[0], 0.0)

    def middle(node: int, joined: Sequence[int]) -> float:
        return sum(across[each] for each in joined) / len(joined) if joined else across[node]

    for row, neighbours in (*((row, above) for row in rows), *((row, below) for row in reversed(rows))):
        places = apart([middle(node, neighbours[node]) for node in row])
        across.update(zip(row, places, strict=True))
    return across


def ordered(rows: Rows, above: Neighbours, below: Neighbours) -> Rows:
    """Return the rows in an order in which few edges cross."""
    best, fewest = rows, crossings(rows, below)
    for sweep in range(SWEEPS):
        rows = _sweep(rows[::-1], below)[::-1] if sweep % 2 else _sweep(rows, above)
        if (number := crossings(rows, below)) < fewest:
            best, fewest = rows, number
    return _transpose(best, above, below)


def crossings(rows: Rows, below: Neighbours) -> int:
    """Return the number of pairs of edges that cross."""
    place, total = _places(rows), 0
    for row in rows:
        ends: list[int] = []  # the lower ends of edges that begin further left
        for node in row:
            own = [place[child] for child in below[node]]
            total += sum(len(ends) - bisect_right(ends, end) for end in own)
            for end in own:
                insort(ends, end)
    return total


def _sweep(rows: Rows, before: Neighbours) -> Rows:
    """Sort each row but the first by the mean place of each node's neighbours in the row `before`.

    A node without such neighbours keeps its place.
    """
    swept = [rows[0]]
    for row in rows[1:]:
        place = {node: index for index, node in enumerate(swept[-1])}
        means = {node: sum(place[each] for each in before[node]) / len(before[node]) for node in row if before[node]}
        moving = iter(sorted(means, key=means.__getitem__))
        swept.append(tuple(next(moving) if node in means else node for node in row))
    return tuple(swept)


def _transpose(rows: Rows, above: Neighbours, below: Neighbours) -> Rows:
    """Swap neighbours in a row if that reduces crossings, until no swap helps."""
    moving, place, improved = [list(row) for row in rows], _places(rows), True
    while improved:
        improved = False
        for row in moving:
            ends = [[sorted(place[each] for each in side[node]) for side in (above, below)] for node in row]
            for left in range(len(row) - 1):
                right = left + 1
                if sum(map(_gain, ends[left], ends[right])) > 0:
                    row[left], row[right] = row[right], row[left]
                    ends[left], ends[right] = ends[right], ends[left]
                    improved = True
            place.update((node, index) for index, node in enumerate(row))
    return tuple(map(tuple, moving))


def _gain(left: list[int], right: list[int]) -> int:
    """Return the number of crossings that a swap of two nodes saves; the ends of their edges are sorted."""
    return sum(bisect_left(right, end) for end in left) - sum(bisect_left(left, end) for end in right)


def _places(rows: Rows) -> dict[int, int]:
    """Return the place of each node in its row."""
    return {node: index for row in rows for index, node in enumerate(row)}
