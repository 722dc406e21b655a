"""The transposition table of the kernel: proved answers about positions of one board, shared by threads without a lock.

It is compiled like the kernel and with it. The C types are in `compiled/transpositions.pxd`.
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
"""The digest of the sources, as in the kernel."""

MARKS = 7
"""The lowest bits of a proof, never all 0. They tell a searcher's different questions about one position apart."""

PROBES = 16
"""The number of adjacent slots in which an entry can be."""

FIRST_ENTRIES = 1 << 10
"""The slots of a new table, a power of two."""

CHECK_AT = 24
"""The first bit of a slot's checksum, above the proof and above the bits that choose the slot."""


class TranspositionTable:
    """The entries of one board's positions, in at most `max_entries` slots. The table grows as it fills.

    A slot has three words: the attacker's stones and the open squares, the defender's stones and the open squares, and
    the proof. From its lowest bits on, the proof holds the marks, the most plies without a win, 255 minus the plies of
    a win, and a checksum. Threads can share a table without a lock if words are read and written in one piece, as on
    64-bit machines. If two threads write a slot at once, its words can belong to two positions. Then the checksum, 40
    bits made from the first two words, is almost surely wrong, and the slot counts as another position's.
    """

    def __init__(self, max_entries: int) -> None:
        self.max_entries = max_entries
        self.words = words(3 * (FIRST_ENTRIES + PROBES))


class TableClient(Searcher):
    """A searcher with a shared table. It fetches the table again from time to time, because it can have grown."""

    def __init__(self, rules: Rules, shared: TranspositionTable) -> None:
        super().__init__(rules)
        self.shared = shared
        self.found = 0
        self.remembered = False
        self.look_again()

    def entries(self) -> list[tuple[int, int]]:
        """Return for each remembered position the plies without a win and the plies of a win, 255 if none is known."""
        self.look_again()
        proved = (self.table[slot] for slot in range(2, len(self.table), 3))
        return [(what >> 8 & 255, 255 - (what >> 16 & 255)) for what in proved if what]

    def fetch(self, first: int, second: int) -> None:
        """Load the memory where a position is remembered, while the caller goes on with something else."""
        prefetch(self.table, self.home(self.mixed(first, second)))

    def home(self, mixed: int) -> int:
        """Return the first of the slots in which a position can be."""
        return 3 * (mixed & (self.capacity - 1))

    def find(self, first: int, second: int, mark: int) -> int:
        """Return the slot of a position. If there is none, return a free slot, or -1 if other positions fill all slots.

        Sets `found` to the proof, or to 0 if the position is not there. Another thread can overwrite the slot any time.
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
        """Return whether the table has the answer for a position; if so, set `remembered` to it."""
        self.find(first, second, mark)
        self.remembered = plies + (self.found >> 16 & 255) >= 255
        return self.remembered or plies <= (self.found >> 8 & 255)

    def remember(self, first: int, second: int, mark: int, plies: int, won: bool) -> None:
        """Keep the answer whether there is a win within `plies`. If there is no room, replace another position."""
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
        """Fetch the shared table as it is now."""
        self.table = self.shared.words
        self.capacity = len(self.table) // 3 - PROBES
        self.may_grow = self.capacity < self.shared.max_entries

    def grow(self) -> None:
        """Double the table, unless another thread has done so, and keep the entries that find room.

        Entries that other threads write into the old table from now on, until they fetch the new one, are lost.
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
