"""Exact scores where stones fall and rows win, as in Connect Four: short questions first, then ever narrower bounds."""

import mmap
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import copy
from functools import partial
from threading import Lock

from solver.board.outcome import DRAWN, WIN, Bounds, Score
from solver.board.position import Position
from solver.board.rules import Goal, Marking, Rules
from solver.search.budget import BudgetExhausted, Meter
from solver.search.plain import GameSearch, PlainSearch
from solver.search.vanishing import TableSearch, VanishingSearch, has_table

SHORT = 11
"""The most plies of a short question. Every position gets all short questions before any long one."""

FIRST_SHARE, GROWTH = 200_000, 4
"""The nodes that each position gets in the first round of long questions, and the factor of each further round."""

WORD = 64
"""The bits of a word, which hold the board and one empty cell above each column."""

SLOTS, LEAST_SLOTS, MOST_SLOTS = 4, 1 << 17, 1 << 25
"""The slots of the table for each entry asked for, which take no more memory than an entry of other games; the fewest
slots and the most. They are mapped, so that they take memory only where they are used."""


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

    def narrowing(self, known: Mapping[Position, Bounds], meter: Meter) -> Iterator[tuple[Position, Bounds]]:
        """Narrow the bounds of these positions: short questions in turns, then long ones, with more and more nodes."""
        bounds = dict(known)

        def ask(position: Position, plies: int, share: Meter) -> Iterator[tuple[Position, Bounds]]:
            score, before = plies + 1 - WIN if self._lost_in(plies) else WIN - plies, bounds[position]
            if before.lower < score <= before.upper:
                answered = before.narrowed(self._answered(plies, self._asked(position, score, share)))
                bounds[position] = _in_time(answered, position.plies_left)
                yield position, bounds[position]

        try:
            for plies in range(SHORT + 1):
                for position in bounds:
                    if plies <= position.plies_left:
                        yield from ask(position, plies, meter)
            share = FIRST_SHARE
            while waiting := [each for each in bounds if not bounds[each].closed]:
                for position in waiting:
                    part = meter.part(share)
                    try:
                        while not bounds[position].closed:
                            yield from ask(position, _next(bounds[position], position.plies_left), part)
                    except BudgetExhausted:
                        if meter.exhausted:
                            raise
                share *= GROWTH
        except BudgetExhausted:
            return

    def _at_least(self, position: Position, score: Score) -> bool:
        left = position.plies_left
        worth = left + 1 - (WIN - score) if score > DRAWN else score - 1 + WIN - left
        return self._falling.at_least(position.own, position.other, worth)


def _table(slots: int) -> "memoryview[int]":
    """Return a table of words, in large pages where the system has them, since each look at it is at a random place."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return memoryview(mmap.mmap(-1, 8 * slots)).cast("Q")
    memory = mmap.mmap(-1, 8 * slots, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # a kernel can be built without large pages
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(memory).cast("Q")


def _next(bounds: Bounds, plies_left: int) -> int:
    """Return the plies of the next question: any win, then any loss, then one that halves what is left."""
    if bounds.lower > DRAWN:
        soonest, latest = WIN - bounds.upper, WIN - bounds.lower
    elif bounds.upper < DRAWN:
        soonest, latest = WIN + bounds.lower, WIN + bounds.upper
    else:
        return plies_left - ((plies_left % 2 == 0) == (bounds.upper > DRAWN))
    return soonest + (latest - soonest) // 4 * 2


def _in_time(bounds: Bounds, plies_left: int) -> Bounds:
    """Return bounds without wins and losses that would come after the board is full."""
    lower, upper = bounds.lower, bounds.upper
    return Bounds(
        DRAWN if plies_left - WIN < lower < DRAWN else lower, DRAWN if DRAWN < upper < WIN - plies_left else upper
    )


def search_for(rules: Rules, max_entries: int) -> GameSearch:
    """Return the search for a game in which a stone can harm its owner."""
    if rules.vanishes:
        return TableSearch(rules) if has_table(rules) else VanishingSearch(rules, max_entries)
    return FallingSearch(rules, max_entries) if answers_for(rules) else PlainSearch(rules, max_entries)
