"""Forks: positions in which the player who has just moved threatens to win on two squares, and the mover cannot win.

`solver.articles.tactics` defines a fork; here all of a board are listed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from solver.articles.graph import every_move, graph_of
from solver.articles.tactics import FORK, forced_moves, owner, threats, wins_by_threats
from solver.board.outcome import counted
from solver.board.position import Mark, Position
from solver.board.rules import Cell, Rules
from solver.errors import TooLarge

MAX_FORK_CELLS: Final = 12
"""The most squares of a board whose forks are listed."""


@dataclass(frozen=True, slots=True)
class Fork:
    """A forked position, whose fork it is, and where the threats are, in reading order."""

    position: Position
    owner: Mark
    threats: tuple[Cell, ...]

    @property
    def ply(self) -> int:
        """How many stones are on the board."""
        return self.position.rules.size - self.position.plies_left


@lru_cache(maxsize=16)
def forks(rules: Rules, forced: bool = False) -> tuple[Fork, ...]:
    """Every position up to symmetry with at least two threats and no win for the mover, by ply.

    With `forced`, only those that the walk meets in which both players win or block where they can. A fork by the
    Clojure article's definition has exactly two threats; the others have more. Raises TooLarge beyond 12 squares.
    """
    if rules.size > MAX_FORK_CELLS:
        raise TooLarge(
            f"{rules} has too many positions to list its forks: that is done for up to {MAX_FORK_CELLS} squares."
        )
    nodes = graph_of(Position(rules), forced_moves if forced else every_move).nodes
    return tuple(sorted(_among(nodes), key=lambda fork: fork.ply))


def _among(positions: Iterable[Position]) -> Iterable[Fork]:
    return (Fork(each, owner(each), threats(each)) for each in positions if wins_by_threats(each))


def said(found: Iterable[Fork]) -> str:
    """How many there are, and how many of them by the article's definition, as page and command say it."""
    threats = [len(fork.threats) for fork in found]
    two = threats.count(FORK)
    forks = counted(len(threats), "fork", "forks")
    if two == len(threats):
        return f"{forks}, each with two threats."
    return f"{forks}: {two:,} with two threats, as the Clojure article has them, and {len(threats) - two:,} with more."


def by_ply(found: Iterable[Fork]) -> dict[int, tuple[Fork, ...]]:
    """The forks by ply, plies in order."""
    groups: dict[int, tuple[Fork, ...]] = {}
    for fork in sorted(found, key=lambda fork: fork.ply):
        groups[fork.ply] = (*groups.get(fork.ply, ()), fork)
    return groups
