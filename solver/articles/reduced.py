"""The reduced game tree of the Clojure article, with its scores.

The tree ends at positions where one player can force a win, and at drawn positions where no fork lies ahead. Without
forks, blocking is enough for a draw. The article leaves two choices open: the moves in its tree, and the moves in its
search for forks. `FORCED`, the default, tries only forced moves in both. No other choice gives the article's figures.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, repeat
from typing import Final, TypeAlias

from solver.articles.graph import Graph, every_move, forced_moves, graph_of, wins_by_threats
from solver.articles.openings import worth
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell
from solver.search.fold import fold, itself

Moves: TypeAlias = Callable[[Position], Iterable[Cell]]
"""A function that returns the moves to consider in a position."""

Scores: TypeAlias = Mapping[Position, Fraction]
"""A score from X's view for every node of a tree: from -1 (O wins) to 1 (X wins), where 0 is a draw."""


TreeRule: TypeAlias = tuple[Moves, Moves]
"""The two choices that the article leaves open: the moves in the tree, and the moves in the search for forks."""

FORCED: Final[TreeRule] = (forced_moves, forced_moves)

TREE_RULES: Final[Mapping[str, TreeRule]] = {
    "forced moves in the tree, forced moves ahead": FORCED,
    "every move in the tree, forced moves ahead": (every_move, forced_moves),
    "forced moves in the tree, every move ahead": (forced_moves, every_move),
    "every move in the tree, every move ahead": (every_move, every_move),
}
"""The possible readings of the article, by name."""


@lru_cache(maxsize=65536)
def fork_ahead(position: Position, moves: Moves = forced_moves) -> bool:
    """Return whether a fork is on the board, or can arise if both players play only `moves`."""
    return wins_by_threats(position) or any(
        fork_ahead(position.after(cell).canonical(), moves) for cell in (() if position.result else moves(position))
    )  # not a `fold`, which would not stop at the first fork


def is_settled(position: Position, fork_moves: Moves = forced_moves) -> bool:
    """Return whether the reduced tree ends here. Raise TooLarge on boards of more than nine squares."""
    return worth(position) != 0 or not fork_ahead(position, fork_moves)


@lru_cache(maxsize=64)
def reduced_tree(root: Position, reading: TreeRule = FORCED) -> Graph:
    """Return the reduced tree below a position. Images share a node. Raise TooLarge like `is_settled`."""
    tree_moves, fork_moves = reading
    return graph_of(root, tree_moves, lambda position: is_settled(position, fork_moves))


@lru_cache(maxsize=64)
def scores(root: Position, distinct: bool = False) -> Scores:
    """Return the score of every node of the reduced tree.

    The score of a leaf is its worth. The score of any other node is the average over its moves. If `distinct`, moves
    that are images of each other count once. Raise TooLarge like `worth`.
    """
    tree = reduced_tree(root)
    known: dict[Position, Fraction] = {}

    def children(node: Position) -> Iterable[Position]:
        return chain.from_iterable(repeat(*each) for each in weights_of(tree, node, distinct).items())

    def mean(_: Position, scores: Sequence[Fraction]) -> Fraction:
        return sum(scores, Fraction()) / len(scores)

    fold(lambda leaf: Fraction(worth(leaf)), mean, children, itself, known)(root)
    return known


def weights_of(tree: Graph, node: Position, distinct: bool = False) -> dict[Position, int]:
    """Return the number of moves to each child of a node; always 1 if `distinct`."""
    weights: dict[Position, int] = {}
    for edge in tree.edges_from[node]:
        weights[edge.child] = 1 if distinct else weights.get(edge.child, 0) + len(edge.moves)
    return weights


def best_replies(tree: Graph, values: Scores, node: Position) -> tuple[Position, ...]:
    """Return the children with the best score for the mover: the highest for X, the lowest for O. A leaf has none."""
    children = tree.children(node)
    if not children:
        return ()
    best = (max if node.mover is Mark.X else min)(values[child] for child in children)
    return tuple(child for child in children if values[child] == best)


def best_path(root: Position, distinct: bool = False) -> dict[Position, tuple[Position, ...]]:
    """Return the path on which both players choose the best score: each position with its children of that score.

    The path goes on to the first of them. The leaf at its end is left out.
    """
    tree, values = reduced_tree(root), scores(root, distinct)
    path: dict[Position, tuple[Position, ...]] = {}
    node = root
    while best := best_replies(tree, values, node):
        path[node], node = best, best[0]
    return path


def holds_by_blocking(position: Position, mark: Mark) -> bool:
    """Return whether `mark` never loses from here if it always wins or blocks where it can, and else plays anywhere.

    If several squares win or block, `mark` may take any of them. The opponent may play any move.
    """

    def moves(position: Position) -> Iterable[Position]:
        cells = position.legal_moves
        if cells and position.mover is mark:
            cells = position.threats(mark) or position.threats(mark.other) or cells
        return map(position.after, cells)

    return fold(lambda end: end.result is not Result(mark.other), lambda _, held: all(held), moves, itself)(position)
