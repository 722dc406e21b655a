"""The order of the boards in each row of a picture, so that few moves cross.

Rows are sorted by barycentres, down and up in turn (Sugiyama, Tagawa and Toda, "Methods for Visual Understanding of
Hierarchical System Structures", 1981). Neighbours are then swapped while that helps (the transposition of Gansner,
Koutsofios, North and Vo, "A Technique for Drawing Directed Graphs", 1993). A move leads from a row to the next one, so
the dummy nodes of both articles are not needed.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from typing import Final, TypeAlias

Rows: TypeAlias = tuple[tuple[int, ...], ...]
"""Nodes by their numbers, a row a ply, each from left to right."""

Neighbours: TypeAlias = Sequence[Sequence[int]]
"""The nodes that each node is joined to in the row above, or in the row below."""

SWEEPS: Final = 24
"""How many times the rows are sorted: as often as Gansner et al. do."""


def ordered(rows: Rows, above: Neighbours, below: Neighbours) -> Rows:
    """Return the rows in an order in which few edges cross."""
    best, fewest = rows, crossings(rows, below)
    for sweep in range(SWEEPS):
        rows = _swept(rows[::-1], below)[::-1] if sweep % 2 else _swept(rows, above)
        if (found := crossings(rows, below)) < fewest:
            best, fewest = rows, found
    return _transposed(best, above, below)


def crossings(rows: Rows, below: Neighbours) -> int:
    """Return how many pairs of edges cross."""
    place, total = _places(rows), 0
    for row in rows:
        ends: list[int] = []  # of the edges that begin further left
        for node in row:
            own = [place[child] for child in below[node]]
            total += sum(len(ends) - bisect_right(ends, end) for end in own)
            for end in own:
                insort(ends, end)
    return total


def _swept(rows: Rows, before: Neighbours) -> Rows:
    """Sort each row but the first by where its nodes' neighbours `before` it stand on average.

    A node that has none keeps its place.
    """
    swept = [rows[0]]
    for row in rows[1:]:
        place = {node: index for index, node in enumerate(swept[-1])}
        means = {node: sum(place[each] for each in before[node]) / len(before[node]) for node in row if before[node]}
        moving = iter(sorted(means, key=means.__getitem__))
        swept.append(tuple(next(moving) if node in means else node for node in row))
    return tuple(swept)


def _transposed(rows: Rows, above: Neighbours, below: Neighbours) -> Rows:
    """Swap two nodes that stand side by side wherever fewer edges cross then, until no swap helps."""
    found, place, improved = [list(row) for row in rows], _places(rows), True
    while improved:
        improved = False
        for row in found:
            ends = [[sorted(place[each] for each in side[node]) for side in (above, below)] for node in row]
            for left in range(len(row) - 1):
                right = left + 1
                if sum(map(_gain, ends[left], ends[right])) > 0:
                    row[left], row[right] = row[right], row[left]
                    ends[left], ends[right] = ends[right], ends[left]
                    improved = True
            place.update((node, index) for index, node in enumerate(row))
    return tuple(map(tuple, found))


def _gain(left: list[int], right: list[int]) -> int:
    """Return how many fewer edges of two nodes cross after a swap; the ends of their edges are given in order."""
    return sum(bisect_left(right, end) for end in left) - sum(bisect_left(left, end) for end in right)


def _places(rows: Rows) -> dict[int, int]:
    """Return the place of each node in its row."""
    return {node: index for row in rows for index, node in enumerate(row)}
