"""The plies to the end of the game from every position of a small game in which stones vanish.

A position is a word with six bits for the cell of each stone, the latest one lowest, and a 1 above the oldest one.
The search goes backwards from the ends of the game, nearest first: it takes the last stone away, and puts back each
stone that may have left for it. Positions that it never decides are drawn, since play can go on for ever or fills the
board.

Like the kernel, it is written for the interpreter and for a C compiler. The C types are in `compiled/vanishing.pxd`.
"""

from array import array
from itertools import accumulate
from math import perm

from solver.board.rules import Bits, Rules

from .searcher import words  # relative, as in the kernel

try:
    import cython
except ImportError:
    from solver.kernel import uncompiled as cython

if not cython.compiled:
    from solver.kernel.uncompiled import SOURCES, popcount

__all__ = ["VanishingTable"]

DIGEST = SOURCES
"""The digest of the sources, as in the kernel."""

STONE = 6
"""The bits of a stone."""

EMPTY = 1
"""The empty position."""


class VanishingTable:
    """All positions of a game and what follows from them: two bytes each, and twelve while they are computed."""

    def __init__(self, rules: Rules) -> None:
        self.full, self.squares, self.most = rules.full, rules.squares, 2 * rules.k
        self.retakes, self.loses = bool(rules.takes_freed), rules.completing_loses
        self.lines = array("Q", rules.lines)
        orders = [perm(self.squares, stones) for stones in range(min(self.most, self.squares) + 1)]
        self.starts = array("Q", accumulate(orders, initial=0))
        self.lasting = array("H", bytes(2 * sum(orders)))
        """For each position, one more than its plies to the end; 0 if it is drawn."""
        self.failing = array("H", bytes(2 * sum(orders)))
        """For each position, how many of its moves are known to lose."""
        self.queue, self.tail = words(sum(orders)), 0
        with cython.nogil:
            self.find_ends(EMPTY, 0, 0)
            self.go_backwards()
        self.failing, self.queue = array("H"), words(0)

    def plies(self, ages: int) -> int:
        """Return the plies to the end of the game, or -1 if it is drawn."""
        return int(self.lasting[self.place(ages)]) - 1

    def place(self, ages: int) -> int:
        """Return a position's place in the table. Positions with as many stones follow each other."""
        free, place, stones = self.full, 0, 0
        while ages != EMPTY:
            low = 1 << (ages & (1 << STONE) - 1)
            place = place * (self.squares - stones) + popcount(free & low - 1)
            free ^= low
            ages >>= STONE
            stones += 1
        return self.starts[stones] + place

    def find_ends(self, ages: int, own: Bits, other: Bits) -> None:
        """Note all positions after this one in which the last stone completes a line."""
        for number in range(len(self.lines)):
            if not self.lines[number] & ~other:
                self.note(ages, self.place(ages), 1)
                break
        rest = self.full & ~(own | other) if popcount(own | other) < self.most else 0
        while rest:
            low = rest & -rest
            rest ^= low
            self.find_ends(ages << STONE | popcount(low - 1), other, own | low)

    def go_backwards(self) -> None:
        """Decide the positions before the noted ones, then those before these, and so on."""
        head = 0
        while head < self.tail:
            after = self.queue[head]
            head += 1
            if after == EMPTY:
                continue
            lasting = self.lasting[self.place(after)] + 1
            kept, rest, stones = after >> STONE, self.full, 0
            if not self.retakes:
                rest ^= 1 << (after & (1 << STONE) - 1)
            before = kept
            while before != EMPTY:
                rest &= ~(1 << (before & (1 << STONE) - 1))
                before >>= STONE
                stones += 1
            self.precede(kept, stones, lasting)
            above = before << STONE * stones
            while stones + 1 == self.most and rest:
                low = rest & -rest
                rest ^= low
                before = (above << STONE) + (kept ^ above) + above * popcount(low - 1)
                self.precede(before, self.most, lasting)

    def precede(self, ages: int, stones: int, lasting: int) -> None:
        """Decide a position by a move after which the game lasts that long, if that decides it."""
        place = self.place(ages)
        if self.lasting[place]:
            return
        if lasting & 1 == self.loses:  # the move wins
            self.note(ages, place, lasting)
            return
        self.failing[place] += 1
        moves = self.squares - stones
        if stones == self.most and self.retakes:
            moves += 1
        if self.failing[place] == moves:
            self.note(ages, place, lasting)

    def note(self, ages: int, place: int, lasting: int) -> None:
        """Note how long the game lasts from a position, and that the positions before it are to be decided."""
        self.lasting[place] = lasting
        self.queue[self.tail] = ages
        self.tail += 1
