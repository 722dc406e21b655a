"""Pairings: disjoint pairs of squares, such that each line holds a pair.

With a pairing, a player stops every line: when the opponent takes one square of a pair, the player takes the other.
"""

from collections.abc import Collection, Sequence
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Final

from solver.board.rules import MAX_CELLS, Bits, Cell, Pairs, cells_of

ROUNDS: Final = 6
"""The number of rounds before the search for a pairing gives up."""

SURE: Final = 1 << 8
"""The danger of a line with no squares left. Each square that it has halves its danger."""

EPSILON: Final = 1e-6
"""More than the error of a sum of fractions."""


def pairing(lines: Sequence[Bits]) -> Pairs | None:
    """Return disjoint pairs of squares, one within each of these lines; None if the search finds none.

    None does not prove that no pairing exists. In each round, the lines get their pairs one after the other. A line
    that gets none has an earlier turn in the next round.

    Sources: Hales and Jewett, "Regularity and positional games", 1963; for the rounds Joslin and Clements, "Squeaky
    wheel optimization", 1999.
    """
    lines = tuple(dict.fromkeys(lines))
    if crowded(lines):
        return None
    urgency = [0] * len(lines)
    for _ in range(ROUNDS):
        pairs, left_out = _round(lines, urgency)
        if left_out is None:
            return pairs
        urgency[left_out] += 1
    return None


def crowded(lines: Sequence[Bits]) -> bool:
    """Return whether the lines have too few squares for their pairs.

    Lines with the same pair share two squares. So if a line shares two squares with `alike` lines, itself among them,
    then at most so many have its pair, and its part of the two squares is at least 2 / `alike`.
    """
    room, taken = reduce(or_, lines, 0).bit_count() + EPSILON, 0.0
    for line in lines:
        alike = sum((line & other).bit_count() > 1 for other in lines)
        if not alike:  # the line has no two squares itself
            return True
        taken += 2 / alike
        if taken > room:
            return True
    return False


def _round(lines: Sequence[Bits], urgency: Sequence[int]) -> tuple[Pairs, int | None]:
    """Return the pairs of one round, and the number of a line that got no pair; None if every line got one.

    The next line is the one with the fewest free squares minus its urgency. If several tie, it is the line whose
    squares are in the greatest danger.
    """
    pairs: list[tuple[Cell, Cell]] = []
    left = dict(enumerate(lines))
    while left:
        widths = {number: line.bit_count() for number, line in left.items()}
        left_out = next((number for number, width in widths.items() if width < 2), None)
        if left_out is not None:
            return tuple(pairs), left_out
        dangers = _dangers(left.values())
        narrowest = min(width - urgency[number] for number, width in widths.items())
        line = max(
            (left[number] for number, width in widths.items() if width - urgency[number] == narrowest),
            key=lambda line: sum(dangers[cell] for cell in cells_of(line)),
        )
        low, high = _best_pair(line, left.values(), dangers)
        pairs.append((low, high))
        pair = 1 << low | 1 << high
        left = {number: line & ~pair for number, line in left.items() if line & pair != pair}
    return tuple(pairs), None


def _best_pair(line: Bits, lines: Collection[Bits], dangers: Sequence[int]) -> tuple[Cell, Cell]:
    """Return the pair of squares of a line that leaves the other lines in the least danger.

    Lines that hold both squares are safe. Lines that hold one of them lose a square, which doubles their danger.
    """
    doubly = [other for other in lines if (other & line).bit_count() > 1]

    def added(pair: tuple[Cell, Cell]) -> int:
        low, high = pair
        both = 1 << low | 1 << high
        gone = sum(SURE >> other.bit_count() for other in doubly if other & both == both)
        return dangers[low] + dangers[high] - 3 * gone

    return min(combinations(cells_of(line), 2), key=added)


def _dangers(lines: Collection[Bits]) -> list[int]:
    """Return the danger of the lines through each square."""
    dangers = [0] * MAX_CELLS
    for line in lines:
        danger = SURE >> line.bit_count()
        for cell in cells_of(line):
            dangers[cell] += danger
    return dangers
