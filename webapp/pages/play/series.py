"""The score of a series of games, and how links write it."""

import re
from typing import Final, NamedTuple

from solver.board.notation import quoted
from solver.errors import BadOption

MAX_SCORE: Final = 999_999
"""What a series counts to."""

_SCORE = re.compile(r"(\d{1,6})-(\d{1,6})-(\d{1,6})", re.ASCII)


class Series(NamedTuple):
    """The games finished before this one: won by X's player, by O's player, drawn.

    Where the scheme pays points, `x` and `o` are points. What the sum then counts still grows with every game.
    """

    x: int = 0
    o: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        """How many games were finished."""
        return self.x + self.o + self.draws

    def plus(self, x: int, o: int, draws: int) -> "Series":
        """The series with what one more game adds."""
        return Series(*(min(each, MAX_SCORE) for each in (self.x + x, self.o + o, self.draws + draws)))

    def __str__(self) -> str:
        return f"{self.x}-{self.o}-{self.draws}"


NONE: Final = Series()
"""The series that begins with this game."""


def read_series(text: str | None) -> Series:
    """The score that a text such as `2-1-0` gives; none for no text. Raises BadOption."""
    if not text:
        return NONE
    if match := _SCORE.fullmatch(text):
        x, o, draws = (int(number) for number in match.groups())
        return Series(x, o, draws)
    raise BadOption(f"score={quoted(text)} is not three numbers such as 2-1-0: won by X, won by O, drawn.")
