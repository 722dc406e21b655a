"""The chances of winning against the computer that a page shows beside its squares: those that soon are known."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

from solver.analysis.chances import MAX_POSITIONS, chances, positions_below
from solver.analysis.review.turns import NO_CHANCES
from solver.board.position import Position
from solver.board.rules import Cell
from solver.players import Strategy, opponent_called
from solver.search.tablebase import has_table

LATE_POSITIONS: Final = 300
"""Positions that a page goes through on boards that are not looked up: enough for six open squares."""


@lru_cache(maxsize=1024)
def chances_now(position: Position, opponent: str) -> Mapping[Cell, Fraction]:
    """For each open square the mover's chance of winning against this opponent; see `solver.analysis.chances`.

    The same whenever it is asked for, so that pages which show it may be kept. Nothing for a finished game, for people,
    and where a chance is not known exactly or costs too much: on boards of more than nine squares those are all
    positions with more than six open squares, and the opponents that search.
    """
    strategy = opponent_called(opponent)
    return chances(position, strategy) if strategy and is_counted(position, strategy) else NO_CHANCES


def is_counted(position: Position, strategy: Strategy) -> bool:
    """Whether pages show the chances against this opponent."""
    rules = position.rules
    if position.result is not None or not strategy.plays_on(rules):
        return False
    if has_table(rules):
        return positions_below(position) <= MAX_POSITIONS
    return strategy.settled and strategy.quick(rules) and positions_below(position) <= LATE_POSITIONS
