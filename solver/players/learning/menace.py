"""MENACE, the Matchbox Educable Noughts And Crosses Engine: Michie's rules for beads (1961, 1963; see `boxes`)."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from solver.board.position import Result
from solver.players.learning.boxes import boxes
from solver.players.learning.learner import Learner, Memory, Row, replaced

BEADS: Final = (4, 3, 2, 1)
"""Beads of each colour in a new box, by X's move: a box that is opened less often takes less to change its mind."""

REWARD: Final = MappingProxyType({Result.X: 3, Result.DRAW: 1, Result.O: -1})
"""Beads that are added for each bead drawn in a game, by its result. A lost game costs the bead itself."""


def filled() -> Memory:
    """New boxes."""
    return tuple((BEADS[box.turn - 1],) * len(box.squares) for box in boxes())


def rewarded(rows: Sequence[Row], drawn: Sequence[int], result: Result) -> tuple[Row, ...]:
    """The boxes of a game after its end: each bead that was drawn comes back with its reward, or is taken out."""
    return tuple(replaced(row, bead, row[bead] + REWARD[result]) for row, bead in zip(rows, drawn, strict=True))


def shaken(row: Row) -> tuple[int, ...]:
    """The chances of a bead drawn at random. A box can run empty: then MENACE resigns."""
    return tuple(map(int, row))


MENACE: Final = Learner(
    "menace",
    "MENACE",
    "Draws a bead; a win adds three of its colour, a draw one, a loss takes it out.",
    filled(),
    shaken,
    shaken,
    rewarded,
)
