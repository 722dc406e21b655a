"""The reduced game tree of the Clojure article: the game as far as something can still go wrong, and its scores.

A position is a leaf where perfect play has decided it, or where it is drawn and no fork lies ahead: there both players
draw by blocking alone. The article does not print how it looks for forks, nor by which moves the tree grows. Of the
readings only the one with forced moves in both places (`FORCED`) gives its printed figures; it is the default.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
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
"""The moves that are looked at in a position."""

Scores: TypeAlias = Mapping[Position, Fraction]
"""A score for every node of a tree, seen by X: 1 a win of X, 0 a draw, -1 a win of O, and all that lies between."""


@dataclass(frozen=True, slots=True)
class TreeRule:
    """What the article leaves open: by which moves the tree `grows`, and by which a position `looks` for forks."""

    grows: Moves
    looks: Moves


FORCED: Final = TreeRule(grows=forced_moves, looks=forced_moves)

TREE_RULES: Final[Mapping[str, TreeRule]] = {
    "forced moves in the tree, forced moves ahead": FORCED,
    "every move in the tree, forced moves ahead": TreeRule(grows=every_move, looks=forced_moves),
    "forced moves in the tree, every move ahead": TreeRule(grows=forced_moves, looks=every_move),
    "every move in the tree, every move ahead": TreeRule(grows=every_move, looks=every_move),
}
"""The readings by their names."""


@lru_cache(maxsize=65536)
def fork_ahead(position: Position, moves: Moves = forced_moves) -> bool:
    """Whether a fork is there or can come about when both players choose among these moves."""
    return wins_by_threats(position) or any(
        fork_ahead(position.after(cell).canonical(), moves) for cell in (() if position.result else moves(position))
    )  # not a fold, which would not stop at the first fork


def is_settled(position: Position, looks: Moves = forced_moves) -> bool:
    """Whether the reduced tree ends here. Raises TooLarge on boards of more than nine squares."""
    return worth(position) != 0 or not fork_ahead(position, looks)


@lru_cache(maxsize=64)
def reduced_tree(root: Position, reading: TreeRule = FORCED) -> Graph:
    """The reduced tree below a position, each position once up to symmetry. Raises TooLarge as `is_settled` does."""
    return graph_of(root, reading.grows, lambda position: is_settled(position, reading.looks))


@lru_cache(maxsize=64)
def scores(root: Position, distinct: bool = False, reading: TreeRule = FORCED) -> Scores:
    """The score of every node of the reduced tree below a position, exactly.

    A leaf has its worth, another node the average of what its moves lead to: of all moves, or, where `distinct`, of
    those that no symmetry turns into each other, so that each child counts once. Raises TooLarge as `worth` does.
    """
    tree = reduced_tree(root, reading)
    found: dict[Position, Fraction] = {}

    def children(node: Position) -> Iterable[Position]:
        return chain.from_iterable(repeat(*each) for each in weights_of(tree, node, distinct).items())

    fold(lambda leaf: Fraction(worth(leaf)), _mean, children, itself, found)(root)
    return found


def _mean(_: Position, scores: Sequence[Fraction]) -> Fraction:
    return sum(scores, Fraction()) / len(scores)


def weights_of(tree: Graph, node: Position, distinct: bool = False) -> dict[Position, int]:
    """The children of a node, each with how many moves lead to it, or with 1 where only `distinct` moves count."""
    weights: dict[Position, int] = {}
    for edge in tree.edges_from(node):
        weights[edge.child] = 1 if distinct else weights.get(edge.child, 0) + len(edge.moves)
    return weights


@dataclass(frozen=True, slots=True)
class PathStep:
    """A position on the best path, and the children with the best score there; the path goes on with the first."""

    position: Position
    best: tuple[Position, ...]


def best_replies(tree: Graph, values: Scores, node: Position) -> tuple[Position, ...]:
    """The children of a node with the highest score if X moves, with the lowest if O does; none of a leaf."""
    children = tree.children(node)
    if not children:
        return ()
    best = (max if node.mover is Mark.X else min)(values[child] for child in children)
    return tuple(child for child in children if values[child] == best)


def best_path(root: Position, distinct: bool = False, reading: TreeRule = FORCED) -> tuple[PathStep, ...]:
    """The path on which X always takes the highest score and O the lowest, down to the last choice before a leaf."""
    tree, values = reduced_tree(root, reading), scores(root, distinct, reading)
    steps: list[PathStep] = []
    node = root
    while best := best_replies(tree, values, node):
        steps.append(PathStep(node, best))
        node = best[0]
    return tuple(steps)


def holds_by_blocking(position: Position, mark: Mark) -> bool:
    """Whether a player who wins or blocks where that is called for, and else plays anything, cannot lose from here.

    The opponent may play any move. Of two squares to block either may be chosen.
    """

    def moves(position: Position) -> Iterable[Position]:
        cells = position.legal_moves
        if cells and position.mover is mark:
            cells = position.completing(mark) or position.completing(mark.other) or cells
        return map(position.after, cells)

    return fold(lambda end: end.result is not Result(mark.other), lambda _, held: all(held), moves, itself)(position)
