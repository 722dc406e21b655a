"""Questions about games in which one more stone can harm its owner, as in misère and on cylinders with gravity.

The kernel answers them by plain alpha-beta, in a window of no width. As scores tell distances, the window also limits
the depth. Where stones fall and rows win, as in Connect Four, a search of its own answers, whose positions are words.
"""

import mmap
from abc import ABC, abstractmethod
from contextlib import suppress
from copy import copy
from functools import partial
from threading import Lock

from solver.board.position import Position
from solver.board.rules import Goal, Marking, Rules
from solver.search.budget import Meter, NodeCounter, ask_within

PAUSE = 20_000
"""Nodes between two looks at the meter."""

WORD = 64
"""The bits of a word, which hold the board and one empty cell above each column."""

SLOTS, LEAST_SLOTS, MOST_SLOTS = 4, 1 << 17, 1 << 25
"""The slots of the table for each entry asked for, which take no more memory than an entry of other games; the fewest
slots and the most. They are mapped, so that they take memory only where they are used."""


class GameSearch(ABC):
    """A search for one game, which asks its searcher. The searcher remembers positions."""

    def __init__(self, rules: Rules, searcher: NodeCounter) -> None:
        self.rules, self._searcher, self._lock = rules, searcher, Lock()

    @property
    def nodes(self) -> int:
        """The positions searched so far."""
        return self._searcher.nodes

    def team(self, _threads: int) -> "tuple[GameSearch, ...]":
        """Return this search alone: it lets no other thread run."""
        return (self,)

    def decided(self, position: Position, plies: int, meter: Meter) -> bool:
        """Return whether an unfinished position is decided within `plies` plies. Raises BudgetExhausted.

        By completing a line games are won in odd numbers of plies and lost in even ones; where that loses, it is the
        other way round. The number so says whether the question is about a win or a loss of the mover.
        """
        won = plies % 2 != self.rules.completing_loses
        with self._lock:
            return ask_within(self._searcher, PAUSE, meter, partial(self._ends, position, won, plies))

    @abstractmethod
    def _ends(self, position: Position, won: bool, plies: int) -> bool:
        """Return whether the mover of an unfinished position wins, or else loses, within `plies` plies."""


class PlainSearch(GameSearch):
    """The search by the kernel's plain alpha-beta, with a table of up to `max_entries` positions."""

    def __init__(self, rules: Rules, max_entries: int) -> None:
        from solver.kernel.engine import kernel  # noqa: PLC0415 - looking scores up needs no kernel

        self._new_prover = partial(kernel.PlainProver, rules, kernel.TranspositionTable(max_entries))
        self._prover = self._new_prover()
        super().__init__(rules, self._prover)

    def team(self, threads: int) -> tuple[GameSearch, ...]:
        """Return a search for each thread, this one first; they share the transposition table."""
        others = [copy(self) for _ in range(1, threads)]
        for other in others:
            other._prover = other._searcher = self._new_prover()
            other._lock = Lock()
        return self, *others

    def _ends(self, position: Position, won: bool, plies: int) -> bool:
        own_marks = self.rules.marks is Marking.OWN
        first, second = (position.own, position.other) if own_marks else (position.x, position.o)
        return self._prover.wins(first, second, won, plies)


def answers_for(rules: Rules) -> bool:
    """Return whether the kernel's search for falling stones knows this game."""
    usual = rules.goal is Goal.COMPLETE and rules.marks is Marking.OWN
    straight = rules.is_straight and rules.winning is None
    return rules.falls and usual and straight and rules.columns * (rules.rows + 1) <= WORD


class FallingSearch(GameSearch):
    """A search for one game, with its transposition table of up to `max_entries` positions, a power of two."""

    def __init__(self, rules: Rules, max_entries: int) -> None:
        from solver.kernel.engine import kernel  # noqa: PLC0415 - looking scores up needs no kernel

        slots = min(max(SLOTS * max_entries, LEAST_SLOTS), MOST_SLOTS)
        self._new_falling = partial(kernel.Falling, rules, _table(slots))
        self._falling = self._new_falling()
        super().__init__(rules, self._falling)

    def team(self, threads: int) -> tuple[GameSearch, ...]:
        """Return a search for each thread, this one first; they share the transposition table."""
        others = [copy(self) for _ in range(1, threads)]
        for number, other in enumerate(others, start=1):
            other._falling = other._searcher = self._new_falling(number)
            other._lock = Lock()
        return self, *others

    def _ends(self, position: Position, won: bool, plies: int) -> bool:
        own, other, left = position.own, position.other, position.plies_left
        if won:
            return self._falling.at_least(own, other, left + 1 - plies)
        return not self._falling.at_least(own, other, plies - left)


def _table(slots: int) -> "memoryview[int]":
    """Return a table of words, in large pages where the system has them, since each look at it is at a random place."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return memoryview(mmap.mmap(-1, 8 * slots)).cast("Q")
    memory = mmap.mmap(-1, 8 * slots, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # a kernel can be built without large pages
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(memory).cast("Q")
