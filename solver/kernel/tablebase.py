"""The score of every position that a game reaches, one byte each, decided backwards from the full board.

A position's place in the table follows from its filled squares and from those of them that hold X: tables say where the
positions with the same filled squares begin, and which of them has these X. Numbering the filled squares makes the X a
short number, their *pattern*. Squares are numbered without the holes.

First the positions are followed ply by ply from the empty board, up to the ends of games. Then they are decided ply by
ply from the full board back. Within a ply no position depends on another, so threads can share it.

Like the kernel, it is written for the interpreter and for a C compiler. The C types are in `compiled/tablebase.pxd`.
"""

from array import array
from collections.abc import Iterable

from solver.board.outcome import WIN
from solver.board.rules import Bits, Marking, Rules

from .searcher import words  # relative, as in the kernel

try:
    import cython
except ImportError:
    from solver.kernel import uncompiled as cython

if not cython.compiled:
    from solver.kernel.uncompiled import SOURCES, popcount

__all__ = ["Tablebase"]

DIGEST = SOURCES
"""The digest of the sources, as in the kernel."""

WON = 100
"""A byte's score of a game that is won. A win in n plies is `WON - n`, a loss its negative, and a draw is 0."""

OPEN = 127
"""The mark of a position that is reached and not yet decided."""

UNREACHED = -128
"""The mark of a place whose position no game reaches."""


FARTHER = WIN - WON
"""The distance of a score from a byte's score, away from 0."""


class Tablebase:
    """The scores of a game's positions for their movers.

    `scores` is their memory, one signed byte a position. `counts` says how many positions have the same filled squares,
    by the number of these. The game is one in which stones stay.
    """

    def __init__(self, rules: Rules, scores: "memoryview[int]", counts: Iterable[int]) -> None:
        self.full, self.squares, self.columns = rules.full, rules.squares, rules.columns if rules.falls else 0
        self.own, self.wild = rules.marks is Marking.OWN, rules.is_wild
        self.ended = WON if rules.completing_loses else -WON
        self.scores = scores
        self.counts = array("Q", counts)
        self.starts, self.ranks = words(1 << self.squares), words(1 << self.squares)
        self.seen = words(self.squares + 1)
        self.lines = array("Q", [self.compress(line, self.full) for line in rules.lines])
        self.complete = array("b", bytes(1 << self.squares))
        with cython.nogil:
            self.number()

    def score(self, first: Bits, second: Bits) -> int:
        """Return the score of a position, given the stones of X and of O. Raises ValueError if no game reaches it."""
        filled = self.compress(first | second, self.full)
        pattern = self.compress(self.compress(first, self.full), filled)
        is_placed = self.wild or popcount(pattern) == self.xs(popcount(filled))
        score = self.scores[self.starts[filled] + self.ranks[pattern]] if is_placed else UNREACHED
        if score == UNREACHED:
            raise ValueError("No game reaches these stones.")
        if score:
            return score + FARTHER if score > 0 else score - FARTHER
        return 0

    def best(self, first: Bits, second: Bits) -> Bits:
        """Return the cells of the best moves in a position that games reach; 0 if it ends the game."""
        empty, best, worst = self.full & ~(first | second), 0, WIN
        if abs(self.score(first, second)) == WIN:
            empty = 0
        if self.columns:
            empty &= ~(empty >> self.columns)
        by_o = self.own and popcount(first) > popcount(second)
        while empty:
            low = empty & -empty
            empty ^= low
            score = WIN
            if self.wild or by_o:
                score = self.score(first, second | low)
            if not by_o:
                score = min(score, self.score(first | low, second))
            if score < worst:
                best, worst = 0, score
            if score == worst:
                best |= low
        return best

    def fill(self, stones: int, backwards: bool, parts: int, part: int) -> None:
        """Follow the positions with some stones from those before, or decide them by those after.

        The parts of this work, numbered from 0, can be done at the same time.
        """
        begin, end = (part << self.squares) // parts, (part + 1 << self.squares) // parts
        with cython.nogil:
            for filled in range(begin, end):
                if popcount(filled) == stones:
                    self.go_through(filled, stones, backwards)

    def number(self) -> None:
        """Compute where positions begin, and note which stones complete a line."""
        start = 0
        for bits in range(1 << self.squares):
            stones = popcount(bits)
            self.starts[bits] = start
            start += self.counts[stones]
            if self.wild:
                self.ranks[bits] = bits
            elif self.own:
                self.ranks[bits] = self.seen[stones]
                self.seen[stones] += 1
            for number in range(len(self.lines)):
                if not self.lines[number] & ~bits:
                    self.complete[bits] = True
                    break

    def xs(self, stones: int) -> int:
        """Return the number of X among some stones, where the mover doesn't choose the mark."""
        return stones - stones // 2 if self.own else stones

    def compress(self, bits: Bits, mask: Bits) -> Bits:
        """Return the bits at the places of the mask, side by side."""
        packed, at = 0, 1
        while mask:
            low = mask & -mask
            mask ^= low
            if bits & low:
                packed |= at
            at <<= 1
        return packed

    def go_through(self, filled: Bits, stones: int, backwards: bool) -> None:
        """Follow or decide the positions in which these squares are filled."""
        place, pattern, first, xs = self.starts[filled], 0, 0, self.xs(stones)
        if xs == stones and not self.wild:  # all are X
            pattern, first = (1 << stones) - 1, filled
        while True:
            if self.wild or popcount(pattern) == xs:
                if not backwards:
                    self.scores[place] = self.reached(filled, pattern, first, stones)
                elif self.scores[place] == OPEN:
                    self.scores[place] = self.decided(filled, pattern, stones)
                place += 1
            if first == filled:
                break
            first = first - filled & filled  # the next set of these squares, as the pattern is the next number
            pattern += 1

    def reached(self, filled: Bits, pattern: Bits, first: Bits, stones: int) -> int:
        """Return the score of a game that ends here, else `OPEN`, or `UNREACHED`."""
        if stones:
            last = filled
            if self.columns:
                if filled & ((1 << self.squares) - 1 & ~filled) >> self.columns:  # a stone is in the air
                    return UNREACHED
                last &= ~(filled << self.columns)
            if self.own:  # X has placed the last of an odd number
                last &= first if stones & 1 else ~first
            while last:
                low = last & -last
                at = popcount(filled & low - 1)
                before = pattern & (1 << at) - 1 | pattern >> at + 1 << at
                if self.scores[self.starts[filled ^ low] + self.ranks[before]] == OPEN:
                    break
                last ^= low
            if not last:
                return UNREACHED
        if self.complete[first] or self.complete[filled ^ first]:
            return self.ended
        return 0 if stones == self.squares else OPEN

    def decided(self, filled: Bits, pattern: Bits, stones: int) -> int:
        """Return the score of an open position: of the best of its moves."""
        empty = (1 << self.squares) - 1 & ~filled
        if self.columns:
            empty &= ~(empty >> self.columns)
        worst = WON
        while empty and worst != -WON:
            low = empty & -empty
            empty ^= low
            at = popcount(filled & low - 1)
            start = self.starts[filled | low]
            after = pattern & (1 << at) - 1 | pattern >> at << at + 1
            if self.wild or (self.own and stones & 1):  # O
                worst = min(worst, self.scores[start + self.ranks[after]])
            if not self.own or not stones & 1:  # X
                worst = min(worst, self.scores[start + self.ranks[after | 1 << at]])
        if worst:
            return 1 - worst if worst > 0 else -1 - worst
        return 0
