"""The base of the kernel's searches: symmetric images of positions, nodes and pauses.

It is compiled like the kernel and with it. The C types are in `compiled/searcher.pxd`.
"""

from array import array
from collections.abc import Callable
from functools import lru_cache

from solver.board.rules import Rules
from solver.board.symmetries import Permutation

try:
    import cython
except ImportError:
    from solver.kernel import uncompiled as cython

if not cython.compiled:
    from solver.kernel.uncompiled import SOURCES

DIGEST = SOURCES
"""The digest of the sources, as in the kernel."""

WORD = (1 << 64) - 1
"""All bits of a word."""

MIX_FIRST, MIX_SECOND, MIX_BOTH = 0x1E3779B97F4A7C15, 0x2545F4914F6CDD1D, 0x27BB2EE687B0B0FD
"""Odd numbers without a pattern, by which hashes spread positions over a table."""


def words(count: int) -> "array[int]":
    """Return an array of `count` words of 64 bits, all 0."""
    return array("Q", [0]) * count


class Searcher:
    """The base of all searches of one board. It counts nodes, pauses, and turns positions to their least images.

    When `nodes` reaches `pause_at`, `on_pause` is called and returns the next `pause_at`. An error in it ends the
    search.
    """

    def __init__(self, rules: Rules) -> None:
        self.nodes = self.pause_at = 0
        self.on_pause: Callable[[], int] = lambda: 1 << 62
        self.image_count, self.image_bytes = len(rules.symmetries), (rules.size + 7) // 8
        self.images, self.inverses = _images(rules.symmetries), _inverses(rules.symmetries)
        self.first = self.second = self.turn = 0

    def count_node(self) -> None:
        """Count a position, and pause if it is time to."""
        if self.nodes >= self.pause_at:
            self.pause()
        self.nodes += 1

    def pause(self) -> None:
        """Fetch what is shared with other threads, and ask `on_pause` when to pause next."""
        self.look_again()
        self.pause_at = self.on_pause()

    def look_again(self) -> None:
        """Fetch what is shared with other threads as it is now."""
        raise NotImplementedError

    def turn_to_least(self, first: int, second: int) -> None:
        """Set `first` and `second` to the least image of a position, and `turn` to the number of its symmetry."""
        self.first, self.second, self.turn = first, second, 0
        for symmetry in range(1, self.image_count):
            image = self.turned(first, symmetry)
            if image <= self.first:
                other = self.turned(second, symmetry)
                if image < self.first or other < self.second:
                    self.first, self.second, self.turn = image, other, symmetry

    def mixed(self, first: int, second: int) -> int:
        """Return the hash of a position.

        The low bits of a product choose the slot, but they do not depend on the high bits of its factors. So the high
        half is folded in before each further product.
        """
        mixed = first * MIX_FIRST & WORD
        mixed = (mixed ^ mixed >> 32 ^ second) * MIX_SECOND & WORD
        mixed = (mixed ^ mixed >> 32) * MIX_BOTH & WORD
        return mixed ^ mixed >> 29

    def turned(self, bits: int, turn: int) -> int:
        """Return the image of a set of cells under the symmetry of this number."""
        at = turn * self.image_bytes * 256
        image = 0
        for byte in range(self.image_bytes):
            image |= self.images[at + (bits >> 8 * byte & 255)]
            at += 256
        return image


def fill_images(table: "array[int]", at: int, images: list[int], count: int) -> int:
    """Write the images of all 256 sets of eight cells into a table, given those of `count` cells; return the end."""
    for cell in range(8):
        moved = images[cell] if cell < count else 0
        for bits in range(1 << cell):
            table[at + (1 << cell) + bits] = table[at + bits] | moved
    return at + 256


@lru_cache(maxsize=16)  # 3 MB at most each
def _images(symmetries: tuple[Permutation, ...]) -> "array[int]":
    """Return the images of all sets of cells by each symmetry, for eight cells at a time."""
    size = len(symmetries[0])
    table, at = words(len(symmetries) * (size + 7 >> 3) * 256), 0
    for symmetry in symmetries:
        for start in range(0, size, 8):
            images = [1 << cell for cell in symmetry[start : start + 8]]
            at = fill_images(table, at, images, len(images))
    return table


@lru_cache(maxsize=16)
def _inverses(symmetries: tuple[Permutation, ...]) -> "array[int]":
    """Return the numbers of the inverses of symmetries."""
    numbers = {symmetry: number for number, symmetry in enumerate(symmetries)}
    cells = range(len(symmetries[0]))
    return array("Q", (numbers[tuple(sorted(cells, key=symmetry.__getitem__))] for symmetry in symmetries))
