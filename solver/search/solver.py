"""Solvers: each has the kernel and a transposition table for one board. Also lines of best play, and pairings."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import astuple, dataclass
from functools import lru_cache, partial, reduce
from threading import Lock
from typing import TYPE_CHECKING, Final, TypeAlias

from solver.board.outcome import DRAWN, WIN, Score, bounds_by_rules, to_child
from solver.board.position import Position
from solver.board.rules import Bits, Cell, Pairs, Rules, ends_of
from solver.kernel.potential import LONG, promising
from solver.search.budget import BudgetExhausted, Meter, ask_within
from solver.search.plain import FallingSearch, GameSearch, PlainSearch, answers_for
from solver.search.vanishing import TableSearch, VanishingSearch

if TYPE_CHECKING:
    from solver.kernel.kernel import MakerBreaker, Prover

PAUSE: Final = {"compiled": 2048, "interpreted": 256}
"""Nodes between two pauses. In a pause, a search looks at its meter and gives interrupts and other threads a turn."""

MAX_ENTRIES = 1 << 20
"""The default size of a transposition table in entries; once all are used, new ones replace old ones."""

HARD_ENTRIES = 1 << 28
"""Entries for proofs that take long: 16 GB at most, allocated as they are needed."""

FIRST_TURN = 500
"""Nodes of the first turn when two searches take turns. Each later turn has twice as many."""

WEAK_TO_STRONG = 8
"""The ratio of the weak game's nodes to the strong game's. The weak game nearly always answers first."""

ENDLESS_MOVES = 12
"""The moves of a line of best play that has no end."""

MAX_THREADS = 4
"""The most threads of one search, on any number of processors."""


@dataclass(frozen=True, slots=True)
class Techniques:
    """Switches for the techniques of the kernel. They change the work, but no answer."""

    forks: bool = True
    threats: bool = True
    pairings: bool = True
    dominance: bool = True
    dead_squares: bool = True
    zones: bool = True
    weak_game: bool = True
    """Search the weak game too if lines are long. Only the attacker's lines count in the weak game."""


ALL = Techniques()


@dataclass(frozen=True, slots=True)
class Attack:
    """A question: can the attacker force a line within `plies` plies? Neither player has a line yet.

    Each player can have any number of stones.
    """

    attacker: Bits
    defender: Bits
    plies: int
    attacking: bool = True
    """True if the attacker is to move."""


Decider: TypeAlias = Callable[[Position, int, Meter], bool]
"""A function that answers as `Solver.decided` does: that method, or `is_decided_by_table` on a small board."""


