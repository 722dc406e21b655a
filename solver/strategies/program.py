"""The player of the program printed in "Unbeatable? Tictactoe in PyFL" (B. Wadge), on 3×3.

The program is not what the article's prose says. It looks for the *opponent's* winning square before its own; it takes
a side only while the opponent does not hold the centre; and where several squares satisfy a rule it takes the first in
its own order for a win, a block and a threatened corner, and one at random only for a side, a corner and the rest. It
was written to play O; for X the marks change places.
"""

from collections.abc import Iterable
from typing import Final

from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell, Rules, cells_of
from solver.strategies.decision import FINISHED, Decide, Decision, any_of
from solver.strategies.heuristics import Rule

CENTRE: Final[Cell] = 4
CORNERS: Final[tuple[tuple[Cell, Cell, Cell], ...]] = ((0, 1, 3), (2, 5, 1), (6, 3, 7), (8, 7, 5))
"""Each corner with its two neighbours, in the program's order."""
SIDES: Final[tuple[Cell, ...]] = (1, 3, 5, 7)


def plays_on(rules: Rules) -> bool:
    """The program knows the 3×3 board only."""
    return rules == TIC_TAC_TOE


def first_winning(position: Position, mark: Mark) -> list[Cell]:
    """The open cell of the first line, rows before columns before diagonals, that lacks only it for `mark`."""
    for line in position.rules.lines:
        missing = line & ~position.stones(mark)
        if missing.bit_count() == 1 and missing & position.empty:
            return list(cells_of(missing))
    return []


def threatened_corner(position: Position, mark: Mark) -> list[Cell]:
    """The first open corner with the opponent on both sides of it."""
    threatened = (
        corner
        for corner, *beside in CORNERS
        if _free(position, [corner]) and all(position.mark_at(cell) is mark.other for cell in beside)
    )
    return list(threatened)[:1]


def open_sides(position: Position, _: Mark) -> list[Cell]:
    """The open sides."""
    return _free(position, SIDES)


def open_corners(position: Position, _: Mark) -> list[Cell]:
    """The open corners, in the program's order."""
    return _free(position, (corner for corner, *_ in CORNERS))


BLOCK: Final[tuple[str, Rule]] = (
    "its rule “win {you}”: the opponent would win there",
    lambda position, mark: first_winning(position, mark.other),
)
WIN: Final[tuple[str, Rule]] = ("its rule “win {me}”: it completes a line", first_winning)
TAKE_CENTRE: Final[tuple[str, Rule]] = ("its rule “center”", lambda position, _: _free(position, [CENTRE]))
THREATENED: Final[tuple[str, Rule]] = (
    "its rule “thrd corner”: the opponent stands on both sides of it",
    threatened_corner,
)
SIDE: Final[tuple[str, Rule]] = (
    "its rule “side”: the opponent does not hold the centre",
    lambda position, mark: [] if position.mark_at(CENTRE) is mark.other else open_sides(position, mark),
)
CORNER: Final[tuple[str, Rule]] = ("its rule “open corner”", open_corners)
REST: Final[tuple[str, Rule]] = ("its rule “random”", lambda position, _: position.legal_moves)

RULES: Final = (BLOCK, WIN, TAKE_CENTRE, THREATENED, SIDE, CORNER, REST)
"""The program's rules in its order, each with the words in which it explains itself."""


def following(rules: tuple[tuple[str, Rule], ...]) -> Decide:
    """The player who takes any of the squares of the first of these rules that names one."""

    def decide(position: Position) -> Decision:
        me = position.mover
        if position.result is None:
            for reason, rule in rules:
                if cells := tuple(rule(position, me)):
                    return any_of(cells, reason.format(me=me, you=me.other))
        raise ValueError(FINISHED)

    return decide


program: Final = following(RULES)
"""The first of the program's rules that applies, with the squares that its expressions can pick."""


def _free(position: Position, cells: Iterable[Cell]) -> list[Cell]:
    return [cell for cell in cells if position.mark_at(cell) is None]
