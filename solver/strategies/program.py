"""The list of rules of the program printed in "Unbeatable? Tictactoe in PyFL" (B. Wadge), on 3×3.

The program is not what the article's prose says. It looks for the *opponent's* winning square before its own; it takes
a side only while the opponent does not hold the centre; and where several squares satisfy a rule it takes the first in
its own order for a win, a block and a threatened corner, and one at random only for a side, a corner and the rest. It
was written to play O; for X the marks change places.
"""

from typing import Final

from solver.board.position import Mark, Position
from solver.board.rules import Cell, cells_of
from solver.strategies.handbook import HANDBOOK, REST, Rule, threatened_corners


def first_winning(position: Position, mark: Mark) -> list[Cell]:
    """The open cell of the first line, rows before columns before diagonals, that lacks only it for `mark`."""
    for line in position.rules.lines:
        missing = line & ~position.stones(mark)
        if missing.bit_count() == 1 and missing & position.empty:
            return list(cells_of(missing))
    return []


BLOCK: Final = Rule(
    "its rule “win {you}”", "the opponent would win there", 0, lambda p: first_winning(p, p.mover.other)
)
WIN: Final = Rule("its rule “win {me}”", "it completes a line", 0, lambda p: first_winning(p, p.mover))
CENTRE: Final = Rule("its rule “center”", "", 0, HANDBOOK["centre"].cells)
THREATENED: Final = Rule(
    "its rule “thrd corner”", "the opponent stands on both sides of it", 0, lambda p: threatened_corners(p)[:1]
)
SIDE: Final = Rule(
    "its rule “side”", "the opponent does not hold the centre", 0, HANDBOOK["side, centre not lost"].cells
)
CORNER: Final = Rule("its rule “open corner”", "", 0, HANDBOOK["corner"].cells)
RANDOM: Final = Rule("its rule “random”", "", 0, REST.cells)

AS_PRINTED: Final = (BLOCK, WIN, CENTRE, THREATENED, SIDE, CORNER, RANDOM)
"""The program's rules in its order."""
