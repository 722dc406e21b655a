"""Pairings: disjoint pairs of squares. Answering each stone on a pair with one on its other square loses no line."""

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from solver.board.rules import MAX_SIDE, Bits, Cell, cells_of

Pairs: TypeAlias = tuple[tuple[Cell, Cell], ...]
"""Disjoint pairs of squares."""

ROUNDS: Final = 6
"""How often pairs are taken anew."""

SURE: Final = 1 << 8
"""The danger of a line without squares; each square that it has halves it."""


def pairing(lines: Sequence[Bits]) -> Pairs | None:
    """Disjoint pairs of squares, one within each of these sets; None where none are found, though there may be some.

    Each round takes a pair for one line after the other. A line that gets none has its turn earlier in the next round.

    Sources: Hales and Jewett, "Regularity and positional games", 1963; for the rounds Joslin and Clements, "Squeaky
    wheel optimization", 1999.
    """
    lines = tuple(dict.fromkeys(lines))
    urgency = [0] * len(lines)
    for _ in range(ROUNDS):
        pairs, left_out = _round(lines, urgency)
        if left_out is None:
            return pairs
        urgency[left_out] += 1
    return None


def _round(lines: Sequence[Bits], urgency: Sequence[int]) -> tuple[Pairs, int | None]:
    """The pairs of one round, and the number of the line that got none, if there is one.

    The next pair is for a line with few squares outside the pairs, or an urgent one; of several for the one whose
    squares are in most danger.
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
    """The pair of squares of a line that leaves the lines in the least danger.

    Those that hold both squares are gone; those that hold one are a square shorter, and so in twice the danger.
    """
    doubly = [other for other in lines if (other & line).bit_count() > 1]

    def added(pair: tuple[Cell, Cell]) -> int:
        low, high = pair
        both = 1 << low | 1 << high
        gone = sum(SURE >> other.bit_count() for other in doubly if other & both == both)
        return dangers[low] + dangers[high] - 3 * gone

    return min(combinations(cells_of(line), 2), key=added)


def _dangers(lines: Collection[Bits]) -> list[int]:
    """For each square the danger of the lines through it."""
    dangers = [0] * MAX_SIDE**2
    for line in lines:
        danger = SURE >> line.bit_count()
        for cell in cells_of(line):
            dangers[cell] += danger
    return dangers