class Solver:
    """An oracle for positions of one board, which remembers what it proves.

    Threads can share a solver. It answers one question at a time, and a thread that waits spends nothing of its budget.
    Raises BadRules for rules that the kernel cannot answer for.
    """

    def __init__(self, rules: Rules, techniques: Techniques = ALL, max_entries: int = MAX_ENTRIES) -> None:
        from solver.kernel import engine  # noqa: PLC0415 - small boards are looked up and need no kernel

        self.rules, kernel = rules, engine.kernel
        self.plain = None if rules.stones_never_harm else search_for(rules, max_entries)
        if self.plain:
            return
        engine.check_answerable(rules)
        self._new_prover = partial(kernel.Prover, rules, astuple(techniques), kernel.TranspositionTable(max_entries))
        self._new_weak = partial(kernel.MakerBreaker, rules, kernel.ProofTable(max_entries // 2))
        self._asks_weak = techniques.weak_game and rules.k >= LONG
        self._prover, self._lock, self._pause = self._new_prover(), Lock(), PAUSE[engine.KERNEL]
        self._weak: MakerBreaker | None = None

    def team(self, threads: int) -> "tuple[Solver, ...]":
        """Return a solver for each thread, this one first; they share the transposition table."""
        if self.plain:
            _, *searches = self.plain.team(threads)
            others = [copy(self) for _ in searches]
            for other, search in zip(others, searches, strict=True):
                other.plain = search
            return self, *others
        others = [copy(self) for _ in range(1, threads)]
        for other in others:
            other._prover, other._weak, other._lock = self._new_prover(), None, Lock()
        return self, *others

    @property
    def nodes(self) -> int:
        """The positions searched so far."""
        if self.plain:
            return self.plain.nodes
        return self._prover.nodes + (self._weak.nodes if self._weak else 0)

    @property
    def threat_nodes(self) -> int:
        """The positions visited in searches for a win by threats alone, which do not count as `nodes`."""
        return self._prover.threat_nodes

    def decided(self, position: Position, plies: int, meter: Meter, helper: int = 0) -> bool:
        """Return whether the mover of an unfinished position wins (odd `plies`) or loses (even) within `plies` plies.

        For `helper` see `succeeds`. Raises BudgetExhausted.
        """
        if self.plain:
            return self.plain.decided(position, plies, meter)
        own, other = position.own, position.other
        attack = Attack(own, other, plies) if plies % 2 else Attack(other, own, plies, attacking=False)
        return self.succeeds(attack, meter, helper)

    def succeeds(self, attack: Attack, meter: Meter, helper: int = 0) -> bool:
        """Return whether the attack succeeds. Raises BudgetExhausted.

        If lines are long and the plies are not limited, two searches take turns, with more nodes each time. One
        searches the game itself. The other searches the weak game, in which the defender's lines do not count. An
        attack that fails in the weak game also fails in the game itself. Either search can be much faster.

        Solvers that share a table can work on the same question at once. `helper` is the solver's number, from 0: each
        number tries other moves first.
        """
        free = self.rules.full & ~(attack.attacker | attack.defender)
        strong = partial(self._prover.wins, attack.attacker, attack.defender, attack.attacking, attack.plies, helper)
        if self._asks_weak and not helper and attack.plies + 2 >= free.bit_count():
            weak_game = self._weak = self._weak or self._new_weak()
            weak = partial(weak_game.wins, attack.attacker, free, attack.attacking)
            share = FIRST_TURN
            while not meter.exhausted:
                with suppress(BudgetExhausted):
                    if not self._ask(weak_game, weak, meter.part(share)):
                        return False
                    break
                with suppress(BudgetExhausted):
                    return self._ask(self._prover, strong, meter.part(share // WEAK_TO_STRONG))
                share *= 2
        return self._ask(self._prover, strong, meter)

    def _ask(self, prover: "Prover | MakerBreaker", question: Callable[[], bool], meter: Meter) -> bool:
        """Return the answer to a question and count its cost. Raises BudgetExhausted."""
        with self._lock:
            return ask_within(prover, self._pause, meter, question)


def search_for(rules: Rules, max_entries: int) -> GameSearch:
    """Return the search for a game in which a stone can harm its owner."""
    if rules.vanishes:
        return TableSearch(rules) if rules.is_small else VanishingSearch(rules, max_entries)
    return FallingSearch(rules, max_entries) if answers_for(rules) else PlainSearch(rules, max_entries)


def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@lru_cache(maxsize=2)
def shared_solver(rules: Rules) -> Solver:
    """Return the solver of a board; this process keeps the solvers of the two boards used last."""
    return Solver(rules)


@lru_cache(maxsize=2)
def shared_solvers(rules: Rules, threads: int | None = None) -> tuple[Solver, ...]:
    """Return a solver for each thread, the shared one first; this process keeps them too.

    The threads are as many as can run at once, unless a number is given. With the interpreted kernel there is only one
    solver, because its threads would take turns.
    """
    from solver.kernel.engine import KERNEL  # noqa: PLC0415 - small boards need no kernel

    at_once = KERNEL == "compiled" and sys.maxsize >> 32  # the shared table has 64-bit words
    return shared_solver(rules).team((threads or min(processors(), MAX_THREADS)) if at_once else 1)


_borrowed = Lock()


@contextmanager
def borrowed_solvers(rules: Rules) -> Iterator[tuple[Solver, ...]]:
    """Lend the shared solvers of a board to one search at a time. A search meanwhile gets a new solver, and no wait."""
    if not _borrowed.acquire(blocking=False):
        yield (Solver(rules),)
        return
    try:
        yield shared_solvers(rules)
    finally:
        _borrowed.release()


def line_ends(position: Position, line: Sequence[Cell], endless: bool) -> bool:
    """Return whether a line of best play goes to the end of the game, or as far as an endless draw is followed."""
    return reduce(Position.after, line, position).result is not None or (endless and len(line) >= ENDLESS_MOVES)


def principal_variation(decided: Decider, position: Position, score: Score, meter: Meter) -> tuple[Cell, ...]:
    """Return a line of best play from a position with this proved score.

    The line ends with the game, or when the meter runs out. A draw without end has only the first moves. Of several
    best moves the line takes the one with the greatest potential.
    """
    line: list[Cell] = []
    most = ENDLESS_MOVES if score == DRAWN and position.rules.endless else position.plies_left
    while position.result is None and len(line) < most:
        try:
            cell = best_move(decided, position, score, meter)
        except BudgetExhausted:
            break
        line.append(cell)
        position, score = position.after(cell), to_child(score)
    return tuple(line)


def best_move(decided: Decider, position: Position, score: Score, meter: Meter) -> Cell:
    """Return the move with the greatest potential among the moves that keep the proved score of a position.

    Raises BudgetExhausted.
    """
    return next(cell for cell in promising(position) if _keeps(decided, position.after(cell), score, meter))


def _keeps(decided: Decider, after: Position, score: Score, meter: Meter) -> bool:
    """Return whether a move that leads to `after` keeps `score`, the score of the position before it."""
    if after.result:
        return to_child(score) == bounds_by_rules(after).score
    if score > DRAWN:  # the opponent must lose within the remaining plies of the win
        return WIN - score > 1 and decided(after, WIN - score - 1, meter)
    if score < DRAWN:  # the opponent must not win sooner than that
        sooner = WIN + score - 3
        return sooner < 1 or not decided(after, sooner, meter)
    longest_win = after.plies_left - (after.plies_left % 2 == after.rules.completing_loses)
    return not decided(after, longest_win, meter)


ROUNDS: Final = 6
"""The number of rounds before the search for a pairing gives up."""


def pairing(lines: Iterable[Bits]) -> Pairs | None:
    """Return disjoint pairs of squares, one within each of these lines; None if the search finds none.

    With a pairing, a player stops every line: when the opponent takes one square of a pair, the player takes the other.
    None does not prove that no pairing exists.
    """
    from solver.kernel.engine import kernel  # noqa: PLC0415 - what needs no search needs no kernel

    pairs = kernel.Pairings(tuple(dict.fromkeys(lines))).search(ROUNDS)
    return None if pairs is None else tuple(map(ends_of, pairs))
