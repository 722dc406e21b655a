"""Where the boards of a picture lie: one row a ply, ordered and spread by a layered layout (Sugiyama's method)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from solver.board.position import Position
from solver.errors import TooLarge
from solver.theory.graph import Graph

MAX_BOARDS: Final = 1000
"""The most boards in one picture: more cannot be looked at."""

SLACK: Final = 1.15
"""How much wider than its longest row, boards side by side, a picture may be."""


SWEEPS: Final = 100
"""How often the library goes over the rows to have fewer edges cross."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The centre of each board, `x` in units of the least distance of two boards in a row, `y` in plies from the root.

    The leftmost board lies at 0, the rightmost at `width`, the last row at `depth`.
    """

    places: Mapping[Position, tuple[float, int]]
    width: float
    depth: int


def too_many() -> TooLarge:
    """The refusal of more than `MAX_BOARDS` boards, in the same words wherever it is noticed."""
    return TooLarge(
        f"That would be more than {MAX_BOARDS:,} boards in one picture, and {MAX_BOARDS:,} are drawn at most."
        " Start later in the game, or look less deep."
    )


def laid_out(graph: Graph) -> Layout:
    """The layout of a graph. Raises TooLarge beyond `MAX_BOARDS` boards."""
    if len(graph.nodes) > MAX_BOARDS:
        raise too_many()
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

    Isotonic regression by pooling neighbours that are too near: a pool lies around the mean of its members' wishes.
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
    from igraph import Graph as Drawn  # noqa: PLC0415 - for drawing alone

    number = {node: index for index, node in enumerate(graph.nodes)}
    pairs = dict.fromkeys((number[edge.parent], number[edge.child]) for edge in graph.edges)
    drawn = Drawn(n=len(number), edges=list(pairs), directed=True)
    found = drawn.layout_sugiyama(layers=[_plies(node) for node in number], maxiter=SWEEPS)
    children = [found[number[child]][0] for child in graph.children(graph.root)]
    mirrored = -1 if children and children[0] > children[-1] else 1  # the first child goes left
    return {node: mirrored * found[index][0] for node, index in number.items()}


def _plies(position: Position) -> int:
    return position.rules.size - position.plies_left
