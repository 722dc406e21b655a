"""How games between two strategies end, exactly: the probability of every final position, without any sampling.

Play is followed ply by ply; positions that several ways lead to are met once, with the sum of their probabilities.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import lcm
from types import MappingProxyType

from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell, Rules
from solver.errors import TooLarge
from solver.players.decision import Strategy

MAX_FOLLOWED = 50_000
"""Positions that are followed at most; what feasible boards need, in a second or two."""


def endings(rules: Rules, x: Strategy, o: Strategy, start: Position | None = None) -> Mapping[Position, Fraction]:
    """The probability of each final position of the games between two strategies, from `start` or the empty board.

    The probabilities add up to 1, and a position that cannot come about is left out. Raises TooLarge.
    """
    return spread(start or Position(rules), x, o, Position.after)


def class_endings(rules: Rules, x: Strategy, o: Strategy, start: Position | None = None) -> Mapping[Position, Fraction]:
    """As `endings`, but one final position may stand for all its images, with their probabilities added up.

    Where both strategies decide alike in images of a position that is much less work. Raises TooLarge.
    """
    first = start or Position(rules)
    if x.symmetric(rules) and o.symmetric(rules):
        return spread(first.canonical(), x, o, after_in_class)
    return endings(rules, x, o, first)


def results(rules: Rules, x: Strategy, o: Strategy, start: Position | None = None) -> Mapping[Result, Fraction]:
    """The probability that X wins, that O wins and that the game is drawn. Raises TooLarge."""
    return results_of(class_endings(rules, x, o, start))


def results_of(ends: Mapping[Position, Fraction]) -> Mapping[Result, Fraction]:
    """The probability of each result, by those of final positions."""
    chances = dict.fromkeys(Result, Fraction(0))
    for position, chance in ends.items():
        result = result_of(position)
        assert result is not None  # noqa: S101 - endings are over
        chances[result] += chance
    return MappingProxyType(chances)


@lru_cache(maxsize=1 << 14)
def after_in_class(position: Position, cell: Cell) -> Position:
    """The representative of what a move leads to: strategies that decide alike in a whole class need but one of it."""
    return position.after(cell).canonical()


@lru_cache(maxsize=1 << 13)
def result_of(position: Position) -> Result | None:
    """How a position's game has ended, None while it is on; there is room for all positions of 3×3."""
    return position.result


def spread(
    start: Position, x: Strategy, o: Strategy, after: Callable[[Position, Cell], Position]
) -> Mapping[Position, Fraction]:
    """The probabilities of the final positions. A ply's are kept as whole numbers over one common denominator."""
    ends: dict[Position, Fraction] = {}
    layer, whole, met = {start: 1}, 1, 0
    while layer:
        met += len(layer)
        if met > MAX_FOLLOWED:
            raise TooLarge(
                f"Games between {x.title} and {o.title} on {start.rules} meet more than {MAX_FOLLOWED:,} positions,"
                " too many to follow. On boards of up to nine squares they never do."
            )
        decisions = {}
        for position, weight in layer.items():
            if result_of(position) is not None:
                ends[position] = Fraction(weight, whole)
            else:
                decisions[position] = (x if position.mover is Mark.X else o).decide(position).choices
        common = lcm(*(chance.denominator for choices in decisions.values() for chance in choices.values()))
        following: defaultdict[Position, int] = defaultdict(int)
        for position, choices in decisions.items():
            weight = layer[position] * common
            for cell, chance in choices.items():
                following[after(position, cell)] += weight * chance.numerator // chance.denominator
        layer, whole = following, whole * common
    return MappingProxyType(ends)
