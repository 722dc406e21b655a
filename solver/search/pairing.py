"""Pairing strategies: a proof that a player cannot complete any line.

If every line that the attacker could still complete holds a pair of empty squares, and the pairs are disjoint, the
defender answers each stone on a pair with its other square, and no line is ever completed. Source: Hales and Jewett,
"Regularity and positional games", 1963; used for proofs by Uiterwijk and van den Herik, "The advantage of the
initiative", 2000.
"""

from collections.abc import Sequence

from solver.rules import Bits, cells_of

MAX_STEPS = 60
"""Choices of a pair that one search may make; a pairing that needs more is not found, which proves nothing."""


def find_pairing(lines: Sequence[Bits], empty: Bits) -> Bits | None:
    """The squares of disjoint pairs in `empty` such that every line holds one pair, or None if none was found.

    `lines` are the squares that each line still misses.
    """
    return _Search(lines).run(empty)


class _Search:
    """Depth-first search for a pairing: always a pair for the line with the fewest squares left to choose from."""

    def __init__(self, lines: Sequence[Bits]) -> None:
        self.lines: list[Bits] = []
        for line in sorted(set(lines), key=int.bit_count):
            if not any(line & kept == kept for kept in self.lines):  # a pair of a part is a pair of the whole
                self.lines.append(line)
        self.steps = 0

    def run(self, empty: Bits) -> Bits | None:
        return self._cover(self.lines, empty)

    def _cover(self, lines: list[Bits], free: Bits) -> Bits | None:
        if not lines:
            return 0
        self.steps += 1
        if self.steps > MAX_STEPS:
            return None
        narrowest = min((line & free for line in lines), key=int.bit_count)
        for pair in self._pairs(narrowest, lines):
            rest = self._cover([line for line in lines if line & pair != pair], free & ~pair)
            if rest is not None:
                return rest | pair
            if self.steps > MAX_STEPS:
                return None
        return None

    @staticmethod
    def _pairs(squares: Bits, lines: list[Bits]) -> list[Bits]:
        """The pairs of these squares, those first that serve many lines and take squares from few others."""
        cells = [1 << cell for cell in cells_of(squares)]
        pairs = [one | other for index, one in enumerate(cells) for other in cells[index + 1 :]]

        def cost(pair: Bits) -> int:
            return sum((-3 if line & pair == pair else 1) for line in lines if line & pair)

        return sorted(pairs, key=cost)
