"""The parallel evaluation of the Erlang article: the number of its processes, and the speedup on this machine.

The article's program starts a process for each square of a board and waits for all answers. The process of an open
square evaluates the board after that move in the same way, and the process of a taken square ends at once. So there is
a process for every node of the game tree. They are only counted here. The article writes three programs without
processes and three with them, which differ in how the parent restores the order of the squares: `by_map` to
`by_scattering` are those, with processes for the first move alone.

To measure the speedup, a few processes share the squares of one position. Boards of up to nine squares are evaluated by
plain minimax, as in the article. Larger boards need the exact search. The processes share no results.
"""

import time
from collections.abc import Hashable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import Any, Final, TypeAlias

from solver.board.outcome import Bounds, Outcome, Score
from solver.board.position import Position
from solver.board.rules import Cell
from solver.errors import TooLarge
from solver.proofs.workers import Workers, narrowing_by, processes
from solver.search.budget import Budget, Meter
from solver.search.exact import at_first, narrowing
from solver.search.fold import fold
from solver.search.minimax import minimax
from solver.search.solver import Solver

USUAL = Budget(seconds=30)
"""The budget to evaluate a board of more than nine squares."""


COLLIDE: Final = "collide"
"""The answer for a taken square."""

SquareAnswer: TypeAlias = Score | str
"""The score of the position after a move on a square, or COLLIDE."""


def answer_of(position: Position, cell: Cell) -> SquareAnswer:
    """Answer for a square: the score of the position after a move there, or COLLIDE if the square is taken."""
    return COLLIDE if position.mark_at(cell) else minimax(position.after(cell)).score


def by_map(position: Position) -> list[SquareAnswer]:
    """Return the answers, one after another."""
    return list(map(partial(answer_of, position), range(position.rules.size)))


def by_comprehension(position: Position) -> list[SquareAnswer]:
    """Return the answers, one after another."""
    return [answer_of(position, cell) for cell in range(position.rules.size)]


def by_nested_comprehension(position: Position) -> list[SquareAnswer]:
    """Return the answers, one after another, each from a list of one."""
    return [answer for cell in range(position.rules.size) for answer in [answer_of(position, cell)]]


class Mailbox:
    """The messages to a process, which it takes by their name in any order, as `receive` does in Erlang."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._messages: SimpleQueue[tuple[Hashable, SquareAnswer]] = SimpleQueue()
        self._waiting: dict[Hashable, SquareAnswer] = {}
        self.came: list[Any] = []
        """The names of the messages so far, in the order in which they came."""

    def spawn(self, position: Position, cell: Cell, name: Hashable = None) -> Hashable:
        """Start a task that answers for a square. Return the name of its message: the task itself without a `name`."""
        task = self._executor.submit(answer_of, position, cell)
        signed = task if name is None else name
        task.add_done_callback(lambda done: self._messages.put((signed, done.result())))
        return signed

    def receive(self, name: Hashable) -> SquareAnswer:
        """Wait for the message of this name."""
        while name not in self._waiting:
            came, answer = self._messages.get()
            self._waiting[came] = answer
            self.came.append(came)
        return self._waiting.pop(name)


def by_tasks(position: Position, inbox: Mailbox) -> list[SquareAnswer]:
    """Return the answers, all at once. Each message names the task that sends it."""
    squares = range(position.rules.size)
    return [inbox.receive(task) for task in [inbox.spawn(position, cell) for cell in squares]]


def by_squares(position: Position, inbox: Mailbox) -> list[SquareAnswer]:
    """Return the answers, all at once. Each message names its square."""
    squares = range(position.rules.size)
    return [inbox.receive(cell) for cell in [inbox.spawn(position, cell, cell) for cell in squares]]


def by_scattering(position: Position, inbox: Mailbox) -> list[SquareAnswer]:
    """Return the answers, all at once: scatter the squares, then gather their answers in order."""
    squares = range(position.rules.size)
    for cell in squares:
        inbox.spawn(position, cell, cell)
    return list(map(inbox.receive, squares))


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The outcomes of the squares as a search proved them, with its nodes and seconds."""

    squares: Mapping[Cell, Outcome]
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Timing:
    """An evaluation by one process, an evaluation by several, and the seconds to start the several processes."""

    position: Position
    jobs: int
    serial: Evaluation
    parallel: Evaluation
    starting: float

    @property
    def speedup(self) -> float:
        """The speedup by several processes, without the time to start them."""
        return self.serial.seconds / self.parallel.seconds

    @property
    def speedup_with_start(self) -> float:
        """The speedup by several processes, with the time to start them."""
        return self.serial.seconds / (self.parallel.seconds + self.starting)

    @property
    def pays(self) -> bool:
        """True if several processes are faster even with the time to start them."""
        return self.speedup_with_start > 1


