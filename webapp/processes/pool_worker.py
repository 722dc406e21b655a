"""A process of the pool: it does the work that comes over its wire, one piece at a time.

Each task returns its result, and whether a later call would return the same.
"""

import gc
import os
import pickle
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing.connection import Connection
from types import MappingProxyType
from typing import Any, Final

from flask import g

from solver.board.position import Position
from solver.board.rules import Rules
from solver.pictures.mosaic import Mosaic
from solver.processes import live_no_longer_than, resident_bytes
from solver.search.budget import Budget
from solver.search.exact import at_first
from solver.search.solver import Solver, shared_solver, shared_solvers
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.pages.learn.figures import keeper
from webapp.pages.learn.lessons import LESSONS
from webapp.pages.practise.shown import drilled
from webapp.pages.prove.link import tabled
from webapp.serving.http.log import LOGGER, start_log
from webapp.serving.pool.analyses import analysed, moves_proved
from webapp.serving.pool.messages import ChildChannel, Progress, ProvingTurn, Task, Work

WORK: Final = 0.5
"""Seconds of work on figures before a page reports their progress."""


@dataclass(frozen=True, slots=True)
class Page:
    """A response that can be sent to another process."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class TaskRunner:
    """The tasks of a process of the pool, and the application that renders pages for `page`."""

    def __init__(self, config: AppConfig) -> None:
        self._app = create_app(config=replace(config, allowed_hosts=()))  # the process that asks has checked the host

    def run(self, task: Task) -> tuple[object, bool]:
        """Run a task. Raises KeyError for an unknown name, and the errors of the task."""
        function: Callable[..., tuple[object, bool]] = self.page if task.name == "page" else TASKS[task.name]
        return function(*task.arguments)

    def page(self, path: str, query: str) -> tuple[Page, bool]:
        """Return the response to a GET. A view sets `g.open_to_more` if its page will change as more is proved.

        `g.for_others` tells a view that the real request, with its host, is in another process.
        """
        with self._app.test_request_context(path, query_string=query):
            g.for_others = True
            answer = self._app.full_dispatch_request()
            kept = ("Content-Type", "Content-Disposition", "Cache-Control")
            headers = tuple((name, value) for name, value in answer.headers.items() if name in kept)
            lasting = answer.status_code == 200 and not g.get("open_to_more", False)
            return Page(answer.status_code, headers, answer.get_data()), lasting


def prepare(name: str, asked: tuple[tuple[str, str], ...], working: bool) -> tuple[Progress, bool]:
    """Return the progress of the figures of a lesson's page. If `working`, first work on them for a moment.

    Without a cache folder nothing is done here: the process that renders the page computes its figures.
    """
    figures = LESSONS[name].needs(dict(asked)).each if keeper().writes else ()
    progress = keeper().work(figures, WORK if working else 0)
    return progress, progress.complete


def rastered(mosaic: Mosaic) -> tuple[bytes, bool]:
    """Return a picture as PNG. The process that asks caches it under the picture's digest."""
    return mosaic.png(), False


TASKS: Final[Mapping[str, Callable[..., tuple[object, bool]]]] = MappingProxyType(
    {each.__name__: each for each in (prepare, analysed, rastered, moves_proved, tabled, drilled)}
)
"""Every task but `page` by its name."""


POLITENESS: Final = 2
"""The niceness of the pool, which gives way to the processes that answer visitors."""

PROVER_ENTRIES: Final = 1 << 20
"""Entries of a prover's transposition table. A prover keeps the table of one board at a time."""

STUDIES: Final = 256
"""Positions whose proofs the process remembers without asking the store."""

LARGE: Final = 144 << 20
"""Bytes of memory above which the process clears its caches."""


class Cancelled(BaseException):
    """The work at hand is cancelled: nobody waits for it any more."""


def run(channel: ChildChannel, config: AppConfig, number: int) -> None:
    """Work until the other end of the wire is gone."""
    live_no_longer_than(channel.lifeline, channel.at_the_end)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    start_log(config.log, f"pool-{number}")
    cancelling = _Cancelling()
    signal.signal(signal.SIGUSR1, cancelling.handle)
    from solver.proofs.study import forget_beyond  # noqa: PLC0415 - the kernel and the store

    tasks = TaskRunner(config)
    with suppress(OSError):
        os.nice(POLITENESS)
    wire: Connection[object, Any] = Connection(channel.end.detach())
    wire.send(("ready", resident_bytes()))
    with suppress(EOFError, OSError):
        while True:
            work = wire.recv()
            wire.send(_done(work, tasks.run, cancelling))
            forget_beyond(STUDIES if resident_bytes() < LARGE else 0)
            if resident_bytes() > LARGE:
                _clear_caches()


class _Cancelling:
    """A signal handler that raises Cancelled, but only within the work that the signal is meant for."""

    def __init__(self) -> None:
        self.possible = False

    def handle(self, *_: object) -> None:
        if self.possible:
            self.possible = False
            raise Cancelled


def _done(work: Work, run: Callable[[Task], tuple[object, bool]], cancelling: _Cancelling) -> tuple[object, ...]:
    """Do a piece of work; return the message that reports its end."""
    try:
        try:
            cancelling.possible = True
            if isinstance(work, ProvingTurn):
                return "turned", _turn(work), resident_bytes()
            result, lasting = run(pickle.loads(work.content))  # noqa: S301 - from a process of this server
            return "done", pickle.dumps(result), lasting, resident_bytes()
        finally:
            cancelling.possible = False
    except Cancelled:
        return "failed", "cancelled", resident_bytes()
    except Exception as error:
        LOGGER.exception("A task has failed")
        return "failed", repr(error), resident_bytes()


def _turn(turn: ProvingTurn) -> bool:
    """Prove squares for the time of the turn. Return whether all are proved and stored, so that pages can read them."""
    from solver.proofs.store import default_store  # noqa: PLC0415 - the kernel and the store
    from solver.proofs.study import proving, study_of  # noqa: PLC0415 - the kernel and the store

    position: Position = pickle.loads(turn.position)  # noqa: S301 - from a process of this server
    study = study_of(position)
    for _ in proving(position, Budget(seconds=study.seconds + turn.seconds), _solver(position.rules)):
        pass
    found = {after: bounds for after, bounds in study.bounds.items() if bounds != at_first(after)}
    default_store().make_room()
    default_store().keep(found)
    return study.complete and default_store().bounds_of(found) == found


def _clear_caches() -> None:
    """Free the memory of solvers. They refer to each other in circles, so only a garbage collection frees it."""
    shared_solver.cache_clear()
    shared_solvers.cache_clear()
    _solver.cache_clear()
    gc.collect()


@lru_cache(maxsize=1)
def _solver(rules: Rules) -> Solver:
    return Solver(rules, max_entries=PROVER_ENTRIES)
