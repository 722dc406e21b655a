"""Strategies: functions from a position to a decision. Choosing at random is left to the caller."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell, Rules

if TYPE_CHECKING:
    from solver.players.handbook import Rule


@dataclass(frozen=True, slots=True)
class Decision:
    """The cells a strategy may play, each with its exact probability, and in words what decided.

    `reason` names the rule; `value` adds what is foreseen, where the rule goes by that, and is left out where
    predictions are not to be seen.
    """

    choices: Mapping[Cell, Fraction]
    reason: str
    value: str = ""

    @property
    def explanation(self) -> str:
        """The reason with the value that decided."""
        return f"{self.reason}: {self.value}" if self.value else self.reason


Decide: TypeAlias = Callable[[Position], Decision]
"""A decision for any unfinished position. Raises ValueError for a finished one."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """An opponent: how links call it, what people read about it, and how it decides."""

    name: str
    title: str
    idea: str
    """How it plays, in a sentence."""
    group: str
    kind: Literal["random", "rules", "perfect", "search"]
    decide: Decide
    plays_on: Callable[[Rules], bool] = lambda _: True
    settled: bool = True
    """Whether it always decides the same; one that goes by what is proved may find more proved later."""
    symmetric: Callable[[Rules], bool] = lambda _: True
    """Whether on this board it decides alike in positions that a symmetry of the board turns into each other."""
    quick: Callable[[Rules], bool] = lambda _: True
    """Whether on this board no decision takes more than a moment."""
    reproducible: Decide | None = None
    """Decides from the position alone, the same on every machine; None where `decide` does so anyway."""
    depth: int | None = None
    """How many plies it looks ahead, if that is what tells it from others."""
    follows: "tuple[Rule, ...]" = ()
    """The rules that it goes by, in their order, if that is how it decides."""
    strength: int | None = None
    """Its expected score on 3×3 in percent, if it is measured: see `solver.articles.crosstable`."""

    def description(self, rules: Rules) -> str:
        """The idea, with the strength on the board where it is measured."""
        if self.strength is None or rules != TIC_TAC_TOE:
            return self.idea
        return f"{self.idea} Scores {self.strength}% on 3×3 against all others (a draw counts half)."

    def remembering(self) -> "Strategy":
        """The same opponent, which remembers its last decisions, unless they may change."""
        return replace(
            self,
            decide=lru_cache(maxsize=2048)(self.decide) if self.settled else self.decide,
            reproducible=self.reproducible and lru_cache(maxsize=256)(self.reproducible),
        )


FINISHED = "A finished game has no decision."


def any_of(cells: Iterable[Cell], reason: str, value: str = "") -> Decision:
    """Each of these cells with the same probability. Raises ValueError if there is none."""
    equals = tuple(cells)
    if not equals:
        raise ValueError(FINISHED)
    return Decision(MappingProxyType(dict.fromkeys(equals, Fraction(1, len(equals)))), reason, value)
