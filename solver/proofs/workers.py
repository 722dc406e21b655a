"""Proofs of many positions at once by the workers of an executor: processes, or a Dask cluster.

A worker gets a position and a slice of processor time, and returns the bounds that it has proved by then. A position
that is still open goes to the end of the queue, with a longer slice if this one proved nothing. So bounds keep coming
back, and an interrupt or a dead worker costs only the slices that were running.

Dask is an optional extra, imported only by the functions that need it.
"""

import logging
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from multiprocessing import get_context

from solver.board.notation import quoted
from solver.board.outcome import Bounds
from solver.board.position import Position
from solver.errors import BadOption
from solver.search.budget import Budget, Meter
from solver.search.exact import Answers, at_first, narrowing
from solver.search.solver import shared_solver
from solver.system import interrupts_held_back, live_no_longer_than

SLICE = 0.5
"""Processor seconds of the first slice. A slice ends at its first answer after this time."""

LATE_ANSWERS = 10.0
"""Seconds to wait for answers of workers after the budget has ended."""

MAX_DEATHS = 4
"""The most deaths of workers in a row, with no task finished between them."""

ANSWER_TIMEOUT = 4.0
"""Seconds within which a Dask scheduler has to answer."""

_ADDRESS = re.compile(r"(?:tcp|tls)://(?:\[[^\]/\s]+\]|[^/:\[\]\s]+):\d{1,5}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Workers:
    """A kind of worker.

    `start` starts an executor, and `width` is the number of tasks that it runs at once. `deaths` are the errors that it
    raises when workers die.
    """

    start: Callable[[], AbstractContextManager[Executor]]
    width: int
    deaths: tuple[type[Exception], ...] = (BrokenExecutor,)


def processes(jobs: int) -> Workers:
    """Return `jobs` processes of this machine, which never outlive this one."""
    return Workers(partial(_start_processes, jobs), jobs)


def cluster(address: str) -> Workers:
    """Return the workers of the Dask scheduler at an address such as `tcp://127.0.0.1:8786`.

    Raises BadOption if the address is malformed or no scheduler answers there, and ModuleNotFoundError without Dask.
    """
    if not _ADDRESS.fullmatch(address):
        raise BadOption(f"{quoted(address)} is no address of a scheduler. Write it as in tcp://127.0.0.1:8786.")
    from distributed.scheduler import KilledWorker  # noqa: PLC0415 - the optional extra

    return Workers(partial(_connect, address), max(1, workers_at(address)), (KilledWorker, CancelledError))


def narrowing_by(pool: Workers, known: Mapping[Position, Bounds], meter: Meter) -> Answers:
    """Narrow the bounds of these positions, as `narrowing` does, with all workers of the pool at once.

    Raises BadOption if the workers cannot run this program, and ChildProcessError if they keep dying.
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
                        bounds, nodes, seconds = future.result()
                        task, deaths = running.pop(future), 0
                        meter.count(nodes, seconds)
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
                    f"The workers died {deaths} times in a row ({type(error).__name__}), perhaps because memory ran"
                    " out. The proofs so far are kept: run the same command again to go on, perhaps with fewer jobs."
                ) from error
        except ImportError as error:
            raise BadOption(
                f"A worker cannot run Noughts ({error}). Install the same version where it runs."
            ) from error


def prove_slice(position: Position, bounds: Bounds, budget: Budget) -> tuple[Bounds, int, float]:
    """Narrow the bounds of one position; return them with the nodes and seconds spent. This is the task of a worker."""
    meter = Meter(budget)
    for _, narrower in narrowing(shared_solver(position.rules), {position: bounds}, meter):
        bounds = narrower
        if meter.seconds >= SLICE:
            break
    return bounds, meter.nodes, meter.seconds


@dataclass(frozen=True, slots=True)
class _Task:
    """A position whose score is open, and the limits of its next slice."""

    position: Position
    bounds: Bounds
    seconds: float = SLICE
    nodes: int | None = None

    def again(self, bounds: Bounds) -> "_Task":
        """Return the rest of the task, with a longer slice if this one proved nothing."""
        return replace(self, bounds=bounds, seconds=self.seconds * (2 if bounds == self.bounds else 1))


_Running = Future[tuple[Bounds, int, float]]


def _hand_out(
    executor: Executor, width: int, waiting: deque[_Task], running: dict[_Running, _Task], meter: Meter
) -> bool:
    """Give every idle worker a task, within the nodes that are left; return whether any worker is busy."""
    while waiting and len(running) < width and not meter.exhausted:
        nodes_left = meter.nodes_left - sum(task.nodes or 0 for task in running.values())
        nodes = None if nodes_left == inf else int(nodes_left) // (width - len(running))
        if nodes == 0:
            break
        task = replace(waiting[0], nodes=nodes)
        budget = Budget(nodes, min(task.seconds, meter.seconds_left / width))
        with interrupts_held_back():
            running[executor.submit(prove_slice, task.position, task.bounds, budget)] = task
            waiting.popleft()
    return bool(running)


def _done(running: dict[_Running, _Task], meter: Meter) -> list[_Running]:
    """Wait for finished tasks and return them. Give all tasks up if none ends soon after the budget is spent."""
    left = None if meter.seconds_left == inf else meter.seconds_left + LATE_ANSWERS
    done = wait(running, left, FIRST_COMPLETED).done
    if not done:
        running.clear()
    return list(done)


@contextmanager
def _start_processes(jobs: int) -> Iterator[Executor]:
    context = get_context("spawn")  # a fork would inherit the end of the pipe that its parent holds
    theirs, ours = context.Pipe(duplex=False)
    with theirs, ProcessPoolExecutor(jobs, context, live_no_longer_than, (theirs,)) as executor, ours:
        yield executor


@contextmanager
def _connect(address: str) -> Iterator[Executor]:
    from distributed import Client  # noqa: PLC0415 - the optional extra

    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # a lost scheduler is reported here
    workers_at(address)  # a client would wait for ever at a port where another program answers
    with Client(address, timeout=ANSWER_TIMEOUT, set_as_default=False) as client:
        yield client.get_executor()


def workers_at(address: str) -> int:
    """Return the number of workers of a Dask scheduler. Raises BadOption if it does not answer in time."""
    import asyncio  # noqa: PLC0415 - other workers do without

    from distributed import rpc  # noqa: PLC0415 - the optional extra

    async def ask() -> int:
        async with rpc(address) as scheduler:
            return len((await scheduler.identity(n_workers=-1))["workers"])

    async def ask_in_time() -> int:
        return await asyncio.wait_for(ask(), ANSWER_TIMEOUT)

    try:
        with ThreadPoolExecutor(1) as aside:  # the caller's thread may have an event loop of its own
            return aside.submit(asyncio.run, ask_in_time()).result()
    except Exception as error:  # an address that is not a scheduler's can raise anything
        raise BadOption(
            f"No Dask scheduler answers at {address} within {ANSWER_TIMEOUT:g} seconds. Start one with: dask scheduler"
        ) from error
