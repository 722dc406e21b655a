"""Estimates of positions that a search's horizon leaves undecided: guesses, which prove nothing."""

from solver.board.outcome import Score
from solver.board.position import Position
from solver.board.rules import Bits


def two_in_a_row(position: Position) -> Score:
    """The lines that lack just one stone and that the other side does not block, the mover's less the other's.

    On 3×3 these are two in a row. The article on lazy game trees in Haskell misses such a value in its own, which knows
    nothing but lines.
    """
    own, other = position.own, position.other
    return sum(_lacks_one(line, own, other) - _lacks_one(line, other, own) for line in position.rules.lines)


def _lacks_one(line: Bits, stones: Bits, blocking: Bits) -> bool:
    return not line & blocking and (line & ~stones).bit_count() == 1
