"""The chances of winning against the computer that a page shows beside its squares: those that cost next to nothing."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from solver.board.position import Position
from solver.board.rules import Cell
from solver.errors import BadOption, TooLarge
from solver.search.tablebase import has_table
from solver.strategies import opponent_called
from solver.theory.chances import MAX_POSITIONS, chances

LATE_POSITIONS: Final = 300
"""Positions that a page goes through on boards that are not looked up: enough for six open squares."""

_NONE: Final[Mapping[Cell, Fraction]] = MappingProxyType({})


@lru_cache(maxsize=1024)
def chances_now(position: Position, opponent: str) -> Mapping[Cell, Fraction]:
    """For each open square the mover's chance of winning against this opponent; see `solver.theory.chances`.

    The same whenever it is asked for, so that pages which show it may be kept. Nothing for a finished game, for people,
    and where a chance is not known exactly or costs more than a moment: on boards of more than nine squares those are
    all positions with more than six open squares, and the opponents that search.
    """
    strategy, looked_up = opponent_called(opponent), has_table(position.rules)
    if strategy is None or not strategy.plays_on(position.rules):
        return _NONE
    if not (looked_up or strategy.quick(position.rules)):
        return _NONE
    try:
        return chances(position, strategy, MAX_POSITIONS if looked_up else LATE_POSITIONS)
    except (BadOption, TooLarge):
        return _NONE
