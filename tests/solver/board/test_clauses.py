"""Pairs of clauses: every game that two clauses make has the scores of plain minimax on small boards."""

from itertools import combinations

import pytest

from solver.board.families import Surface
from solver.board.names import parse_rules
from solver.board.outcome import DRAWN
from solver.board.position import Position
from solver.board.rules import Drop, Goal, Marking, Rules
from solver.errors import BadRules
from solver.search.budget import UNLIMITED, Meter
from solver.search.exact import at_first, narrowing
from solver.search.solver import Solver
from solver.search.tablebase import look_up
from tests.marked import sampled
from tests.strategies import scores_by_the_rules

WORDS = [
    *(each for each in Surface if each is not Surface.FLAT),
    "el",
    Drop.GRAVITY,
    Goal.MISERE,
    *(each for each in Marking if each is not Marking.OWN),
    "holesa1",
]


def games() -> list[Rules]:
    """Return every game of one clause or two on three small boards."""
    found = dict[Rules, None]()
    for words in (*combinations(WORDS, 1), *combinations(WORDS, 2)):
        for board in ("3x2", "3x2x2", "2x2x2", "3x2x3"):
            try:
                found[parse_rules("-".join((board, *words)))] = None
            except BadRules:
                continue
    return list(found)


@pytest.mark.parametrize("rules", sampled(games(), 6), ids=str)
def test_every_position_has_the_score_that_follows_from_the_rules(rules: Rules) -> None:
    known = scores_by_the_rules(rules)
    for position, score in known.items():
        assert look_up(position) == score, repr(position)
    start = Position(rules)
    bounds = {start: at_first(start)}
    bounds |= narrowing(Solver(rules), bounds, Meter(UNLIMITED))
    if known[start] != DRAWN or not rules.vanishes:
        assert bounds[start].score == known[start]
