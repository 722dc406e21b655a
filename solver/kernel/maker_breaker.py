"""Decide the weak game by proof numbers: Maker wants to complete a line, Breaker only to prevent it.

A player who cannot complete a line even if the opponent's lines do not count cannot win. So if Breaker holds, the
answer to the kernel's question is no for any number of plies. Most draws on boards with long lines are proved like
this. If Maker succeeds, nothing follows, since the opponent's own lines could come first.

- Cores: a stone of Breaker removes its lines for good. Of the other lines, only Maker's stones and the free squares
  matter. A line can be left out if it contains the free squares of another line, since a stone that stops the other
  line stops both. A line can also be left out if it has two squares that no other line uses, since Breaker answers one
  of them with the other. The remaining lines are the core. Positions with the same core have the same answer.
- Forced replies: a threat on one square is answered at once, so that a threat and its answer are one move.
- Pairings and the sum of dangers are as in the kernel. If Maker is to move, the danger of the best square is added
  first. Pairs are taken one after the other, each for the narrowest line, so that the dangers grow least. If a line is
  left without a pair, a new round takes all pairs again and serves that line earlier. Source: Joslin and Clements,
  "Squeaky wheel optimization", 1999.
- Zones are as in the kernel. Here the table remembers them too.
- Proof numbers: the proof number of a node is the least number of open positions that must be won for Maker to succeed.
  The disproof number is the least number that must be held for Breaker to succeed. The search goes on where one of them
  is least, so it leaves replies that do not hold or are hard to prove. Where all moves of a node count, the number is
  the largest number of a move, plus one for each other move. A sum would count some positions more than once, since
  several moves lead to them. Source: Allis, van der Meulen and van den Herik, "Proof-number search", 1994; depth first,
  with a table: Nagai, "Df-pn algorithm for searching AND/OR trees", 2002; the largest number instead of the sum: Ueda,
  Hashimoto, Hashimoto and Iida, "Weak proof-number search", 2008.

Like the kernel, it is written for the interpreter and for a C compiler. The C types are in
`compiled/maker_breaker.pxd`.
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

__all__ = ["MakerBreaker", "ProofTable"]

DIGEST = SOURCES
"""The digest of the sources, as in the kernel."""

CELLS = 64
"""Room for the cells of a board."""

NEVER = (1 << 30) - 1
"""The proof number of a position that cannot be won, and the disproof number of one that cannot be held."""

DISPROOF_AT, MAKER_MOVES = 30, 1 << 60
"""The first bit of an entry's disproof number, above its proof number, and the mark of Maker to move."""

SURE = 256
"""The danger of a complete line. Each of at most eight squares that a line misses halves its danger."""

HOPELESS = 640
"""The danger from which on the search looks for no pairing, since there is hardly ever one."""

ROUNDS = 6
"""The most rounds in which pairs are taken."""

LARGE = 1 << 20
"""A number greater than all dangers. It is added to keep differences above 0."""

WEIGHTS = (0, 57, 38, 19, 13, 8, 6, 4, 2)
"""The weight of a line, by the squares that it misses, in estimates of how hard a position is to hold."""

CROSSING = 9
"""The shift that scales the squared weights of squares. They are added because crossing lines make forks."""

LIGHT, STEP = 135, 25
"""The weight of a position that is practically held, and the extra weight that doubles the estimate.

Both were tuned on 8x7x5, like the weights of lines.
"""

MOST = 640
"""The greatest weight that has an estimate of its own."""

MAX_THREATS = 20
"""The most positions of one search for a win by threats."""

PROOF, DISPROOF = 0, 1
"""The places of a node's numbers."""

PROBES = 4
"""The number of adjacent slots in which an entry can be."""

DECIDED = 256
"""The value of remembering a decided core. The value of another core is the sum of its numbers."""

LOST = 16
"""The divisor of the table's slots that gives the number of lost entries at which it grows."""

SLOT = 4
"""The number of words of a slot."""

FIRST_ENTRIES = 1 << 10
"""The slots of a new table, a power of two."""


