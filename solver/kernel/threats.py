"""Finds wins by threats alone: each move threatens a line and leaves one reply, until two lines are threatened at once.

The player who attacks makes only moves that leave a line of his with one empty square. The opponent must take it. If
that reply threatens a line in turn, the attack goes on only with the square that blocks it. The attack succeeds with a
line, or with a move that threatens two lines at once.

Such a win is a win by the rules, since the opponent never has a choice. Most positions have no such win, and then
nothing follows.

Like the kernel, it is written for the interpreter and for a C compiler. The C types are in `compiled/threats.pxd`.
"""

from array import array

from solver.board.rules import Bits, Rules

from .searcher import words  # relative, as in the kernel

try:
    import cython
except ImportError:
    from solver.kernel import uncompiled as cython

if not cython.compiled:
    from solver.kernel.uncompiled import SOURCES, popcount

    from .searcher import WORD, Searcher

__all__ = ["Threats"]

DIGEST = SOURCES
"""The digest of the sources, as in the kernel."""

LOOKED_AT = 1 << 18
"""The slots of the table of positions that were looked at, a power of two. A newer position replaces an older one."""


class Threats(Searcher):
    """A search for wins by threats on one board.

    `looks` counts the positions that were looked at. A search that looks at more than it may finds nothing, and sets
    `cut_short`.
    """

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.lines, self.line_count = array("Q", rules.lines), len(rules.lines)
        self.pairs = words((rules.size // 2 + 2) * self.line_count)
        self.looked_at = words(3 * LOOKED_AT)
        self.favourites = words(rules.size + 1)
        self.completing = self.feared = 0
        self.looks = self.last_look = 0
        self.cut_short = False

    def look_again(self) -> None:
        """Do nothing: no other thread uses the tables."""

    def threatens(self, own: Bits, other: Bits, most: int) -> bool:
        """Return whether the mover, who has `own`, wins by threats that a search of `most` positions finds."""
        with cython.nogil:
            return self.wins(own, other, most)

    def wins(self, own: int, other: int, most: int) -> bool:
        """Return whether a search of at most `most` positions finds a win by threats."""
        self.cut_short, self.last_look = False, self.looks + most
        return self.attack(own, other, 0)

    def attack(self, own: int, other: int, start: int) -> bool:
        """Return whether the mover wins by threats. Keeps its pairs of squares from `start` on."""
        self.looks += 1
        if self.looks > self.last_look:
            self.cut_short = True
            return False
        slot = 3 * (self.mixed(own, other) & LOOKED_AT - 1)
        if self.looked_at[slot] == own and self.looked_at[slot + 1] == other and self.looked_at[slot + 2]:
            return self.looked_at[slot + 2] == 1
        end = self.look(own, other, start)
        found = self.completing != 0
        if not found and not self.feared & (self.feared - 1):
            moves = self.feared if self.feared else WORD
            once = twice = 0
            for index in range(start, end):
                twice |= once & self.pairs[index]
                once |= self.pairs[index]
            found = twice & moves != 0 or self.goes_on(own, other, once & moves, start, end)
        if found or not self.cut_short:
            self.looked_at[slot], self.looked_at[slot + 1], self.looked_at[slot + 2] = own, other, 1 if found else 2
        return found

    def goes_on(self, own: int, other: int, moves: int, start: int, end: int) -> bool:
        """Return whether one of these moves, which each threaten one line, begins a win. The last to win goes first."""
        depth = popcount(own)
        first = moves & self.favourites[depth]
        rest = moves ^ first
        while first | rest:
            move = first if first else rest & -rest
            first, rest = 0, rest & ~move
            index = start
            while not self.pairs[index] & move:
                index += 1
            if self.attack(own | move, other | self.pairs[index] ^ move, end):
                self.favourites[depth] = move
                return True
            if self.cut_short:
                return False
        return False

    def look(self, own: int, other: int, start: int) -> int:
        """Write the mover's pairs of squares from `start` on, each once, and return their end.

        Two squares are a pair if a line lacks only them. Sets `completing` to the squares that complete a line, and
        `feared` to those that complete one of the opponent.
        """
        end = start
        self.completing = self.feared = 0
        for index in range(self.line_count):
            line = self.lines[index]
            if not line & other:
                rest = line & ~own
                if not rest & (rest - 1):
                    self.completing |= rest
                elif popcount(rest) == 2:
                    known = start
                    while known < end and self.pairs[known] != rest:
                        known += 1
                    if known == end:
                        self.pairs[end] = rest
                        end += 1
            elif not line & own:
                rest = line & ~other
                if not rest & (rest - 1):
                    self.feared |= rest
        return end
