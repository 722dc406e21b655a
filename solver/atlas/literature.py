"""What is published of boards as a whole: the value of the game from the empty board, and who has shown it.

Nothing here is computed, and nothing is said that a publication does not say. The tests hold it against what is proved.
"""

from dataclasses import dataclass
from typing import Final

from solver.board.outcome import Value

INITIATIVE: Final = "Uiterwijk and van den Herik, The advantage of the initiative, 2000"
FOUR_BY_FOUR: Final = "Uiterwijk, Set matching: an enhancement of the Hales-Jewett pairing strategy, arXiv 1703.10678"
STRONG_AND_WEAK: Final = "Uiterwijk, Solving strong and weak 4-in-a-row, 2019"
NINE_BY_FOUR: Final = "Charatsidis, Solving four-in-a-row on 9x4 and 10x4 boards, 2017"
EIGHT_BY_EIGHT: Final = "Hsu et al., On solving the 7,7,5-game and the 8,8,5-game, TCS 815, 2020"
EIGHT_IN_A_ROW: Final = "Uiterwijk, Set matching with applications, ICGA Journal 40, 2018"


@dataclass(frozen=True, slots=True)
class Published:
    """A published outcome of the empty board for X, the plies where they are published too, and the source."""

    value: Value
    source: str
    plies: int | None = None


def _won(source: str, plies: int | None = None) -> Published:
    return Published(Value.WIN, source, plies)


def _drawn(source: str) -> Published:
    return Published(Value.DRAW, source)


_SINGLE: Final = {
    (3, 3, 3): _drawn(INITIATIVE),
    (4, 3, 3): _won(INITIATIVE, 7),
    (4, 4, 3): _won(INITIATIVE, 5),
    (4, 4, 4): _drawn(FOUR_BY_FOUR),
    (5, 4, 4): _drawn(INITIATIVE),
    (5, 5, 4): _drawn(INITIATIVE),
    (5, 5, 5): _drawn(INITIATIVE),
    (6, 4, 4): _drawn(STRONG_AND_WEAK),
    (6, 5, 4): _won(STRONG_AND_WEAK, 11),
    (6, 6, 4): _won(STRONG_AND_WEAK, 11),
    (6, 6, 5): _drawn(EIGHT_BY_EIGHT),
    (7, 7, 5): _drawn(EIGHT_BY_EIGHT),
    (8, 8, 5): _drawn(EIGHT_BY_EIGHT),
}
"""Of single boards, as columns, rows and k."""


def published(columns: int, rows: int, k: int) -> Published | None:
    """What is published of a board; a board and its mirror image are the same. None where we know of nothing."""
    columns, rows = max(columns, rows), min(columns, rows)
    if k > columns:
        return None
    if single := _SINGLE.get((columns, rows, k)):
        return single
    if k == 3 and rows >= 3:
        return _won(INITIATIVE)
    if k == 4 and 4 in (columns, rows):  # "Boards from 1×4 to 8×4 are draw"
        return _drawn(NINE_BY_FOUR)
    if k == 4 and rows >= 5:  # "a win for every board larger than 6×5"
        return _won(NINE_BY_FOUR)
    return _drawn(EIGHT_IN_A_ROW) if k >= 8 else None
