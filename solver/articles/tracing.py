"""Three searches of a small tree, step by step: minimax, alpha-beta, and the lazy lists of the Haskell article.

The tree is small enough to draw. Its moves are in the order in which a search tries them. Each search takes the same
steps as the function that it shows: `minimax` or `alphabeta` of `solver.search.minimax`, or
`solver.articles.lookahead.lazy_visits`. A frame holds what the search knows about each node after a step.

All values are X's: `WIN - n` if X has a line n plies after the root, `n - WIN` if O has one, else 0. So X is Max and O
is Min, and a value stays the same on its way up the tree. Lazy lists have no distances: a line counts 1 or -1. They
never compute a value that nobody asks for.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Final, TypeAlias

from solver.board.outcome import DRAWN, LOST, WIN, Score, sign
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell
from solver.errors import BadOption
from solver.search.fold import fold, itself
from solver.search.minimax import Order, reading_order

MAX_PLIES: Final = 4
"""The greatest depth of a tree, in plies."""

MAX_LEAVES: Final = 24
"""The greatest number of leaves in a tree."""


class MoveOrder(StrEnum):
    """The order in which moves are tried: in reading order, best first or worst first."""

    FOUND = "found"
    BEST = "best"
    WORST = "worst"


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node of a small tree.

    Nodes are numbered from 0 in depth-first order. The numbers of a subtree begin at `number` and end before `end`.
    `cell` is the move to the node, and `worth` is the node's minimax value.
    """

    number: int
    parent: int | None
    position: Position
    ply: int
    cell: Cell | None
    children: tuple[int, ...]
    end: int
    worth: Score

    @property
    def is_max(self) -> bool:
        """True if X is to move, since X takes the largest value."""
        return self.position.mover is Mark.X


@dataclass(frozen=True, slots=True)
class SmallTree:
    """The tree below a position, pruned to `depth` plies. The index of a node in `nodes` is its number."""

    depth: int
    nodes: tuple[TreeNode, ...]

    @property
    def root(self) -> TreeNode:
        """The node of the position itself."""
        return self.nodes[0]


def small_tree(position: Position, depth: int | None = None, tried: MoveOrder = MoveOrder.FOUND) -> SmallTree:
    """Return the tree below a position, by default as deep as possible.

    Raise BadOption if the tree is too wide or the game is over.
    """
    if position.result is not None:
        raise BadOption("The game is over here, so there is nothing to search.")
    plies = _check_depth(position, depth)
    order, worth = order_of(position, plies, tried), _worths(position, plies)
    nodes: list[TreeNode] = []

    def grow(at: Position, cell: Cell | None, parent: int | None, ply: int) -> int:
        number = len(nodes)
        nodes.append(TreeNode(number, parent, at, ply, cell, (), 0, 0))
        moves = order(at) if ply < plies and at.result is None else ()
        children = tuple(grow(at.after(move), move, number, ply + 1) for move in moves)
        nodes[number] = TreeNode(number, parent, at, ply, cell, children, len(nodes), worth(at))
        return number

    grow(position, None, None, 0)
    return SmallTree(plies, tuple(nodes))


def order_of(position: Position, depth: int, tried: MoveOrder) -> Order:
    """Return a function that orders the moves of a position in this tree. Equal moves stay in reading order."""
    if tried is MoveOrder.FOUND:
        return reading_order
    worth, sign = _worths(position, depth), 1 if tried is MoveOrder.WORST else -1

    def sorted_moves(at: Position) -> list[Cell]:
        mover = sign if at.mover is Mark.X else -sign
        return sorted(at.legal_moves, key=lambda cell: mover * worth(at.after(cell)))

    return sorted_moves


def _worths(position: Position, depth: int) -> Callable[[Position], Score]:
    """Return a function that gives the minimax value of any position in the tree."""
    most = position.plies_left

    def moves(at: Position) -> tuple[Position, ...]:
        return at.successors() if most - at.plies_left < depth else ()

    def leaf(at: Position) -> Score:
        if not at.winning_lines:
            return DRAWN
        score = WIN - (most - at.plies_left)
        return score if at.mover is Mark.O else -score

    return fold(leaf, lambda at, below: max(below) if at.mover is Mark.X else min(below), moves, itself)


