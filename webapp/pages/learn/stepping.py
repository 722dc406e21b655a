"""Pictures that change step by step, and the places of a small tree's nodes in them.

The page shows one step and links to the others. The browser gets the looks of all steps, and shows another step without
asking the server again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from solver.articles.telling import side
from solver.articles.tracing import SmallTree, TreeNode
from solver.board.notation import format_cell
from webapp.ui.address import with_query

Attributes: TypeAlias = Mapping[str, Mapping[str, str]]
"""The attributes of elements at one step, by the elements' ids. The attribute `text` is the text inside an element."""


def step_address(parts: Mapping[str, str], step: int, **more: str) -> str:
    """Return the address of a step of the picture, relative to its page. `more` are further parts of the address."""
    return with_query("", {**parts, "step": step, **more})


def step_controls(parts: Mapping[str, str], step: int, last: int) -> Attributes:
    """Return the look of the controls at a step: the count, and the links to the steps before and after."""
    return {
        "count": {"text": f"{step} of {last}"},
        "back": {"href": step_address(parts, max(1, step - 1))},
        "on": {"href": step_address(parts, min(last, step + 1))},
    }


@dataclass(frozen=True, slots=True)
class Film:
    """A picture with its look at each step. It is shown at `step`, which counts from 1.

    The looks of all steps have the same elements. `parts` are the parts of the address that name the picture. `stops`
    are the steps at which the film halts to ask a question.
    """

    looks: Sequence[Attributes]
    step: int
    parts: Mapping[str, str]
    stops: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.looks)

    @property
    def now(self) -> Attributes:
        """The look at the step shown."""
        return self.looks[self.step - 1]

    @property
    def changes(self) -> tuple[Attributes, ...]:
        """The first look, and then for each later look only the attributes that differ from the look before it."""
        return (
            self.looks[0],
            *(
                {
                    name: differing
                    for name, attributes in after.items()
                    if (differing := {key: text for key, text in attributes.items() if before[name][key] != text})
                }
                for before, after in zip(self.looks, self.looks[1:], strict=False)
            ),
        )


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
