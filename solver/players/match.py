"""Playing: one choice from a decision, one game between two strategies, a match of many."""

import os
import random
from collections.abc import Iterator
from math import lcm

from solver.board.game import Game
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell, Rules
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
