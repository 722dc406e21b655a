"""Decides by proof numbers whether the player to move wins, where most positions of a win are won by threats.

- A position that the attacker wins by threats needs no further search. The same holds for the defender, who has won
  nothing but has stopped the attack.
- A quiet move, which threatens no line, is promising if the attacker could win by threats were he to move once more.
  Its proof number is the number of replies after which he has no such win: most replies cannot stop the threats.
- Any other quiet move is worth trying by the lines it leaves to the attacker, above all those with more of his stones.
- Numbers are combined as in `maker_breaker`, with the largest one instead of the sum.
- Near the empty board a position is remembered by its least image, later by itself.

No move is left out, so an attack that fails is no win. Source: Patashnik, "Qubic: 4 × 4 × 4 tic-tac-toe", 1980; the
threats first, by a search of their own: Allis and Schoo, "Qubic solved again", 1992.

Like the kernel, it is written for the interpreter and for a C compiler. The C types are in `compiled/attack.pxd`.
"""

from solver.board.rules import Bits, Rules

from .searcher import words  # relative, as in the kernel

try:
    import cython
except ImportError:
    from solver.kernel import uncompiled as cython

if not cython.compiled:
    from solver.kernel.uncompiled import SOURCES, popcount

    from .searcher import WORD
    from .threats import Threats

__all__ = ["Attacker"]

DIGEST = SOURCES
"""The digest of the sources, as in the kernel."""

PROOF, DISPROOF = 0, 1
"""The places of a node's numbers."""

NUMBER = (1 << 32) - 1
"""All bits of a number."""

NEVER = 1 << 30
"""The proof number of a position that is lost for the attack, and the disproof number of one that is won."""

SHORT, LONG = 1000, 3000
"""The most positions of a search for threats that guides the search, and of one that decides a position."""

FORCING = 12
"""The proof number of a move that threatens a line."""

QUIET, LEAST_QUIET = 80, 40
"""The proof number of a quiet move without further threats, less the weight of the attacker's lines, and its least."""

MIRRORED = 14
"""The most stones of a position that is remembered by its least image."""

PROBES = 8
"""The number of adjacent slots in which an entry can be."""

FIRST_ENTRIES = 1 << 10
"""The slots of a new table, a power of two."""


