"""Minimax and alpha-beta on a small tree as a list of steps: what `solver.search` does there, in the same order.

Windows and values are X's, counted from the root, so Max and Min stand for X and O where `solver.search` sees every
node from its mover.
"""

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from solver.articles.tracing.tree import SmallTree
from solver.board.outcome import LOST, WIN, Score

NO_ALPHA: Final = LOST
NO_BETA: Final = WIN
"""The window of a root: nothing is certain yet. No value lies outside."""


class StepKind(StrEnum):
    """What happens in a step."""

    ENTER = "enter"
    """A node with moves is reached."""
    LEAF = "leaf"
    """An end of the tree is reached, which has its value at once."""
    BETTER = "better"
    """A move turns out better than all before it."""
    NO_BETTER = "no-better"
    """A move turns out no better."""
    CUT = "cut"
    """The rest of a node's moves is left out."""
    END = "end"
    """The root has its value."""


@dataclass(frozen=True, slots=True)
class SearchStep:
    """One step, at `node`.

    `child` is the node below that has just got its value, `best` what `node` has by now. `alpha` and `beta` are the
    window at `node`, None where the search has none. `left_out` are the nodes below that are cut off.
    """

    kind: StepKind
    node: int
    best: Score | None = None
    child: int | None = None
    alpha: Score | None = None
    beta: Score | None = None
    left_out: tuple[int, ...] = ()


Steps: TypeAlias = tuple[SearchStep, ...]

_Going: TypeAlias = Generator[SearchStep, None, Score]
"""The steps below a node, which end with what is returned for it."""


def minimax_steps(tree: SmallTree) -> Steps:
    """Plain minimax: every node of the tree."""
    return tuple(_to_the_end(_minimax(tree, 0)))


def alphabeta_steps(tree: SmallTree) -> Steps:
    """Alpha-beta with the window wide open at the root."""
    return tuple(_to_the_end(_alphabeta(tree, 0, NO_ALPHA, NO_BETA)))


def _to_the_end(going: _Going) -> Generator[SearchStep, None, None]:
    yield SearchStep(StepKind.END, 0, (yield from going))


def _minimax(tree: SmallTree, number: int) -> _Going:
    node = tree.nodes[number]
    if not node.children:
        yield SearchStep(StepKind.LEAF, number, node.worth)
        return node.worth
    yield SearchStep(StepKind.ENTER, number)
    best: Score | None = None
    for child in node.children:
        score = yield from _minimax(tree, child)
        better = best is None or (score > best if node.is_max else score < best)
        best = score if better else best
        yield SearchStep(StepKind.BETTER if better else StepKind.NO_BETTER, number, best, child)
    assert best is not None  # noqa: S101 - it has children
    return best


def _alphabeta(tree: SmallTree, number: int, alpha: Score, beta: Score) -> _Going:
    """Fail-soft: the value returned is exact if it lies between the bounds, else a bound on the same side."""
    node = tree.nodes[number]
    if not node.children:
        yield SearchStep(StepKind.LEAF, number, node.worth, None, alpha, beta)
        return node.worth
    yield SearchStep(StepKind.ENTER, number, None, None, alpha, beta)
    best: Score | None = None
    for tried, child in enumerate(node.children, start=1):
        score = yield from _alphabeta(tree, child, alpha, beta)
        better = best is None or (score > best if node.is_max else score < best)
        best = score if best is None or better else best
        if node.is_max:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        yield SearchStep(StepKind.BETTER if better else StepKind.NO_BETTER, number, best, child, alpha, beta)
        if alpha >= beta and (rest := node.children[tried:]):
            yield SearchStep(StepKind.CUT, number, best, None, alpha, beta, rest)
            break
    assert best is not None  # noqa: S101 - it has children
    return best