def compare(position: Position, jobs: int, budget: Budget = USUAL) -> Timing:
    """Evaluate all squares of a position in this process, and then with `jobs` new processes."""
    serial = evaluate(position, None, budget)
    began = time.perf_counter()
    pool = processes(jobs)
    with pool.start() as executor:
        for ready in [executor.submit(_ready) for _ in range(jobs)]:
            ready.result()
        starting = time.perf_counter() - began
        running = Workers(lambda: nullcontext(executor), jobs, pool.deaths)
        return Timing(position, jobs, serial, evaluate(position, running, budget), starting)


def evaluate(position: Position, pool: Workers | None, budget: Budget = USUAL) -> Evaluation:
    """Evaluate every square of an unfinished position with the pool's workers; without a pool, in this process."""
    began = time.perf_counter()
    by_plain_search = position.rules.is_small
    proved, nodes = _plain(position, pool) if by_plain_search else _exact(position, pool, budget)
    squares = {cell: Outcome.of_bounds(bounds.to_parent(), position.plies_left) for cell, bounds in proved.items()}
    return Evaluation(dict(sorted(squares.items())), nodes, time.perf_counter() - began)


def _ready() -> None:
    """Wait a moment. One such task for each new process makes the process import this module."""
    time.sleep(0.05)


def _plain(position: Position, pool: Workers | None) -> tuple[dict[Cell, Bounds], int]:
    """Search the whole tree below every square. Even symmetric squares are searched separately."""
    after = [position.after(cell) for cell in position.legal_moves]
    with nullcontext(None) if pool is None else pool.start() as executor:
        searched = list((map if executor is None else executor.map)(minimax, after))
    bounds = (Bounds(each.score, each.score) for each in searched)
    return dict(zip(position.legal_moves, bounds, strict=True)), sum(each.nodes for each in searched)


def _exact(position: Position, pool: Workers | None, budget: Budget) -> tuple[dict[Cell, Bounds], int]:
    """Prove one square of each symmetry class, and give its bounds to the others."""
    orbits = {position.after(orbit[0]): orbit for orbit in position.orbits()}
    known, meter = {after: at_first(after) for after in orbits}, Meter(budget)
    answers = narrowing(Solver(position.rules), known, meter) if pool is None else narrowing_by(pool, known, meter)
    proved = known | dict(answers)
    return {cell: bounds for after, bounds in proved.items() for cell in orbits[after]}, meter.nodes


@dataclass(frozen=True, slots=True)
class Processes:
    """The number of processes below a position.

    `playing` counts only the processes of open squares; `spawned` counts those of taken squares too.
    """

    spawned: int
    playing: int
    at_once: tuple[int, ...]
    """The number of processes that are alive after each ply, if all processes advance ply by ply together."""


def processes_below(position: Position) -> Processes:
    """Count the processes of the article's evaluation of a position. Raise TooLarge beyond nine squares."""
    if not position.rules.is_small:
        raise TooLarge("Processes are counted on boards of up to nine squares.")
    return _processes(position)


def _add_up(position: Position, below: Sequence[Processes]) -> Processes:
    """Return the processes below an unfinished position, given those below each of its open squares."""
    size, deeper = position.rules.size, range(max(len(each.at_once) for each in below))
    alive = (sum(1 + each.at_once[ply] for each in below if ply < len(each.at_once)) for ply in deeper)
    return Processes(
        size + sum(each.spawned for each in below), sum(1 + each.playing for each in below), (size, *alive)
    )


_processes = fold(lambda _: Processes(0, 0, ()), _add_up, Position.successors, Position.canonical)
