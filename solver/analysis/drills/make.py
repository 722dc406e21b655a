"""Find positions of larger boards that make good drills: search games for them, prove them, and choose a spread.

The games are played by rule-based opponents with fixed seeds, so the positions look like those of people's games.
Nothing depends on the machine: the same command makes the same file.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Final, TypeAlias

from solver.analysis.drills.drill import Drill, drill_for, in_rounds
from solver.analysis.drills.kinds import DrillKind, Situation
from solver.analysis.drills.known import format_known
from solver.board.outcome import Value
from solver.board.position import Mark, Position
from solver.board.rules import Rules
from solver.errors import BadOption
from solver.players.lists import RULEBOOK, SEVEN_RULES, player_of
from solver.players.match import play_game
from solver.proofs.prediction import Prediction
from solver.proofs.study import Study
from solver.search.budget import Budget, Meter
from solver.search.exact import narrowing
from solver.search.solver import Solver
from solver.search.tablebase import has_table

PLAYERS: Final[tuple[tuple[str, ...], ...]] = ((), ("win", "block"), SEVEN_RULES, RULEBOOK)
"""The lists of rules that the players follow. Each list plays against every list, itself included."""

SEED: Final = "drills"

ROUNDS: Final = 200
"""The most games of each pair."""

ENOUGH: Final = 60
"""The number of drills at which the games end. Each kind needs this many for each side."""

EACH: Final = 25
"""The number of drills that are chosen from each group."""

PROOF: Final = Budget(nodes=4_000)
"""The budget for proving a position's squares. A position that exceeds it gets no drill."""

DRILL_ENTRIES: Final = 1 << 14
"""The number of positions that the search remembers while it proves a position's squares."""

DrillGroup: TypeAlias = tuple[DrillKind, Mark, Value | None]
"""A kind of drill, the side to move, and the answer if the drill asks who wins. Drills of every group are chosen."""


def lines(rules: Rules) -> Iterator[str]:
    """Yield the lines of a board's file of positions. Raises BadOption for a board whose positions are all known."""
    if has_table(rules):
        raise BadOption(f"Every position of {rules} is looked up, so there is nothing to search for.")
    groups = found(rules)
    chosen = {
        drill.position for group in groups.values() for drill in in_rounds(group, lambda drill: drill.difficulty)[:EACH]
    }
    yield f"# Made by: noughts drills {rules} --make {rules}.txt"
    yield "# A position, and the outcomes of its open squares in reading order. Read by drills/known.py."
    yield from sorted(format_known(prediction) for prediction in filter(None, map(proved_prediction, chosen)))


def found(rules: Rules) -> dict[DrillGroup, list[Drill]]:
    """Play the games and return the drills of their positions, by group."""
    players = [player_of(names).remembering() for names in PLAYERS]
    groups: dict[DrillGroup, list[Drill]] = defaultdict(list)
    seen: set[Position] = set()
    for number in range(ROUNDS):
        games = [play_game(rules, x, o, SEED, number) for x, o in product(players, players)]
        new = dict.fromkeys(position.canonical() for game in games for position in game.positions[:-1])
        for prediction in filter(None, map(proved_prediction, (position for position in new if position not in seen))):
            for drill in filter(None, (drill_for(kind, Situation(prediction)) for kind in DrillKind)):
                asked = drill.outcome.value if drill.kind is DrillKind.EVALUATE else None
                groups[drill.kind, drill.position.mover, asked].append(drill)
        seen |= new.keys()
        sought = product(set(DrillKind) - {DrillKind.EVALUATE}, Mark)
        if all(len(groups[kind, mark, None]) >= ENOUGH for kind, mark in sought):
            break
    return groups


def proved_prediction(position: Position) -> Prediction | None:
    """Return the outcomes of all open squares, or None if the proof exceeds its budget."""
    study = Study(position)
    study.learn(dict(narrowing(Solver(position.rules, max_entries=DRILL_ENTRIES), study.bounds, Meter(PROOF))))
    return study.prediction() if study.complete else None
