"""Minimax and alpha-beta on a small tree as a list of steps: what `solver.search` does there, in the same order.

Windows and values are X's, counted from the root, so Max and Min stand for X and O where `solver.search` sees every
node from its mover.

The lists of the article on lazy game trees in Haskell, at work on a small tree: which nodes are ever asked for.

`solver.articles.lookahead.lazy_visits` counts them; this is the same, told step by step. What nobody asks for stays a
thunk: a promise to work something out that is never called in. Here a line counts 1 or -1, however late it comes.

The knowledge of a search about each node of a small tree, after each of its steps.

The three searches that can be watched, on the tree of any position that is small enough.
"""

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.articles.tracing.tree import MoveOrder, SmallTree, small_tree
from solver.board.outcome import LOST, WIN, Score, sign
from solver.board.position import Position

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


def lazy_steps(tree: SmallTree) -> Steps:
    """Every node that is asked for, and every list that is read no farther."""
    steps: list[SearchStep] = []

    def values(number: int) -> Iterator[int]:
        """X's values of the moves that are better for the mover than all before, each worked out when asked for."""
        node = tree.nodes[number]
        if not node.children:
            steps.append(SearchStep(StepKind.LEAF, number, sign(node.worth)))
            yield sign(node.worth)
            return
        steps.append(SearchStep(StepKind.ENTER, number))
        best: int | None = None
        for child in node.children:
            found = read(child, number, best)
            if found is not None:
                best = found
                steps.append(SearchStep(StepKind.BETTER, number, best, child))
                yield best

    def read(child: int, parent: int, floor: int | None) -> int | None:
        """A move's value, or None as soon as its list shows that it is no better than an earlier one."""
        mine, below = 1 if tree.nodes[parent].is_max else -1, tree.nodes[child].children
        value: int | None = None
        for value in values(child):
            if floor is not None and mine * value <= mine * floor:
                seen = {step.child for step in steps if step.node == child}
                rest = tuple(each for each in below if each not in seen)
                if rest:
                    steps.append(SearchStep(StepKind.CUT, child, value, None, None, None, rest))
                steps.append(SearchStep(StepKind.NO_BETTER, parent, floor, child))
                return None
        return value

    found = [*values(0)]
    return (*steps, SearchStep(StepKind.END, 0, found[-1]))


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


LARGEST: Final = 10
"""What a line counts, less the plies from the root to it, where a trace is shown."""


class Search(StrEnum):
    """A search that can be watched."""

    MINIMAX = "minimax"
    LAZY = "lazy"
    ALPHABETA = "alphabeta"

    @property
    def called(self) -> str:
        """What people call it."""
        return {"minimax": "Minimax", "lazy": "Lazy lists", "alphabeta": "Alpha-beta"}[self.value]


STEPS: Final[Mapping[Search, Callable[[SmallTree], Steps]]] = MappingProxyType(
    {Search.MINIMAX: minimax_steps, Search.LAZY: lazy_steps, Search.ALPHABETA: alphabeta_steps}
)


@dataclass(frozen=True)
class Trace:
    """A search of a tree, step by step."""

    search: Search
    tried: MoveOrder
    tree: SmallTree
    frames: tuple[Frame, ...]

    @property
    def visited(self) -> int:
        """The nodes that it visits in all."""
        return self.frames[-1].visited

    @cached_property
    def value(self) -> int:
        """X's value of the root, as it is shown."""
        best = self.frames[-1].step.best
        assert best is not None  # noqa: S101 - at the end the root has its value
        return self.shown(best)

    def shown(self, score: Score) -> int:
        """A value as it is written: 10 less the plies from the root to a line, negative for O's; of lists, just 1."""
        if self.search is Search.LAZY or not score:
            return score
        return score - WIN + LARGEST if score > 0 else score + WIN - LARGEST


def trace(
    position: Position, search: Search = Search.ALPHABETA, depth: int | None = None, tried: MoveOrder = MoveOrder.FOUND
) -> Trace:
    """The search of the tree below a position, by default as deep as can be drawn. Raises BadOption if too wide."""
    tree = small_tree(position, depth, tried)
    return Trace(search, tried, tree, frames(tree, STEPS[search](tree)))


def visited(position: Position, depth: int | None = None) -> Mapping[tuple[Search, MoveOrder], int]:
    """The nodes that each search visits of the same tree, in each order of moves."""
    return {(search, tried): trace(position, search, depth, tried).visited for search in Search for tried in MoveOrder}
