"""Studies: proofs of a position's squares, found by this process or looked up in the store."""

import time
from collections.abc import Generator, Iterable, Mapping
from contextlib import ExitStack, closing
from functools import lru_cache, partial
from math import inf
from types import MappingProxyType

from solver.board.outcome import LOST, Bounds, Outcome, to_child
from solver.board.position import Position
from solver.board.rules import Cell, Rules
from solver.proofs.prediction import Prediction, ProvedMoves
from solver.proofs.store import NOTHING, Store, default_store, shipped_books
from solver.proofs.tables import SOON, forget_tables, is_cheap, scores_at_hand
from solver.search.budget import UNLIMITED, Budget, Meter
from solver.search.exact import Narrowing, at_first, narrowing, narrowing_together
from solver.search.solver import Solver, borrowed_solvers, principal_variation, shared_solver, shared_solvers

WORTH_KEEPING = 500
"""The least nodes of a proof that is stored. A cheaper proof is faster to find again than to look up."""

KEEP_EVERY = 0.25
"""Seconds between two writes of new proofs to the store."""

ASK_EVERY = 0.5
"""Seconds after which the store is asked again for proofs that other processes have found."""

SHOW_EVERY = 0.05
"""Seconds between two predictions that `proving` yields."""

FEW_ENTRIES = 1 << 10
"""Positions that a search of a few nodes remembers."""

STUDIES = 512
"""Positions whose proofs the process remembers without asking the store; the longest unused is forgotten first."""

REPRODUCIBLE_NODES = 2_000
"""Nodes of a reproducible prediction: 30 ms by the compiled kernel, threats included, 1 or 2 s by the interpreted."""

REPRODUCIBLE_ENTRIES = 1 << 15
"""Positions that the search of a reproducible prediction remembers."""


class Study:
    """The proofs of a position's squares that this process knows. Threads can share it."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.orbits = {position.after(orbit[0]): orbit for orbit in position.orbits()}
        self.bounds = {after: at_first(after) for after in self.orbits}
        """The bounds of the position after one move of each orbit."""
        self.nodes, self.seconds = 0, 0.0
        """The nodes and processor seconds that searches of this process have spent."""
        self.ended = False
        """True once a search has ended by itself: another one would find no more."""
        self.asked_at = -inf
        self._last: tuple[tuple[object, ...], Prediction] | None = None

    @property
    def complete(self) -> bool:
        """True once every score is proved."""
        return all(bounds.score is not None for bounds in self.bounds.values())

    def has_spent(self, budget: Budget) -> bool:
        """Return whether a search within the budget has nothing to add. A first one has: some answers cost no node."""
        spent = self.seconds > 0 and Meter(budget, self.nodes, self.seconds).exhausted
        return spent or self.ended or self.complete

    def learn(self, proved: Mapping[Position, Bounds]) -> None:
        """Narrow the bounds by proofs of the search, the store or another process."""
        for after, bounds in proved.items():
            self.bounds[after] = self.bounds[after].narrowed(bounds)

    def look_up(self, store: Store) -> None:
        """Narrow the bounds by what the store knows: proofs of the moves, and of the position, which none exceeds."""
        stored = store.bounds_of((*self.bounds, self.position))
        least = stored.pop(self.position).to_child().lower
        self.learn({after: bounds for after, bounds in stored.items() if bounds != NOTHING})
        if least > LOST:
            self.learn({after: Bounds(lower=least) for after, bounds in self.bounds.items() if bounds.upper >= least})
        if not is_cheap(self.position.rules):
            self.learn_from_table(seconds=0)

    def learn_from_table(self, seconds: float = SOON) -> None:
        """Learn the scores of all moves, if the table of the game is at hand, or made within these seconds."""
        if (score_of := scores_at_hand(self.position.rules, seconds)) is not None:
            scores = {after: score_of(after) for after in self.bounds}
            self.learn({after: Bounds(score, score) for after, score in scores.items()})

    def proved_moves(self) -> ProvedMoves:
        """Return the proofs as plain numbers: a move of each orbit, and the bounds of the position after it."""
        return tuple((self.orbits[after][0], bounds.lower, bounds.upper) for after, bounds in self.bounds.items())

    def learn_moves(self, proved: ProvedMoves) -> None:
        """Narrow the bounds by the `proved_moves` of another process."""
        self.learn({self.position.after(move): Bounds(lower, upper) for move, lower, upper in proved})

    def prediction(self) -> Prediction:
        """Return the known outcomes of the squares: the same object until more is proved."""
        known = (self.nodes, *self.bounds.values())
        if (last := self._last) and last[0] == known:
            return last[1]
        squares = {
            cell: Outcome.of_bounds(bounds.to_parent(), self.position.plies_to_draw)
            for after, bounds in self.bounds.items()
            for cell in self.orbits[after]
        }
        prediction = Prediction(self.position, MappingProxyType(dict(sorted(squares.items()))), self.nodes)
        self._last = known, prediction
        return prediction

    def best_play(self, cell: Cell, outcome: Outcome, budget: Budget) -> tuple[Cell, ...]:
        """Return a line of best play that begins with this square, as far as the budget reaches.

        `outcome` is the proved outcome of the square.
        """
        with borrowed_solvers(self.position.rules) as (solver, *_):
            after, score = self.position.after(cell), to_child(outcome.rank)
            return cell, *principal_variation(solver.decided, after, score, Meter(budget))


@lru_cache(maxsize=STUDIES)
def study_of(position: Position) -> Study:
    """Return the study of a position: the same object each time, unless many others were asked for since."""
    return Study(position)


def look_up_proofs(position: Position) -> Prediction:
    """Return the outcomes of a position's squares that this process and the store know, without a search."""
    study = study_of(position)
    if not study.complete:
        study.look_up(default_store())
    return study.prediction()


