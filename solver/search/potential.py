"""An estimate of how much a square is worth where no proof tells: the lines that it can still extend or spoil."""

from solver.position import Position
from solver.rules import Cell


def potential(position: Position, cell: Cell) -> int:
    """The worth of an open square for the mover: 4^n for each line through it with n stones, all of one player."""
    total = 0
    for line in position.rules.lines_through[cell]:
        own, other = line & position.own, line & position.other
        if not own or not other:
            total += 4 ** (own | other).bit_count()
    return total
