"""Where the boards of a picture lie: one row a ply, ordered and spread by a layered layout (Sugiyama's method)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from solver.errors import TooLarge
from solver.position import Position
from solver.theory.graph import Graph

BOARDS: Final = 1000
"""The most boards in one picture: more cannot be looked at."""

SLACK: Final = 1.15
"""How much wider than its longest row, boards side by side, a picture may be."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The centre of each board, `x` in units of the least distance of two boards in a row, `y` in plies from the root.

    The leftmost board lies at 0, the rightmost at `width`, the last row at `depth`.
    """

    places: Mapping[Position, tuple[float, int]]
    width: float
    depth: int


def laid_out(graph: Graph) -> Layout:
    """The layout of a graph. Raises TooLarge beyond `BOARDS` boards."""
    if len(graph.nodes) > BOARDS:
        raise TooLarge(
            f"That would be {len(graph.nodes):,} boards in one picture, and {BOARDS:,} are drawn at most."
            " Start later in the game, or look less deep."
        )
    first = _plies(graph.root)
    wished = _wished(graph)
    rows: dict[int, list[Position]] = {}
    for node in sorted(graph.nodes, key=wished.__getitem__):
        rows.setdefault(_plies(node) - first, []).append(node)
    room = SLACK * max(map(len, rows.values()))
    tighter = min(1.0, room / max(1.0, max(wished.values()) - min(wished.values())))
    places = {
        node: (x, ply)
        for ply, row in rows.items()
        for node, x in zip(row, apart([tighter * wished[node] for node in row]), strict=True)
    }
    left = min(x for x, _ in places.values())
    return Layout(
        {node: (x - left, y) for node, (x, y) in places.items()}, max(x for x, _ in places.values()) - left, max(rows)
    )


def apart(wished: Sequence[float]) -> list[float]:
    """The numbers nearest to the given ascending ones, by least squares, of which each is at least 1 above the last.

    Isotonic regression by pooling neighbours that are too near: a pool lies around the mean of what its members wish.
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


def _wished(graph: Graph) -> dict[Position, float]:
    """How far right the library puts each node."""
    from fast_sugiyama import from_edges  # noqa: PLC0415 - loaded by those who draw

    number = {node: index for index, node in enumerate(graph.nodes)}
    pairs = dict.fromkeys((number[edge.parent], number[edge.child]) for edge in graph.edges)
    if not pairs:
        return dict.fromkeys(graph.nodes, 0.0)
    found = {node: x for positions, *_ in from_edges(list(pairs), vertex_spacing=1) for node, (x, _) in positions}
    children = graph.children(graph.root)
    mirrored = -1 if found[number[children[0]]] > found[number[children[-1]]] else 1  # the first child goes left
    return {node: float(mirrored * found[index]) for node, index in number.items()}


def _plies(position: Position) -> int:
    return position.rules.size - position.plies_left
