"""Games between strategies: single games drawn by chance, or all possible games with their exact probabilities.

Exact play follows all possible games, ply by ply. A position that is reached in several ways is followed once, with the
sum of their probabilities.
"""

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
from solver.players.decision import Strategy, choose, generator_for

MOST_PLIES = 200
"""The plies after which a game that need not end is a draw."""

MAX_FOLLOWED = 50_000
"""The most positions that exact play follows. Boards that need fewer take a second or two."""


def play_game(rules: Rules, x: Strategy, o: Strategy, seed: str | None = None, number: int = 0) -> Game:
    """Play a game from the empty board; `number` is its place in a series of games with the same seed.

    A game that need not end is broken off after `MOST_PLIES`.
    """
    game = Game.starting(Position(rules))
    while game.last.result is None and len(game.moves) < MOST_PLIES:
        player = x if game.last.mover is Mark.X else o
        game = game.play(choose(player.decider(seed)(game.last), generator_for(seed, number, len(game.moves))))
    return game


def match_games(rules: Rules, x: Strategy, o: Strategy, games: int, seed: str | None = None) -> Iterator[Game]:
    """Yield each of `games` games as soon as it is played. One that has not ended counts as a draw."""
    x, o = x.remembering(), o.remembering()
    return (play_game(rules, x, o, seed, number) for number in range(games))


def match_results(rules: Rules, x: Strategy, o: Strategy, games: int, seed: str | None = None) -> Iterator[Result]:
    """Yield the result of each of `games` games as soon as it is played."""
    return (game.last.result or Result.DRAW for game in match_games(rules, x, o, games, seed))


def class_endings(rules: Rules, x: Strategy, o: Strategy) -> Mapping[Position, Fraction]:
    """Return the probability of each final position of games between two strategies.

    The probabilities add up to 1. Positions that no game reaches are left out. If both strategies decide alike in
    images of a position, one final position stands for all its images. This saves much work. Raise TooLarge.
    """
    alike = x.symmetric(rules) and o.symmetric(rules)
    return spread(Position(rules), x, o, after_in_class if alike else Position.after)


def results(rules: Rules, x: Strategy, o: Strategy) -> Mapping[Result, Fraction]:
    """Return the probability that X wins, that O wins and that the game is drawn. Raise TooLarge."""
    return results_of(class_endings(rules, x, o))


def results_of(ends: Mapping[Position, Fraction]) -> Mapping[Result, Fraction]:
    """Return the probability of each result, summed over the final positions."""
    chances = dict.fromkeys(Result, Fraction(0))
    for position, chance in ends.items():
        result = result_of(position)
        assert result is not None  # noqa: S101 - endings are over
        chances[result] += chance
    return MappingProxyType(chances)


@lru_cache(maxsize=1 << 14)
def after_in_class(position: Position, cell: Cell) -> Position:
    """Return one position for all images of the position that a move leads to."""
    return position.after(cell).canonical()


@lru_cache(maxsize=1 << 13)
def result_of(position: Position) -> Result | None:
    """Return the result of a position, None while the game is on. The cache has room for all positions of 3×3."""
    return position.result


def spread(
    start: Position, x: Strategy, o: Strategy, after: Callable[[Position, Cell], Position] = Position.after
) -> Mapping[Position, Fraction]:
    """Return the probability of each final position of games from `start`. Raise TooLarge.

    The probabilities of a ply are kept as whole numbers over one common denominator.
    """
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
