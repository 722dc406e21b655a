"""Playing: one choice from a decision, one game between two strategies, a match of many.

How games between two strategies end, exactly: the probability of every final position, without any sampling.

Play is followed ply by ply; positions that several ways lead to are met once, with the sum of their probabilities.
"""

import os
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import lcm
from types import MappingProxyType

from solver.board.game import Game
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell, Rules
from solver.errors import TooLarge
from solver.players.decision import Decision, Strategy

_CHANCE = random.Random()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_CHANCE.seed)  # worker processes must not all draw the same


def seeded(seed: str | None, game: int, ply: int) -> random.Random:
    """The source of chance for one move: fixed by the seed, the game's number in its series and the ply.

    Without a seed it is one for all, and nothing repeats.
    """
    return _CHANCE if seed is None else random.Random(f"{seed}/{game}/{ply}".encode(errors="surrogateescape"))


def decide(strategy: Strategy, position: Position, seed: str | None) -> Decision:
    """A strategy's decision in an unfinished position; with a seed the one that is the same on every machine.

    The move is drawn from it and explained by it, so that both are of one decision. Raises ValueError for a finished
    position.
    """
    reproducible = None if seed is None else strategy.reproducible
    return (reproducible or strategy.decide)(position)


def choose(decision: Decision, rng: random.Random) -> Cell:
    """One of a decision's cells, drawn with exactly the decision's probabilities."""
    whole = lcm(*(chance.denominator for chance in decision.choices.values()))
    ticket = rng.randrange(whole)
    for cell, chance in decision.choices.items():
        ticket -= chance.numerator * (whole // chance.denominator)
        if ticket < 0:
            return cell
    raise ValueError("The probabilities of a decision add up to one.")


def play_game(rules: Rules, x: Strategy, o: Strategy, seed: str | None = None, number: int = 0) -> Game:
    """A whole game from the empty board; `number` is its place in a series of games with the same seed."""
    game = Game.starting(Position(rules))
    while game.last.result is None:
        player = x if game.last.mover is Mark.X else o
        game = game.play(choose(decide(player, game.last, seed), seeded(seed, number, len(game.moves))))
    return game


def match_results(rules: Rules, x: Strategy, o: Strategy, games: int, seed: str | None = None) -> Iterator[Result]:
    """The results of so many games, each as soon as it is played."""
    x, o = x.remembering(), o.remembering()
    for number in range(games):
        result = play_game(rules, x, o, seed, number).last.result
        assert result is not None  # noqa: S101 - play_game plays to the end
        yield result


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
