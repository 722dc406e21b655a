"""Levels where rules of thumb do not hold: exact play with errors of a known rate.

Where a line loses, stones fall or vanish, or marks are shared, Medium and Hard know what Perfect knows after a search
of a fixed length, and err in a fixed share of their moves. An error is a move that is known to be worse in value; where
nothing better is proved, it is any move but the most promising ones. Of several errors all are equally likely, so a
decision is exact, and where nothing is worse no error is possible.

The rates belong to the game, the level and its mark. Those of the small games of the shelf are measured:
`solver.analysis.levels` has chosen them by the greatest chance of beating the level. Where play can go on for ever, the
errors end once the board has all its stones, since else whoever waits would surely win.
"""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from solver.board.outcome import sign
from solver.board.position import Mark, Position
from solver.board.rules import Cell, Rules
from solver.players.decision import FINISHED, Decide, Decision
from solver.players.measured import measured_games
from solver.players.searching import best_known
from solver.proofs.predict import predict_reproducibly
from solver.proofs.prediction import Prediction


class Rates(NamedTuple):
    """How often a level errs where it can, as X and as O."""

    x: Fraction
    o: Fraction

    def of(self, mark: Mark) -> Fraction:
        """Return the rate of the level that plays this mark."""
        return self.x if mark is Mark.X else self.o


USUAL: Final = MappingProxyType(
    {
        "medium": Rates(Fraction(1, 4), Fraction(1, 4)),
        "hard": Rates(Fraction(1, 12), Fraction(1, 12)),
    }
)
"""The rates in games that are not measured."""


@lru_cache(maxsize=256)
def rates_of(level: str, rules: Rules) -> Rates | None:
    """Return how often a level errs in a game; None where it goes by rules of thumb."""
    measured = measured_games().get(str(rules))
    if measured and level in measured.rates:
        return Rates(*map(Fraction, measured.rates[level]))
    return None if rules.stones_never_harm else USUAL[level]


def errors_end(rules: Rules) -> int | None:
    """Return the number of stones from which on a level errs no more; None where it always may."""
    return 2 * rules.k if rules.endless else None


def is_quick(level: str) -> Callable[[Rules], bool]:
    """Return the test for games in which a level decides without a search."""
    return lambda rules: rules.is_small or rates_of(level, rules) is None


def by_rules_or_erring(level: str, by_rules: Decide) -> Decide:
    """Return the function that decides for a level: by rules of thumb where they hold, else exactly but for errors."""

    def decide(position: Position) -> Decision:
        rates = rates_of(level, position.rules)
        return by_rules(position) if rates is None else decide_erring(position, rates.of(position.mover))

    return decide


def decide_erring(position: Position, rate: Fraction) -> Decision:
    """Play the best squares as far as they are known, but err at this rate. Raise ValueError for a finished game."""
    if position.result is not None:
        raise ValueError(FINISHED)
    prediction = predict_reproducibly(position)
    best = best_known(prediction)
    end = errors_end(position.rules)
    if end is not None and len(position.ages) >= end:
        return Decision(best.choices, f"it errs no more once {end} stones lie: {best.reason}")
    choices: defaultdict[Cell, Fraction] = defaultdict(Fraction)
    errors = _errors(prediction, best)
    for cell, chance in best.choices.items():
        choices[cell] += chance * (1 - rate if errors else 1)
    for cell in errors:
        choices[cell] += rate / len(errors)
    return Decision(MappingProxyType(dict(sorted(choices.items()))), f"{best.reason}, but it {_often(rate)}")


def _errors(prediction: Prediction, best: Decision) -> tuple[Cell, ...]:
    """Return the squares known to be worse than the best ones; where nothing is proved of these, all others."""
    squares = prediction.squares
    value = max(sign(squares[cell].ranks.lower) for cell in best.choices)
    others = (cell for cell in squares if cell not in best.choices)
    proved = prediction.best or value > 0
    return tuple(cell for cell in others if not proved or sign(squares[cell].ranks.upper) < value)


def _often(rate: Fraction) -> str:
    """Say how often a level errs, e.g. "errs 1 time in 4 where it can"."""
    times = "1 time" if rate.numerator == 1 else f"{rate.numerator} times"
    return f"errs {times} in {rate.denominator} where it can"


def idea_on(level: str) -> Callable[[Rules], str]:
    """Return the function that says how a level plays a game; empty where it goes by rules of thumb."""

    def idea(rules: Rules) -> str:
        rates = rates_of(level, rules)
        if rates is None:
            return ""
        often = _often(rates.x) if rates.x == rates.o else f"{_often(rates.x)} as X, and {_often(rates.o)[5:]} as O"
        ends = f", until {errors_end(rules)} stones lie" if errors_end(rules) else ""
        return f"Plays as well as it can prove, but {often}{ends}."

    return idea
