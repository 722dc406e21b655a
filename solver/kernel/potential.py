"""Estimates from the lines that are still open, for where no proof tells."""

from collections.abc import Mapping

from solver.board.position import Position
from solver.board.rules import Cell, cells_of

LONG = 5
"""The squares of lines from which on the weak game is asked about, and other moves are worth most."""

WORTHS_OF_SHORT = (
    (0, 0, 2560, 1280, 512, 128, 32, 8, 2),
    (0, 0, 8192, 1536, 384, 128, 32, 8, 2),
    (0, 0, 8192, 4096, 1024, 256, 64, 16, 4),
    (0, 0, 3072, 1024, 256, 64, 16, 4, 1),
    (0, 0, 128, 64, 32, 16, 8, 4, 2),
)
WORTHS_OF_LONG = (
    (0, 0, 2048, 1280, 1040, 91, 32, 8, 2),
    (0, 0, 10650, 1182, 369, 166, 32, 8, 2),
    (0, 0, 8520, 3151, 1600, 333, 64, 16, 4),
    (0, 0, 3072, 788, 256, 64, 16, 4, 1),
    (0, 0, 98, 64, 42, 16, 8, 4, 2),
)
"""What a line that misses so many stones adds to the worth of a square in the order of moves, where no move is forced.

In rows: the attacker's and the defender's lines where the defender is to move, the same where the attacker is, and the
attacker's where the defender has none. Those of short lines, of four squares and less, were tuned by the nodes of slow
positions on boards with k = 4, those of long ones by the slowest that were found of 6x6x5.
"""


def potential(position: Position, cell: Cell) -> int:
    """The worth of an open square for the mover, who extends or spoils lines there.

    It is 4^n for each line through it with n stones, all of one player.
    """
    total, mine, theirs = 0, position.own, position.other
    for line in position.rules.lines_through[cell]:
        own, other = line & mine, line & theirs
        if not own or not other:
            total += 4 ** (own | other).bit_count()
    return total


def promising(position: Position) -> list[Cell]:
    """The open squares in the order of their potential, the greatest first."""
    worths, mine, theirs = dict.fromkeys(cells_of(position.empty), 0), position.own, position.other
    for line in position.rules.lines:
        own, other = line & mine, line & theirs
        if not own or not other:
            worth = 4 ** (own | other).bit_count()
            for cell in cells_of(line & ~(mine | theirs)):
                worths[cell] += worth
    return sorted(worths, key=worths.__getitem__, reverse=True)


def danger(position: Position) -> float:
    """How much the mover's open lines threaten: 1 / 2^n for each that misses n stones."""
    lines = (line for line in position.rules.lines if not line & position.other)
    return sum(0.5 ** (line & position.empty).bit_count() for line in lines)


def estimate(position: Position) -> Mapping[Cell, float]:
    """How promising each open square is for the mover, from 0 to 1: a guess from the open lines that proves nothing.

    A line with n stones, all of one player, is worth 4^n to the squares that it misses, and half as much if they are
    the opponent's: the mover is the first to complete lines. The squares' sums are divided by the greatest of them.
    """
    worths = dict.fromkeys(position.legal_moves, 0.0)
    for line in position.rules.lines if worths else ():
        own, other = line & position.own, line & position.other
        if not own or not other:
            worth = 4.0 ** (own | other).bit_count() / (2 if other else 1)
            for cell in cells_of(line & position.empty):
                worths[cell] += worth
    greatest = max(worths.values(), default=0.0)
    return {cell: worth / greatest for cell, worth in worths.items()} if greatest else worths