class Attacker(Threats):
    """A search for wins on one board, with its table of at most `max_entries` positions, a power of two.

    A slot has three words: the attacker's stones, the defender's, and the numbers, 32 bits each. In a full table the
    position with the least numbers makes room.
    """

    def __init__(self, rules: Rules, max_entries: int) -> None:
        super().__init__(rules)
        self.full = rules.full
        nodes = (rules.size + 2) * rules.size
        self.attackers, self.defenders, self.values = words(nodes), words(nodes), words(2 * nodes)
        self.moves = words(nodes)
        self.proof = self.disproof = self.choice = 0
        self.max_entries, self.capacity, self.filled = max(max_entries, FIRST_ENTRIES), FIRST_ENTRIES, 0
        self.table = words(3 * (FIRST_ENTRIES + PROBES))

    def succeeds(self, own: Bits, other: Bits) -> bool:
        """Return whether the mover of an unfinished position, who has `own`, wins. Raises the errors of `on_pause`.

        Sets `choice` to the square that wins, as a set of one cell, or to 0 if threats do.
        """
        self.choice = 0
        with cython.nogil:
            if self.wins(own, other, LONG):
                return True
            self.first, self.second = own, other
            self.proof = self.disproof = 1
            self.set(0)
            while self.proof and self.disproof:
                self.search(0, NEVER, NEVER, True, 1)
        return not self.proof

    def search(self, node: int, proof_limit: int, disproof_limit: int, attacking: bool, start: int) -> None:
        """Search below a node until one of its numbers reaches its limit. Its children are kept from `start` on.

        The player to move needs one of them, and chooses the one with the least number for that player. For the other
        number all children count.
        """
        self.count_node()
        attacker, defender = self.attackers[node], self.defenders[node]
        end = self.attacks(attacker, defender, start) if attacking else self.replies(attacker, defender, start)
        chosen, counted = (PROOF, DISPROOF) if attacking else (DISPROOF, PROOF)
        chosen_limit, counted_limit = (proof_limit, disproof_limit) if attacking else (disproof_limit, proof_limit)
        while True:
            best = most = waiting = 0
            least = second = NEVER
            for child in range(start, end):
                effort = self.values[2 * child + chosen]
                if effort < NEVER:
                    waiting += 1
                    most = max(most, self.values[2 * child + counted])
                    if effort < least:
                        least, second, best = effort, least, child
                    elif effort < second:
                        second = effort
            total = min(most + waiting - 1, NEVER - 1) if waiting else 0
            if not least:
                total = NEVER
            if not least or not total or least >= chosen_limit or total >= counted_limit:
                break
            chosen_next = max(min(chosen_limit, second + second // 4 + 1), least + 1)
            counted_next = max(counted_limit - waiting + 1, self.values[2 * best + counted] + 1)
            if attacking:
                self.search(best, chosen_next, counted_next, False, end)
            else:
                self.search(best, counted_next, chosen_next, True, end)
        self.proof, self.disproof = (least, total) if attacking else (total, least)
        self.choice = self.moves[best]
        self.first, self.second = attacker, defender
        self.set(node)
        self.remember()

    def attacks(self, attacker: int, defender: int, start: int) -> int:
        """Fill in the children of a node of the attacker, up to one that wins, and return their end."""
        self.look(attacker, defender, 0)
        rest = self.feared if self.feared else self.full & ~(attacker | defender)
        if self.feared & (self.feared - 1):
            rest = 0
        end = start
        while rest:
            move = rest & -rest
            rest ^= move
            self.place(attacker | move, defender)
            if self.listed(start, end):
                continue
            if not self.known():
                self.judge(self.first, self.second)
                self.remember()
            self.set(end)
            self.moves[end] = move
            end += 1
            if not self.proof:
                break
        return end

    def replies(self, attacker: int, defender: int, start: int) -> int:
        """Fill in the children of a node of the defender that threats do not decide, and return their end.

        If the attacker does not win by threats without a reply, he does not after one.
        """
        self.look(attacker, defender, 0)
        threats = self.completing
        rest = threats if threats else self.full & ~(attacker | defender)
        promising = threats or self.wins(attacker, defender, LONG) or self.cut_short
        end = start
        while rest:
            reply = rest & -rest
            rest ^= reply
            if promising and self.wins(attacker, defender | reply, LONG):
                continue
            self.place(attacker, defender | reply)
            if self.listed(start, end):
                continue
            if not self.known():
                self.proof = self.disproof = 1
            self.set(end)
            end += 1
            if not self.disproof:
                break
        return end

    def judge(self, attacker: int, defender: int) -> None:
        """Set the numbers of a position of the defender that was never searched."""
        self.proof, self.disproof = NEVER, 0
        empty = self.full & ~(attacker | defender)
        if not empty or self.wins(defender, attacker, SHORT):
            return
        self.disproof = 1
        self.look(attacker, defender, 0)
        if self.completing:
            self.proof = FORCING
        elif self.wins(attacker, defender, SHORT):
            self.proof = 0
            while empty:
                if not self.wins(attacker, defender | empty & -empty, LONG):
                    self.proof += 1
                empty &= empty - 1
            if not self.proof:
                self.disproof = NEVER
        else:
            weight = 0
            for index in range(self.line_count):
                line = self.lines[index]
                if line & attacker and not line & defender:
                    weight += 1 << 2 * (popcount(line & attacker) - 1)
            self.proof = max(LEAST_QUIET, QUIET - weight)

    def place(self, attacker: int, defender: int) -> None:
        """Set `first` and `second` to the stones by which a position is remembered."""
        self.first, self.second = attacker, defender
        if popcount(attacker | defender) <= MIRRORED:
            self.turn_to_least(attacker, defender)

    def listed(self, start: int, end: int) -> bool:
        """Return whether the position placed is among these nodes, as an image of it can be."""
        for node in range(start, end):
            if self.attackers[node] == self.first and self.defenders[node] == self.second:
                return True
        return False

    def set(self, node: int) -> None:
        """Set a node's stones and numbers."""
        self.attackers[node], self.defenders[node] = self.first, self.second
        self.values[2 * node + PROOF], self.values[2 * node + DISPROOF] = self.proof, self.disproof

    def known(self) -> bool:
        """Return whether the numbers of the position placed are remembered, and if so, set them."""
        slot = self.slot()
        numbers = self.table[slot + 2]
        if not numbers or self.table[slot] != self.first or self.table[slot + 1] != self.second:
            return False
        self.proof, self.disproof = numbers >> 32, numbers & NUMBER
        return True

    def remember(self) -> None:
        """Remember the numbers of the position placed."""
        slot = self.slot()
        self.filled += self.table[slot + 2] == 0
        self.table[slot], self.table[slot + 1] = self.first, self.second
        self.table[slot + 2] = self.proof << 32 | self.disproof
        if 2 * self.filled > self.capacity and 2 * self.capacity <= self.max_entries:
            self.grow()

    def slot(self) -> int:
        """Return where the position placed is remembered, or is to be: an empty slot or that of the least numbers."""
        home = 3 * (self.mixed(self.first, self.second) & self.capacity - 1)
        best, least = home, WORD
        for slot in range(home, home + 3 * PROBES, 3):
            numbers = self.table[slot + 2]
            if not numbers or (self.table[slot] == self.first and self.table[slot + 1] == self.second):
                return slot
            numbers = (numbers >> 32) + (numbers & NUMBER)
            if numbers < least:
                best, least = slot, numbers
        return best

    def grow(self) -> None:
        """Double the table."""
        old, had = self.table, self.capacity + PROBES
        self.capacity *= 2
        self.table, self.filled = words(3 * (self.capacity + PROBES)), 0
        for slot in range(0, 3 * had, 3):
            if old[slot + 2]:
                self.first, self.second = old[slot], old[slot + 1]
                self.proof, self.disproof = old[slot + 2] >> 32, old[slot + 2] & NUMBER
                self.remember()
