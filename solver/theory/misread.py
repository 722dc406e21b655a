"""What a misreading makes of the game: lines that are not seen, and players who choose for each other.

Each is a single deviation from the rules, for figures that can be explained by one.
"""

from functools import cached_property

from solver.position import Mark, Position
from solver.rules import Bits, Rules, rules_of
from solver.theory.lookahead import static_value


class WithoutAntiDiagonal(Rules):
    """3×3 without the line from the upper right to the lower left.

    The article on lazy game trees in Haskell tests the other diagonal twice instead. These are rules like any others,
    so that every look-ahead works on them, but the symmetries, which are those of the whole board, do not hold.
    """

    @cached_property
    def lines(self) -> tuple[Bits, ...]:
        """The winning lines without that one."""
        unseen = 0b001_010_100
        return tuple(line for line in rules_of(self.columns, self.rows, self.k).lines if line != unseen)


class WithoutLines(Rules):
    """A board on which nobody ever wins: play goes on until it is full."""

    @cached_property
    def lines(self) -> tuple[Bits, ...]:
        """None."""
        return ()


def helpless_value(position: Position, depth: int) -> int:
    """X's value with `depth` plies looked ahead if each player chose what is best for the other."""
    moves = position.legal_moves if depth else ()
    if not moves:
        return static_value(position)
    choose = min if position.mover is Mark.X else max
    return choose(helpless_value(position.after(cell), depth - 1) for cell in moves)