def _check_depth(position: Position, depth: int | None) -> int:
    """Return the smaller of `depth` and the plies left in the game; by default, the greatest possible depth.

    Raise BadOption if the tree would be too deep or too wide.
    """
    if depth is not None and not 1 <= depth <= MAX_PLIES:
        raise BadOption(f"The tree has 1 to {MAX_PLIES} plies, not {depth}.")
    most = min(depth or MAX_PLIES, position.plies_left)
    fits = max((plies for plies in range(1, most + 1) if leaves(position, plies) <= MAX_LEAVES), default=0)
    least = 1 if depth is None else most
    if fits < least:
        advice = f"take at most {fits} here" if fits else "take a position with fewer open squares"
        raise BadOption(f"A tree of {least} plies is too wide: it has more than {MAX_LEAVES} ends; {advice}.")
    return fits


def leaves(position: Position, depth: int) -> int:
    """Count the leaves of the tree pruned to `depth`. Stop counting above MAX_LEAVES."""
    count = 0
    waiting = [(position, depth)]
    while waiting and count <= MAX_LEAVES:
        at, plies = waiting.pop()
        below = at.successors() if plies else ()
        count += not below
        waiting += ((after, plies - 1) for after in below)
    return count


NO_ALPHA: Final = LOST
NO_BETA: Final = WIN
"""The bounds of the full window. Every value lies between them."""

Window: TypeAlias = tuple[Score, Score]
"""Alpha and beta."""

FULL: Final[Window] = (NO_ALPHA, NO_BETA)

LARGEST: Final = 10
"""The displayed value of a line at the root. Each ply to a line takes 1 off."""


class StepKind(StrEnum):
    """The kind of a step."""

    ENTER = "enter"
    """A node with moves is reached."""
    LEAF = "leaf"
    """A leaf is reached. Its value is known at once."""
    BETTER = "better"
    """A move is better than all moves before it."""
    NO_BETTER = "no-better"
    """A move is no better than an earlier move."""
    CUT = "cut"
    """The remaining moves of a node are skipped."""
    END = "end"
    """The root has its value."""


@dataclass(frozen=True, slots=True)
class SearchStep:
    """A step at `node`.

    `child` is the child whose value has just been found. `best` is the best value at `node` so far. `window` is that at
    `node`, or None in a search without windows. `left_out` are the children that are cut off.
    """

    kind: StepKind
    node: int
    best: Score | None = None
    child: int | None = None
    window: Window | None = None
    left_out: tuple[int, ...] = ()


class Search(StrEnum):
    """A search that can be shown step by step."""

    MINIMAX = "minimax"
    LAZY = "lazy"
    ALPHABETA = "alphabeta"

    @property
    def called(self) -> str:
        """The name of the search, as shown on the page."""
        return {"minimax": "Minimax", "lazy": "Lazy lists", "alphabeta": "Alpha-beta"}[self.value]


def _search(
    tree: SmallTree, search: Search, number: int = 0, window: Window = FULL
) -> Generator[SearchStep, None, Score]:
    """Yield the steps of a search below a node, and return the value of the node.

    Minimax reads no window. Alpha-beta is fail-soft: a returned value within the window is exact, a value above it is a
    lower bound, and a value below it an upper bound. Lazy lists leave a move as soon as it is no better than an earlier
    one: they are alpha-beta with windows that hold only the parent's best value.
    """
    node, shown = tree.nodes[number], window if search is Search.ALPHABETA else None
    if not node.children:
        worth = sign(node.worth) if search is Search.LAZY else node.worth
        yield SearchStep(StepKind.LEAF, number, worth, None, shown)
        return worth
    yield SearchStep(StepKind.ENTER, number, None, None, shown)
    best = NO_ALPHA if node.is_max else NO_BETA
    for tried, child in enumerate(node.children, start=1):
        nearest = (best, NO_BETA) if node.is_max else (NO_ALPHA, best)
        score = yield from _search(tree, search, child, nearest if search is Search.LAZY else window)
        better = score > best if node.is_max else score < best
        best = score if better else best
        alpha, beta = window
        window = (max(alpha, best), beta) if node.is_max else (alpha, min(beta, best))
        shown = window if search is Search.ALPHABETA else None
        yield SearchStep(StepKind.BETTER if better else StepKind.NO_BETTER, number, best, child, shown)
        rest = node.children[tried:]
        if search is not Search.MINIMAX and window[0] >= window[1] and rest:
            yield SearchStep(StepKind.CUT, number, best, None, shown, rest)
            break
    if number == 0:
        yield SearchStep(StepKind.END, number, best)
    return best


