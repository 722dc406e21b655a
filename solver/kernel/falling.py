"""Decide games in which stones fall and rows of k win on a flat board, such as Connect Four.

- Words by column: cell `row` of a column, counted from the bottom, is bit `column * (rows + 1) + row`. The bit above
  each column stays empty, so that shifts find rows of stones without running over an edge.
- Values: a win that fills the board to t stones is worth `cells + 1 - t`, a loss minus that, a draw 0. They only change
  their sign from one player to the other.
- Moves that let the opponent complete a row at once are left out. A single one that is left is made without a look at
  the table. Of several, those that make most threats come first, then those nearest to the middle; a threat that must
  be answered at once counts more, and a move that lets the opponent block a threat counts less. A position is searched
  only if none of its moves leads to one that the table knows to be good enough.
- A player who could not complete a row even with all empty cells cannot win.
- Follow-up: the *leader* is the player to move when an even number of cells is empty, the *follower* is the other. Pair
  the empty cells of each column from the top down. In columns with an odd number of empty cells the lowest one is left
  over, and these cells make pairs too. If the follower answers each move in its pair, the leader gets only the lower
  cells of the pairs in columns, here called *firsts*, and cells that can be played now. If these do not complete a row,
  the leader cannot win. If besides the follower has a threat on an upper cell that cannot be played now, the leader
  must play below it in the end, when all other columns are full.
- The leader wins likewise with a threat on a first cell that has an empty cell below. Without that cell and those from
  there up, the number of empty cells is even when the follower is to move. So the leader can answer each move in pairs,
  until the follower must play below the threat.

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
    from solver.kernel.uncompiled import SOURCES, popcount, prefetch

    from .searcher import WORD, Searcher

__all__ = ["Falling"]

DIGEST = SOURCES
"""The digest of the sources, as in the kernel."""

ZERO = 128
"""The number that an entry holds for the value 0."""

UNKNOWN = -1
"""The answer to a question that is still open; 1 is yes, 0 is no."""

SIDE = MAX_SIDE
"""The most columns, as a C number."""

MIRRORED = 14
"""The most stones of a position that is remembered together with its mirror image."""

THREAT, FORCING, KEEPING = 100, 50, 200
"""The weights of a move's threats, of one that must be answered at once, and of the threats that the player had before,
if the move does not let the opponent block one. Much less weight has its place from the middle."""

LATE, LATE_SLOTS = 18, 1 << 17
"""The empty cells of a late position, and the slots of the table of such positions. Nearly all positions are late, and
a table that fits the processor's cache answers twice as fast."""

BIG = 64
"""The nodes of a search whose answer competes for its slot only with others of as many."""


