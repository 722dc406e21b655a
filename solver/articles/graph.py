"""One move of look-ahead: winning squares, forks, and the move that has to be played.

The game as a graph: every position once, up to symmetry if wanted, and the moves that lead from one to another.

The walk is that of the Clojure article: depth first, moves in reading order, and of several positions that a symmetry
turns into each other the one that is met first stands for all.

Forks: positions in which the player who has just moved threatens to win on two squares, and the mover cannot win.

`solver.articles.graph` defines a fork; here all of a board are listed.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from math import comb
from typing import Final

from solver.board.outcome import counted
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell, Rules
from solver.errors import TooLarge

FORK: Final = 2
"""The fewest winning squares that no single reply can block."""


def threats(position: Position) -> tuple[Cell, ...]:
    """The squares where the player who moved last would win if it were that player's turn again, in reading order.

    None once the game is over.
    """
    return () if position.result else position.completing(position.mover.other)


def is_fork(position: Position) -> bool:
    """Whether the player who moved last has exactly two winning squares and the mover none.

    That is the Clojure article's definition. It leaves out what `wins_by_threats` has: three winning squares and more.
    """
    return len(threats(position)) == FORK and not position.completing(position.mover)


def wins_by_threats(position: Position) -> bool:
    """Whether the player who moved last has at least two winning squares and the mover none: the plain fork.

    After each block of the mover's another winning square is left.
    """
    return len(threats(position)) >= FORK and not position.completing(position.mover)


def owner(position: Position) -> Mark:
    """Whose threats these are: the player who moved last."""
    return position.mover.other


def forced_moves(position: Position) -> tuple[Cell, ...]:
    """The moves of a player who looks one move ahead; none once the game is over.

    The first winning move alone; else the first move that blocks a win of the opponent, alone; else every legal move.
    "First" is in reading order, as in the Clojure article: of a fork's two blocks only one is looked at.
    """
    if position.result:
        return ()
    urgent = position.completing(position.mover) or threats(position)
    return urgent[:1] or position.legal_moves


NODES: Final = 100_000
"""The most positions that a graph holds."""


class Kind(StrEnum):
    """What a position is: decided, drawn, or still on, and then whether the player who moved last has a fork."""

    INTERNAL = "internal"
    FORK = "fork"
    X_WINS = "X wins"
    O_WINS = "O wins"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Edge:
    """The moves that lead from one node to another, in reading order.

    Where `turned`, each move leads to a rotated or reflected image of `child`; where not, there is one move and it
    leads to `child` itself. A pair of nodes may have an edge of either sort.
    """

    parent: Position
    child: Position
    moves: tuple[Cell, ...]
    turned: bool


@dataclass(frozen=True)
class Graph:
    """Positions with what they are, in the order in which they were first met, and the edges between them.

    The edges are grouped by parent, in the order of the nodes, and by first move.
    """

    root: Position
    nodes: Mapping[Position, Kind]
    edges: tuple[Edge, ...]

    @cached_property
    def _edges_of(self) -> dict[Position, tuple[Edge, ...]]:
        found: dict[Position, tuple[Edge, ...]] = {}
        for edge in self.edges:
            found[edge.parent] = (*found.get(edge.parent, ()), edge)
        return found

    def edges_from(self, position: Position) -> tuple[Edge, ...]:
        """The edges that lead out of a node; none out of a leaf."""
        return self._edges_of.get(position, ())

    def children(self, position: Position) -> tuple[Position, ...]:
        """The nodes one move after a node, each once."""
        return tuple(dict.fromkeys(edge.child for edge in self.edges_from(position)))

    def ancestors(self, position: Position) -> frozenset[Position]:
        """The nodes from which moves lead to a node, without itself."""
        parents: dict[Position, list[Position]] = {}
        for edge in self.edges:
            parents.setdefault(edge.child, []).append(edge.parent)
        found: set[Position] = set()
        waiting = [position]
        while waiting:
            new = set(parents.get(waiting.pop(), ())) - found
            found |= new
            waiting += new
        return frozenset(found)

    @cached_property
    def ways(self) -> Mapping[Position, tuple[Cell, ...]]:
        """Moves that lead from the root to each node itself, not to an image of it."""
        found: dict[Position, tuple[Cell, ...]] = {self.root: ()}
        for edge in self.edges:  # a node is first met on a move that leads to itself, from a node met before
            if not edge.turned:
                found.setdefault(edge.child, (*found[edge.parent], edge.moves[0]))
        return found

    def find(self, position: Position) -> Position | None:
        """The node that a position is, or else the first that is an image of it, if there is one."""
        if position in self.nodes:
            return position
        wanted = position.canonical()
        return next((node for node in self.nodes if node.canonical() == wanted), None)


def kind_of(position: Position) -> Kind:
    """What a position is."""
    match position.result:
        case Result.X:
            return Kind.X_WINS
        case Result.O:
            return Kind.O_WINS
        case Result.DRAW:
            return Kind.DRAW
        case None:
            return Kind.FORK if is_fork(position) else Kind.INTERNAL


def every_move(position: Position) -> tuple[Cell, ...]:
    """All legal moves, in reading order."""
    return position.legal_moves


def never(_: Position) -> bool:
    """Stops nowhere."""
    return False


def graph_of(
    root: Position,
    moves: Callable[[Position], Iterable[Cell]] = every_move,
    stop: Callable[[Position], bool] = never,
    symmetric: bool = True,
    limit: int = NODES,
) -> Graph:
    """The graph of all that `moves` lead to from `root`; a position where `stop` holds is a leaf.

    With `symmetric`, positions that a symmetry turns into each other are one node; without, only equal ones are.
    Raises TooLarge beyond `limit` nodes.
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
        edges[position] = ()  # holds the node's place while its descendants are visited
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
    return Graph(root, nodes, tuple(edge for group in edges.values() for edge in group))


