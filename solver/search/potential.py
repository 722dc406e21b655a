"""Estimates from the lines that are still open, for where no proof tells."""

from solver.position import Position
from solver.rules import Cell


def potential(position: Position, cell: Cell) -> int:
    """The worth of an open square for the mover, who extends or spoils lines there.

    It is 4^n for each line through it with n stones, all of one player.
    """
    total = 0
    for line in position.rules.lines_through[cell]:
        own, other = line & position.own, line & position.other
        if not own or not other:
            total += 4 ** (own | other).bit_count()
    return total


def danger(position: Position) -> float:
    """How much the mover's open lines threaten: 1 / 2^n for each that misses n stones."""
    lines = (line for line in position.rules.lines if not line & position.other)
    return sum(0.5 ** (line & position.empty).bit_count() for line in lines)
