"""Proving many positions at once by the workers of any executor: threads, processes, or a cluster.

A worker gets a position and a slice of time, and answers with the bounds that it has proved by then. A position
that is still open goes to the end of the queue, for a longer slice where this one brought nothing: so bounds come back
all the while, and an interrupt or a dead worker costs no more than the slices that were running.
"""

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from multiprocessing import get_context

from solver.board.outcome import Bounds
from solver.board.position import Position
from solver.errors import BadOption
from solver.processes import interrupts_held_back, live_no_longer_than
from solver.search.budget import Budget, Meter
from solver.search.exact import at_first, narrowing
from solver.search.solver import shared_solver

SLICE = 0.5
"""Seconds of the first slice, after which a task also ends with its next answer."""

LATE_ANSWERS = 10.0
"""Seconds after the end of the budget for which workers are waited for."""

MAX_DEATHS = 4
"""How many times in a row workers may die, without one task done between, until the rest is given up."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Workers to be had: how they are started, how many tasks they take at once, and what it raises if one has died."""

    start: Callable[[], AbstractContextManager[Executor]]
    width: int
    deaths: tuple[type[Exception], ...] = (BrokenExecutor,)


def processes(jobs: int) -> Workers:
    """So many processes of this machine, which never outlive this one."""
    return Workers(partial(_processes, jobs), jobs)


def narrowing_by(
    pool: Workers, known: Mapping[Position, Bounds], meter: Meter
) -> Generator[tuple[Position, Bounds], None, None]:
    """Narrows the bounds of all these positions, as `narrowing` does, by all workers of the pool at once.

    Raises BadOption where the workers cannot run this program, and ChildProcessError where they die again and again.
    """
    tasks = (_Task(position, at_first(position).narrowed(bounds)) for position, bounds in known.items())
    waiting = deque(task for task in tasks if not task.bounds.closed)
    deaths = 0
    while waiting:
        running: dict[_Running, _Task] = {}
        try:
            with pool.start() as executor:
                while _hand_out(executor, pool.width, waiting, running, meter):
                    for future in _done(running, meter):
                        bounds, nodes = future.result()
                        task, deaths = running.pop(future), 0
                        meter.count(nodes)
                        if not bounds.closed:
                            waiting.append(task.again(bounds))
                        if bounds != task.bounds:
                            yield task.position, bounds
                return
        except pool.deaths as error:
            waiting.extendleft(running.values())
            deaths += 1
            if deaths > MAX_DEATHS:
                raise ChildProcessError(
                    f"The workers died {deaths} times in a row ({type(error).__name__}), perhaps for want of memory."
                    " What was proved is kept: the same command goes on from there, with fewer jobs perhaps."
                ) from error
        except ImportError as error:
            raise BadOption(
                f"A worker cannot run Noughts ({error}). Install the same version where it runs."
            ) from error


def prove_slice(position: Position, bounds: Bounds, budget: Budget) -> tuple[Bounds, int]:
    """What a worker does for a task: narrows the bounds of one position. Returns them and the nodes it took."""
    meter, began = Meter(budget), time.monotonic()
    for _, narrower in narrowing(shared_solver(position.rules), {position: bounds}, meter):
        bounds = narrower
        if time.monotonic() - began >= SLICE:
            break
    return bounds, meter.nodes


@dataclass(frozen=True, slots=True)
class _Task:
    """A position whose score is open, and what its next slice may cost."""

    position: Position
    bounds: Bounds
    seconds: float = SLICE
    nodes: int | None = None

    def again(self, bounds: Bounds) -> "_Task":
        """The rest of the task; a question that a slice did not answer needs a longer one."""
        return replace(self, bounds=bounds, seconds=self.seconds * (2 if bounds == self.bounds else 1))


_Running = Future[tuple[Bounds, int]]


def _hand_out(
    executor: Executor, width: int, waiting: deque[_Task], running: dict[_Running, _Task], meter: Meter
) -> bool:
    """Gives every idle worker a task, and all together no more nodes than are left. Returns whether any is at work."""
    while waiting and len(running) < width and not meter.exhausted:
        nodes_left = meter.nodes_left - sum(task.nodes or 0 for task in running.values())
        nodes = None if nodes_left == inf else int(nodes_left) // (width - len(running))
        if nodes == 0:
            break
        task = replace(waiting[0], nodes=nodes)
        budget = Budget(nodes, min(task.seconds, meter.seconds_left))
        with interrupts_held_back():
            running[executor.submit(prove_slice, task.position, task.bounds, budget)] = task
            waiting.popleft()
    return bool(running)


def _done(running: dict[_Running, _Task], meter: Meter) -> list[_Running]:
    """The tasks that are done, as soon as any is; gives up those that are not long after the budget is spent."""
    left = None if meter.seconds_left == inf else meter.seconds_left + LATE_ANSWERS
    done = wait(running, left, FIRST_COMPLETED).done
    if not done:
        running.clear()
    return list(done)


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    context = get_context("spawn")  # a fork would inherit the end of the pipe that its parent holds
    theirs, ours = context.Pipe(duplex=False)
    with theirs, ProcessPoolExecutor(jobs, context, live_no_longer_than, (theirs,)) as executor, ours:
        yield executor
