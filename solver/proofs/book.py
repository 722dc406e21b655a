"""Books of openings: the proved scores of all positions with few stones, which take longest to prove."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import comb

from solver.board.outcome import Bounds
from solver.board.position import Position
from solver.board.rules import Rules
from solver.errors import BadOption
from solver.search.budget import UNLIMITED, Meter
from solver.search.exact import at_first, narrowing, narrowing_siblings
from solver.search.solver import HARD_ENTRIES, Solver

MAX_OPENINGS = 200_000
"""The positions of the largest book."""


def openings(rules: Rules, stones: int) -> tuple[Position, ...]:
    """Return the unfinished positions of up to `stones` stones, one of each symmetry class, most stones first.

    Raises BadOption if the board has fewer squares, or if there are more positions than a book holds.
    """
    if not 0 <= stones <= rules.size:
        raise BadOption(f"A position of {rules} has 0 to {rules.size} stones, not {stones}.")
    layers = [{Position(rules).canonical(): None}]
    for layer in range(1, stones + 1):
        room = MAX_OPENINGS - sum(map(len, layers))
        if _at_least(rules, layer) > room:
            raise _too_many(rules, layer)
        layers.append({})
        for each in (position.after(cell) for position in layers[-2] for cell in position.legal_moves):
            if each.result is None:
                layers[-1][each.canonical()] = None
            if len(layers[-1]) > room:
                raise _too_many(rules, layer)
    return tuple(position for layer in reversed(layers) for position in layer)


def proofs_of(positions: Sequence[Position]) -> Iterator[tuple[Position, Bounds]]:
    """Yield each of these openings with its exact score. Proofs of those with more stones help with the others.

    Questions go to siblings together first, however long that takes.
    """
    solver = Solver(positions[0].rules, max_entries=HARD_ENTRIES)
    bounds = {position: at_first(position) for position in positions}
    for _, alike in groupby(positions, lambda position: (position.own, position.other.bit_count())):
        siblings = tuple(alike)
        for won in (True, False):
            bounds |= narrowing_siblings(solver, {each: bounds[each] for each in siblings}, Meter(UNLIMITED), won)
        for position in siblings:
            bounds |= narrowing(solver, {position: bounds[position]}, Meter(UNLIMITED))
            yield position, bounds[position]


def _at_least(rules: Rules, stones: int) -> int:
    """Return a lower bound of the number of openings with this many stones, without counting them."""
    x, o = (stones + 1) // 2, stones // 2
    nobody_has_won = x < rules.k
    return comb(rules.size, x) * comb(rules.size - x, o) // len(rules.symmetries) if nobody_has_won else 0


def _too_many(rules: Rules, stones: int) -> BadOption:
    return BadOption(
        f"With up to {stones} stones {rules} has more positions than the {MAX_OPENINGS} of the largest book."
        f" Take {stones - 1} stones at most."
    )
