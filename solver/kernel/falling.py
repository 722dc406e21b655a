"""Decides games in which stones fall and rows of k win on a flat board, such as Connect Four.

- Words by column: cell `row` of a column, counted from the bottom, is bit `column * (rows + 1) + row`. The bit above
  each column stays empty, so that shifts find rows of stones without running over an edge.
- Values: a win that fills the board to t stones is worth `cells + 1 - t`, a loss minus that, a draw 0. They only change
  their sign from one player to the other.
- Moves that let the opponent complete a row at once are left out. Of the others, those that make most threats come
  first, then those nearest to the middle.
- A player who could not complete a row even with all empty cells cannot win.

Source: Allis, "A knowledge-based approach of Connect-Four", 1988; the bits by column: Tromp, "John's Connect Four
Playground"; moves by their threats: Pons, "Solving Connect 4: how to build a perfect AI", 2015.

Like the kernel, it is written for the interpreter and for a C compiler. The C types are in `compiled/falling.pxd`.
"""

from array import array

from solver.board.rules import MAX_SIDE, Bits, Rules

from .searcher import words  # relative, as in the kernel

try:
    import cython
except ImportError:
    from solver.kernel import uncompiled as cython

if not cython.compiled:
    from solver.kernel.uncompiled import SOURCES, popcount

    from .searcher import WORD, Searcher

__all__ = ["Falling"]

DIGEST = SOURCES
"""The digest of the sources, as in the kernel."""

FIRST_ENTRIES = 1 << 10
"""The slots of a new table, a power of two."""

ZERO = 128
"""The number that an entry holds for the value 0."""

SIDE = MAX_SIDE
"""The most columns, as a C number."""

MIRRORED = 14
"""The most stones of a position that is remembered together with its mirror image."""

STONES = 100
"""The greater weight of a move's threats; the smaller one is its place from the middle."""


