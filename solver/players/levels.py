"""The levels of the difficulty dropdown below perfect play, Easy, Medium and Hard, and how strong they are.

A level looks for rules of the handbook in order, as people do, and sees each one with a fixed probability. It passes
over a rule that it overlooks, and plays any open square if it sees none. The probabilities were chosen by two measures:
the greatest chance of beating a level on 3×3, and its games on larger boards. `tests/solver/players/test_levels.py` has
both measures.

Where a line loses, stones fall or vanish, or marks are shared, Medium and Hard know what Perfect knows after a search
of a fixed length, and err in a fixed share of their moves. An error is a move that is known to be worse in value; where
nothing better is proved, it is any move but the most promising ones. Of several errors all are equally likely, so a
decision is exact, and where nothing is worse no error is possible.

The rates belong to the game, the level and its mark. Those of the small games of the shelf are measured:
`solver.analysis.levels` has chosen them by the greatest chance of beating the level. Where play can go on for ever, the
errors end once the board has all its stones, since else whoever waits would surely win.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from solver.board.game import Counts
from solver.board.outcome import sign
from solver.board.position import Mark, Position
from solver.board.rules import Cell, Rules
from solver.players.decision import FINISHED, Decide, Decision, Rule
from solver.players.handbook import HANDBOOK, REST
from solver.players.searching import best_known
from solver.proofs.predict import predict_reproducibly
from solver.proofs.prediction import Prediction

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


LOOKS_FOR_LINES: Final = "it plays where most lines are open"
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


DATA: Final = Path(__file__).with_name("levels.jsonl")


class Measured(NamedTuple):
    """What is measured of a game: either the chances `beaten` or the `scores`.

    `rates` says how often a level errs as X and as O, by its name. `beaten` has, by the level and the best possible
    player's mark, the chance of beating the level, for marks that cannot force a win; all numbers are fractions.
    `scores` has the games of a level against a weaker one, by both names with a space between them.
    """

    game: str
    rates: Mapping[str, tuple[str, str]] = MappingProxyType({})
    beaten: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    scores: Mapping[str, Counts] = MappingProxyType({})


def parse_measured(lines: Iterable[str]) -> dict[str, Measured]:
    """Read the lines of the file, by the board of their game."""
    found = (Measured(**json.loads(line)) for line in lines)
    return {
        each.game: each._replace(
            rates={level: (x, o) for level, (x, o) in each.rates.items()},
            scores={pair: Counts(*counts) for pair, counts in each.scores.items()},
        )
        for each in found
    }


def format_measured(measured: Measured) -> str:
    """Write a game as a line of the file, without what is empty."""
    line: dict[str, Any] = {name: value for name, value in measured._asdict().items() if value}
    return json.dumps(line)


@cache
def measured_games() -> Mapping[str, Measured]:
    """Return the shipped measures, by the board of their game."""
    if not DATA.exists():
        return MappingProxyType({})
    with DATA.open(encoding="ascii") as lines:
        return MappingProxyType(parse_measured(lines))


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
    """Return the number of stones from which on a level makes no more mistakes; None where it always may."""
    return 2 * rules.k if rules.endless else None


def is_quick(level: str, rules: Rules) -> bool:
    """Return whether a level decides without a search in a game."""
    return rules.is_small or rates_of(level, rules) is None


def by_rules_or_erring(level: str, position: Position) -> Decision:
    """Decide for a level: by rules of thumb where they hold, else exactly but for errors."""
    rates = rates_of(level, position.rules)
    return BY_THUMB[level](position) if rates is None else decide_erring(position, rates.of(position.mover))


def decide_erring(position: Position, rate: Fraction) -> Decision:
    """Play the best squares as far as they are known, but err at this rate. Raise ValueError for a finished game."""
    if position.result is not None:
        raise ValueError(FINISHED)
    prediction = predict_reproducibly(position)
    best = best_known(prediction)
    end = errors_end(position.rules)
    if end is not None and len(position.ages) >= end:
        return Decision(best.choices, f"with all {end} stones down it makes no more mistakes: {best.reason}")
    choices: defaultdict[Cell, Fraction] = defaultdict(Fraction)
    errors = _errors(prediction, best)
    for cell, chance in best.choices.items():
        choices[cell] += chance * (1 - rate if errors else 1)
    for cell in errors:
        choices[cell] += rate / len(errors)
    return Decision(MappingProxyType(dict(sorted(choices.items()))), f"{best.reason}; it {_often(rate)}")


def _errors(prediction: Prediction, best: Decision) -> tuple[Cell, ...]:
    """Return the squares known to be worse than the best ones; where nothing is proved of these, all others."""
    squares = prediction.squares
    value = max(sign(squares[cell].ranks.lower) for cell in best.choices)
    others = (cell for cell in squares if cell not in best.choices)
    proved = prediction.best or value > 0
    return tuple(cell for cell in others if not proved or sign(squares[cell].ranks.upper) < value)


def _often(rate: Fraction) -> str:
    """Say how often a level errs, e.g. "slips 1 time in 4"."""
    times = "1 time" if rate.numerator == 1 else f"{rate.numerator} times"
    return f"slips {times} in {rate.denominator}"


def idea_on(level: str, rules: Rules) -> str:
    """Say how a level plays a game; empty where it goes by rules of thumb."""
    rates = rates_of(level, rules)
    if rates is None:
        return ""
    often = _often(rates.x) if rates.x == rates.o else f"{_often(rates.x)} as X, and {_often(rates.o)[6:]} as O"
    ends = f", until {errors_end(rules)} stones lie" if errors_end(rules) else ""
    return f"Plays as well as it can, but {often}{ends}."
