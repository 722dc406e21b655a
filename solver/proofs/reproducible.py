"""Proofs that come out the same on every machine, for replies that a seed is to repeat."""

from solver.board.position import Position
from solver.proofs.prediction import Prediction
from solver.proofs.store import shipped_books
from solver.proofs.study import Study
from solver.search.budget import Budget, Meter
from solver.search.exact import narrowing
from solver.search.solver import Solver

NODES = 2_000
"""Nodes that a prediction may cost: with their threats 30 ms by the compiled kernel, 1 or 2 s by the interpreted."""

REPRODUCIBLE_ENTRIES = 1 << 15
"""Positions that its search may remember."""


def proved_reproducibly(position: Position) -> Prediction:
    """What the shipped books and a search of `NODES` nodes prove of a position's squares.

    Nothing else has a part in it: one thread searches, by a solver that knows nothing yet, and neither what this
    process has found nor the user's cache is read or added to.
    """
    study, meter = Study(position), Meter(Budget(nodes=NODES))
    study.learn(shipped_books().bounds_of(study.bounds))
    for after, bounds in narrowing(Solver(position.rules, max_entries=REPRODUCIBLE_ENTRIES), study.bounds, meter):
        study.learn({after: bounds})
    study.nodes = meter.nodes
    return study.prediction()
