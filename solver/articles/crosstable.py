"""The exact results of every opponent against every other, and the strength of each against a fixed panel."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.articles.patterns import expected
from solver.board.position import Mark, Result
from solver.board.rules import SMALL, TIC_TAC_TOE, Rules
from solver.errors import TooLarge
from solver.players import Strategy, playing_on
from solver.players.match import class_endings, results_of

Chances: TypeAlias = Mapping[Result, Fraction]
"""The probability of each result; the sum is 1."""

Pair: TypeAlias = tuple[str, str]
"""The names of X's player and of O's."""

PANEL: Final = (
    "easy",
    "medium",
    "hard",
    "impossible",
    "rulebook",
    "short-rulebook",
    "seven-rules",
    "pyfl-program",
    "pyfl-literal",
    "impossible-opportunities",
    "impossible-paths",
    "minimax",
    "twos",
    *(f"alphabeta-{depth}" for depth in range(1, 10)),
)
"""The opponents that strengths are measured against. This list is fixed, so a new opponent changes no strength."""

_STRENGTHS_HEAD: Final = "# Each opponent's expected score on 3×3 in percent, made by `noughts crosstable --make`."


@dataclass(frozen=True)
class Crosstable:
    """The chances in a game between any two players; each player also plays itself.

    The keys are the names of X's and O's players. `points` are those that X and O expect by the scheme for patterns,
    which is only for 3×3.
    """

    rules: Rules
    players: tuple[Strategy, ...]
    chances: Mapping[Pair, Chances]
    points: Mapping[Pair, tuple[Fraction, Fraction]]

    def strength(self, name: str) -> Fraction:
        """Return a player's average score against the rest of the panel, over both sides."""
        return (self.strength_as(Mark.X, name) + self.strength_as(Mark.O, name)) / 2

    def strength_as(self, mark: Mark, name: str) -> Fraction:
        """Return a player's average score against the rest of the panel, on one side."""
        others = [each.name for each in self.players if each.name in PANEL and each.name != name]
        pairs = [(name, other) if mark is Mark.X else (other, name) for other in others]
        return sum((score(self.chances[pair], mark) for pair in pairs), Fraction(0)) / len(others)

    def strengths_file(self) -> str:
        """Return the text of `solver/players/strengths.toml`."""
        rows = (f"{each.name} = {round(100 * self.strength(each.name))}" for each in self.players)
        return "\n".join((_STRENGTHS_HEAD, *rows, ""))


def score(chances: Chances, mark: Mark) -> Fraction:
    """Return the expected score of one side. A win counts 1, a draw ½."""
    return chances[Result(mark)] + chances[Result.DRAW] / 2


@cache
def crosstable(rules: Rules) -> Crosstable:
    """Play all opponents on this board against each other, from both sides. Raise TooLarge above nine squares."""
    if not rules.is_small:
        raise TooLarge(f"The crosstable is computed for boards of up to {SMALL} squares; {rules} has {rules.size}.")
    players = playing_on(rules)
    asked = [each.remembering() for each in players]  # each decides the same positions again and again
    ends = {(x.name, o.name): class_endings(rules, x, o) for x in asked for o in asked}
    points = {pair: expected(endings) for pair, endings in ends.items() if rules == TIC_TAC_TOE}
    chances = {pair: results_of(endings) for pair, endings in ends.items()}
    return Crosstable(rules, players, MappingProxyType(chances), MappingProxyType(points))
