"""What a strategy is: a function from a position to a decision. Choosing at random is left to the caller."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

from solver.board.position import Position
from solver.board.rules import Cell, Rules


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
    description: str
    group: str
    decide: Decide
    plays_on: Callable[[Rules], bool] = lambda _: True
    settled: bool = True
    """Whether it always decides the same; one that goes by what is proved may find more proved later."""
    symmetric: Callable[[Rules], bool] = lambda _: True
    """Whether on this board it decides alike in positions that a symmetry of the board turns into each other."""
    steady: Decide | None = None
    """Decides from the position alone, the same on every machine; None where `decide` does so anyway."""


FINISHED = "A finished game has no decision."


def any_of(cells: Iterable[Cell], reason: str, value: str = "") -> Decision:
    """Each of these cells with the same probability. Raises ValueError if there is none."""
    equals = tuple(cells)
    if not equals:
        raise ValueError(FINISHED)
    return Decision(MappingProxyType(dict.fromkeys(equals, Fraction(1, len(equals)))), reason, value)
