"""What the kernel remembers of the positions of one board: a table of proved answers that threads share without a lock.

Compiled like the kernel and with it, which see; the C types are in `compiled/transpositions.pxd`.
"""

from solver.board.rules import Rules

from .searcher import words  # relative, as in the kernel

try:
    import cython
except ImportError:
    from solver.kernel import uncompiled as cython

if not cython.compiled:
    from solver.kernel.uncompiled import SOURCES, prefetch

    from .searcher import Searcher

DIGEST = SOURCES
"""As in the kernel."""

MARKS = 7
"""The lowest bits of what is proved, by which a searcher tells apart its questions about a position; never all 0."""

PROBES = 16
"""Slots where an entry may lie, one beside the other."""

FIRST_ENTRIES = 1 << 10
"""Slots of a new table, a power of two."""

CHECK_AT = 24
"""Where the check of a slot begins, above what is proved, and above the bits that say where the slot is."""


class TranspositionTable:
    """The entries of one board's positions, in at most `max_entries` slots. Grows as it is filled.

    A slot has three words: the attacker's stones with the open squares, the defender's with them, and what is proved:
    the marks, then in a byte each the plies without a win and 255 less the plies with one, and a check. Threads may
    share a table without a lock where a word is read and written in one piece, as on machines of 64 bits. Where two
    write one slot at once, its words may be of two positions; then the check, of 40 bits and made from the first two,
    is almost surely wrong, and the slot says nothing.
    """

    def __init__(self, max_entries: int) -> None:
        self.max_entries = max_entries
        self.words = words(3 * (FIRST_ENTRIES + PROBES))


class TableClient(Searcher):
    """A table as one searcher uses it, who looks again now and then: it may have grown."""

    def __init__(self, rules: Rules, shared: TranspositionTable) -> None:
        super().__init__(rules)
        self.shared = shared
        self.found = 0
        self.remembered = False
        self.look_again()

    def entries(self) -> list[tuple[int, int]]:
        """For each position remembered, the plies within which a win fails and those within which one holds, or 255."""
        self.look_again()
        proved = (self.table[slot] for slot in range(2, len(self.table), 3))
        return [(what >> 8 & 255, 255 - (what >> 16 & 255)) for what in proved if what]

    def fetch(self, first: int, second: int) -> None:
        """Has memory loaded where a position may be remembered, while its asker goes on with something else."""
        prefetch(self.table, self.home(self.mixed(first, second)))

    def home(self, mixed: int) -> int:
        """The first of the slots where a position may be remembered."""
        return 3 * (mixed & (self.capacity - 1))

    def find(self, first: int, second: int, mark: int) -> int:
        """The slot that has a position, or else a free one for it, or -1 where others have them all.

        What it says is left in `found`, since another thread may write there next; 0 if the position is not there.
        """
        mixed = self.mixed(first, second)
        home = self.home(mixed)
        for slot in range(home, home + 3 * PROBES, 3):
            what = self.table[slot + 2]
            if not what or (
                (what ^ mixed) >> CHECK_AT == 0
                and what & MARKS == mark
                and self.table[slot] == first
                and self.table[slot + 1] == second
            ):
                self.found = what
                return slot
        self.found = 0
        return -1

    def known(self, first: int, second: int, mark: int, plies: int) -> bool:
        """Whether the table has the answer for a position, which is then left in `remembered`."""
        self.find(first, second, mark)
        self.remembered = plies + (self.found >> 16 & 255) >= 255
        return self.remembered or plies <= (self.found >> 8 & 255)

    def remember(self, first: int, second: int, mark: int, plies: int, won: bool) -> None:
        """Keeps an answer: no win within `plies`, or a win. Where there is no room, another position is forgotten."""
        slot = self.find(first, second, mark)
        while slot < 0 and self.may_grow:
            self.grow()
            slot = self.find(first, second, mark)
        mixed = self.mixed(first, second)
        if slot < 0:
            slot = self.home(mixed)
        fails, wins = self.found >> 8 & 255, self.found >> 16 & 255
        if won:
            wins = max(wins, 255 - plies)
        else:
            fails = max(fails, plies)
        self.table[slot], self.table[slot + 1] = first, second
        self.table[slot + 2] = mark | fails << 8 | wins << 16 | mixed >> CHECK_AT << CHECK_AT

    def look_again(self) -> None:
        """Takes the shared table as it is now."""
        self.table = self.shared.words
        self.capacity = len(self.table) // 3 - PROBES
        self.may_grow = self.capacity < self.shared.max_entries

    def grow(self) -> None:
        """Doubles the table, unless another thread has, and keeps what it holds, but for what finds no room.

        What other threads write into the old one from now on, until they look again, is forgotten.
        """
        old, had = self.table, self.capacity
        self.look_again()
        if self.capacity == had:
            self.capacity *= 2
            self.table = words(3 * (self.capacity + PROBES))
            for slot in range(0, len(old), 3):
                first, second, what = old[slot], old[slot + 1], old[slot + 2]
                if what and (what ^ self.mixed(first, second)) >> CHECK_AT == 0:
                    to = self.find(first, second, what & MARKS)
                    if to >= 0 and not self.found:
                        self.table[to], self.table[to + 1], self.table[to + 2] = first, second, what
            self.shared.words = self.table
            self.look_again()
