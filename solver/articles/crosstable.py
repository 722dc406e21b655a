"""Every opponent against every other, exactly, and how strong each is by that measure."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from types import MappingProxyType
from typing import TypeAlias

from solver.articles.patterns import expected
from solver.board.position import Mark, Position, Result
from solver.board.rules import Rules
from solver.errors import TooLarge
from solver.players import STRATEGIES, Strategy
from solver.players.match import class_endings, results_of
from solver.search.tablebase import MAX_CELLS, has_table

Chances: TypeAlias = Mapping[Result, Fraction]
"""The probability of each result; they add up to 1."""


@dataclass(frozen=True)
class Crosstable:
    """What comes of each pair, by the names of X's player and of O's; each also plays itself.

    `ends` are the probabilities of final positions, of which one may stand for all its images.
    """

    rules: Rules
    players: tuple[Strategy, ...]
    ends: Mapping[tuple[str, str], Mapping[Position, Fraction]]
    chances: Mapping[tuple[str, str], Chances]

    def strength(self, name: str) -> Fraction:
        """The expected score a game, a win 1 and a draw ½, against all others, once from each side."""
        return (self.strength_as(Mark.X, name) + self.strength_as(Mark.O, name)) / 2

    def strength_as(self, mark: Mark, name: str) -> Fraction:
        """The same from one side only."""
        others = [each.name for each in self.players if each.name != name]
        pairs = [(name, other) if mark is Mark.X else (other, name) for other in others]
        return sum((score(self.chances[pair], mark) for pair in pairs), Fraction(0)) / len(others)

    @cached_property
    def points(self) -> Mapping[tuple[str, str], tuple[Fraction, Fraction]]:
        """The points that X's and O's player of each pair expect where patterns are paid for, which 3×3 alone has.

        Raises BadOption on other boards where games can be drawn.
        """
        return MappingProxyType({pair: expected(ends) for pair, ends in self.ends.items()})


def score(chances: Chances, mark: Mark) -> Fraction:
    """The expected score of one side: a win counts 1, a draw ½."""
    return chances[Result(mark)] + chances[Result.DRAW] / 2


@cache
def crosstable(rules: Rules) -> Crosstable:
    """All opponents that play this board, each against each from both sides. Raises TooLarge above nine squares."""
    if not has_table(rules):
        raise TooLarge(f"The crosstable is computed for boards of up to {MAX_CELLS} squares; {rules} has {rules.size}.")
    players = tuple(each for each in STRATEGIES.values() if each.plays_on(rules))
    asked = [each.remembering() for each in players]  # in the same positions by every opponent
    ends = {(x.name, o.name): class_endings(rules, x, o) for x in asked for o in asked}
    chances = {pair: results_of(found) for pair, found in ends.items()}
    return Crosstable(rules, players, MappingProxyType(ends), MappingProxyType(chances))
