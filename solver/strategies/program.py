"""The player of the program printed in "Unbeatable? Tictactoe in PyFL" (B. Wadge), on 3×3.

The program is not what the article's prose says. It looks for the *opponent's* winning square before its own; it takes
a side only while the opponent does not hold the centre; and where several squares satisfy a rule it takes the first in
its own order for a win, a block and a threatened corner, and one at random only for a side, a corner and the rest. It
was written to play O; for X the marks change places.
"""

from solver.position import Mark, Position
from solver.rules import Bits, Cell, Rules, cells_of
from solver.strategies.decision import FINISHED, Decision, any_of

CENTRE: Cell = 4
CORNERS: tuple[tuple[Cell, Cell, Cell], ...] = ((0, 1, 3), (2, 5, 1), (6, 3, 7), (8, 7, 5))
"""Each corner with its two neighbours, in the program's order."""
SIDES: tuple[Cell, ...] = (1, 3, 5, 7)


def plays_on(rules: Rules) -> bool:
    """The program knows the 3×3 board only."""
    return (rules.columns, rules.rows, rules.k) == (3, 3, 3)


def program(position: Position) -> Decision:
    """The first of the program's rules that applies, with the squares that its expressions can pick."""
    me, you = position.mover, position.mover.other
    if position.result is not None:
        raise ValueError(FINISHED)
    if (cell := _first_winning(position, you)) is not None:
        return any_of([cell], f"its rule “win {you}”: the opponent would win there")
    if (cell := _first_winning(position, me)) is not None:
        return any_of([cell], f"its rule “win {me}”: it completes a line")
    if _free(position, CENTRE):
        return any_of([CENTRE], "its rule “center”")
    for corner, *beside in CORNERS:
        if _free(position, corner) and all(position.mark_at(cell) is you for cell in beside):
            return any_of([corner], "its rule “thrd corner”: the opponent stands on both sides of it")
    sides = [cell for cell in SIDES if _free(position, cell)]
    if sides and position.mark_at(CENTRE) is not you:
        return any_of(sides, "its rule “side”: the opponent does not hold the centre")
    if corners := [corner for corner, *_ in CORNERS if _free(position, corner)]:
        return any_of(corners, "its rule “open corner”")
    return any_of(position.legal_moves, "its rule “random”")


def _free(position: Position, cell: Cell) -> bool:
    return position.mark_at(cell) is None


def _first_winning(position: Position, mark: Mark) -> Cell | None:
    """The open cell of the first line, rows before columns before diagonals, that lacks only it for `mark`."""
    stones: Bits = position.stones(mark)
    for line in position.rules.lines:
        missing = line & ~stones
        if missing.bit_count() == 1 and missing & position.empty:
            return next(cells_of(missing))
    return None
