"""The places of a small tree's nodes in a drawing."""

from dataclasses import dataclass

from solver.articles.tracing.tree import SmallTree, TreeNode
from solver.articles.tracing.words import side
from solver.board.notation import format_cell

LEAST_WIDTH, MARGIN, STEP, GAP, HIGH = 380, 62, 44, 49, 26
"""The measures: the least width, the left margin, a leaf's width, the gap between plies, and a node's height."""


@dataclass(frozen=True, slots=True)
class TreeSpot:
    """The place of a node, with the move that leads to it and the place of its parent."""

    node: TreeNode
    move: str
    x: float
    y: float
    above: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class TreeDrawing:
    """The places of the tree's nodes, in the order of their numbers.

    Each of the `levels` has its height, who chooses there, and who moves. Nodes are `high`.
    """

    width: float
    height: float
    high: int
    spots: tuple[TreeSpot, ...]
    levels: tuple[tuple[float, str, str], ...]


def drawing(tree: SmallTree, high: int = HIGH) -> TreeDrawing:
    """Return the places of all nodes: the leaves side by side, every other node above the middle of its children."""
    nodes, row = tree.nodes, high + GAP
    leaves = [node.number for node in nodes if not node.children]
    width = max(LEAST_WIDTH, MARGIN + STEP * len(leaves))
    apart = (width - MARGIN) / len(leaves)
    across = {number: MARGIN + apart * (index + 0.5) for index, number in enumerate(leaves)}
    for node in reversed(nodes):
        if node.children:
            across[node.number] = (across[node.children[0]] + across[node.children[-1]]) / 2
    places = {node.number: (round(across[node.number], 1), node.ply * row + 2.0) for node in nodes}
    spots = tuple(
        TreeSpot(
            node,
            "" if node.cell is None else format_cell(node.cell, node.position.rules),
            *places[node.number],
            None if node.parent is None else places[node.parent],
        )
        for node in nodes
    )
    levels = {node.ply: (node.ply * row + 2.0, side(node), str(node.position.mover)) for node in nodes if node.children}
    return TreeDrawing(width, tree.depth * row + high + 6, high, spots, tuple(levels.values()))
