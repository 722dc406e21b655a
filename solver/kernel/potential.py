"""Estimates of squares and positions without a proof, by the lines that are still open.

Where a stone can harm its owner, open lines promise nothing, and all squares have the same estimate.
"""

from collections.abc import Mapping

from solver.board.position import Position
from solver.board.rules import Cell, Goal, Marking, MoveCode, cells_of

LONG = 5
"""The least length of long lines. Boards of long lines have other worths, and a search of the weak game first."""

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
"""The worth that a line adds to each of its squares, for ordering moves. The index is the number of stones it misses.

The first two rows are for the defender to move: the attacker's lines, then the defender's. The next two are for the
attacker to move. The last row is for the attacker's lines if the defender has none left. The worths of short lines were
tuned on slow positions of boards with k = 4, those of long lines on the slowest known positions of 6x6x5.
"""


def potential(position: Position, cell: Cell) -> int:
    """Return the worth of an open square by its open lines, 0 where a stone can harm its owner."""
    return open_lines(position, cell) if position.rules.stones_never_harm else 0


def promise(position: Position, move: MoveCode) -> int:
    """Return the worth of a move for a player who knows no better: its open lines also count where stones fall."""
    rules = position.rules
    own_lines_win = rules.stones_never_harm or (
        rules.falls and rules.goal is Goal.COMPLETE and rules.marks is Marking.OWN
    )
    return open_lines(position, move) if own_lines_win else 0


def open_lines(position: Position, cell: Cell) -> int:
    """Return the sum over the lines through an open square with n stones, all of one player, of 4^n."""
    total, mine, theirs = 0, position.own, position.other
    for line in position.rules.lines_through[cell]:
        own, other = line & mine, line & theirs
        if not own or not other:
            total += 4 ** (own | other).bit_count()
    return total


def promising(position: Position) -> list[Cell]:
    """Return the open squares by their potential, the greatest first."""
    worths = _worths(position, opponents=1)
    return sorted(worths, key=worths.__getitem__, reverse=True)


def danger(position: Position) -> float:
    """Return the danger of the mover's open lines: 1 / 2^n for each that misses n stones."""
    other, empty = position.other, position.empty
    return sum(0.5 ** (line & empty).bit_count() for line in position.rules.lines if not line & other)


def urgent(position: Position) -> list[Cell]:
    """Return the open squares by the danger of the opponent's open lines through them, the greatest first.

    Of equal ones the more promising is first.
    """
    own, empty, moves = position.own, position.empty, promising(position)
    dangers = dict.fromkeys(moves, 0.0)
    for line in position.rules.lines:
        if not line & own:
            share = 0.5 ** (line & empty).bit_count()
            for cell in cells_of(line & empty):
                dangers[cell] += share
    return sorted(moves, key=dangers.__getitem__, reverse=True)


def estimate(position: Position) -> Mapping[Cell, float]:
    """Guess how promising each open square is for the mover: up to 1 for the most promising one.

    The guess is the potential, in which the opponent's lines count half, since the mover completes lines first.
    """
    worths = _worths(position, opponents=0.5) if position.result is None else {}
    greatest = max(worths.values(), default=0) or 1
    return {cell: worth / greatest for cell, worth in worths.items()}


def _worths(position: Position, opponents: float) -> dict[Cell, float]:
    """Return the potential of each open square, with the worth of the opponent's lines multiplied by `opponents`."""
    worths: dict[Cell, float] = dict.fromkeys(position.rules.moves_to(position.playable), 0)
    mine, theirs = position.own, position.other
    for line in position.rules.lines if position.rules.stones_never_harm else ():
        own, other = line & mine, line & theirs
        if not own or not other:
            worth = (opponents if other else 1) * 4 ** (own | other).bit_count()
            for cell in cells_of(line & ~(mine | theirs)):
                worths[cell] += worth
    return worths
