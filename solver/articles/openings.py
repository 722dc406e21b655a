"""The first two moves of a game: their worth, and the forced wins after a bad reply."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import Final

from solver.articles.graph import Graph, Kind, graph_of, wins_by_threats
from solver.board.notation import format_cell
from solver.board.outcome import sign
from solver.board.position import Mark, Position
from solver.board.rules import SMALL, TIC_TAC_TOE, Cell, Rules
from solver.errors import TooLarge
from solver.search.tablebase import look_up

WAYS: Final = 10_000
"""The most positions in a search for forced wins."""

_NAMES: Final = {0: "corner", 1: "edge", 4: "centre"}

_PLACES: Final = {
    ("corner", "edge", 1): "edge beside it",
    ("corner", "edge", 5): "opposite edge",
    ("corner", "corner", 4): "corner on the same edge",
    ("corner", "corner", 8): "opposite corner",
    ("edge", "corner", 1): "corner on the same edge",
    ("edge", "corner", 5): "corner on the opposite edge",
    ("edge", "edge", 2): "neighbouring edge",
    ("edge", "edge", 4): "opposite edge",
}
"""The name of a second square. The key is the kind of each square and the square of their distance."""


def worth(position: Position) -> int:
    """Return the worth of a reachable position to X by perfect play: 1 if X wins, 0 for a draw, -1 if O wins.

    Raise TooLarge on boards of more than nine squares.
    """
    if not position.rules.is_small:
        raise TooLarge(f"Positions are looked up on boards of up to {SMALL} squares, not on {position.rules}.")
    own = sign(look_up(position))
    return own if position.mover is Mark.X else -own


@dataclass(frozen=True, slots=True)
class Move:
    """Moves that are images of each other.

    `cells` are all these moves, and `cell` is the first of them. `position` is the board after `cell`.
    """

    cell: Cell
    cells: tuple[Cell, ...]
    position: Position
    worth: int


@dataclass(frozen=True, slots=True)
class Opening:
    """A distinct first move with its distinct replies.

    Its name on 3×3 is corner, edge or centre. On other boards it is the name of the square.
    """

    name: str
    move: Move
    replies: tuple[Move, ...]

    @property
    def position(self) -> Position:
        """The board after the first move."""
        return self.move.position

    @property
    def losing(self) -> tuple[Move, ...]:
        """The replies after which X wins."""
        return tuple(reply for reply in self.replies if reply.worth == 1)

    @property
    def safe(self) -> tuple[Move, ...]:
        """The replies after which X does not win."""
        return tuple(reply for reply in self.replies if reply.worth < 1)


def distinct_moves(position: Position) -> tuple[Move, ...]:
    """Return the moves in a position, with their worth; images count once. Raise TooLarge like `worth`."""
    boards = ((cells, position.after(cells[0])) for cells in position.orbits())
    return tuple(Move(cells[0], cells, after, worth(after)) for cells, after in boards)


@lru_cache(maxsize=64)
def openings(rules: Rules) -> tuple[Opening, ...]:
    """Return the distinct first moves of a board with their distinct replies. Raise TooLarge like `worth`."""
    named = _NAMES if rules == TIC_TAC_TOE else {}
    return tuple(
        Opening(named.get(move.cell, format_cell(move.cell, rules)), move, distinct_moves(move.position))
        for move in distinct_moves(Position(rules))
    )


def tic_tac_toe_openings() -> dict[str, Opening]:
    """Return the openings of tic-tac-toe by name: corner, edge, centre."""
    return {opening.name: opening for opening in openings(TIC_TAC_TOE)}


def starts() -> dict[str, Position]:
    """Return the empty board ("initial") and the board after each opening, by name."""
    opened = {name: opening.position for name, opening in tic_tac_toe_openings().items()}
    return {"initial": Position(TIC_TAC_TOE)} | opened


def square_name(cell: Cell) -> str:
    """Return corner, edge or centre for a square of 3×3."""
    return _NAMES.get(cell, _NAMES[cell % 2])


def place_name(cell: Cell, first: Cell) -> str:
    """Describe a square of 3×3 as seen from the first move, e.g. "corner on the same edge"."""
    (x, y), (first_x, first_y) = divmod(cell, 3), divmod(first, 3)
    seen = square_name(first), square_name(cell), (x - first_x) ** 2 + (y - first_y) ** 2
    return _PLACES.get(seen, square_name(cell))


@dataclass(frozen=True, slots=True)
class Way:
    """A forced win: the attacker's threats, each followed by the only block, and at last the move that forks."""

    start: Position
    moves: tuple[Cell, ...]

    @property
    def positions(self) -> tuple[Position, ...]:
        """The board after each move; the last board has the fork."""
        return tuple(accumulate(self.moves, Position.after, initial=self.start))[1:]

    @property
    def fork(self) -> Position:
        """The board after the last move."""
        return self.positions[-1]


def forced_wins(position: Position) -> tuple[Way, ...]:
    """Return all ways in which the mover can force a fork by threats alone, in reading order.

    The last move threatens two or more squares. Each earlier move threatens one square, where the opponent must block.
    The opponent never has a threat. Raise TooLarge beyond 10,000 positions.
    """
    visited = 0

    def ways(at: Position) -> Iterator[tuple[Cell, ...]]:
        nonlocal visited
        for cell in at.legal_moves:
            if (visited := visited + 1) > WAYS:
                raise TooLarge(f"There are more than {WAYS:,} positions of threats here. Start later in the game.")
            after = at.after(cell)
            if after.result is not None or after.threats(after.mover):
                continue
            if wins_by_threats(after):
                yield (cell,)
            elif block := after.threats():
                for rest in ways(after.after(block[0])):
                    yield cell, block[0], *rest

    return tuple(Way(position, moves) for moves in ways(position))


def distinct_ways(position: Position) -> tuple[Way, ...]:
    """Return the forced wins from a position; images of a win count once."""
    kept = position.symmetries()
    classes: dict[tuple[Cell, ...], Way] = {}
    for way in forced_wins(position):
        classes.setdefault(min(tuple(turn[cell] for cell in way.moves) for turn in kept), way)
    return tuple(classes.values())


def forced_wins_tree(root: Position) -> Graph:
    """Return the graph of all forced wins from the empty board or an opening. Raise TooLarge like `worth`.

    O makes a losing reply. Then X makes threats, which O blocks, and at last a fork. Images share a node.
    """

    def moves(position: Position) -> tuple[Cell, ...]:
        if wins_by_threats(position):
            return ()
        if position.rules.size - position.plies_left < 2:
            return tuple(
                cell for cell in position.legal_moves if position.mover is Mark.X or worth(position.after(cell)) > 0
            )
        if position.mover is Mark.O:
            return position.threats()
        return tuple(dict.fromkeys(way.moves[0] for way in forced_wins(position)))

    graph = graph_of(root, moves)
    kinds = {node: Kind.FORK if wins_by_threats(node) else kind for node, kind in graph.nodes.items()}
    return replace(graph, nodes=kinds)


def winning_moves(position: Position) -> tuple[Cell, ...]:
    """Return X's moves after which X still wins by perfect play. Raise TooLarge like `worth`."""
    return tuple(cell for cell in position.legal_moves if worth(position.after(cell)) == 1)