class Reach(StrEnum):
    """The progress of a search at a node."""

    UNSEEN = "unseen"
    OPEN = "open"
    """The search has entered this node, and its value has not been passed to the parent yet."""
    DONE = "done"
    CUT = "cut"
    """The search never visits this node."""


@dataclass(frozen=True, slots=True)
class Known:
    """The knowledge of a search about a node.

    The value of the node is at least `low` and at most `high`.
    """

    reach: Reach = Reach.UNSEEN
    low: Score = NO_ALPHA
    high: Score = NO_BETA
    window: Window | None = None

    @property
    def exact(self) -> bool:
        """True if the exact value is proved."""
        return self.low == self.high


UNSEEN: Final = Known()


@dataclass(frozen=True, slots=True)
class Frame:
    """A step, and what is known about each node after it.

    `visited` is the number of nodes visited so far; `passed` also counts the nodes that were cut off.
    """

    step: SearchStep
    nodes: tuple[Known, ...]
    visited: int
    passed: int


def frames(tree: SmallTree, steps: Iterable[SearchStep]) -> Iterator[Frame]:
    """Yield the frame of each step."""
    nodes = [UNSEEN] * len(tree.nodes)
    visited = passed = 0
    for step in steps:
        entered = step.kind in (StepKind.ENTER, StepKind.LEAF)
        visited, passed = visited + entered, passed + entered
        at = nodes[step.node]
        if entered or step.window:
            at = replace(at, reach=Reach.OPEN, window=step.window)
        if step.kind is StepKind.LEAF and step.best is not None:
            at = replace(at, low=step.best, high=step.best)
        nodes[step.node] = at
        for root in step.left_out:
            cut = tree.nodes[root]
            size = cut.end - cut.number
            nodes[cut.number : cut.end] = [replace(UNSEEN, reach=Reach.CUT)] * size
            passed += size
        if step.child is not None:
            nodes[step.child] = replace(nodes[step.child], reach=Reach.DONE)
            nodes[step.node] = _raise_bounds(tree, nodes, step.node)
        if step.kind is StepKind.END:
            nodes[0] = replace(nodes[0], reach=Reach.DONE)
        yield Frame(step, tuple(nodes), visited, passed)


def _raise_bounds(tree: SmallTree, nodes: list[Known], number: int) -> Known:
    """Return what is known about a node after its finished children have tightened its bounds."""
    node = tree.nodes[number]
    below = [nodes[child] if nodes[child].reach is Reach.DONE else UNSEEN for child in node.children]
    choose = max if node.is_max else min
    return replace(nodes[number], low=choose(each.low for each in below), high=choose(each.high for each in below))


@dataclass(frozen=True)
class Trace:
    """A search of a tree, step by step."""

    search: Search
    tried: MoveOrder
    tree: SmallTree
    frames: tuple[Frame, ...]

    @property
    def visited(self) -> int:
        """The number of nodes that the whole search visits."""
        return self.frames[-1].visited

    @cached_property
    def value(self) -> int:
        """X's value of the root, as displayed."""
        best = self.frames[-1].step.best
        assert best is not None  # noqa: S101 - the last step has the value of the root
        return self.shown(best)

    def kind_of(self, step: SearchStep) -> str:
        """Return the kind of a step, for a leaf "line", "full" or "horizon"."""
        if step.kind is not StepKind.LEAF:
            return step.kind
        result = self.tree.nodes[step.node].position.result
        return "horizon" if result is None else "full" if result is Result.DRAW else "line"

    def shown(self, score: Score) -> int:
        """Return the displayed value: for X's line 10 minus the plies to it, or 1 in lazy lists; negative for O's."""
        if self.search is Search.LAZY or not score:
            return score
        return score - WIN + LARGEST if score > 0 else score + WIN - LARGEST


def trace(
    position: Position, search: Search = Search.ALPHABETA, depth: int | None = None, tried: MoveOrder = MoveOrder.FOUND
) -> Trace:
    """Trace a search of the tree below a position. The default depth is the greatest possible. Raise BadOption."""
    tree = small_tree(position, depth, tried)
    return Trace(search, tried, tree, tuple(frames(tree, _search(tree, search))))


def visited(position: Position, depth: int | None = None) -> Mapping[tuple[Search, MoveOrder], int]:
    """Count the nodes that each search visits in a tree, for each order of moves."""
    return {(search, tried): trace(position, search, depth, tried).visited for search in Search for tried in MoveOrder}
