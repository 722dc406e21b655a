"""The chances of people against computers, for reviews of their games."""

from collections.abc import Mapping
from fractions import Fraction

from solver.board.position import Mark, Position
from solver.board.rules import Cell
from solver.errors import BadOption, TooLarge
from solver.review.turns import NO_CHANCES, ChancesOf
from solver.strategies.decision import Strategy
from solver.theory.chances import chances


def chances_against(x: Strategy | None, o: Strategy | None) -> ChancesOf:
    """The chances in a game between these, None being a person: those of people against computers, where known."""

    def chances_of(position: Position) -> Mapping[Cell, Fraction]:
        mover, opponent = (x, o) if position.mover is Mark.X else (o, x)
        if mover is not None or opponent is None:
            return NO_CHANCES
        try:
            return chances(position, opponent)
        except (BadOption, TooLarge):
            return NO_CHANCES

    return chances_of
