"""Pairings: disjoint pairs of squares. Answering each stone on a pair with one on its other square loses no line."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from solver.board.rules import Bits, Cell, cells_of

Pairs: TypeAlias = tuple[tuple[Cell, Cell], ...]
"""Disjoint pairs of squares."""

STEPS: Final = 200
"""Steps that a search for a pairing may take by default."""


def pairing(lines: Sequence[Bits], steps: int = STEPS) -> Pairs | None:
    """Disjoint pairs of squares, one within each of these sets; None where none are found in so many steps.

    Source: Hales and Jewett, "Regularity and positional games", 1963.
    """

    def paired(left: Sequence[Bits], used: Bits) -> tuple[Bits, ...] | None:
        nonlocal steps
        steps -= 1
        if not left:
            return ()
        narrowest = min(left, key=lambda line: (line & ~used).bit_count())
        for pair in sorted(_pairs(narrowest & ~used), key=lambda pair: -sum(line & pair == pair for line in left)):
            if steps < 0:
                return None
            rest = paired([line for line in left if line & pair != pair], used | pair)
            if rest is not None:
                return pair, *rest
        return None

    found = paired(lines, 0)
    return None if found is None else tuple((low, high) for low, high in (cells_of(pair) for pair in found))


def _pairs(squares: Bits) -> Iterator[Bits]:
    cells = [1 << cell for cell in cells_of(squares)]
    return (one | other for index, one in enumerate(cells) for other in cells[:index])