def fewest_boards(position: Position, depth: int, distinct: bool) -> int:
    """A number of nodes that `graph_of` with every move, cut after `depth` plies, has at least: by counting alone.

    With `distinct`, of classes of positions that a symmetry turns into each other. As long as no line can have been
    completed before, whatever was played, every choice of squares for the next stones of both is a board of its ply.
    """
    if position.result is not None:
        return 1
    plies = min(depth, position.plies_left, _first_line(position))
    boards = (comb(position.plies_left, ply) * comb(ply, ply // 2) for ply in range(plies + 1))
    class_size = len(position.rules.symmetries) if distinct else 1
    return sum(-(-count // class_size) for count in boards)


def _first_line(position: Position) -> int:
    """The plies after which a line can be complete at the earliest, if both players help; many if there is none."""
    many, own, other = position.rules.size, position.own, position.other
    stones = min(((line & ~own).bit_count() for line in position.rules.lines if not line & other), default=many)
    answers = min(((line & ~other).bit_count() for line in position.rules.lines if not line & own), default=many)
    return min(2 * stones - 1, 2 * answers)


MAX_FORK_CELLS: Final = 12
"""The most squares of a board whose forks are listed."""


@dataclass(frozen=True, slots=True)
class Fork:
    """A forked position, whose fork it is, and where the threats are, in reading order."""

    position: Position
    owner: Mark
    threats: tuple[Cell, ...]

    @property
    def ply(self) -> int:
        """How many stones are on the board."""
        return self.position.rules.size - self.position.plies_left


@lru_cache(maxsize=16)
def forks(rules: Rules, forced: bool = False) -> tuple[Fork, ...]:
    """Every position up to symmetry with at least two threats and no win for the mover, by ply.

    With `forced`, only those that the walk meets in which both players win or block where they can. A fork by the
    Clojure article's definition has exactly two threats; the others have more. Raises TooLarge beyond 12 squares.
    """
    if rules.size > MAX_FORK_CELLS:
        raise TooLarge(
            f"{rules} has too many positions to list its forks: that is done for up to {MAX_FORK_CELLS} squares."
        )
    nodes = graph_of(Position(rules), forced_moves if forced else every_move).nodes
    return tuple(sorted(_among(nodes), key=lambda fork: fork.ply))


def _among(positions: Iterable[Position]) -> Iterable[Fork]:
    return (Fork(each, owner(each), threats(each)) for each in positions if wins_by_threats(each))


def said(found: Iterable[Fork]) -> str:
    """How many there are, and how many of them by the article's definition, as page and command say it."""
    threats = [len(fork.threats) for fork in found]
    two = threats.count(FORK)
    forks = counted(len(threats), "fork", "forks")
    if two == len(threats):
        return f"{forks}, each with two threats."
    return f"{forks}: {two:,} with two threats, as the Clojure article has them, and {len(threats) - two:,} with more."


def by_ply(found: Iterable[Fork]) -> dict[int, tuple[Fork, ...]]:
    """The forks by ply, plies in order."""
    groups: dict[int, tuple[Fork, ...]] = {}
    for fork in sorted(found, key=lambda fork: fork.ply):
        groups[fork.ply] = (*groups.get(fork.ply, ()), fork)
    return groups
