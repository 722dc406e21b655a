"""Schemes of a series of games: a point for each, or points that also pay for the patterns of drawn boards."""

from types import MappingProxyType
from typing import Final

from solver.articles.patterns import points_of
from solver.board.position import Position, Result
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.errors import BadOption

GAMES: Final = "games"
PATTERNS: Final = "patterns"
SCHEMES: Final = MappingProxyType({GAMES: "Games won", PATTERNS: "Points for patterns"})
"""The schemes by the name links have for them, the usual one first, and what people call them."""


def pays_patterns(rules: Rules) -> bool:
    """Whether the drawn boards have patterns: those of 3×3 do."""
    return rules == TIC_TAC_TOE


def checked(scheme: str, rules: Rules) -> str:
    """The scheme, if it can be used on this board. Raises BadOption."""
    if scheme == PATTERNS and not pays_patterns(rules):
        raise BadOption(f"scheme={PATTERNS} pays for the patterns of drawn 3x3x3 boards; {rules} has none.")
    return scheme


def gained(last: Position, scheme: str) -> tuple[int, int, int]:
    """What a game that has come to `last` adds to X's player, to O's player, and to the drawn games."""
    if last.result is None:
        return 0, 0, 0
    x, o = points_of(last) if scheme == PATTERNS else (int(last.result is Result.X), int(last.result is Result.O))
    return x, o, int(last.result is Result.DRAW)