class ProofTable:
    """The proof and disproof numbers of one board's cores, in at most `max_entries` slots. The table grows as it fills.

    A slot has four words: Maker's stones, the free squares, the zone of a core that is held, and the numbers with a
    mark of the mover. Threads share a table without a lock. The first two words are mixed with the others, so if two
    threads write a slot at once, it belongs to no position.
    """

    def __init__(self, max_entries: int) -> None:
        self.max_entries = max_entries
        self.words = words(SLOT * (FIRST_ENTRIES + PROBES))


class MakerBreaker(Searcher):
    """An oracle for the weak game on one board, which remembers its proofs.

    `nodes` counts the cores that were judged, without those that were found in the table.
    """

    def __init__(self, rules: Rules, shared: ProofTable) -> None:
        super().__init__(rules)
        self.shared = shared
        runs = _runs(rules.lines)
        self.line_count = count = len(rules.lines)
        self.all_lines = array("Q", (line for run in runs for line in run))
        self.run_of = array("Q", (number for number, run in enumerate(runs) for _ in run))
        self.lines, self.numbers, self.rest, self.rest_of, self.urgency, self.doubly = (words(count) for _ in range(6))
        self.worth, self.common, self.crossed = (words(CELLS) for _ in range(3))
        self.threat_work = words((CELLS // 2 + 2) * count)
        # The nodes on the path to a position and their siblings, in a frame for each move of the path. A node has the
        # move to it, its core turned to the least image, the number of that symmetry, the side to move, its proof and
        # disproof numbers, and the zone of its answer in the orientation of its parent.
        nodes = (CELLS + 2) * CELLS
        self.moves, self.makers, self.frees, self.turns, self.sides, self.zones = (words(nodes) for _ in range(6))
        self.values = words(2 * nodes)
        self.estimates = array("Q", (int(2 ** max(0, (weight - LIGHT) / STEP)) for weight in range(MOST + 1)))
        self.weights = array("Q", WEIGHTS)
        self.count = self.end = self.maker = self.free = self.spent = self.zone = self.threat_steps = 0
        self.proof = self.disproof = self.found_zone = self.left_out = self.lost = 0
        self.look_again()

    def wins(self, maker: Bits, free: Bits, maker_moves: bool) -> bool:
        """Return whether Maker, who has these stones and no line, can complete one on the free squares.

        Raises the errors of `on_pause`; proofs up to then are remembered. Between pauses other threads run too.
        """
        self.look_again()
        with cython.nogil:
            self.enter(maker, free, maker_moves, 0)
            while self.values[PROOF] and self.values[DISPROOF]:
                self.search(0, NEVER, NEVER)
        return not self.values[PROOF]

    def search(self, node: int, proof_limit: int, disproof_limit: int) -> None:
        """Search below a node until one of its numbers reaches its limit.

        Its children are in the frame after its own. The player to move needs one of them, and chooses the one with the
        least number for that player. For the other number all children count.
        """
        maker_moves = self.sides[node] != 0
        chosen, counted = (PROOF, DISPROOF) if maker_moves else (DISPROOF, PROOF)
        chosen_limit, counted_limit = (proof_limit, disproof_limit) if maker_moves else (disproof_limit, proof_limit)
        start = (node // CELLS + 1) * CELLS
        zone = self.expand(node, start)
        end = self.end
        while True:
            useful = WORD
            for child in range(start, end):
                if maker_moves and not self.values[2 * child + DISPROOF]:
                    useful &= self.zones[child]
            best = most = waiting = 0
            least = second = NEVER
            for child in range(start, end):
                cost, effort = self.values[2 * child + counted], self.values[2 * child + chosen]
                if cost and self.moves[child] & useful:
                    waiting += 1
                    most = max(most, cost)
                    if effort < least:
                        least, second, best = effort, least, child
                    elif effort < second:
                        second = effort
            if not waiting:
                total = 0
            elif not least:
                total = NEVER
            else:
                total = min(most + waiting - 1, NEVER - 1)
            if not least or not total or least >= chosen_limit or total >= counted_limit:
                break
            chosen_next = max(min(chosen_limit, 2 * second + 1), least + 1)
            counted_next = max(counted_limit, self.values[2 * best + counted] + 1)
            if maker_moves:
                self.search(best, chosen_next, counted_next)
            else:
                self.search(best, counted_next, chosen_next)
        self.values[2 * node + chosen], self.values[2 * node + counted] = least, total
        if self.values[2 * node + DISPROOF]:
            zone = 0
        elif maker_moves:
            zone |= self.refuted(start, end)
        else:
            zone = self.moves[best] | self.zones[best]
        self.proof, self.disproof = self.values[2 * node + PROOF], self.values[2 * node + DISPROOF]
        self.remember(self.makers[node], self.frees[node], maker_moves, zone)
        self.zones[node] |= self.turned(zone, self.inverses[self.turns[node]])

    def refuted(self, start: int, end: int) -> int:
        """Return the zone of a node at which no move helps Maker: the union of zones of refuted moves.

        Zones are added, small ones first, until no other move is in all of them. So each child that was not searched is
        outside one of the zones.
        """
        zone, useful = 0, WORD
        while True:
            best, least = end, CELLS + 1
            for child in range(start, end):
                if self.moves[child] & useful and not self.values[2 * child + DISPROOF]:
                    size = popcount(self.zones[child])
                    if size < least:
                        best, least = child, size
            if best == end:
                break
            useful &= self.zones[best] & ~self.moves[best]
            zone |= self.zones[best]
        for child in range(start, end):
            if self.moves[child] & useful:
                for other in range(start, end):
                    if not self.values[2 * other + DISPROOF]:
                        zone |= self.zones[other]
                break
        return zone

    def expand(self, node: int, start: int) -> int:
        """Fill in the children of a node until one succeeds for its mover; return squares that dominate others."""
        maker, free, maker_moves = self.makers[node], self.frees[node], self.sides[node] != 0
        self.reduce(maker, free)
        dominating = self.order(start)
        chosen = PROOF if maker_moves else DISPROOF
        end = self.end
        for child in range(start, end):
            move = self.moves[child]
            self.enter(maker | move if maker_moves else maker, free ^ move, not maker_moves, child)
            if not self.values[2 * child + chosen]:
                end = child + 1
                break
        self.end = end
        return dominating

    def enter(self, maker: int, free: int, maker_moves: bool, child: int) -> None:
        """Fill in a child: the core of a position, after a forced reply if there is one, with its numbers and zone."""
        threats = self.reduce(maker, free)
        zone = 0
        if threats and not maker_moves and not threats & (threats - 1):
            zone, maker_moves = threats, True
            threats = self.reduce(maker, free ^ threats)
        self.sides[child] = maker_moves
        self.proof, self.disproof = NEVER, 0
        if threats:
            self.proof, self.disproof = 0, NEVER
        else:
            zone |= self.spent
            if self.count:
                self.turn_to_least(self.maker, self.free)
                first, second, turn = self.first, self.second, self.turn
                if self.known(first, second, maker_moves):
                    zone |= self.turned(self.found_zone, self.inverses[turn])
                else:
                    self.judge(maker_moves)
                    zone |= self.zone
                    self.remember(first, second, maker_moves, self.turned(self.zone, turn))
                self.makers[child], self.frees[child], self.turns[child] = first, second, turn
        self.values[2 * child + PROOF], self.values[2 * child + DISPROOF] = self.proof, self.disproof
        self.zones[child] = zone

    def reduce(self, maker: int, free: int) -> int:
        """Find the core of a position and return 0, or return the squares that complete a line.

        Sets `lines` to the free squares of the core's lines, `count` to their number, `maker` and `free` to its stones
        and squares, and `spent` to the pairs that stop the lines left out.
        """
        either = maker | free
        count = threats = 0
        for index in range(self.line_count):
            line = self.all_lines[index]
            if line & either == line:
                missing = line & free
                if not missing & (missing - 1):
                    threats |= missing
                self.lines[count], self.numbers[count] = missing, index
                count += 1
        if threats:
            return threats
        for index in range(count):
            one, run = self.lines[index], self.run_of[self.numbers[index]]
            other_index = index + 1
            while one and other_index < count and self.run_of[self.numbers[other_index]] == run:
                other = self.lines[other_index]
                if other and one & other == one:
                    self.lines[other_index] = 0
                elif other and one & other == other:
                    self.lines[index] = one = 0
                other_index += 1
        self.spent = 0
        while True:
            once = twice = kept = 0
            for index in range(count):
                twice |= once & self.lines[index]
                once |= self.lines[index]
            once &= ~twice
            for index in range(count):
                line = self.lines[index]
                pair = line & once
                rest = pair & (pair - 1)
                if rest:
                    self.spent |= pair ^ rest & (rest - 1)
                elif line:
                    self.lines[kept], self.numbers[kept] = line, self.numbers[index]
                    kept += 1
            if kept == count:
                break
            count = kept
        self.count, self.maker, self.free = count, 0, 0
        for index in range(count):
            self.maker |= self.all_lines[self.numbers[index]]
            self.free |= self.lines[index]
        self.maker &= maker
        return 0

    def weigh(self) -> int:
        """Return the weight of the core. Sum the weights of each square's lines and intersect these lines."""
        rest = self.free
        while rest:
            low = rest & (~rest + 1)
            rest ^= low
            cell = popcount(low - 1)
            self.worth[cell], self.common[cell] = 0, WORD
        total = 0
        for index in range(self.count):
            line = self.lines[index]
            weight = self.weights[popcount(line)]
            total += weight
            rest = line
            while rest:
                low = rest & (~rest + 1)
                rest ^= low
                cell = popcount(low - 1)
                self.worth[cell] += weight
                self.common[cell] &= line
        rest, squares = self.free, 0
        while rest:
            low = rest & (~rest + 1)
            rest ^= low
            squares += self.worth[popcount(low - 1)] * self.worth[popcount(low - 1)]
        return total + (squares >> CROSSING)

    def order(self, start: int) -> int:
        """Put the moves into the children of the core's node, up to `end`, those on the heaviest squares first.

        Leaves out a move if all its lines run through another square too, and returns those other squares.
        """
        self.weigh()
        end, rest = start, self.free
        while rest:
            low = rest & (~rest + 1)
            rest ^= low
            worth, place = self.worth[popcount(low - 1)], end
            while place > start and self.worth[popcount(self.moves[place - 1] - 1)] < worth:
                self.moves[place] = self.moves[place - 1]
                place -= 1
            self.moves[place] = low
            end += 1
        kept = dominating = 0
        self.end = start
        for child in range(start, end):
            low = self.moves[child]
            better = self.common[popcount(low - 1)] & kept
            if better:
                dominating |= better & (~better + 1)
            else:
                kept |= low
                self.moves[self.end] = low
                self.end += 1
        return dominating

    def judge(self, maker_moves: bool) -> None:
        """Set the numbers of the core just found, and its zone if pairs or the sum of dangers hold it."""
        self.count_node()
        self.zone = 0
        if maker_moves:
            for index in range(self.count):
                self.threat_work[index] = self.lines[index]
            self.threat_steps = MAX_THREATS
        total = self.weigh()
        if maker_moves and self.threatening(0, self.count):
            self.proof, self.disproof = 0, NEVER
        elif self.paired(maker_moves):
            self.proof, self.disproof = NEVER, 0
        elif maker_moves:
            self.proof, self.disproof = 1, self.estimates[min(total, MOST)]
        else:
            self.proof = 1 + popcount(self.free) // 4
            self.disproof = self.estimates[min(total - self.greatest(), MOST)]

    def greatest(self) -> int:
        """Return the weight of the heaviest square of the core."""
        most, rest = 0, self.free
        while rest:
            low = rest & (~rest + 1)
            rest ^= low
            most = max(most, self.worth[popcount(low - 1)])
        return most

    def threatening(self, start: int, count: int) -> bool:
        """Return whether a win by threats alone is found for Maker, to move, on the lines from `start` on."""
        self.threat_steps -= 1
        if self.threat_steps < 0:
            return False
        once = growing = 0
        for index in range(start, start + count):
            line = self.threat_work[index]
            missing = popcount(line)
            if missing == 1:
                return True
            if missing == 3:
                growing |= line
            elif missing == 2:
                if once & line:
                    for other in range(start, index):  # the same two squares twice are one threat
                        crossing = self.threat_work[other]
                        if crossing & line and crossing != line and popcount(crossing) == 2:
                            return True
                once |= line
        following = start + self.line_count
        for index in range(start, start + count):
            line = self.threat_work[index]
            if line & once and popcount(line) == 2:
                move = line & (line - 1)
                for _ in range(2):
                    reply = line ^ move
                    if move & growing:
                        left = 0
                        for other in range(start, start + count):
                            if not self.threat_work[other] & reply:
                                self.threat_work[following + left] = self.threat_work[other] & ~move
                                left += 1
                        if self.threatening(following, left):
                            return True
                    move = reply
        return False

    def paired(self, maker_moves: bool) -> bool:
        """Return whether disjoint pairs of squares stop the core's lines, except for some of little danger.

        On success `zone` has the pairs and the free squares of those other lines.
        """
        for index in range(self.count):
            self.urgency[index] = 0
        for _ in range(ROUNDS):
            if self.pairs_taken(maker_moves):
                return True
            if self.left_out == self.count:
                break
            self.urgency[self.left_out] += 1
        return False

    def pairs_taken(self, maker_moves: bool) -> bool:
        """Take pairs in one round; return whether they hold the core.

        On failure `left_out` is the number of a line without a pair, or `count` if there is none. `rest` begins with
        the free squares of the lines that no pair stops.
        """
        count, danger, pairs = self.count, 0, 0
        held = False
        self.clear_crossed()
        for index in range(count):
            line = self.rest[index] = self.lines[index]
            self.rest_of[index] = index
            danger += SURE >> popcount(line)
            self.cross(line, SURE >> popcount(line))
        while True:
            if danger < SURE:
                squares = 0
                for index in range(count):
                    squares |= self.rest[index]
                if danger + (self.most_crossed(squares) if maker_moves else 0) < SURE:
                    if not held or popcount(pairs | squares) < popcount(self.zone):
                        self.zone = pairs | squares
                    held = True
            line = self.narrowest(count, maker_moves)
            if line and danger >= HOPELESS:
                self.left_out, line = self.count, 0
            if not line:
                return held
            pair = self.best_pair(line, count)
            pairs |= pair
            left = 0
            for index in range(count):
                line = self.rest[index]
                weight = SURE >> popcount(line)
                if line & pair == pair:
                    danger -= weight
                    self.cross(line, ~weight + 1)
                else:
                    if line & pair:
                        line &= ~pair
                        danger += weight
                        self.cross(line, weight)
                    self.rest[left], self.rest_of[left] = line, self.rest_of[index]
                    left += 1
            count = left

    def clear_crossed(self) -> None:
        """Set the dangers of the core's squares to 0."""
        rest = self.free
        while rest:
            low = rest & (~rest + 1)
            rest ^= low
            self.crossed[popcount(low - 1)] = 0

    def cross(self, line: int, danger: int) -> None:
        """Add the danger of a line to that of its squares."""
        while line:
            low = line & (~line + 1)
            line ^= low
            self.crossed[popcount(low - 1)] += danger

    def most_crossed(self, squares: int) -> int:
        """Return the greatest danger that one of these squares adds to the remaining lines if Maker takes it."""
        most = 0
        while squares:
            low = squares & (~squares + 1)
            squares ^= low
            most = max(most, self.crossed[popcount(low - 1)])
        return most

    def narrowest(self, count: int, maker_moves: bool) -> int:
        """Return the line that gets the next pair: narrow, urgent and most endangered. Return 0 if there is none.

        There is none if too many lines have less than two squares. Then `left_out` is one of these.
        """
        alone = chosen = most = 0
        fewest = CELLS
        for index in range(count):
            line, of = self.rest[index], self.rest_of[index]
            size = popcount(line)
            if size < 2:
                alone += SURE >> size
                self.left_out = of
            elif size - self.urgency[of] <= fewest:
                endangered, rest = 0, line
                while rest:
                    low = rest & (~rest + 1)
                    rest ^= low
                    endangered += self.crossed[popcount(low - 1)]
                if size - self.urgency[of] < fewest or endangered > most:
                    fewest, chosen, most = size - self.urgency[of], line, endangered
        if alone >= (SURE // 2 if maker_moves else SURE):
            return 0
        if not chosen:
            self.left_out = self.count
        return chosen

    def best_pair(self, line: int, count: int) -> int:
        """Return the pair of squares of a line that leaves the least danger. Lines through one of them get narrower."""
        doubly = 0
        for index in range(count):
            rest = self.rest[index] & line
            if rest & (rest - 1):
                self.doubly[doubly] = self.rest[index]
                doubly += 1
        best = least = 0
        while line:
            one = line & (~line + 1)
            line ^= one
            others = line
            while others:
                other = others & (~others + 1)
                others ^= other
                pair = one | other
                danger = LARGE + self.crossed[popcount(one - 1)] + self.crossed[popcount(other - 1)]
                for index in range(doubly):
                    if self.doubly[index] & pair == pair:
                        danger -= 3 * (SURE >> popcount(self.doubly[index]))
                if not best or danger < least:
                    best, least = pair, danger
        return best

    def look_again(self) -> None:
        """Fetch the shared table as it is now."""
        self.table = self.shared.words
        self.capacity = len(self.table) // SLOT - PROBES
        self.may_grow = self.capacity < self.shared.max_entries

    def known(self, maker: int, free: int, maker_moves: bool) -> bool:
        """Return whether the table has a core; if so, set `proof`, `disproof` and `found_zone`."""
        home = self.home(maker, free)
        for probe in range(PROBES):
            slot = home + SLOT * probe
            zone, numbers = self.table[slot + 2], self.table[slot + 3]
            if numbers and (numbers & MAKER_MOVES != 0) == maker_moves and self.at(slot, maker, free, zone, numbers):
                self.proof, self.disproof = numbers & NEVER, numbers >> DISPROOF_AT & NEVER
                self.found_zone = zone
                return True
        return False

    def at(self, slot: int, maker: int, free: int, zone: int, numbers: int) -> bool:
        """Return whether a slot with these last two words belongs to this core."""
        mixed = self.mixed(zone, numbers)
        return self.table[slot] == maker ^ mixed and self.table[slot + 1] == free ^ mixed

    def home(self, maker: int, free: int) -> int:
        """Return the first of the slots in which a core can be."""
        return SLOT * (self.mixed(maker, free) & (self.capacity - 1))

    def remember(self, maker: int, free: int, maker_moves: bool, zone: int) -> None:
        """Keep the numbers of a core, which are in `proof` and `disproof`, and its zone.

        Without room they replace the least valuable entry, whose search was the shortest. The table grows after many
        entries were lost.
        """
        while True:
            home = self.home(maker, free)
            to, least = home, WORD
            for probe in range(PROBES):
                slot = home + SLOT * probe
                numbers = self.table[slot + 3]
                if not numbers or (
                    (numbers & MAKER_MOVES != 0) == maker_moves
                    and self.at(slot, maker, free, self.table[slot + 2], numbers)
                ):
                    to, least = slot, 0
                    break
                worth = (numbers & NEVER) + (numbers >> DISPROOF_AT & NEVER)
                if min(worth, DECIDED) < least:
                    to, least = slot, min(worth, DECIDED)
            if not least:
                break
            self.lost += 1
            if not self.may_grow or self.lost * LOST < self.capacity:
                break
            self.lost = 0
            self.grow()
        numbers = self.proof | self.disproof << DISPROOF_AT | (MAKER_MOVES if maker_moves else 0)
        mixed = self.mixed(zone, numbers)
        self.table[to], self.table[to + 1], self.table[to + 2], self.table[to + 3] = (
            maker ^ mixed,
            free ^ mixed,
            zone,
            numbers,
        )

    def grow(self) -> None:
        """Double the table, unless another thread has done so, and keep the entries that find room."""
        old, had = self.table, self.capacity
        self.look_again()
        if self.capacity == had:
            self.capacity *= 2
            self.table = words(SLOT * (self.capacity + PROBES))
            for slot in range(len(old) // SLOT):
                zone, numbers = old[SLOT * slot + 2], old[SLOT * slot + 3]
                mixed = self.mixed(zone, numbers)
                home = self.home(old[SLOT * slot] ^ mixed, old[SLOT * slot + 1] ^ mixed)
                for probe in range(PROBES if numbers else 0):
                    to = home + SLOT * probe
                    if not self.table[to + 3]:
                        for part in range(SLOT):
                            self.table[to + part] = old[SLOT * slot + part]
                        break
            self.shared.words = self.table
            self.look_again()


def _runs(lines: tuple[Bits, ...]) -> list[list[Bits]]:
    """Group lines into runs, in which each shares two squares with another: only these can contain one another."""
    runs: list[list[Bits]] = []
    for line in lines:
        met = [run for run in runs if any((line & other).bit_count() > 1 for other in run)]
        runs = [run for run in runs if run not in met] + [[*(other for run in met for other in run), line]]
    return runs
