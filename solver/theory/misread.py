"""What a misreading makes of the game: lines that are not seen, and players who choose for each other.

Each is a single deviation from the rules, for figures that can be explained by one.
"""

from collections.abc import Sequence
from typing import Final

from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.search.fold import fold, itself
from solver.theory.lookahead import Pruned, replies, static_value

WITHOUT_ANTI_DIAGONAL: Final = Rules(3, 3, 3, tuple(line for line in TIC_TAC_TOE.lines if line != 0b001_010_100))
"""3×3 without the line from the upper right to the lower left.

The article on lazy game trees in Haskell tests the other diagonal twice instead.
"""

WITHOUT_LINES: Final = Rules(3, 3, 3, ())
"""3×3 on which nobody ever wins: play goes on until the board is full."""


def helpless_value(position: Position, depth: int) -> int:
    """X's value with `depth` plies looked ahead if each player chose what is best for the other."""

    def choice(state: Pruned, values: Sequence[int]) -> int:
        return min(values) if state[0].mover is Mark.X else max(values)

    return fold(lambda state: static_value(state[0]), choice, replies, itself)((position, depth))
