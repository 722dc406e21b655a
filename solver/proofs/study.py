"""Proving the squares of a position: what this process has found, what the store knows, and the search that goes on."""

import time
from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache, partial
from math import inf
from threading import BoundedSemaphore
from types import MappingProxyType

from solver.board.outcome import Bounds, Outcome, to_child
from solver.board.position import Position
from solver.board.rules import Cell, Rules
from solver.proofs.prediction import Prediction
from solver.proofs.store import Store, default_store
from solver.search.budget import UNLIMITED, Budget, Meter
from solver.search.exact import Narrowing, at_first
from solver.search.solver import Solver, shared_solver, shared_solvers
from solver.search.together import narrowing_together
from solver.search.variation import principal_variation

WORTH_KEEPING = 500
"""Nodes that make a proof worth a place in the store; cheaper ones are sooner found than looked up."""

KEEP_EVERY = 0.25
"""Seconds after which what was proved meanwhile is kept."""

ASK_EVERY = 0.5
"""Seconds after which the store is asked again for what others have proved of a position."""

SHOW_EVERY = 0.05
"""Seconds after which `proving` yields what was proved meanwhile."""

FEW_ENTRIES = 1 << 10
"""Positions that a search of few nodes remembers."""

_searching = BoundedSemaphore()
"""Held by a search that somebody waits for; a prediction that does not get it in time says what is known already."""


class Study:
    """What this process knows of a position's squares so far. Threads may share it."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.orbits = {position.after(orbit[0]): orbit for orbit in position.orbits()}
        self.bounds = {after: at_first(after) for after in self.orbits}
        """The scores of the positions that one move leads to, of one for each class of like moves."""
        self.nodes = 0
        self.searched = False
        self.asked_at = -inf
        self._lines: dict[Cell, tuple[Cell, ...]] = {}
        self._last: tuple[tuple[object, ...], Prediction] | None = None

    @property
    def complete(self) -> bool:
        """Whether all is proved."""
        return all(bounds.score is not None for bounds in self.bounds.values())

    def learn(self, proved: Mapping[Position, Bounds]) -> None:
        """Adds what the search, the store or another process has found."""
        for after, bounds in proved.items():
            self.bounds[after] = self.bounds[after].narrowed(bounds)

    def prediction(self) -> Prediction:
        """What is known of the squares, without any search: the same object as long as that is the same."""
        known = (self.nodes, *self.bounds.values())
        if (last := self._last) and last[0] == known:
            return last[1]
        squares = {
            cell: Outcome.of_bounds(bounds.to_parent(), self.position.plies_left)
            for after, bounds in self.bounds.items()
            for cell in self.orbits[after]
        }
        prediction = Prediction(self.position, MappingProxyType(dict(sorted(squares.items()))), self.nodes)
        self._last = known, prediction
        return prediction

    def line(self, cell: Cell, outcome: Outcome, budget: Budget) -> tuple[Cell, ...]:
        """A square and best play after it, as far as the budget reaches; `outcome` is what is proved of the square.

        Whole lines are kept, since pages show them move by move.
        """
        if cell not in self._lines:
            after, score = self.position.after(cell), to_child(outcome.rank)
            line = (cell, *principal_variation(shared_solver(self.position.rules), after, score, Meter(budget)))
            if len(line) != outcome.plies:
                return line
            self._lines[cell] = line
        return self._lines[cell]


@lru_cache(maxsize=4096)
def study_of(position: Position) -> Study:
    """The study of a position, the same object each time."""
    return Study(position)


@dataclass(slots=True)
class _Frugality:
    """The most nodes that this process searches at once, whatever the budget; None for no such limit."""

    nodes: int | None = None


_frugality = _Frugality()


def spend_at_once(nodes: int | None) -> None:
    """Has this process search no more than so many nodes for a prediction: others search, and it reads the store."""
    _frugality.nodes = nodes


def forget_beyond(studies: int) -> None:
    """Forgets all studies if there are more, for a process whose memory is limited."""
    if study_of.cache_info().currsize > studies:
        study_of.cache_clear()


def look_again(position: Position) -> Prediction:
    """What is known of a position's squares now that others may have proved more."""
    study_of(position).asked_at = -inf
    return proved_at_once(position, Budget(nodes=0))


def stored(position: Position) -> Prediction:
    """What is known of a position's squares, without any search."""
    study = study_of(position)
    if not study.complete:
        study.learn(default_store().bounds_of(study.bounds))
    return study.prediction()


def proved_at_once(position: Position, budget: Budget) -> Prediction:
    """What is known of a position's squares, after a search within the budget if this process has made none yet."""
    study = study_of(position)
    solver = None
    if _frugality.nodes is not None:
        budget, solver = Budget(nodes=_frugality.nodes), _small_solver(position.rules)
    if study.complete or time.monotonic() - study.asked_at < ASK_EVERY:
        return study.prediction()
    study.learn(default_store().bounds_of(study.bounds))
    if not study.complete and not study.searched and _searching.acquire(timeout=budget.seconds):
        try:
            for _ in proving(position, budget, solver):
                pass
        finally:
            _searching.release()
    study.asked_at = time.monotonic()
    return study.prediction()


@lru_cache(maxsize=16)
def _small_solver(rules: Rules) -> Solver:
    return Solver(rules, max_entries=FEW_ENTRIES)


def proving(
    position: Position,
    budget: Budget = UNLIMITED,
    solver: Solver | None = None,
    store: Store | None = None,
    search: Narrowing | None = None,
) -> Generator[Prediction, None, None]:
    """The predictions of a position on which a search goes on, twenty a second and the last one, up to the budget.

    The search is this process's own, by the solver given or else by the shared ones, unless another is given.
    The proofs are kept in the store every so often and at the end, even if that is an interrupt.
    """
    study, store, meter = study_of(position), store or default_store(), Meter(budget)
    study.learn(store.bounds_of(study.bounds))
    study.searched = True
    search = search or partial(narrowing_together, (solver,) if solver else shared_solvers(position.rules))
    found: dict[Position, Bounds] = {}
    nodes_before = study.nodes
    kept_at = shown_at = time.monotonic()
    try:
        yield study.prediction()
        with closing(search(study.bounds, meter)) as answers:
            for after, bounds in answers:
                study.learn({after: bounds})
                study.nodes, found[after] = nodes_before + meter.nodes, bounds
                if time.monotonic() - kept_at > KEEP_EVERY:
                    store.keep(found)
                    found, kept_at = {}, time.monotonic()
                if time.monotonic() - shown_at > SHOW_EVERY:
                    shown_at = time.monotonic()
                    yield study.prediction()
        yield study.prediction()
    finally:
        study.nodes = nodes_before + meter.nodes
        if found and study.nodes >= WORTH_KEEPING:
            store.keep(found)
