"""The levels of the difficulty dropdown below perfect play: Easy, Medium and Hard.

A level looks for rules of the handbook in order, as people do, and sees each one with a fixed probability. It passes
over a rule that it overlooks, and plays any open square if it sees none. The probabilities were chosen by two measures:
the greatest chance of beating a level on 3×3, and its games on larger boards. `tests/solver/players/test_levels.py` has
both measures. Where rules of thumb do not hold, `erring` has the levels.
"""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple

from solver.board.position import Position
from solver.board.rules import Cell
from solver.players.decision import FINISHED, Decide, Decision, Rule
from solver.players.handbook import HANDBOOK, REST

LEVELS: Final = ("easy", "medium", "hard", "impossible")
"""The levels of play by their names in links, the weakest first."""

ALWAYS: Final = Fraction(1)
HALF: Final = Fraction(1, 2)


class Glance(NamedTuple):
    """A rule, the words for seeing the rule, and the probability that a level sees it when it names a square."""

    rule: Rule
    words: str
    chance: Fraction

    @property
    def reason(self) -> str:
        """The words and how often they hold, e.g. "it sees a win 4 times in 5".

        The words fit every square of the rule.
        """
        counted = f" {self.chance.numerator} times in {self.chance.denominator}"
        return self.words + {ALWAYS: "", HALF: " half the time"}.get(self.chance, counted)


_LAST: Final = Glance(REST, "it plays any open square", ALWAYS)


LOOKS_FOR_LINES: Final = "it looks for live lines"
"""The reason of a level for a square on the most lines that are still open."""


def _level(win: str, block: str, guard: str, live_lines: str) -> tuple[Glance, ...]:
    return (
        Glance(HANDBOOK["win"], "it sees a win", Fraction(win)),
        Glance(HANDBOOK["block"], "it sees a threat", Fraction(block)),
        Glance(HANDBOOK["guard"], "it sees a fork coming", Fraction(guard)),
        Glance(HANDBOOK["live lines"], LOOKS_FOR_LINES, Fraction(live_lines)),
    )


EASY: Final[tuple[Glance, ...]] = ()
MEDIUM: Final = _level(win="1/2", block="1/2", guard="1/2", live_lines="3/5")
HARD: Final = _level(win="4/5", block="4/5", guard="9/10", live_lines="1")


def glancing(glances: Sequence[Glance]) -> Decide:
    """Return the function that decides for a level. The reason is about the first rule that names a square."""

    def decide(position: Position) -> Decision:
        if position.result is not None:
            raise ValueError(FINISHED)
        choices: defaultdict[Cell, Fraction] = defaultdict(Fraction)
        unseen, reason = ALWAYS, ""
        for glance in (*glances, _LAST):
            if unseen and (cells := glance.rule.cells(position)):
                reason = reason or glance.reason
                for cell in cells:
                    choices[cell] += unseen * glance.chance / len(cells)
                unseen *= 1 - glance.chance
        return Decision(MappingProxyType(dict(sorted(choices.items()))), reason)

    return decide


BY_THUMB: Final = MappingProxyType({"easy": glancing(EASY), "medium": glancing(MEDIUM), "hard": glancing(HARD)})
"""The decisions of the levels by rules of thumb."""
