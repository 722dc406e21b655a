"""Measure the levels: the greatest chance of beating each one, the errors that bring it into its band, and matches.

The best possible player knows every decision of the level, and plays for a win alone. On small boards its chance is
exact. On larger ones the levels play matches.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import Final

from solver.analysis.chances import chances, is_certain
from solver.board.game import Counts
from solver.board.outcome import Value
from solver.board.position import Mark, Position
from solver.board.rules import Rules
from solver.players import STRATEGIES
from solver.players.decision import Decision, Strategy
from solver.players.levels import BY_THUMB, LEVELS, USUAL, Measured, Rates, decide_erring
from solver.players.match import match_results
from solver.proofs.predict import predict

BANDS: Final[Mapping[str, tuple[Fraction, Fraction]]] = MappingProxyType(
    {"medium": (Fraction(45, 100), Fraction(75, 100)), "hard": (Fraction(10, 100), Fraction(30, 100))}
)
"""The least and the greatest chance with which the best possible player beats a level, if no win is forced."""

MOST_POSITIONS: Final = 100_000
"""The most positions that are visited for a chance."""

FINEST: Final = 16
"""The greatest denominator of a rate of errors."""

GAMES: Final = 30
"""The games of a match between two levels, with each mark."""

CLEARLY: Final = 0.53
"""The least share of the points that a level should get against a weaker one."""

SEED: Final = "levels"
"""The seed of the matches, which are the same on every machine."""


def best_chance(rules: Rules, level: Strategy, mark: Mark) -> Fraction:
    """Return the chance that the best possible player with this mark beats a level, which plays the other mark.

    Raises BadOption if the chance is not certain, and TooLarge.
    """
    empty = Position(rules)
    if mark is Mark.X:
        return max(chances(empty, level, MOST_POSITIONS).values())
    first = level.decide(empty).choices
    replies = {cell: max(chances(empty.after(cell), level, MOST_POSITIONS).values()) for cell in first}
    return sum((chance * replies[cell] for cell, chance in first.items()), Fraction(0))


def without_forced_win(rules: Rules) -> tuple[Mark, ...]:
    """Return the marks that cannot force a win from the empty board."""
    winner = {Value.WIN: Mark.X, Value.LOSS: Mark.O}.get(predict(Position(rules)).outcome.value)
    return tuple(mark for mark in Mark if mark is not winner)


def measure(rules: Rules, played: Callable[[], None] = lambda: None) -> Measured:
    """Measure the levels in a game: exactly if its positions are in a table, else by matches.

    `played` is called after each match.
    """
    return _by_chances(rules) if rules.is_small else _by_matches(rules, played)


def _by_chances(rules: Rules) -> Measured:
    marks = without_forced_win(rules)
    rates: dict[str, tuple[str, str]] = {}
    beaten: dict[str, Mapping[str, str]] = {}
    for name in LEVELS:
        level = replace(STRATEGIES[name], decide=BY_THUMB[name]) if name in BY_THUMB else STRATEGIES[name]
        if not is_certain(level, rules):
            continue
        if name in BANDS and not _fits(rules, level, marks):
            found = rates_for(rules, name)
            rates[name] = str(found.x), str(found.o)
            level = erring_at(name, found)
        beaten[name] = {mark: str(best_chance(rules, level, mark)) for mark in marks}
    return Measured(str(rules), rates, beaten)


def _fits(rules: Rules, level: Strategy, marks: tuple[Mark, ...]) -> bool:
    """Return whether rules of thumb hold in a game, and bring a level into its band."""
    least, most = BANDS[level.name]
    return rules.stones_never_harm and all(least <= best_chance(rules, level, mark) <= most for mark in marks)


def rates_for(rules: Rules, level: str) -> Rates:
    """Return how often a level has to err with each mark, so that the best possible player beats it as it should.

    Of the rates that bring the chance into the middle half of the level's band the simplest is taken. Against a mark
    that can force a win no rate helps, so the level then errs as often as with its other mark.
    """
    found = {mark.other: _rate(rules, level, mark) for mark in without_forced_win(rules)}
    return Rates(*(found.get(mark, found.get(mark.other, Fraction(0))) for mark in Mark))


def _rate(rules: Rules, level: str, mark: Mark) -> Fraction:
    """Return the simplest rate that suits the best possible player of this mark, or else the one that suits it most."""
    least, most = BANDS[level]
    middle, reach = (least + most) / 2, (most - least) / 4
    off: dict[Fraction, Fraction] = {}
    for rate in _simple_rates():
        off[rate] = abs(best_chance(rules, erring_at(level, Rates(rate, rate)), mark) - middle)
        if off[rate] <= reach:
            return rate
    return min(off, key=off.__getitem__)


def erring_at(level: str, rates: Rates) -> Strategy:
    """Return a level that errs at these rates, whatever the game."""

    def decide(position: Position) -> Decision:
        return decide_erring(position, rates.of(position.mover))

    return replace(STRATEGIES[level], decide=lru_cache(maxsize=1 << 14)(decide))


def _simple_rates() -> Iterator[Fraction]:
    """Yield the rates by their denominators."""
    for denominator in range(2, FINEST + 1):
        for numerator in range(1, denominator):
            if (rate := Fraction(numerator, denominator)).denominator == denominator:
                yield rate


def _by_matches(rules: Rules, played: Callable[[], None]) -> Measured:
    """Return the scores of the levels, by rules of thumb if each level is then clearly better than the weaker ones."""
    thumb = {name: replace(STRATEGIES[name], decide=BY_THUMB[name]) for name in BANDS}
    if rules.stones_never_harm:
        scores = dict(_scores(rules, thumb, played))
        if all(score.share >= CLEARLY for score in scores.values()):
            return Measured(str(rules), scores=scores)
    erring = {name: erring_at(name, USUAL[name]) for name in BANDS}
    rates = {name: (str(USUAL[name].x), str(USUAL[name].o)) for name in BANDS} if rules.stones_never_harm else {}
    return Measured(str(rules), rates, scores=dict(_scores(rules, erring, played)))


def _scores(rules: Rules, levels: Mapping[str, Strategy], played: Callable[[], None]) -> Iterator[tuple[str, Counts]]:
    """Yield the score of each level against each weaker one, by their names. `levels` replace those that play now."""
    players = dict(STRATEGIES) | dict(levels)
    for weaker, stronger in combinations(LEVELS, 2):
        yield f"{stronger} {weaker}", score_of(rules, players[stronger], players[weaker])
        played()


def score_of(rules: Rules, stronger: Strategy, weaker: Strategy, games: int = GAMES) -> Counts:
    """Return the score of a level against a weaker one in `games` games with each mark."""
    sides = zip(Mark, ((stronger, weaker), (weaker, stronger)), strict=True)
    as_x, as_o = (Counts.of(match_results(rules, x, o, games, SEED), mark) for mark, (x, o) in sides)
    return Counts(*map(sum, zip(as_x, as_o, strict=True)))