class Falling(Searcher):
    """A search for one game. The board needs a bit above each column: columns × (rows + 1) is 64 at most.

    The table is a power of two of words, at first 0. Threads can share it without a lock, since an entry is one word:
    the upper 48 bits of the hash, then the least and the greatest value, 8 bits each. A position has two slots, one of
    them for answers that took a long search. As the hash is one-to-one and its other bits choose the slots, a table of
    1 << 17 words or more never mistakes a position for another one. Each thread has a search of its own, with a table
    of late positions; those with odd numbers begin at the right.
    """

    def __init__(self, rules: Rules, table: "memoryview[int]", number: int = 0) -> None:
        super().__init__(rules)
        self.columns, self.rows, self.k, self.cells = rules.columns, rules.rows, rules.k, rules.size
        self.height = rules.rows + 1
        self.column = (1 << self.height) - 1
        self.bottom = sum(1 << column * self.height for column in range(self.columns))
        self.board = self.bottom * ((1 << self.rows) - 1)
        self.firsts = self.bottom * sum(1 << row for row in range(self.rows - 2, -1, -2))
        columns = range(self.columns)[:: -1 if number % 2 else 1]
        middle = sorted(columns, key=lambda column: abs(2 * column - self.columns + 1))
        self.order = array("Q", (((1 << self.rows) - 1) << column * self.height for column in middle))
        self.steps = array("Q", (self.height, self.height - 1, self.height + 1))
        self.runs = words(MAX_SIDE + 1)
        self.moves, self.weights, self.fears, self.hashes = (words(MAX_SIDE * (self.cells + 2)) for _ in range(4))
        self.table, self.capacity, self.late = table, len(table), words(LATE_SLOTS)

    def look_again(self) -> None:
        """Do nothing: the table stays the same."""

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
        hoped, feared = self.threats(mine, stones), self.threats(stones ^ mine, stones)
        left = self.cells - count
        if hoped & (stones + self.bottom):
            return value <= left
        # Wins and losses come in every second ply, so two values often ask the same.
        value += (value + left & 1) * (1 if value > 0 else -1)
        answer = self.at_a_glance(stones, feared, left, value)
        if answer == UNKNOWN:
            with cython.nogil:
                answer = self.search(mine, stones, hoped, feared, self.hashed(mine, stones, count), count, value)
        return answer == 1

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

    def safe(self, stones: int, feared: int) -> int:
        """Return the moves after which the opponent, whose threats are `feared`, does not complete a row at once."""
        playable = stones + self.bottom & self.board
        forced = playable & feared
        if forced:
            playable = 0 if forced & (forced - 1) else forced
        return playable & ~(feared >> 1)

    def at_a_glance(self, stones: int, feared: int, left: int, value: int) -> int:
        """Return whether a position with `left` empty cells, whose mover cannot win at once, is worth `value`."""
        if left and not self.safe(stones, feared):
            return value <= 1 - left
        if left <= 2:
            return value <= 0
        if value > left - 2:
            return 0
        return 1 if value <= 3 - left else UNKNOWN

    def by_pairs(self, own: int, stones: int, hoped: int, feared: int, value: int) -> int:
        """Return whether follow-up, or a lack of cells, makes a position worth at least `value`."""
        empty, ready = self.board & ~stones, stones + self.bottom & self.board
        leads = popcount(empty) & 1 == 0
        lead, follow, hopes, fears = own, stones ^ own, hoped, feared
        if not leads:
            lead, follow, hopes, fears, value = follow, lead, feared, hoped, 1 - value
        # From here on the question is whether the position is worth at least `value` to the leader.
        if value <= 0 and not self.can_complete(follow | empty):
            return leads
        hopes &= self.firsts & ~ready
        fears &= ~self.firsts & ~ready
        if value > 0 or fears:
            above = fears
            for _row in range(1, self.rows):
                above |= above << 1 & self.board
            if not self.can_complete(lead | ready | empty & self.firsts & ~above):
                if value > 0:
                    return not leads
                for index in range(self.columns):
                    if value > -self.room(fears & self.order[index], self.order[index]):
                        return not leads
        if hopes and value < self.rows:
            for index in range(self.columns):
                column = self.order[index]
                threat = hopes & column
                if threat and value <= self.room(threat, column):
                    threat &= -threat
                    below = column & (threat - 1)
                    if not self.can_complete(follow | ready | empty & (self.firsts & ~column | below & ~self.firsts)):
                        return leads
        return UNKNOWN

    def room(self, cells: int, column: int) -> int:
        """Return the number of cells from the lowest of these up to the top of their column."""
        return popcount(column & ~((cells & -cells) - 1))

    def search(self, own: int, stones: int, hoped: int, feared: int, mixed: int, count: int, value: int) -> bool:
        """Return whether a position is worth at least `value`, where that is not seen at a glance.

        `hoped` and `feared` are the threats of its mover and of the opponent, `mixed` is its hash.
        """
        self.count_node()
        before, other, safe, left = self.nodes, stones ^ own, self.safe(stones, feared), self.cells - count
        if safe & safe - 1 == 0:
            threats = self.threats(own | safe, stones | safe)
            answer = self.at_a_glance(stones | safe, threats, left - 1, 1 - value)
            if answer != UNKNOWN:
                return answer == 0
            next_mixed = self.hashed(other, stones | safe, count + 1)
            return not self.search(other, stones | safe, feared & ~safe, threats, next_mixed, count + 1, 1 - value)
        answer = self.known(mixed, value, left)
        if answer == UNKNOWN:
            answer = self.by_pairs(own, stones, hoped, feared, value)
        if answer != UNKNOWN:
            return answer == 1
        start = SIDE * count
        end = start
        for index in range(self.columns):
            move = safe & self.order[index]
            if not move:
                continue
            threats = self.threats(own | move, stones | move)
            answer = self.at_a_glance(stones | move, threats, left - 1, 1 - value)
            if answer == 0:
                return True
            if answer == 1:
                continue
            next_mixed = self.hashed(other, stones | move, count + 1)
            if left - 1 > LATE:
                prefetch(self.table, next_mixed & self.capacity - 1)
            weight = THREAT * popcount(threats) + self.columns - index
            if threats & (stones | move) + self.bottom:
                weight += FORCING
            if not move << 1 & hoped:
                weight += KEEPING
            place = end
            while place > start and self.weights[place - 1] < weight:
                self.moves[place], self.weights[place] = self.moves[place - 1], self.weights[place - 1]
                self.fears[place], self.hashes[place] = self.fears[place - 1], self.hashes[place - 1]
                place -= 1
            self.moves[place], self.weights[place], self.fears[place] = move, weight, threats
            self.hashes[place] = next_mixed
            end += 1
        found = False
        for index in range(start, end):
            if self.known(self.hashes[index], 1 - value, left - 1) == 0:
                found = True
                break
        if not found:
            for index in range(start, end):
                move, threats, next_mixed = self.moves[index], self.fears[index], self.hashes[index]
                if not self.search(other, stones | move, feared & ~move, threats, next_mixed, count + 1, 1 - value):
                    found = True
                    break
        self.remember(mixed, value, found, self.nodes - before > BIG, left)
        return found

    def hashed(self, own: int, stones: int, count: int) -> int:
        """Return the hash of a position, the same for its mirror image if it has few stones."""
        key = rest = own + stones
        if count <= MIRRORED:
            image = 0
            for _index in range(self.columns):
                image = image << self.height | rest & self.column
                rest >>= self.height
            key = min(key, image)
        return self.mixed(key, 0)

    def slot(self, mixed: int, left: int) -> int:
        """Return the slot of a position with `left` empty cells: where it is, or else the second one."""
        slot = mixed & (LATE_SLOTS if left <= LATE else self.capacity) - 1
        return slot ^ 1 if (self.entry(slot, left) ^ mixed) >> 16 else slot

    def entry(self, slot: int, left: int) -> int:
        """Return the entry in a slot of the table of positions with `left` empty cells."""
        return self.late[slot] if left <= LATE else self.table[slot]

    def known(self, mixed: int, value: int, left: int) -> int:
        """Return whether the position with this hash is worth at least `value`, as far as its table knows."""
        entry = self.entry(self.slot(mixed, left), left)
        if not entry or (entry ^ mixed) >> 16:
            return UNKNOWN
        if value + ZERO <= entry >> 8 & 255:
            return 1
        return 0 if value + ZERO > entry & 255 else UNKNOWN

    def remember(self, mixed: int, value: int, found: bool, big: bool, left: int) -> None:
        """Remember whether the position with this hash is worth at least `value`, and whether that was a big search."""
        slot = self.slot(mixed, left)
        entry, least, most = self.entry(slot, left), ZERO - self.cells, ZERO + self.cells
        if entry and (entry ^ mixed) >> 16 == 0:
            least, most = entry >> 8 & 255, entry & 255
        else:
            slot = slot & ~1 | big
        if found:
            least = max(least, value + ZERO)
        else:
            most = min(most, value + ZERO - 1)
        entry = mixed >> 16 << 16 | least << 8 | most
        if left <= LATE:
            self.late[slot] = entry
        else:
            self.table[slot] = entry
