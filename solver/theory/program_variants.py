"""The PyFL article's program with one thing changed, to see what difference it makes."""

from dataclasses import replace
from typing import Final

from solver.board.position import Mark, Position
from solver.board.rules import Cell
from solver.strategies import STRATEGIES, Strategy
from solver.strategies.heuristics import Rule
from solver.strategies.program import (
    BLOCK,
    CORNER,
    REST,
    RULES,
    SIDE,
    TAKE_CENTRE,
    THREATENED,
    WIN,
    following,
    open_sides,
)

OPPOSITE: Final[tuple[tuple[Cell, Cell], ...]] = ((0, 8), (8, 0), (6, 2), (2, 6))
"""Each corner with the one across from it, in the program's order."""


def variant(*rules: tuple[str, Rule]) -> Strategy:
    """The program with other rules or another order of them."""
    return replace(STRATEGIES["pyfl-program"], name="variant", title="Variant", decide=following(rules))


def cut_win(position: Position, mark: Mark) -> list[Cell]:
    """The square that "win" picks where the appendix's semicolon ends the test before the empty cells are counted.

    Every line without a stone of the opponent then passes, and the first open cell of the first such line is taken.
    """
    for line in position.rules.lines:
        if not line & position.stones(mark.other) and line & position.empty:
            return [min(cell for cell in position.legal_moves if line >> cell & 1)]
    return []


def opposing_corner(position: Position, mark: Mark) -> list[Cell]:
    """The first open corner across from one of the opponent's: a rule that the program defines and never asks."""
    return [
        corner for corner, across in OPPOSITE if position.empty >> corner & 1 and position.mark_at(across) is mark.other
    ][:1]


WIN_FIRST: Final = variant(WIN, BLOCK, TAKE_CENTRE, THREATENED, SIDE, CORNER, REST)
ANY_SIDE: Final = variant(BLOCK, WIN, TAKE_CENTRE, THREATENED, ("its rule “side”", open_sides), CORNER, REST)
CUT: Final = variant(
    ("its rule “win {you}”", lambda position, mark: cut_win(position, mark.other)),
    ("its rule “win {me}”", cut_win),
    *(TAKE_CENTRE, THREATENED, SIDE, CORNER, REST),
)
WITH_OPPOSING_CORNER: Final = tuple(
    variant(*RULES[:place], ("its rule “opposing corner”", opposing_corner), *RULES[place:])
    for place in range(2, len(RULES))
)
"""The program that asks its unused rule too, at each place after block and win."""
