"""Points for the end of a game of tic-tac-toe. A drawn board pays by its pattern."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.board.notation import format_position
from solver.board.position import Position, Result
from solver.board.rules import TIC_TAC_TOE, bits_of
from solver.errors import BadOption


class Pattern(StrEnum):
    """The shape of O's stones on a drawn board of tic-tac-toe. The names are the Clojure article's."""

    ISLAND = "island"
    """X holds the centre."""
    ARROW = "arrow"
    """O holds the centre and one corner."""
    SCORPION = "scorpion"
    """O holds the centre and two corners."""


def pattern_of(position: Position) -> Pattern:
    """Return the pattern of a drawn board of tic-tac-toe. Raise BadOption for any other position."""
    rules = position.rules
    if rules != TIC_TAC_TOE or position.result is not Result.DRAW:
        raise BadOption(
            f"{format_position(position)} on {rules} is not a drawn board of 3x3x3, and only those have a pattern."
        )
    centre, corners = rules.cell(1, 1), bits_of((0, 2, 6, 8))
    if position.x >> centre & 1:
        return Pattern.ISLAND
    return Pattern.SCORPION if (position.o & corners).bit_count() == 2 else Pattern.ARROW


Points: TypeAlias = tuple[int, int]
"""The points of X and the points of O in a game."""

Scheme: TypeAlias = Mapping[Result | Pattern, Points]
"""The points for each end of tic-tac-toe: a win of X, a win of O, or a draw with one of the patterns."""

PATTERNS: Final[Scheme] = MappingProxyType(
    {
        Result.X: (3, 0),
        Result.O: (0, 5),
        Pattern.ISLAND: (0, 1),
        Pattern.ARROW: (0, 1),
        Pattern.SCORPION: (1, 0),
    }
)
"""The scheme at the end of the Clojure article's part 2."""


def points_of(position: Position, scheme: Scheme = PATTERNS) -> Points:
    """Return the points of a finished game. Raise BadOption for an unfinished game or a draw without a pattern."""
    result = position.result
    if result is None:
        raise BadOption(f"{format_position(position)} is not over, so it gives no points yet. Play it to its end.")
    return scheme[pattern_of(position) if result is Result.DRAW else result]
