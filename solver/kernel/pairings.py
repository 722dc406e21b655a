"""Pair squares so that each line holds a pair. No two pairs share a square.

The lines get their pairs one after the other, the one with the fewest free squares first. If a line can get none, all
begin anew, and it has an earlier turn. A pairing can be missed, so finding none proves nothing. The kernel itself asks
`Prover.paired`, which has no rounds and lets lines of little danger go without a pair.

Sources: Hales and Jewett, "Regularity and positional games", 1963; for the rounds Joslin and Clements, "Squeaky wheel
optimization", 1999.

Like the kernel, it is written for the interpreter and for a C compiler. The C types are in `compiled/pairings.pxd`.
"""

from array import array
from collections.abc import Sequence

from solver.board.rules import MAX_CELLS, Bits

from .searcher import words  # relative, as in the kernel

try:
    import cython
except ImportError:
    from solver.kernel import uncompiled as cython

if not cython.compiled:
    from solver.kernel.uncompiled import SOURCES, popcount

__all__ = ["Pairings"]

DIGEST = SOURCES
"""The digest of the sources, as in the kernel."""

SURE = 1 << 8
"""The danger of a line with no squares left. Each square that it has halves its danger."""

NO_LINE = -1
"""In place of the number of a line: every line has a pair."""


class Pairings:
    """A search for pairs, one within each of these lines, which are sets of open squares."""

    def __init__(self, lines: Sequence[Bits]) -> None:
        self.count, self.cells = len(lines), MAX_CELLS
        self.lines = array("Q", lines)
        # What each line has left while pairs are taken from it; 0 once it holds a pair.
        self.left, self.urgencies = words(self.count), words(self.count)
        self.dangers, self.pairs = words(MAX_CELLS), words(MAX_CELLS // 2)
        self.pair_count = 0

    def search(self, rounds: int) -> list[Bits] | None:
        """Return the pairs that are found within some rounds, each a set of two squares; None if none are."""
        for _ in range(rounds):
            left_out = self.round()
            if left_out == NO_LINE:
                return [self.pairs[index] for index in range(self.pair_count)]
            self.urgencies[left_out] += 1
        return None

    def round(self) -> int:
        """Take pairs until every line holds one, or return the number of a line that can get none."""
        self.pair_count = 0
        for index in range(self.count):
            self.left[index] = self.lines[index]
            if popcount(self.lines[index]) < 2:
                return index
        while True:
            number = self.next_line()
            if number == NO_LINE or popcount(self.left[number]) < 2:
                return number
            pair = self.best_pair(self.left[number])
            self.pairs[self.pair_count] = pair
            self.pair_count += 1
            for index in range(self.count):
                line = self.left[index]
                self.left[index] = 0 if line & pair == pair else line & ~pair

    def next_line(self) -> int:
        """Return the line with the fewest squares left less its urgency, or one with too few. Sets `dangers`.

        Of several such lines it is the one whose squares are in the greatest danger.
        """
        for cell in range(self.cells):
            self.dangers[cell] = 0
        least = self.cells
        for index in range(self.count):
            line = self.left[index]
            if line:
                size = popcount(line)
                if size < 2:
                    return index
                rank = size - self.urgencies[index]
                least = min(rank, least)
                while line:
                    self.dangers[popcount((line & -line) - 1)] += SURE >> size
                    line &= line - 1
        best, most = NO_LINE, 0
        for index in range(self.count):
            line = self.left[index]
            rank = popcount(line) - self.urgencies[index]
            if line and rank == least:
                danger = 0
                while line:
                    danger += self.dangers[popcount((line & -line) - 1)]
                    line &= line - 1
                if best == NO_LINE or danger > most:
                    best, most = index, danger
        return best

    def best_pair(self, squares: int) -> int:
        """Return the pair of a line's squares that leaves the other lines in the least danger.

        Lines that hold both squares are safe. Lines that hold one of them lose a square, which doubles their danger.
        """
        best, least = 0, 0
        while squares:
            low = squares & -squares
            squares ^= low
            others = squares
            while others:
                high = others & -others
                others ^= high
                added = self.dangers[popcount(low - 1)] + self.dangers[popcount(high - 1)]
                for index in range(self.count):
                    line = self.left[index]
                    if line & low and line & high:
                        added -= 3 * (SURE >> popcount(line))
                if not best or added < least:
                    best, least = low | high, added
        return best