class Falling(Searcher):
    """A search for one game, with its table of at most `max_entries` positions, a power of two.

    The board needs a bit above each column: columns × (rows + 1) is 64 at most.
    """

    def __init__(self, rules: Rules, max_entries: int) -> None:
        super().__init__(rules)
        self.columns, self.rows, self.k, self.cells = rules.columns, rules.rows, rules.k, rules.size
        self.height = rules.rows + 1
        self.column = (1 << self.height) - 1
        self.bottom = sum(1 << column * self.height for column in range(self.columns))
        self.board = self.bottom * ((1 << self.rows) - 1)
        middle = sorted(range(self.columns), key=lambda column: abs(2 * column - self.columns + 1))
        self.order = array("Q", (((1 << self.rows) - 1) << column * self.height for column in middle))
        self.steps = array("Q", (self.height, self.height - 1, self.height + 1))
        self.runs = words(MAX_SIDE + 1)
        self.moves, self.weights = words(MAX_SIDE * (self.cells + 2)), words(MAX_SIDE * (self.cells + 2))
        self.max_entries, self.capacity, self.filled = max(max_entries, FIRST_ENTRIES), FIRST_ENTRIES, 0
        self.table = words(2 * FIRST_ENTRIES)

    def look_again(self) -> None:
        """Do nothing: no other thread uses the table."""

    def by_columns(self, cells: Bits) -> int:
        """Return a set of cells, which rules number in reading order, as a word by column."""
        found = 0
        for cell in range(self.cells):
            if cells >> cell & 1:
                row, column = divmod(cell, self.columns)
                found |= 1 << column * self.height + self.rows - 1 - row
        return found

    def at_least(self, own: Bits, other: Bits, value: int) -> bool:
        """Return whether an unfinished position is worth at least `value` to its mover, who has `own`."""
        mine, stones = self.by_columns(own), self.by_columns(own | other)
        count = own.bit_count() + other.bit_count()
        if self.threats(mine, stones) & (stones + self.bottom):
            return value <= self.cells - count
        with cython.nogil:
            return self.search(mine, stones, count, value)

    def threats(self, own: int, stones: int) -> int:
        """Return the empty cells, in the air too, where one more stone beside `own` completes a row."""
        one = own << 1
        found = one
        if self.k == 4:
            found = one & own << 2 & own << 3
            for index in range(3):
                step = self.steps[index]
                one = own << step & own << 2 * step
                found |= one & (own << 3 * step | own >> step)
                one = own >> step & own >> 2 * step
                found |= one & (own >> 3 * step | own << step)
            return found & self.board & ~stones
        found = WORD
        for _length in range(1, self.k):
            found &= one
            one <<= 1
        for index in range(3):
            step = self.steps[index]
            self.runs[0] = run = WORD
            one = own
            for length in range(1, self.k):
                one = one << step & WORD
                run &= one
                self.runs[length] = run
            one = own
            run = WORD
            for length in range(self.k):
                found |= self.runs[self.k - 1 - length] & run
                one >>= step
                run &= one
        return found & self.board & ~stones

    def can_complete(self, cells: int) -> bool:
        """Return whether these cells contain a row."""
        run = cells
        for _length in range(1, self.k):
            run &= run >> 1
        if run:
            return True
        for index in range(3):
            run = cells
            for _length in range(1, self.k):
                run &= run >> self.steps[index]
            if run:
                return True
        return False

    def search(self, own: int, stones: int, count: int, value: int) -> bool:
        """Return whether a position is worth at least `value`. Its mover cannot win at once."""
        self.count_node()
        left, other = self.cells - count, stones ^ own
        playable, feared = (stones + self.bottom) & self.board, self.threats(other, stones)
        if not playable:
            return value <= 0
        forced = playable & feared
        if forced:
            if forced & (forced - 1):
                return value <= 1 - left
            playable = forced
        playable &= ~(feared >> 1)
        if not playable:
            return value <= 1 - left
        if left <= 2:
            return value <= 0
        if value > left - 2:
            return False
        if value <= 3 - left:
            return True
        # Wins and losses come in every second ply, so two values often ask the same.
        if value > 0:
            value += value + left & 1
        else:
            value -= value + left & 1
        empty = self.board & ~stones
        if not self.can_complete(own | empty if value > 0 else other | empty):
            return value <= 0
        key = own + stones
        if count <= MIRRORED:
            key = min(key, self.mirrored(key))
        entry = self.known(key)
        if entry:
            if value + ZERO <= entry >> 8:
                return True
            if value + ZERO > entry & 255:
                return False
        start = SIDE * count
        end = start
        for index in range(self.columns):
            move = playable & self.order[index]
            if not move:
                continue
            weight = STONES * popcount(self.threats(own | move, stones | move)) + self.columns - index
            place = end
            while place > start and self.weights[place - 1] < weight:
                self.moves[place], self.weights[place] = self.moves[place - 1], self.weights[place - 1]
                place -= 1
            self.moves[place], self.weights[place] = move, weight
            end += 1
        found = False
        for index in range(start, end):
            if not self.search(other, stones | self.moves[index], count + 1, 1 - value):
                found = True
                break
        self.remember(key, value, found)
        return found

    def mirrored(self, key: int) -> int:
        """Return the key of the mirror image of a position."""
        image = 0
        for _index in range(self.columns):
            image = image << self.height | key & self.column
            key >>= self.height
        return image

    def known(self, key: int) -> int:
        """Return what the table holds of a position: its least and greatest value, 8 bits each, or 0 for nothing."""
        slot = 2 * (self.mixed(key, 0) & self.capacity - 1)
        return self.table[slot + 1] if self.table[slot] == key else 0

    def remember(self, key: int, value: int, found: bool) -> None:
        """Remember whether a position is worth at least `value`."""
        slot = 2 * (self.mixed(key, 0) & self.capacity - 1)
        least, most = ZERO - self.cells, ZERO + self.cells
        if self.table[slot + 1] == 0:
            self.filled += 1
        elif self.table[slot] == key:
            least, most = self.table[slot + 1] >> 8, self.table[slot + 1] & 255
        if found:
            least = max(least, value + ZERO)
        else:
            most = min(most, value + ZERO - 1)
        self.table[slot], self.table[slot + 1] = key, least << 8 | most
        if 2 * self.filled > self.capacity and 2 * self.capacity <= self.max_entries:
            self.grow()

    def grow(self) -> None:
        """Double the table."""
        old, had = self.table, self.capacity
        self.capacity, self.filled = 2 * had, 0
        self.table = words(2 * self.capacity)
        for index in range(had):
            if old[2 * index + 1]:
                slot = 2 * (self.mixed(old[2 * index], 0) & self.capacity - 1)
                self.filled += self.table[slot + 1] == 0
                self.table[slot], self.table[slot + 1] = old[2 * index], old[2 * index + 1]
