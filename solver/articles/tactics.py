"""One move of look-ahead: winning squares, forks, and the move that has to be played."""

from typing import Final

from solver.board.position import Mark, Position
from solver.board.rules import Cell

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
