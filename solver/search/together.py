"""Narrowing the scores of many positions by several threads at once, each of which has a solver of its own.

The compiled kernel lets other threads run, so they share the processors. They share no memory of positions: it would
save too few nodes to pay.
"""

from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import inf
from queue import SimpleQueue
from threading import Lock

from solver.outcome import Bounds
from solver.position import Position
from solver.search.budget import Meter
from solver.search.exact import FIRST_SHARE, GROWTH, at_first, narrowing
from solver.search.potential import danger
from solver.search.solver import Solver

ALONE = 3_000
"""Nodes that one thread searches before the others join in: most positions need no more."""


def narrowing_together(
    solvers: Sequence[Solver], known: Mapping[Position, Bounds], meter: Meter
) -> Generator[tuple[Position, Bounds], None, None]:
    """Narrows the bounds of all these positions, as `narrowing` does, by one thread for each solver.

    A budget of nodes is spent by one thread, so that it always brings the same.
    """
    if len(solvers) == 1 or meter.nodes_left < inf:
        yield from narrowing(solvers[0], known, meter)
        return
    bounds = {position: at_first(position).narrowed(each) for position, each in known.items()}
    for position, narrower in narrowing(solvers[0], bounds, meter.part(ALONE)):
        bounds[position] = narrower
        yield position, narrower
    # Who takes neighbours in the order of danger takes positions that are alike, and searches less of them twice.
    waiting = sorted((position for position, each in bounds.items() if not each.closed), key=danger)
    if waiting and not meter.exhausted:
        turns = _Turns([_Turn(position, bounds[position]) for position in waiting], meter.part(inf))
        yield from turns.taken(solvers)


@dataclass(slots=True)
class _Turn:
    """A position whose score is open, the nodes that its next turn may take, and who had the last one."""

    position: Position
    bounds: Bounds
    share: int = FIRST_SHARE
    solver: Solver | None = None


class _Turns:
    """What waits, given out by turns. A solver gets back what it has begun, and others' when it has nothing else."""

    def __init__(self, waiting: list[_Turn], meter: Meter) -> None:
        self._waiting = waiting
        self._meter = meter
        self._lock = Lock()
        self._answers: SimpleQueue[tuple[Position, Bounds] | None] = SimpleQueue()

    def taken(self, solvers: Sequence[Solver]) -> Generator[tuple[Position, Bounds], None, None]:
        """The answers, as they come."""
        with ThreadPoolExecutor(len(solvers)) as executor:
            threads = [executor.submit(self._work, solver) for solver in solvers]
            try:
                for _ in threads:
                    yield from iter(self._answers.get, None)
            finally:
                self._meter.cancel()
        for thread in threads:
            thread.result()

    def _work(self, solver: Solver) -> None:
        """One thread: takes turns until none waits. The answers end with None."""
        try:
            while (turn := self._next(solver)) is not None:
                part = self._meter.part(turn.share)
                for position, bounds in narrowing(solver, {turn.position: turn.bounds}, part):
                    turn.bounds = bounds
                    self._answers.put((position, bounds))
                if not turn.bounds.closed:
                    with self._lock:
                        self._waiting.append(_Turn(turn.position, turn.bounds, turn.share * GROWTH, solver))
        finally:
            self._answers.put(None)

    def _next(self, solver: Solver) -> _Turn | None:
        with self._lock:
            if self._meter.exhausted or not self._waiting:
                return None
            places = range(len(self._waiting))
            place = next((place for place in places if self._waiting[place].solver in {None, solver}), 0)
            return self._waiting.pop(place)
