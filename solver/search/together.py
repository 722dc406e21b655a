"""Narrow the scores of many positions by several threads at once, each with a solver of its own.

The compiled kernel releases the interpreter, so the threads run in parallel. All share one transposition table.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from math import inf
from queue import SimpleQueue
from threading import Lock

from solver.board.outcome import Bounds
from solver.board.position import Position
from solver.kernel.potential import danger
from solver.search.budget import Meter
from solver.search.exact import (
    FIRST_SHARE,
    GROWTH,
    Answers,
    Siblings,
    at_first,
    is_crowded,
    narrowing,
    narrowing_siblings,
)
from solver.search.solver import Solver

ALONE = 3_000
"""Nodes that one thread searches before the others start. Most positions need no more."""


def narrowing_together(solvers: Sequence[Solver], known: Mapping[Position, Bounds], meter: Meter) -> Answers:
    """Narrow the bounds of all these positions, as `narrowing` does, with one thread for each solver.

    If the nodes are limited, a single thread searches, so that the result is reproducible.
    """
    if len(solvers) == 1 or meter.nodes_left < inf:
        yield from narrowing(solvers[0], known, meter)
        return
    bounds = {position: at_first(position).narrowed(limits) for position, limits in known.items()}
    for position, narrower in narrowing(solvers[0], bounds, meter.part(ALONE)):
        bounds[position] = narrower
        yield position, narrower
    # Positions of similar danger lead to many of the same positions, so threads that search them at once share work.
    waiting = sorted((position for position, limits in bounds.items() if not limits.closed), key=danger)
    if waiting and not meter.exhausted:
        yield from _Turns({position: bounds[position] for position in waiting}, meter.part(inf)).answers(solvers)


@dataclass(slots=True, eq=False)
class _Turn:
    """A position whose score is open, or siblings that are asked about together.

    `share` is the number of nodes for the next turn. `parts` holds the meter of each current searcher by its number.
    """

    positions: tuple[Position, ...]
    share: int
    won: bool | None = None
    """True for siblings that are asked about wins, False for losses, None for a position by itself."""
    parts: dict[int, Meter] = field(default_factory=dict)


class _Turns:
    """The queue of open positions. A searcher takes the first one; if none waits, it helps another searcher."""

    def __init__(self, bounds: dict[Position, Bounds], meter: Meter) -> None:
        self._bounds = bounds
        self._alone = {position: _Turn((position,), FIRST_SHARE) for position in bounds}
        self._waiting = list(self._alone.values())
        positions = tuple(bounds)
        rules = positions[0].rules
        if Siblings.of(positions) and not is_crowded(rules):
            self._waiting[:0] = (_Turn(positions, FIRST_SHARE * len(positions), won) for won in (True, False))
        self._taken: list[_Turn] = []
        self._meter = meter
        self._lock = Lock()
        self._answers: SimpleQueue[tuple[Position, Bounds] | None] = SimpleQueue()

    def answers(self, solvers: Sequence[Solver]) -> Answers:
        """Start a thread for each solver and yield the answers as they come."""
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
        """Take turns until none is left, then put None into the queue of answers. This is the work of each thread."""
        try:
            while (taken := self._take()) is not None:
                turn, searcher = taken
                try:
                    for position, bounds in self._search(solver, turn, searcher):
                        self._answer(position, bounds, turn.parts[searcher])
                finally:
                    self._give_back(turn, searcher)
        finally:
            self._answers.put(None)

    def _search(self, solver: Solver, turn: _Turn, searcher: int) -> Answers:
        known, part = {position: self._bounds[position] for position in turn.positions}, turn.parts[searcher]
        if turn.won is None:
            return narrowing(solver, known, part, searcher)
        return narrowing_siblings(solver, known, part, turn.won)

    def _is_open(self, turn: _Turn) -> bool:
        """Return whether a turn has a position whose score is open."""
        return any(not self._bounds[position].closed for position in turn.positions)

    def _take(self) -> tuple[_Turn, int] | None:
        """Return a turn and the number of its new searcher; None if the work is done.

        The turn is the first that waits, or else the one with the fewest searchers.
        """
        with self._lock:
            self._waiting = [turn for turn in self._waiting if self._is_open(turn)]
            helped = [turn for turn in self._taken if turn.won is None and self._is_open(turn)]
            if self._meter.exhausted or not (self._waiting or helped):
                return None
            if self._waiting:
                turn = self._waiting.pop(0)
                self._taken.append(turn)
            else:
                turn = min(helped, key=lambda turn: len(turn.parts))
            searcher = next(number for number in count() if number not in turn.parts)
            turn.parts[searcher] = self._meter.part(turn.share if searcher == 0 else inf)
            return turn, searcher

    def _answer(self, position: Position, bounds: Bounds, by: Meter) -> None:
        """Queue an answer, unless another searcher was faster, and stop the other searchers of its position."""
        with self._lock:
            narrower = self._bounds[position].narrowed(bounds)
            if narrower != self._bounds[position]:
                self._bounds[position] = narrower
                self._answers.put((position, narrower))
                for part in self._alone[position].parts.values():
                    if part is not by:
                        part.cancel()

    def _give_back(self, turn: _Turn, searcher: int) -> None:
        """Remove a searcher from a turn. If it was the last one, queue the turn again.

        If the nodes are spent, the turn gets a larger share. Siblings with nodes left are done: their last answer was
        yes.
        """
        with self._lock:
            part = turn.parts.pop(searcher)
            if not part.nodes_left:
                turn.share *= GROWTH
            if not turn.parts:
                self._taken.remove(turn)
                if turn.won is None or not part.nodes_left:
                    self._waiting.append(turn)
