"""Positions of games between rule-based opponents, proved: the source of drills where not all positions are known.

The players' seeds are fixed, so the positions look like those of people's games, and nothing depends on the machine.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final

from solver.board.position import Position
from solver.board.rules import Rules
from solver.players.lists import RULEBOOK, SEVEN_RULES, player_of
from solver.players.match import play_game
from solver.proofs.prediction import Prediction
from solver.proofs.study import Study
from solver.search.budget import Budget, Meter
from solver.search.exact import narrowing
from solver.search.solver import Solver

PLAYERS: Final[tuple[tuple[str, ...], ...]] = ((), ("win", "block"), SEVEN_RULES, RULEBOOK)
"""The lists of rules that the players follow. Each list plays against every list, itself included."""

SEED: Final = "drills"

PROOF: Final = Budget(nodes=4_000)
"""The budget for proving a position's squares. A position that exceeds it gets no drill."""

DRILL_ENTRIES: Final = 1 << 14
"""The number of positions that the search remembers while it proves a position's squares."""

SAMPLE: Final = 60
"""The number of positions at which a sample ends."""

SAMPLE_ROUNDS: Final = 4
"""The most rounds of games that a sample is taken from."""

LAST: Final = 8
"""The most positions that a sample takes from a game."""


def games_of(rules: Rules, rounds: int) -> Iterator[list[list[Position]]]:
    """Yield rounds of games, one for each pair of players: their unfinished positions, turned to be canonical."""
    players = [player_of(names).remembering() for names in PLAYERS]
    for number in range(rounds):
        games = [play_game(rules, x, o, SEED, number) for x, o in product(players, players)]
        yield [[position.canonical() for position in game.positions[:-1]] for game in games]


def sample(rules: Rules) -> Iterator[Prediction]:
    """Yield about `SAMPLE` positions with the outcomes of all their squares, each position once.

    Each game is followed back from its end, where proofs are short, until a proof exceeds its budget. That makes at
    most one such proof a game, and so bounds the cost.
    """
    seen: set[Position] = set()
    for games in games_of(rules, SAMPLE_ROUNDS):
        for game in games:
            for position in reversed(game[-LAST:]):
                if position not in seen:
                    seen.add(position)
                    prediction = proved_prediction(position)
                    if prediction is None:
                        break
                    yield prediction
        if len(seen) >= SAMPLE:
            return


def proved_prediction(position: Position) -> Prediction | None:
    """Return the outcomes of all open squares, or None if the proof exceeds its budget."""
    study = Study(position)
    study.learn(dict(narrowing(Solver(position.rules, max_entries=DRILL_ENTRIES), study.bounds, Meter(PROOF))))
    return study.prediction() if study.complete else None
