"""Books of openings: the proved score of every position with few stones, which are the ones that take longest."""

from collections.abc import Iterator

from solver.outcome import Bounds
from solver.position import Position
from solver.rules import Rules
from solver.search.budget import UNLIMITED, Meter
from solver.search.exact import at_first, narrowing
from solver.search.solver import Solver

PLACES = 1 << 24
"""Positions that the building of a book remembers."""


def openings(rules: Rules, stones: int) -> tuple[Position, ...]:
    """The unfinished positions of up to so many stones, one of each symmetry class, those with most stones first."""
    layers = [{Position(rules).canonical(): None}]
    for _ in range(stones):
        after = (position.after(cell) for position in layers[-1] for cell in position.legal_moves)
        layers.append({each.canonical(): None for each in after if each.result is None})
    return tuple(position for layer in reversed(layers) for position in layer)


def proved_openings(rules: Rules, stones: int) -> Iterator[tuple[Position, Bounds]]:
    """Each of the openings with its exact score. What was proved of those with more stones helps with the others."""
    solver = Solver(rules, max_places=PLACES)
    for position in openings(rules, stones):
        known = {position: at_first(position)}
        known |= narrowing(solver, known, Meter(UNLIMITED))
        yield position, known[position]