def search_few_nodes(position: Position, nodes: int) -> Prediction:
    """Return the known outcomes of a position's squares. The first call searches `nodes` nodes, in little memory."""
    return search_at_once(position, Budget(nodes=nodes), _small_solver(position.rules))


def search_at_once(position: Position, budget: Budget, solver: Solver | None = None) -> Prediction:
    """Return the known outcomes of a position's squares, after a search of what is left of the budget.

    The search uses `solver`, or else the shared solvers. If nothing is left, the store is asked again from time to
    time.
    """
    study = study_of(position)
    if not study.has_spent(budget):
        for _ in proving(position, budget, solver):
            pass
        study.asked_at = time.monotonic()
    elif not study.complete and time.monotonic() - study.asked_at >= ASK_EVERY:
        study.look_up(default_store())
        study.asked_at = time.monotonic()
    return study.prediction()


def search_together(positions: Iterable[Position], budget: Budget) -> dict[Position, Prediction]:
    """Return the known outcomes of the squares of positions that share a budget and its floor.

    Each position gets an equal share of what the positions before it have left.
    """
    waiting, predictions = dict.fromkeys(positions), dict[Position, Prediction]()
    for number, position in enumerate(waiting):
        study = study_of(position)
        nodes, seconds = study.nodes, study.seconds
        predictions[position] = search_at_once(position, budget.share(len(waiting) - number))
        budget = budget.after(study.nodes - nodes, study.seconds - seconds)
    return predictions


def take_turn(position: Position, seconds: float) -> tuple[ProvedMoves, bool]:
    """Prove a position for some seconds, and keep the proofs. Return what is proved, and whether everything is.

    This is the work of a server's prover, which makes room in a full store and keeps the table of one board at a time.
    """
    study = study_of(position)
    study.learn_from_table()
    for _ in proving(position, Budget(seconds=study.seconds + seconds), _last_solver(position.rules)):
        pass
    store = default_store()
    store.make_room()
    store.keep({after: bounds for after, bounds in study.bounds.items() if bounds != at_first(after)})
    return study.proved_moves(), study.complete


def forget() -> None:
    """Forget the studies, the solvers and the tables of this process; what is stored stays."""
    for cached in (study_of, _last_solver, shared_solver, shared_solvers):
        cached.cache_clear()
    forget_tables()


@lru_cache(maxsize=1)
def _last_solver(rules: Rules) -> Solver:
    return Solver(rules)


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
    """Search a position until it has spent the budget; yield its prediction twenty times a second and at the end.

    What earlier searches of this process have spent on the position counts. `search` narrows the bounds. The default
    uses threads of this process, with `solver` or the shared solvers. Proofs are stored from time to time and at the
    end, even after an interrupt.
    """
    study, store = study_of(position), store or default_store()
    meter = Meter(budget, study.nodes, study.seconds)
    study.look_up(store)
    unsaved: dict[Position, Bounds] = {}
    whole = search is None
    kept_at = shown_at = time.monotonic()
    try:
        yield study.prediction()
        with ExitStack() as stack:
            if study.has_spent(budget):
                return
            if search is None:
                search = (
                    partial(narrowing, solver)
                    if solver
                    else partial(narrowing_together, stack.enter_context(borrowed_solvers(position.rules)))
                )
            for after, bounds in stack.enter_context(closing(search(study.bounds, meter))):
                study.learn({after: bounds})
                study.nodes, unsaved[after], now = meter.nodes, bounds, time.monotonic()
                if now - kept_at > KEEP_EVERY:
                    store.keep(unsaved)
                    unsaved, kept_at = {}, time.monotonic()
                if now - shown_at > SHOW_EVERY:
                    shown_at = now
                    yield study.prediction()
        study.ended = whole and not meter.exhausted
        yield study.prediction()
    finally:
        study.nodes, study.seconds = meter.nodes, meter.seconds
        if unsaved and study.nodes >= WORTH_KEEPING:
            store.keep(unsaved)


def search_reproducibly(position: Position) -> Prediction:
    """Return the outcomes that the shipped books and a search of `REPRODUCIBLE_NODES` nodes prove.

    The result is the same on every machine. One thread searches with a new solver. It uses neither the studies of this
    process nor the user's cache.
    """
    study, meter = Study(position), Meter(Budget(nodes=REPRODUCIBLE_NODES))
    study.learn(shipped_books().bounds_of(study.bounds))
    for after, bounds in narrowing(Solver(position.rules, max_entries=REPRODUCIBLE_ENTRIES), study.bounds, meter):
        study.learn({after: bounds})
    study.nodes = meter.nodes
    return study.prediction()
