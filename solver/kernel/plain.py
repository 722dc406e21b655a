"""Decide whether a player can force the end within n plies in games in which a stone can harm its owner.

A plain alpha-beta: nothing is known of forks or threats, and of lines only that in wild those with both marks are dead.
It plays by any goal, drop and marks, except where stones vanish. The answer for each position and its images is kept in
the kernel's transposition table.

Like the kernel, it is written for the interpreter and for a C compiler. The C types are in `compiled/plain.pxd`.
"""

from array import array
from itertools import accumulate, chain

from solver.board.rules import Bits, Marking, Rules

from .transpositions import TranspositionTable  # relative, as in the kernel

try:
    import cython
except ImportError:
    from solver.kernel import uncompiled as cython

if not cython.compiled:
    from solver.kernel.uncompiled import SOURCES, popcount

    from .transpositions import TableClient

__all__ = ["PlainProver"]

DIGEST = SOURCES
"""The digest of the sources, as in the kernel."""


class PlainProver(TableClient):
    """A search for one game. Its positions are two sets of stones.

    They are the mover's and the opponent's if each has a mark; else those of X and of O.
    """

    def __init__(self, rules: Rules, shared: TranspositionTable) -> None:
        super().__init__(rules, shared)
        self.full, self.columns = rules.full, rules.columns if rules.falls else 0
        self.loses, self.own, self.wild = rules.completing_loses, rules.marks is Marking.OWN, rules.is_wild
        self.lines = array("Q", rules.lines)
        rest = [[line ^ 1 << cell for line in lines] for cell, lines in enumerate(rules.lines_through)]
        self.rests = array("Q", chain.from_iterable(rest))
        self.starts = array("Q", accumulate(map(len, rest), initial=0))

    def wins(self, first: Bits, second: Bits, attacking: bool, plies: int) -> bool:
        """Return whether the attacker, who is to move if `attacking`, wins an unfinished position within `plies`."""
        with cython.nogil:
            return self.search(first, second, attacking, plies)

    def completes(self, stones: int, cell: int) -> bool:
        """Return whether one more stone on a cell completes a line of these stones."""
        for place in range(self.starts[cell], self.starts[cell + 1]):
            if not self.rests[place] & ~stones:
                return True
        return False

    def open(self, first: int, second: int) -> int:
        """Return the cells of the lines that can still be completed; all cells in games other than wild.

        A wild line with both marks is dead. On a cell of dead lines alone, only the move itself counts.
        """
        if not self.wild:
            return self.full
        found = 0
        for number in range(len(self.lines)):
            line = self.lines[number]
            if not (line & first and line & second):
                found |= line
        return found

    def search(self, first: int, second: int, attacking: bool, plies: int) -> bool:
        """Answer as `wins` does."""
        empty = self.full & ~(first | second)
        plies = min(plies, popcount(empty))
        if (plies & 1 == attacking) == self.loses:  # who completes the last line is known
            plies -= 1
        if plies <= 0:
            return False
        alive = self.open(first, second)
        if not alive:
            return False
        idle = empty & ~alive
        rest = empty & ~(empty >> self.columns) if self.columns else empty & alive | idle & -idle
        quiet, other_quiet, cell = 0, 0, 0
        while rest:
            low = rest & -rest
            rest ^= low
            cell = popcount(low - 1)
            if not self.completes(first, cell):
                quiet |= low
            elif not self.loses:
                return attacking
            if self.wild and alive & low:
                if not self.completes(second, cell):
                    other_quiet |= low
                elif not self.loses:
                    return attacking
        if not quiet | other_quiet:
            return not attacking
        if plies == 1 or not empty & empty - 1:
            return False
        if self.wild:  # the marks of dead cells don't matter, and neither does which mark is which
            idle = (first | second) & ~alive
            if popcount(first & alive) > popcount(second & alive):
                self.turn_to_least(second | idle, first | idle)
            else:
                self.turn_to_least(first | idle, second | idle)
        else:
            self.turn_to_least(first, second)
        least, least_other, mark = self.first, self.second, 2 if attacking else 1
        self.count_node()
        if self.known(least, least_other, mark, plies):
            return self.remembered
        found = not attacking
        while quiet | other_quiet and found != attacking:
            low = quiet & -quiet
            if low:
                quiet ^= low
                if self.own:
                    found = self.search(second, first | low, not attacking, plies - 1)
                else:
                    found = self.search(first | low, second, not attacking, plies - 1)
            else:
                low = other_quiet & -other_quiet
                other_quiet ^= low
                found = self.search(first, second | low, not attacking, plies - 1)
        self.remember(least, least_other, mark, plies, found)
        return found
