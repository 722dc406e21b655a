"""What the searches of the kernel have in common: like positions turned to one, nodes and pauses.

Compiled like the kernel and with it, which see; the C types are in `compiled/searcher.pxd`.
"""

from array import array
from collections.abc import Callable
from functools import lru_cache
from itertools import chain

from solver.board.rules import Permutation, Rules

try:
    import cython
except ImportError:
    from solver.kernel import uncompiled as cython

if not cython.compiled:
    from solver.kernel.uncompiled import SOURCES

DIGEST = SOURCES
"""As in the kernel."""

WORD = (1 << 64) - 1
"""All bits of a word."""

MIX_FIRST, MIX_SECOND, MIX_BOTH = 0x1E3779B97F4A7C15, 0x2545F4914F6CDD1D, 0x27BB2EE687B0B0FD
"""Odd numbers without a pattern, which spread positions over the table."""


def words(count: int) -> "array[int]":
    """So many words of 64 bits, all 0."""
    return array("Q", [0]) * count


class Searcher:
    """The base of all searches of one board: it counts nodes and pauses, and knows like positions.

    When `nodes` reaches `pause_at`, `on_pause` is called and gives the next `pause_at`. What it raises ends the search.
    """

    def __init__(self, rules: Rules) -> None:
        self.nodes = self.pause_at = 0
        self.on_pause: Callable[[], int] = lambda: 1 << 62
        self.image_count, self.image_bytes = len(rules.symmetries), (rules.size + 7) // 8
        self.images = _images(rules)
        self.inverses = array("Q", (_inverse(rules, symmetry) for symmetry in rules.symmetries))
        self.first = self.second = self.turn = 0

    def count_node(self) -> None:
        """Counts a position, and pauses where it is time to."""
        if self.nodes >= self.pause_at:
            self.pause()
        self.nodes += 1

    def pause(self) -> None:
        """Asks how long to go on, and takes over what is shared where another thread had it grow."""
        self.look_again()
        self.pause_at = self.on_pause()

    def look_again(self) -> None:
        """Takes what is shared as it is now."""
        raise NotImplementedError

    def turn_to_least(self, first: int, second: int) -> None:
        """Sets `first` and `second` to the least image of a position of these stones and squares, `turn` to how."""
        self.first, self.second, self.turn = first, second, 0
        for symmetry in range(1, self.image_count):
            image = self.turned(first, symmetry)
            if image <= self.first:
                other = self.turned(second, symmetry)
                if image < self.first or other < self.second:
                    self.first, self.second, self.turn = image, other, symmetry

    def mixed(self, first: int, second: int) -> int:
        """A number that spreads positions over the table, and that no other position is likely to have.

        A product's low bits, which choose the slot, say nothing of the high ones of what was multiplied; so the high
        half is folded in before each next product.
        """
        mixed = first * MIX_FIRST & WORD
        mixed = (mixed ^ mixed >> 32 ^ second) * MIX_SECOND & WORD
        mixed = (mixed ^ mixed >> 32) * MIX_BOTH & WORD
        return mixed ^ mixed >> 29

    def turned(self, bits: int, turn: int) -> int:
        """A set of cells as it lies under the symmetry of this number."""
        at = turn * self.image_bytes * 256
        image = 0
        for byte in range(self.image_bytes):
            image |= self.images[at + (bits >> 8 * byte & 255)]
            at += 256
        return image


@lru_cache(maxsize=64)
def _images(rules: Rules) -> "array[int]":
    """For each symmetry and each eight cells, the image of every set of them."""
    return array("Q", chain.from_iterable(chain.from_iterable(rules.images)))


def _inverse(rules: Rules, symmetry: Permutation) -> int:
    """The number of the symmetry that turns back what this one turns."""
    return rules.symmetries.index(tuple(symmetry.index(cell) for cell in range(rules.size)))
