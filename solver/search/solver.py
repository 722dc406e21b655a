"""A solver of one board: the kernel and its transposition table, shared by threads and kept while it is of use."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from dataclasses import astuple, dataclass
from functools import lru_cache, partial
from threading import TIMEOUT_MAX, Lock
from typing import TYPE_CHECKING, Final

from solver.board.position import Position
from solver.board.rules import Bits, Rules
from solver.kernel.potential import LONG
from solver.search.budget import BudgetExhausted, Meter

if TYPE_CHECKING:
    from solver.kernel.kernel import MakerBreaker, Prover

PAUSE: Final = {"compiled": 2048, "interpreted": 256}
"""Nodes after which a search looks at the clock, and lets interrupts and other threads have their turn."""

MAX_ENTRIES = 1 << 20
"""Entries of a solver's transposition table by default; when they are all in use, newer ones take over."""

HARD_ENTRIES = 1 << 28
"""Entries for proofs that take long: as many as 16 GB hold, taken as they are needed."""

FIRST_TURN = 500
"""Nodes of the first turn where two questions are asked in turn; each next turn has twice as many."""

WEAK_TO_STRONG = 8
"""How many times as many of them has the weak game, which nearly always answers first."""

MAX_THREADS = 4
"""The most threads of one search, however many processors there are."""


@dataclass(frozen=True, slots=True)
class Techniques:
    """Which of the kernel's reasons a search uses. All by default; switching one off changes the work, no answer."""

    forks: bool = True
    threats: bool = True
    pairings: bool = True
    dominance: bool = True
    dead_squares: bool = True
    zones: bool = True
    weak_game: bool = True
    """Asked about beside the question itself, where lines are long."""


ALL = Techniques()


@dataclass(frozen=True, slots=True)
class Attack:
    """Whether the attacker can force a line within so many plies. Neither player has one; any stones may be theirs."""

    attacker: Bits
    defender: Bits
    plies: int
    attacking: bool = True
    """Whether the attacker is to move."""


class Solver:
    """Answers questions about positions of one board and remembers the answers, so that each makes the next cheaper.

    Threads may share it: one question is answered at a time, and waiting for another counts against the budget. Raises
    BadRules for rules that the kernel cannot answer for.
    """

    def __init__(self, rules: Rules, techniques: Techniques = ALL, max_entries: int = MAX_ENTRIES) -> None:
        from solver.kernel.engine import (  # noqa: PLC0415 - small boards are looked up and need no kernel
            KERNEL,
            check_answerable,
            kernel,
        )

        check_answerable(rules)
        self.rules = rules
        self._new_prover = partial(kernel.Prover, rules, astuple(techniques), kernel.TranspositionTable(max_entries))
        self._new_weak = partial(kernel.MakerBreaker, rules, kernel.ProofTable(max_entries // 2))
        self._asks_weak = techniques.weak_game and rules.k >= LONG
        self._prover, self._lock, self._pause = self._new_prover(), Lock(), PAUSE[KERNEL]
        self._weak: MakerBreaker | None = None

    def team(self, threads: int) -> "tuple[Solver, ...]":
        """A solver for each thread, this one first; all share what they remember."""
        others = [copy(self) for _ in range(1, threads)]
        for other in others:
            other._prover, other._weak, other._lock = self._new_prover(), None, Lock()
        return self, *others

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return self._prover.nodes + (self._weak.nodes if self._weak else 0)

    @property
    def threat_nodes(self) -> int:
        """Positions visited, beside the nodes, in searches for a win by nothing but threats."""
        return self._prover.threat_nodes

    def entries(self) -> list[tuple[int, int]]:
        """What is remembered of each position: the plies within which a win fails, and those within which one holds."""
        return self._prover.entries()

    def decided(self, position: Position, plies: int, meter: Meter, helper: int = 0) -> bool:
        """Whether an unfinished position is won for its mover within `plies` plies, if odd, or lost, if even.

        `helper` is as in `succeeds`. Raises BudgetExhausted.
        """
        own, other = position.own, position.other
        attack = Attack(own, other, plies) if plies % 2 else Attack(other, own, plies, attacking=False)
        return self.succeeds(attack, meter, helper)

    def succeeds(self, attack: Attack, meter: Meter, helper: int = 0) -> bool:
        """Whether an attack does.

        Where its time is without limit and lines are long, it is asked in turn with more and more nodes each whether it
        would if the defender's lines did not count, and whether it does: nobody knows which is answered sooner.

        Solvers that share a table and are asked the same at once get numbers: 0 for the first, and each other `helper`
        begins its search elsewhere. Raises BudgetExhausted.
        """
        free = self.rules.full & ~(attack.attacker | attack.defender)
        strong = partial(self._prover.wins, attack.attacker, attack.defender, attack.attacking, attack.plies, helper)
        if self._asks_weak and not helper and attack.plies + 2 >= free.bit_count():
            weak_game = self._weak = self._weak or self._new_weak()
            weak = partial(weak_game.wins, attack.attacker, free, attack.attacking)
            share = FIRST_TURN
            while not meter.exhausted:
                with suppress(BudgetExhausted):
                    if not self._asked(weak_game, weak, meter.part(share)):
                        return False
                    break
                with suppress(BudgetExhausted):
                    return self._asked(self._prover, strong, meter.part(share // WEAK_TO_STRONG))
                share *= 2
        return self._asked(self._prover, strong, meter)

    def _asked(self, prover: "Prover | MakerBreaker", question: Callable[[], bool], meter: Meter) -> bool:
        """The answer to a question, its nodes counted. Raises BudgetExhausted."""
        if not self._lock.acquire(timeout=min(meter.seconds_left, TIMEOUT_MAX)):
            raise BudgetExhausted
        counted = prover.nodes

        def pause() -> int:
            nonlocal counted
            meter.count(prover.nodes - counted)
            counted = prover.nodes
            if meter.exhausted:
                raise BudgetExhausted
            return counted + int(min(self._pause, meter.nodes_left))

        try:
            prover.pause_at, prover.on_pause = counted, pause
            return question()
        finally:
            meter.count(prover.nodes - counted)
            self._lock.release()


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@lru_cache(maxsize=2)
def shared_solver(rules: Rules) -> Solver:
    """The solver that this process keeps for a board; those of the boards least recently asked for are forgotten."""
    return Solver(rules)


@lru_cache(maxsize=2)
def shared_solvers(rules: Rules) -> tuple[Solver, ...]:
    """The solvers that this process keeps for a board, the shared one first, for as many threads as can run at once.

    Threads take turns on the interpreted kernel, so that it gets a single one.
    """
    from solver.kernel.engine import KERNEL  # noqa: PLC0415 - likewise

    at_once = KERNEL == "compiled" and sys.maxsize >> 32  # what they remember is shared by words of 64 bits
    return shared_solver(rules).team(min(processors(), MAX_THREADS) if at_once else 1)
