"""Decide whether a player, the attacker, can force a line within n plies against any defence.

Outcomes and distances follow from such answers (see `exact`). An answer is yes or no, so the search needs no bounds
on scores. Instead it needs reasons to leave out most moves:

- Win now, forced block: a player who can complete a line does. A player who would lose to a line must block it.
- Stones still needed: a line is dead if it misses more stones than its owner has moves left within the plies.
- Forks still possible: a single threat is blocked, so an attack ends with a stone that makes two threats. Two lines
  that share a square and together miss n squares need n - 1 stones. Without such a pair within the plies there is no
  win, and a stone is useless if it is outside all such pairs and outside the defender's lines.
- Threat sequences: first the search looks for a win by threats alone, where each threat has a single answer. If the
  player not to move has such a sequence, a move matters only on a square that the sequence depends on. All squares
  where the mover makes a threat are among these squares.
- Pairings: the attacker cannot win against a pairing strategy, or after a move that leaves the defender one. Suppose
  that every line that the attacker could still complete holds a pair of empty squares, and the pairs are disjoint. Then
  the defender answers each stone on a pair with its other square. Source: Hales and Jewett, "Regularity and positional
  games", 1963; used for proofs by Uiterwijk and van den Herik, "The advantage of the initiative", 2000. Lines without a
  pair do no harm if their danger is small. The danger is the sum over these lines of 1 / 2^n for n squares outside the
  pairs. If the danger is below 1/2 with the attacker to move, a defender who always takes the most dangerous square
  keeps the danger below 1. Source: Erdős and Selfridge, "On a combinatorial game", 1973.
- Dominance: a square is no better than a second one that is on all its lines.
- Relevance zones: an answer comes with a zone of squares. The loser is the attacker after a no, and the defender after
  a yes. More stones of the loser outside the zone do not change the answer. So if a move fails, all moves outside its
  zone fail too.
  Source: Wu and Lin, "Relevance-zone-oriented proof search for Connect6", 2010; their zones are only for wins.
- Keys without dead squares: the table remembers only the stones and squares of lines that are not dead, turned to the
  least of their symmetric images.

The weak game, in which only the attacker's lines count, has a search of its own: see `maker_breaker`.

This is the inner loop of all proofs. It is written for the interpreter and for a C compiler, which takes the types from
`compiled/kernel.pxd`. Therefore it is one module, except for the transposition table. Sets of cells are words of bits.
Lists are arrays of words, with a frame for each nested question. The tests run it interpreted and compiled, and compare
the answers with plain minimax, with all techniques and without each of them.
"""

from array import array
from collections.abc import Sequence
from itertools import chain

from solver.board.rules import Bits, Rules
from solver.kernel.potential import LONG, WORTHS_OF_LONG, WORTHS_OF_SHORT

from .falling import Falling
from .maker_breaker import MakerBreaker, ProofTable
from .pairings import Pairings
from .plain import PlainProver
from .searcher import words
from .tablebase import Tablebase
from .transpositions import TranspositionTable
from .vanishing import VanishingTable

try:
    import cython
except ImportError:
    from solver.kernel import uncompiled as cython

if not cython.compiled:
    from solver.kernel.uncompiled import SOURCES, popcount

    from .transpositions import TableClient

__all__ = [
    "Falling",
    "MakerBreaker",
    "Pairings",
    "PlainProver",
    "ProofTable",
    "Prover",
    "Tablebase",
    "TranspositionTable",
    "VanishingTable",
]

DIGEST = SOURCES
"""The digest of the sources of a compiled kernel; 0 if it is interpreted."""

REPLIES = 8
"""The number of moves for which the search looks for a pairing before it tries any move."""

MAX_THREATS = 20
"""The most positions of one search for a threat sequence. It can miss a sequence."""

OFTEN = 3
"""The number of frames, from the first, in which positions often recur."""

HELPED = 2
"""The number of frames, from the first, in which helpers begin with other moves."""

TAKEN, ATTACKING, ALONE = 1, 2, 4
"""Marks of an entry: it is used, the attacker is to move, the defender cannot complete a line in time."""

