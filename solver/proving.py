"""Proving the squares of a position: what this process has found, what the store knows, and the search that goes on."""

import time
from collections.abc import Generator, Mapping
from contextlib import closing
from functools import lru_cache, partial
from math import inf
from threading import BoundedSemaphore
from types import MappingProxyType

from solver.outcome import Bounds, Outcome
from solver.position import Position
from solver.prediction import Prediction
from solver.search.budget import UNLIMITED, Budget, Meter
from solver.search.exact import Search, at_first, narrowing
from solver.search.solver import Solver, shared_solver
from solver.store import Store, default_store

WORTH_KEEPING = 500
"""Nodes that make a proof worth a place in the store; cheaper ones are sooner found than looked up."""

KEEP_EVERY = 0.25
"""Seconds after which what was proved meanwhile is kept."""

ASK_EVERY = 0.5
"""Seconds after which the store is asked again for what others have proved of a position."""

SHOW_EVERY = 0.05
"""Seconds after which what was proved meanwhile is shown to whoever follows a search."""

_searching = BoundedSemaphore()
"""Held by the one who searches while somebody waits; whoever cannot have it in time makes do with what is known."""


def proved_at_once(position: Position, budget: Budget) -> Prediction:
    """What is known of a position's squares, after a search within the budget if this process has made none yet."""
    study = _study(position)
    if study.complete or time.monotonic() - study.asked_at < ASK_EVERY:
        return study.prediction()
    study.learn(default_store().bounds_of(study.bounds))
    if not study.complete and not study.searched and _searching.acquire(timeout=budget.seconds):
        try:
            for _ in proving(position, budget):
                pass
        finally:
            _searching.release()
    study.asked_at = time.monotonic()
    return study.prediction()


def proved_so_far(position: Position) -> Prediction:
    """What this process knows of a position's squares, without any search."""
    return _study(position).prediction()


def known(position: Position) -> dict[Position, Bounds]:
    """What this process knows of the positions that one move leads to, of one for each class of like moves."""
    return dict(_study(position).bounds)


def learn(position: Position, proved: Mapping[Position, Bounds]) -> None:
    """Adds what another process has found."""
    _study(position).learn(proved)


def proving(
    position: Position,
    budget: Budget = UNLIMITED,
    solver: Solver | None = None,
    store: Store | None = None,
    search: Search | None = None,
) -> Generator[Prediction, None, None]:
    """The predictions of a position on which a search goes on, twenty a second and the last one, up to the budget.

    The search is this process's own, by the solver given or the shared one, unless another is given.
    What is proved is kept in the store every so often and at the end, even if that is an interrupt.
    """
    study, store, meter = _study(position), store or default_store(), Meter(budget)
    study.learn(store.bounds_of(study.bounds))
    study.searched = True
    search = search or partial(narrowing, solver or shared_solver(position.rules))
    found: dict[Position, Bounds] = {}
    kept_at = shown_at = time.monotonic()
    try:
        yield study.prediction()
        with closing(search(study.bounds, meter)) as answers:
            for after, bounds in answers:
                study.learn({after: bounds})
                study.nodes, found[after] = study.nodes_before + meter.nodes, bounds
                if time.monotonic() - kept_at > KEEP_EVERY:
                    store.keep(found)
                    found, kept_at = {}, time.monotonic()
                if time.monotonic() - shown_at > SHOW_EVERY:
                    shown_at = time.monotonic()
                    yield study.prediction()
        yield study.prediction()
    finally:
        study.nodes = study.nodes_before = study.nodes_before + meter.nodes
        if found and study.nodes >= WORTH_KEEPING:
            store.keep(found)


class _Study:
    """What this process knows of a position's squares so far."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.orbits = {position.after(orbit[0]): orbit for orbit in position.orbits()}
        self.bounds = {after: at_first(after) for after in self.orbits}
        self.nodes = self.nodes_before = 0
        self.searched = False
        self.asked_at = -inf

    @property
    def complete(self) -> bool:
        return all(bounds.score is not None for bounds in self.bounds.values())

    def learn(self, proved: Mapping[Position, Bounds]) -> None:
        for after, bounds in proved.items():
            self.bounds[after] = self.bounds[after].narrowed(bounds)

    def prediction(self) -> Prediction:
        squares = {
            cell: Outcome.of_bounds(bounds.to_parent(), self.position.plies_left)
            for after, bounds in self.bounds.items()
            for cell in self.orbits[after]
        }
        return Prediction(self.position, MappingProxyType(dict(sorted(squares.items()))), self.nodes)


@lru_cache(maxsize=4096)
def _study(position: Position) -> _Study:
    return _Study(position)
