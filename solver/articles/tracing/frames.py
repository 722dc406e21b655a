"""The knowledge of a search about each node of a small tree, after each of its steps."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from solver.articles.tracing.steps import NO_ALPHA, NO_BETA, SearchStep, StepKind, Steps
from solver.articles.tracing.tree import SmallTree
from solver.board.outcome import Score


class Reach(StrEnum):
    """How far a search is with a node."""

    UNSEEN = "unseen"
    OPEN = "open"
    """It is below this node, or has its value and has not handed it on yet."""
    DONE = "done"
    CUT = "cut"
    """It never comes here."""


@dataclass(frozen=True, slots=True)
class Known:
    """A node with what the nodes seen below it prove: that its value is no less than `low` and no more than `high`.

    `alpha` and `beta` are its window, None where the search has none or never came here.
    """

    reach: Reach = Reach.UNSEEN
    low: Score = NO_ALPHA
    high: Score = NO_BETA
    alpha: Score | None = None
    beta: Score | None = None

    @property
    def exact(self) -> bool:
        """Whether the value is proved, and not just a bound of it."""
        return self.low == self.high


UNSEEN: Final = Known()


@dataclass(frozen=True, slots=True)
class Frame:
    """A step, and all nodes after it. `visited` were looked at; `passed` are those and all that are cut off by then."""

    step: SearchStep
    nodes: tuple[Known, ...]
    visited: int
    passed: int


def frames(tree: SmallTree, steps: Steps) -> tuple[Frame, ...]:
    """The frame of each step."""
    return tuple(_frames(tree, steps))


def _frames(tree: SmallTree, steps: Steps) -> Iterator[Frame]:
    nodes = [UNSEEN] * len(tree.nodes)
    visited = passed = 0
    for step in steps:
        entered = step.kind in (StepKind.ENTER, StepKind.LEAF)
        visited, passed = visited + entered, passed + entered
        at = nodes[step.node]
        if entered or step.alpha is not None:
            at = replace(at, reach=Reach.OPEN, alpha=step.alpha, beta=step.beta)
        if step.kind is StepKind.LEAF and step.best is not None:
            at = replace(at, low=step.best, high=step.best)
        nodes[step.node] = at
        for root in step.left_out:
            cut = tree.nodes[root]
            nodes[cut.number : cut.end] = [replace(UNSEEN, reach=Reach.CUT)] * cut.size
            passed += cut.size
        if step.child is not None:
            nodes[step.child] = replace(nodes[step.child], reach=Reach.DONE)
            nodes[step.node] = _raised(tree, nodes, step.node)
        if step.kind is StepKind.END:
            nodes[0] = replace(nodes[0], reach=Reach.DONE)
        yield Frame(step, tuple(nodes), visited, passed)


def _raised(tree: SmallTree, nodes: list[Known], number: int) -> Known:
    """A node with the bounds that those of the nodes below it give, as far as they have handed on their values."""
    node = tree.nodes[number]
    below = [nodes[child] if nodes[child].reach is Reach.DONE else UNSEEN for child in node.children]
    choose = max if node.is_max else min
    return replace(nodes[number], low=choose(each.low for each in below), high=choose(each.high for each in below))