CELLS = 64
"""Room for the cells of a board."""

MORE = (1 << CELLS) - 1
"""More cells than any line has."""

NO_LINE = 255 << 8
"""A rank after all lines. Lines are ranked by their squares, then by their index, which is less than 256."""

SURE = 1 << 55
"""The danger of a complete line. Each square that a line misses halves its danger."""

HOPELESS = SURE + (SURE >> 1)
"""The danger from which on the search looks for no pairing, since there is hardly ever one."""


class Prover(TableClient):
    """An oracle for one board, which remembers its answers.

    `techniques` are switches for forks, threats, pairings, dominance, keys without dead squares, and zones. `nodes`
    counts the positions searched, `threat_nodes` those of threat sequences. The table stays valid if a pause ends a
    search, so short searches one after the other make progress too.
    """

    def __init__(self, rules: Rules, techniques: Sequence[bool], shared: TranspositionTable) -> None:
        super().__init__(rules, shared)
        self.with_forks, self.with_threats, self.with_pairings, self.with_dominance = techniques[:4]
        self.with_keys, self.with_zones = techniques[4:6]
        count = len(rules.lines)
        self.line_count = count
        self.full = rules.full
        # A frame of the search: the lines that the attacker can still complete in time, the defender's, the two numbers
        # of lines, the attacker's move that last won at this depth, and the moves. The first frame has all lines. One
        # for each ply follows, and then room for the lines that no pair covers yet.
        self.frame = 2 * count + 3 + CELLS
        self.rest_at = (CELLS + 3) * self.frame
        self.work = words(self.rest_at + count)
        for index, line in enumerate(rules.lines):
            self.work[index] = self.work[count + index] = line
        self.work[2 * count] = self.work[2 * count + 1] = count
        self.worths = array("Q", chain.from_iterable(WORTHS_OF_LONG if rules.k >= LONG else WORTHS_OF_SHORT))
        self.worth, self.danger, self.common, self.crossed = (words(CELLS) for _ in range(4))
        self.doubly = words(count)
        # A frame of a threat sequence: the lines that two stones complete, and the partners of each square on them.
        self.threat_frame = count + CELLS
        self.threat_work = words((CELLS // 2 + 1) * self.threat_frame)
        self.threat_steps = self.own_at = self.own_end = self.other_at = self.other_end = 0
        self.zone = self.pairing = self.left_over = self.dominating = 0
        self.helper = self.threat_nodes = 0

    def wins(self, attacker: Bits, defender: Bits, attacking: bool, plies: int, helper: int = 0) -> bool:
        """Return whether the attacker can force a line within `plies` plies; `attacking` if the attacker is to move.

        Neither player has a line yet. Raises the errors of `on_pause`; between pauses other threads run too. Provers
        that share a table and answer the same question have different numbers `helper`, 0 for the first: each helper
        begins with other moves of the attacker.
        """
        self.helper = helper
        self.look_again()
        with cython.nogil:
            return self.forced(attacker, defender, attacking, plies, self.frame)

    def forced(self, attacker: int, defender: int, attacking: bool, plies: int, start: int) -> bool:
        """Answer the question of `wins` in the frame that begins at `start`, and set `zone` to the zone of the answer.

        More stones of the loser on empty squares outside the zone do not change the answer. If the winner is to move,
        these stones can even complete a line. The zone needs only the loser's lines of the previous frame. A line that
        can no longer be completed in time gives its empty squares, except after an immediate win. If the loser is to
        move, every other line gives two of its squares.
        """
        answers_at = start + self.line_count
        counts_at = answers_at + self.line_count
        before = start - self.frame
        empty = self.full & ~(attacker | defender)
        own_moves = plies + attacking >> 1
        other_moves = plies - own_moves
        line_count = answer_count = total = own_late = other_late = 0
        threats = counters = attacker_used = defender_used = own_open = other_open = 0
        for index in range(before, before + self.work[counts_at - self.frame]):
            line = self.work[index]
            if not line & defender:
                missing = line & empty
                short = popcount(missing)
                if short <= own_moves:
                    self.work[start + line_count] = line
                    line_count += 1
                    attacker_used |= line
                    own_open |= missing
                    total += SURE >> short
                    if short == 1:
                        threats |= missing
                else:
                    own_late |= missing
        before += self.line_count
        for index in range(before, before + self.work[counts_at - self.frame + 1]):
            line = self.work[index]
            if not line & attacker:
                missing = line & empty
                short = popcount(missing)
                if short <= other_moves:
                    self.work[answers_at + answer_count] = line
                    answer_count += 1
                    defender_used |= line
                    other_open |= missing
                    if short == 1:
                        counters |= missing
                else:
                    other_late |= missing
        self.work[counts_at], self.work[counts_at + 1] = line_count, answer_count
        must = counters if attacking else threats
        if not line_count:
            self.zone, won = 0, False
        elif attacking and threats:
            self.zone = threats & (~threats + 1)
            return True
        elif counters and (not attacking or counters & (counters - 1)):
            self.zone, won = counters, False
        elif threats & (threats - 1):
            self.zone, won = threats, True
        elif must:  # With a single move, remembering the position would cost more than it saves.
            self.count_node()
            self.work[counts_at + 3] = must
            won = self.tried(attacker, defender, attacking, plies, start, 1, must)
            self.zone |= must
        else:
            if not self.with_keys:
                attacker_used = defender_used = self.full
            open_used = (attacker_used | defender_used) & empty
            self.turn_to_least(attacker_used & attacker | open_used, defender_used & defender | open_used)
            first, second = self.first, self.second
            mark = TAKEN | (ATTACKING if attacking else 0) | (0 if answer_count else ALONE)
            self.fetch(first, second)
            counted = self.nodes
            won = self.searched(
                attacker, defender, attacking, plies, start, own_open, other_open, total, first, second, mark
            )
            # Where positions do not recur often, an answer without further nodes is not worth remembering.
            if self.nodes > counted + 1 or start < OFTEN * self.frame:
                self.remember(first, second, mark, plies, won)
        if won != attacking:
            self.guard(start, attacking, empty, 2)
        self.zone |= other_late if won else own_late
        return won

    def guard(self, start: int, attackers: bool, squares: int, fewest: int) -> None:
        """Add squares to the zone until it has `fewest` of `squares`, or all of them, in each line of a player.

        With two squares of each line, stones outside the zone and the next move together complete no line.
        """
        lines_at = start if attackers else start + self.line_count
        count = self.work[start + 2 * self.line_count + (0 if attackers else 1)]
        zone = self.zone
        for index in range(lines_at, lines_at + count):
            line = self.work[index] & squares
            have, rest = popcount(line & zone), line & ~zone
            while have < fewest and rest:
                zone |= rest & (~rest + 1)
                rest &= rest - 1
                have += 1
        self.zone = zone

    def searched(
        self,
        attacker: int,
        defender: int,
        attacking: bool,
        plies: int,
        start: int,
        own_open: int,
        other_open: int,
        total: int,
        first: int,
        second: int,
        mark: int,
    ) -> bool:
        """Return the answer if no move is forced: from the table, by the reasons above, or by trying moves.

        Look for pairings while the memory loads the table's entry: if there is a pairing, the entry is not needed.
        """
        empty = self.full & ~(attacker | defender)
        answers_at = start + self.line_count
        counts_at = answers_at + self.line_count
        moves_at = counts_at + 3
        line_count, answer_count = self.work[counts_at], self.work[counts_at + 1]
        if start < OFTEN * self.frame and self.known(first, second, mark, plies):
            self.zone = own_open | other_open
            return self.remembered
        if self.with_pairings and attacking and self.paired(start, line_count, 0, empty, total, SURE >> 1):
            self.count_node()
            self.zone = self.pairing | self.left_over
            return False
        if attacking and self.known(first, second, mark, plies):
            self.zone = own_open | other_open
            return self.remembered
        self.count_node()
        matters = self.full
        if self.with_threats:
            if attacking:
                matters = self.threat_sequence(attacker, defender, plies, start, line_count, answers_at, answer_count)
                if matters:
                    self.zone = matters
                    self.guard(start, False, empty & ~matters, 2)  # answers can fill squares of the sequence itself
                    return True
                matters = self.threat_sequence(defender, attacker, CELLS, answers_at, answer_count, start, line_count)
            else:
                matters = self.threat_sequence(
                    attacker, defender, plies - 1, start, line_count, answers_at, answer_count
                )
            if not matters:
                matters = self.full
        useful = own_open
        if self.with_forks and matters == self.full:
            useful = self.fork_squares(start, line_count, plies + attacking >> 1, empty, own_open)
            if not useful:
                self.zone = own_open
                return False
        # The reasons to leave out moves depend on these squares. More stones of the attacker could make new forks. More
        # stones of the defender only prevent some.
        reasons = own_open if attacking and useful != own_open else 0
        useful = (useful | other_open) & matters
        moves = self.order(start, attacking, useful, empty)
        reasons |= self.dominating
        if self.with_pairings:
            for index in range(moves_at, moves_at + min(moves, REPLIES)):
                reply = self.work[index]
                rest = total - self.danger[popcount(reply - 1)]
                if self.paired(start, line_count, reply, empty, rest, SURE >> 2 if attacking else SURE >> 1):
                    if not attacking:
                        self.zone = self.pairing | self.left_over | reply
                        return False
                    # After a move elsewhere the defender plays the reply. Then every pair is intact, and the danger of
                    # the other lines has at most doubled.
                    useful &= self.pairing | reply
                    reasons |= self.pairing | self.left_over | reply
        if not attacking and self.known(first, second, mark, plies):
            self.nodes -= 1  # nothing was searched
            self.zone = own_open | other_open
            return self.remembered
        if self.helper and attacking and start <= HELPED * self.frame:
            self.begin_elsewhere(moves_at, moves)
        won = self.tried(attacker, defender, attacking, plies, start, moves, useful)
        if won != attacking:
            self.zone |= reasons
            if matters != self.full:
                self.zone |= matters
                self.guard(start, attacking, empty & ~matters, 3)  # a move that is left out can be on one of them
        return won

    def tried(
        self, attacker: int, defender: int, attacking: bool, plies: int, start: int, moves: int, useful: int
    ) -> bool:
        """Return the answer by trying the moves of the frame that are on `useful` squares.

        The attacker first tries the move that last won at this depth, since a threat often wins against any move
        elsewhere. If a move fails, a move outside its zone fails too: it would fail even with the first move as an
        extra stone. Sets `zone` to the squares that the successful move or the failed moves depend on. The
        caller adds the squares that justify leaving out the other moves.
        """
        moves_at = start + 2 * self.line_count + 3
        next_frame = start + self.frame
        zone = 0
        for index in range(moves_at - attacking, moves_at + moves):
            move = self.work[index] & useful
            if move:
                if attacking:
                    won = self.forced(attacker | move, defender, False, plies - 1, next_frame)
                else:
                    won = self.forced(attacker, defender | move, True, plies - 1, next_frame)
                if won == attacking:
                    if attacking:
                        self.work[moves_at - 1] = move
                    self.zone |= move
                    return won
                zone |= self.zone
                if self.with_zones:
                    useful &= self.zone
        self.zone = zone
        return not attacking

    def begin_elsewhere(self, moves_at: int, moves: int) -> None:
        """Put the moves of this helper first: for helper 1 the second, the fourth and so on."""
        first, index = moves_at, moves_at + self.helper
        while index < moves_at + moves:
            move = self.work[index]
            for to in range(index, first, -1):
                self.work[to] = self.work[to - 1]
            self.work[first] = move
            first += 1
            index += self.helper + 1

    def fork_squares(self, start: int, line_count: int, own_moves: int, empty: int, most: int) -> int:
        """Return the squares of all pairs of lines with which the attacker can still make a fork within its moves."""
        squares = 0
        for index in range(start, start + line_count):
            one = self.work[index] & empty
            for other_index in range(index + 1, start + line_count):
                other = self.work[other_index] & empty
                both = one | other
                if both & ~squares and one & other and popcount(both) <= own_moves + 1 and both not in (one, other):
                    squares |= both
            if squares == most:
                break
        return squares

    def order(self, start: int, attacking: bool, useful: int, empty: int) -> int:
        """Put the moves that can matter into the frame, the most valuable first; return their number."""
        answers_at = start + self.line_count
        counts_at = answers_at + self.line_count
        moves_at = counts_at + 3
        line_count, answer_count = self.work[counts_at], self.work[counts_at + 1]
        rest = useful
        while rest:
            low = rest & (~rest + 1)
            cell = popcount(low - 1)
            self.worth[cell] = self.danger[cell] = 0
            self.common[cell] = self.full
            rest ^= low
        row = 4 if not answer_count else 2 if attacking else 0  # a row of the worths has nine numbers
        self.weigh(start, line_count, useful, empty, SURE, 9 * row)
        self.weigh(answers_at, answer_count, useful, empty, 0, 9 * row + 9)
        count = 0
        rest = useful
        while rest:
            low = rest & (~rest + 1)
            cell = popcount(low - 1)
            rest ^= low
            index = moves_at + count
            while index > moves_at and self.worth[popcount(self.work[index - 1] - 1)] < self.worth[cell]:
                self.work[index] = self.work[index - 1]
                index -= 1
            self.work[index] = low
            count += 1
        kept = kept_moves = self.dominating = 0
        for index in range(moves_at, moves_at + count):
            low = self.work[index]
            better = self.common[popcount(low - 1)] & kept
            if self.with_dominance and better:
                self.dominating |= better
            else:
                kept |= low
                self.work[moves_at + kept_moves] = low
                kept_moves += 1
        return kept_moves

    def weigh(self, lines_at: int, count: int, squares: int, empty: int, sure: int, worths_at: int) -> None:
        """Add the worth and the danger of lines to those of their squares, and intersect the lines of each square."""
        for index in range(lines_at, lines_at + count):
            missing = self.work[index] & empty
            short = popcount(missing)
            rest = missing & squares
            while rest:
                low = rest & (~rest + 1)
                cell = popcount(low - 1)
                self.worth[cell] += self.worths[worths_at + short]
                self.danger[cell] += sure >> short
                self.common[cell] &= missing
                rest ^= low

    def threat_sequence(
        self, own: int, other: int, plies: int, own_at: int, own_count: int, other_at: int, other_count: int
    ) -> int:
        """Return the squares that a win by threats of the player to move depends on; 0 if none is found in `plies`.

        A single stone of the other side on any other square does not disturb the sequence. Such a stone takes none of
        these squares and makes no threat, not even together with an answer within the sequence. Several stones are
        harmless too if each of their lines keeps two free squares outside the sequence. Only lines
        that can be completed in time matter, and the frame has these lines of both players.
        """
        self.threat_steps = MAX_THREATS
        self.own_at, self.own_end = own_at, own_at + own_count
        self.other_at, self.other_end = other_at, other_at + other_count
        return self.threatening(own, other, plies, 0)

    def threatening(self, own: int, other: int, plies: int, start: int) -> int:
        """Search for a threat sequence in the frame that begins at `start`; return the squares it depends on, or 0."""
        self.threat_steps -= 1
        if start:
            self.threat_nodes += 1
        pairs = 0
        depends = squares = growing = completing = counters = 0
        for index in range(self.own_at, self.own_end):
            line = self.work[index]
            if not line & other:
                missing = line & ~own
                if not missing & (missing - 1):
                    completing |= missing
                elif popcount(missing) == 2:
                    self.threat_work[start + pairs] = missing
                    pairs += 1
                    squares |= missing
                elif popcount(missing) == 3:
                    growing |= missing
        for index in range(self.other_at, self.other_end):
            line = self.work[index]
            if not line & own:
                missing = line & ~other
                if not missing & (missing - 1):
                    counters |= missing
                elif popcount(missing) == 2:
                    depends |= missing
        if completing:
            return depends | completing & (~completing + 1)
        if counters:
            squares &= counters
        if plies < 3 or counters & (counters - 1) or not squares:
            return 0
        partners_at = start + self.line_count
        rest = squares
        while rest:
            low = rest & (~rest + 1)
            rest ^= low
            self.threat_work[partners_at + popcount(low - 1)] = 0
        for index in range(start, start + pairs):
            missing = self.threat_work[index]
            low = missing & (~missing + 1)
            self.threat_work[partners_at + popcount(low - 1)] |= missing ^ low
            self.threat_work[partners_at + popcount((missing ^ low) - 1)] |= low
        rest = squares
        while rest:
            low = rest & (~rest + 1)
            rest ^= low
            answers = self.threat_work[partners_at + popcount(low - 1)]
            more = answers & (answers - 1)
            if more:  # a threat on two squares; a third one does not matter
                return depends | low | answers ^ more | more & (~more + 1)
        rest = squares & growing  # threats elsewhere lead to no further threats
        while rest and plies > 3 and self.threat_steps > 0:
            low = rest & (~rest + 1)
            rest ^= low
            answer = self.threat_work[partners_at + popcount(low - 1)]
            found = self.threatening(own | low, other | answer, plies - 2, start + self.threat_frame)
            if found:
                return depends | low | answer | found
        return 0

    def paired(self, start: int, line_count: int, reply: int, empty: int, total: int, bound: int) -> bool:
        """Return whether disjoint pairs stop all lines that avoid `reply`, but for lines of less danger than `bound`.

        `total` is the danger of all lines that avoid `reply`. On success `pairing` has the pairs and `left_over` the
        free squares of lines without one. Pairs are taken one after the other, each for a line with the fewest free
        squares, and never taken back. So the search misses some pairings.
        """
        if total >= HOPELESS:
            return False
        self.pairing = 0
        # A line that contains all of `covered` needs no further pair. At first `covered` is the reply, if there is one.
        lines_at, count = start, line_count
        covered, free = reply or MORE, empty & ~reply
        while True:
            left = danger = 0
            narrow = NO_LINE
            for index in range(lines_at, lines_at + count):  # no branches, which a processor could not predict
                line = self.work[index]
                uncovered = line & covered != covered
                line &= free
                size = popcount(line)
                ranked = (size << 8 | left) + (1 - uncovered) * NO_LINE
                self.work[self.rest_at + left] = line
                narrow = ranked if ranked < narrow else narrow
                danger += (SURE >> size) * uncovered
                left += uncovered
            if danger < bound:
                self.left_over = 0
                for index in range(self.rest_at, self.rest_at + left):
                    self.left_over |= self.work[index]
                return True
            fewest, narrowest = narrow >> 8, self.work[self.rest_at + (narrow & 255)]
            if fewest < 2 or danger >= HOPELESS:
                return False
            lines_at, count = self.rest_at, left
            covered = narrowest if fewest == 2 else self.best_pair(count, narrowest)
            self.pairing |= covered
            free &= ~covered

    def best_pair(self, count: int, squares: int) -> int:
        """Return the pair of `squares` that covers most of the remaining lines and narrows the fewest.

        A line with n free squares counts 9 - n, so narrow lines count most. No line has more than eight squares.
        """
        rest = squares
        while rest:
            one = rest & (~rest + 1)
            rest ^= one
            self.crossed[popcount(one - 1)] = 0
        doubly = 0
        for index in range(self.rest_at, self.rest_at + count):
            line = self.work[index]
            rest = line & squares
            if rest & (rest - 1):
                self.doubly[doubly] = line
                doubly += 1
            while rest:
                one = rest & (~rest + 1)
                rest ^= one
                self.crossed[popcount(one - 1)] += 9 - popcount(line)
        best = least = 0
        rest = squares
        while rest:
            one = rest & (~rest + 1)
            rest ^= one
            others = rest
            while others:
                other = others & (~others + 1)
                others ^= other
                pair = one | other
                cost = self.crossed[popcount(one - 1)] + self.crossed[popcount(other - 1)]
                for index in range(doubly):
                    line = self.doubly[index]
                    if line & pair == pair:
                        cost -= 4 * (9 - popcount(line))
                if not best or cost < least:
                    best, least = pair, cost
        return best
