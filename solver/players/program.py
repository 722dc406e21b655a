"""The program of the PyFL article, read in two ways: as it was meant, and as it is printed.

Its expressions do not always do what the prose says. It looks for the *opponent's* winning square before its own. It
takes a side only while the opponent does not hold the centre. Several squares may satisfy a rule. For a win, a block or
a threatened corner, the program then takes the first square in its own order. For a side, a corner or the rest, it
draws a square at random. It was written to play O; for X the marks change places.

In the printed program, a semicolon ends the test of a line before its empty cells are counted. So every line without a
stone of one side counts as a winning line of the other side, and its first open cell is taken.
"""

from dataclasses import replace
from typing import Final

from solver.board.position import Mark, Position
from solver.board.rules import Cell, cells_of
from solver.players.decision import Rule, Squares
from solver.players.handbook import HANDBOOK, REST, WRITTEN, threatened_corners


def first_winning(position: Position, mark: Mark) -> list[Cell]:
    """Return the cell that completes the first line that lacks one `mark`.

    Rows come first, then columns, then diagonals.
    """
    for line in position.rules.lines:
        missing = line & ~position.stones(mark)
        if missing.bit_count() == 1 and missing & position.empty:
            return list(cells_of(missing))
    return []


def cut_win(position: Position, mark: Mark) -> list[Cell]:
    """Return the first open cell of the first line without a stone of the opponent.

    This is the rule "win" as printed, up to the semicolon.
    """
    for line in position.rules.lines:
        if not line & position.stones(mark.other) and line & position.empty:
            return [min(cell for cell in position.legal_moves if line >> cell & 1)]
    return []


def _rule(name: str, like: Rule, squares: Squares | None = None) -> Rule:
    """Return a rule of the program by its words in `handbook.toml`: a rule like another one, or with other squares."""
    return replace(like, squares=squares or like.squares, **WRITTEN["program"][name])


BLOCK: Final = _rule("block", HANDBOOK["block"], lambda p: first_winning(p, p.mover.other))
WIN: Final = _rule("win", HANDBOOK["win"], lambda p: first_winning(p, p.mover))
CUT_BLOCK: Final = _rule("cut block", BLOCK, lambda p: cut_win(p, p.mover.other))
CUT_WIN: Final = _rule("cut win", WIN, lambda p: cut_win(p, p.mover))
CENTRE: Final = _rule("centre", HANDBOOK["centre"])
THREATENED: Final = _rule("threatened", HANDBOOK["threatened corner"], lambda p: [*threatened_corners(p)][:1])
SIDE: Final = _rule("side", HANDBOOK["edge, centre not lost"])
CORNER: Final = _rule("corner", HANDBOOK["corner"])
RANDOM: Final = _rule("random", REST)

AS_MEANT: Final = (BLOCK, WIN, CENTRE, THREATENED, SIDE, CORNER, RANDOM)
"""The program's rules in its order, without the semicolon."""

LETTER_BY_LETTER: Final = (CUT_BLOCK, CUT_WIN, *AS_MEANT[2:])
"""The program's rules in its order, with the semicolon."""
