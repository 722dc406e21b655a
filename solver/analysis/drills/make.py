"""Find positions of larger boards that make good drills: search games for them, prove them, and choose a spread.

The games are played by rule-based opponents with fixed seeds, so the positions look like those of people's games.
Nothing depends on the machine: the same command makes the same file.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Final, TypeAlias

from solver.analysis.drills.drill import Drill, drill_for, in_rounds
from solver.analysis.drills.games import games_of, proved_prediction
from solver.analysis.drills.kinds import DrillKind, Situation
from solver.analysis.drills.known import format_known
from solver.board.outcome import Value
from solver.board.position import Mark, Position
from solver.board.rules import Rules
from solver.errors import BadOption

ROUNDS: Final = 200
"""The most games of each pair."""

ENOUGH: Final = 60
"""The number of drills at which the games end. Each kind needs this many for each side."""

EACH: Final = 25
"""The number of drills that are chosen from each group."""

DrillGroup: TypeAlias = tuple[DrillKind, Mark, Value | None]
"""A kind of drill, the side to move, and the answer if the drill asks who wins. Drills of every group are chosen."""


def lines(rules: Rules) -> Iterator[str]:
    """Yield the lines of a board's file of positions. Raises BadOption for a board whose positions are all known."""
    if rules.is_small:
        raise BadOption(f"Every position of {rules} is looked up, so there is nothing to search for.")
    groups = groups_of(rules)
    chosen = {
        drill.position for group in groups.values() for drill in in_rounds(group, lambda drill: drill.difficulty)[:EACH]
    }
    yield f"# Made by: noughts drills {rules} --make {rules}.txt"
    yield "# A position, and the outcomes of its open squares in reading order. Read by drills/known.py."
    yield from sorted(format_known(prediction) for prediction in filter(None, map(proved_prediction, chosen)))


def groups_of(rules: Rules) -> dict[DrillGroup, list[Drill]]:
    """Play the games and return the drills of their positions, by group."""
    groups: dict[DrillGroup, list[Drill]] = defaultdict(list)
    seen: set[Position] = set()
    for games in games_of(rules, ROUNDS):
        new = dict.fromkeys(position for game in games for position in game)
        for prediction in filter(None, map(proved_prediction, (position for position in new if position not in seen))):
            for drill in filter(None, (drill_for(kind, Situation(prediction)) for kind in DrillKind)):
                asked = drill.outcome.value if drill.kind is DrillKind.EVALUATE else None
                groups[drill.kind, drill.position.mover, asked].append(drill)
        seen |= new.keys()
        sought = product(set(DrillKind) - {DrillKind.EVALUATE}, Mark)
        if all(len(groups[kind, mark, None]) >= ENOUGH for kind, mark in sought):
            break
    return groups
