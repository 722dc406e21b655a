"""Trials of players on three boards, within limits that every machine shares."""

from dataclasses import dataclass, replace
from typing import Final

from solver.analysis.trial import Trial, trial
from solver.board.position import Mark
from solver.board.rules import Rules
from solver.errors import TooLarge
from solver.players.decision import Strategy
from solver.search.budget import Budget

TRIED_BOARDS: Final = ("3x3x3", "4x3x3", "4x4x4")

MOST: Final = 50_000
"""The most positions in a trial on a board of more than nine squares."""

EARLY: Final = 8_000
"""The most positions within the first half of the board's plies. A trial with more would probably exceed `MOST`."""

MAX_PROVED_CELLS: Final = 12
"""The most squares of a board on which the perfect opponent is tried, since it proves every position it meets."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A strategy's trial as one mark: its findings, or else the reason why its games were not counted."""

    strategy: Strategy
    mark: Mark
    found: Trial | None = None
    problem: str = ""


def try_strategy(strategy: Strategy, mark: Mark, rules: Rules) -> Tried:
    """Return the trial if it is small enough. The limit is in positions, not seconds, so that every machine agrees."""
    if rules.is_small:
        return Tried(strategy, mark, trial(strategy, mark, rules, Budget()))
    if rules.size > MAX_PROVED_CELLS if strategy.reproducible else not strategy.quick(rules):
        return Tried(
            strategy, mark, problem=f"Not counted here: {strategy.title} searches before every move on {rules}."
        )
    settled = replace(strategy, decide=strategy.reproducible or strategy.decide, settled=True)
    try:
        found = trial(settled, mark, rules, Budget(nodes=MOST), EARLY)
    except TooLarge as error:
        return Tried(strategy, mark, problem=str(error))
    return Tried(strategy, mark, replace(found, strategy=strategy))
