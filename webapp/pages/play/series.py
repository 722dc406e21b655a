"""The score of a series of games: a point for each, or points that also pay for the patterns of drawn boards."""

import re
from types import MappingProxyType
from typing import Final, NamedTuple

from solver.articles.patterns import points_of
from solver.board.notation import quoted
from solver.board.position import Position, Result
from solver.board.rules import TIC_TAC_TOE, Rules
from solver.errors import BadOption

MAX_SCORE: Final = 999_999
"""The greatest number in a score."""

_SCORE = re.compile(r"(\d{1,6})-(\d{1,6})-(\d{1,6})", re.ASCII)


class Series(NamedTuple):
    """The games finished before this one: won by X's player, by O's player, drawn.

    `x` and `o` are points where the scheme pays them. The sum grows with every game either way.
    """

    x: int = 0
    o: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        """The number of finished games."""
        return self.x + self.o + self.draws

    def plus(self, x: int, o: int, draws: int) -> "Series":
        """Return the series with the results of one more game."""
        return Series(*(min(each, MAX_SCORE) for each in (self.x + x, self.o + o, self.draws + draws)))

    def __str__(self) -> str:
        return f"{self.x}-{self.o}-{self.draws}"


NONE: Final = Series()
"""A series that begins with this game."""


def read_series(text: str | None) -> Series:
    """Read a score such as `2-1-0`; an empty text is a new series. Raises BadOption."""
    if not text:
        return NONE
    if match := _SCORE.fullmatch(text):
        x, o, draws = (int(number) for number in match.groups())
        return Series(x, o, draws)
    raise BadOption(f"score={quoted(text)} is not three numbers such as 2-1-0: won by X, won by O, drawn.")


GAMES: Final = "games"
PATTERNS: Final = "patterns"
SCHEMES: Final = MappingProxyType({GAMES: "Games won", PATTERNS: "Points for patterns"})
"""The titles of the schemes by their names in links, the usual one first."""


def pays_patterns(rules: Rules) -> bool:
    """Return whether the drawn boards have patterns: those of 3×3 do."""
    return rules == TIC_TAC_TOE


def checked_scheme(scheme: str, rules: Rules) -> str:
    """Return the scheme if it can be used on this board. Raises BadOption."""
    if scheme == PATTERNS and not pays_patterns(rules):
        raise BadOption(f"scheme={PATTERNS} pays for the patterns of drawn 3x3x3 boards; {rules} has none.")
    return scheme


def gained(last: Position, scheme: str) -> tuple[int, int, int]:
    """Return what a game adds to X's player, to O's player and to the drawn games; `last` is its last position."""
    if last.result is None:
        return 0, 0, 0
    x, o = points_of(last) if scheme == PATTERNS else (int(last.result is Result.X), int(last.result is Result.O))
    return x, o, int(last.result is Result.DRAW)
