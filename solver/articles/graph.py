"""The game as a graph, with its forks and forced moves.

Nodes are positions, and edges are moves. A graph is built on the same walk as in the Clojure article: depth first, with
moves in reading order. If images of a position share a node, the node is the first image on this walk.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import chain, groupby
from math import comb
from typing import Final

from solver.board.outcome import counted
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell, Rules
from solver.errors import TooLarge
from solver.search.fold import reached

FORK: Final = 2
"""The number of winning squares in a fork. One reply can block only one of them."""

NODES: Final = 100_000
"""The maximal number of positions in a graph."""

MAX_FORK_CELLS: Final = 12
"""The most squares of a board whose forks are listed."""


def is_fork(position: Position) -> bool:
    """Return whether the player who moved last has exactly two winning squares and the mover has none.

    This is the Clojure article's definition. Unlike `wins_by_threats`, it excludes three or more winning squares.
    """
    return len(position.threats()) == FORK and not position.threats(position.mover)


def wins_by_threats(position: Position) -> bool:
    """Return whether the player who moved last has at least two winning squares and the mover has none."""
    return len(position.threats()) >= FORK and not position.threats(position.mover)


def forced_moves(position: Position) -> tuple[Cell, ...]:
    """Return the first winning move in reading order, else the first blocking move, else all legal moves.

    Against a fork, only one of the two blocks is returned, as in the Clojure article.
    """
    if position.result:
        return ()
    urgent = position.threats(position.mover) or position.threats()
    return urgent[:1] or position.legal_moves


class Kind(StrEnum):
    """The kind of a position: a result, a fork for the player who moved last, or any other unfinished game."""

    INTERNAL = "internal"
    FORK = "fork"
    X_WINS = "X wins"
    O_WINS = "O wins"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Edge:
    """The moves that lead from one node to another, in reading order.

    A plain edge has one move, which leads to `child` itself. Each move of a `turned` edge leads to another image of
    `child`. Two nodes can have a plain edge and a turned one.
    """

    parent: Position
    child: Position
    moves: tuple[Cell, ...]
    turned: bool


@dataclass(frozen=True)
class Graph:
    """Nodes with their kinds, in the order of the walk, and the edges between them.

    `edges_from` holds the edges that start at each node, ordered by first move. A leaf has none.
    """

    root: Position
    nodes: Mapping[Position, Kind]
    edges_from: Mapping[Position, tuple[Edge, ...]]

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """All edges: parents in the order of the nodes, and the edges of a parent ordered by first move."""
        return tuple(chain.from_iterable(self.edges_from.values()))

    def children(self, position: Position) -> tuple[Position, ...]:
        """Return the nodes one move below a node, without repetitions."""
        return tuple(dict.fromkeys(edge.child for edge in self.edges_from[position]))

    def ancestors(self, position: Position) -> frozenset[Position]:
        """Return all nodes above a node, without the node itself."""
        parents: dict[Position, list[Position]] = {}
        for edge in self.edges:
            parents.setdefault(edge.child, []).append(edge.parent)
        return frozenset(reached(position, lambda node: parents.get(node, ()))) - {position}

    @cached_property
    def ways(self) -> Mapping[Position, tuple[Cell, ...]]:
        """Moves from the root to each node. They lead to the node itself and not to another image of it."""
        moves_to: dict[Position, tuple[Cell, ...]] = {self.root: ()}
        for edge in self.edges:  # the first edge to a node is plain and starts at an earlier node
            if not edge.turned:
                moves_to.setdefault(edge.child, (*moves_to[edge.parent], edge.moves[0]))
        return moves_to

    def find(self, position: Position) -> Position | None:
        """Return a position if it is a node, else the first node that is an image of it, else None."""
        if position in self.nodes:
            return position
        wanted = position.canonical()
        return next((node for node in self.nodes if node.canonical() == wanted), None)


_ENDED: Final = {Result.X: Kind.X_WINS, Result.O: Kind.O_WINS, Result.DRAW: Kind.DRAW}


def kind_of(position: Position) -> Kind:
    """Return the kind of a position."""
    if position.result:
        return _ENDED[position.result]
    return Kind.FORK if is_fork(position) else Kind.INTERNAL


def every_move(position: Position) -> tuple[Cell, ...]:
    """Return all legal moves, in reading order."""
    return position.legal_moves


def graph_of(
    root: Position,
    moves: Callable[[Position], Iterable[Cell]] = every_move,
    stop: Callable[[Position], bool] = lambda _: False,
    symmetric: bool = True,
    limit: int = NODES,
) -> Graph:
    """Return the graph of all positions that can be reached from `root`.

    `moves` returns the moves to follow from a position. A position is a leaf if `stop` returns true for it. If
    `symmetric`, images of a position are the same node. Raise TooLarge beyond `limit` nodes.
    """
    nodes: dict[Position, Kind] = {}
    met: dict[Position, Position] = {}
    edges: dict[Position, tuple[Edge, ...]] = {}

    def visit(position: Position, place: Position) -> None:
        if len(nodes) == limit:
            raise TooLarge(
                f"That is more than {limit:,} positions. Start later in the game, or choose a smaller board."
            )
        met[place] = position
        nodes[position] = kind_of(position)
        edges[position] = ()  # keep the node's place in the order while its descendants are visited
        leads: dict[tuple[Position, bool], tuple[Cell, ...]] = {}
        for move in () if stop(position) else moves(position):
            after = position.after(move)
            key = after.canonical() if symmetric else after
            if key not in met:
                visit(after, key)
            child = met[key]
            leads[child, child != after] = (*leads.get((child, child != after), ()), move)
        edges[position] = tuple(Edge(position, child, found, turned) for (child, turned), found in leads.items())

    visit(root, root.canonical() if symmetric else root)
    return Graph(root, nodes, edges)


def fewest_boards(position: Position, depth: int, distinct: bool) -> int:
    """Return a lower bound for the number of nodes in the graph of all moves, cut after `depth` plies.

    The bound is a formula, so nothing is walked. It counts positions up to the first ply at which a line can be
    complete. Until then, the stones can stand on any squares. If `distinct`, symmetric positions share a node.
    """
    if position.result is not None:
        return 1
    plies = min(depth, position.plies_left, _first_line(position))
    boards = (comb(position.plies_left, ply) * comb(ply, ply // 2) for ply in range(plies + 1))
    class_size = len(position.rules.symmetries) if distinct else 1
    return sum(-(-count // class_size) for count in boards)


def _first_line(position: Position) -> int:
    """Return the least number of plies until a line can be complete, or a large number if none ever can."""
    many, own, other = position.rules.size, position.own, position.other
    stones = min(((line & ~own).bit_count() for line in position.rules.lines if not line & other), default=many)
    answers = min(((line & ~other).bit_count() for line in position.rules.lines if not line & own), default=many)
    return min(2 * stones - 1, 2 * answers)


@dataclass(frozen=True, slots=True)
class Fork:
    """A position with a fork, the player who has the fork, and the threatened squares in reading order."""

    position: Position
    owner: Mark
    threats: tuple[Cell, ...]

    @property
    def ply(self) -> int:
        """The number of stones on the board."""
        return self.position.rules.size - self.position.plies_left


@lru_cache(maxsize=16)
def forks(rules: Rules, forced: bool = False) -> tuple[Fork, ...]:
    """Return every fork on a board, up to symmetry, ordered by ply; `wins_by_threats` defines a fork here.

    If `forced`, players play only their `forced_moves`. Raise TooLarge beyond 12 squares.
    """
    if rules.size > MAX_FORK_CELLS:
        raise TooLarge(f"Forks are listed for boards of up to {MAX_FORK_CELLS} squares; {rules} has {rules.size}.")
    nodes = graph_of(Position(rules), forced_moves if forced else every_move).nodes
    forked = (Fork(each, each.mover.other, each.threats()) for each in nodes if wins_by_threats(each))
    return tuple(sorted(forked, key=lambda fork: fork.ply))


def forks_in_words(forked: Iterable[Fork]) -> str:
    """Say how many forks there are, and how many of them have exactly two threats."""
    threats = [len(fork.threats) for fork in forked]
    two = threats.count(FORK)
    forks = counted(len(threats), "fork", "forks")
    if two == len(threats):
        return f"{forks}, each with two threats."
    return f"{forks}: {two:,} with two threats and {len(threats) - two:,} with more."


def forks_by_ply(forked: Iterable[Fork]) -> dict[int, tuple[Fork, ...]]:
    """Group forks by ply. They must be ordered by ply."""
    return {ply: tuple(group) for ply, group in groupby(forked, key=lambda fork: fork.ply)}
