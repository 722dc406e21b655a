"""A process of the pool: it does the work that the gate hands it, one piece at a time.

Each task returns its result, and whether a later call would return the same.
"""

import gc
import marshal
import os
import pickle
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from flask import g

from solver.board.position import Position
from solver.oracle import LongQuestion
from solver.proofs.study import forget, take_turn
from solver.system import resident_bytes
from webapp.api.calls import prove_table
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.pages.practise.drill import make_drills
from webapp.pages.prove.view import tabled
from webapp.processes.child import Child
from webapp.serving.http.log import LOGGER, start_log
from webapp.serving.pool.messages import Task, pack
from webapp.ui.previews import draw_png


class TaskRunner:
    """The tasks of a process of the pool, and the application that renders pages for `page`."""

    def __init__(self, config: AppConfig) -> None:
        self._app = create_app(config=replace(config, allowed_hosts=()))  # the process that asks has checked the host

    def run(self, task: Task) -> tuple[object, bool]:
        """Run a task. Raises KeyError for an unknown name, and the errors of the task."""
        function: Callable[..., tuple[object, bool]] = self.page if task.name == "page" else TASKS[task.name]
        return function(*task.arguments)

    def page(self, path: str, query: str) -> tuple[tuple[bytes, int, list[tuple[str, str]]], bool]:
        """Return body, status and headers of the response to a GET.

        A view sets `g.open_to_more` if its page will change as more is proved. `g.for_others` tells a view that the
        real request, with its host, is in another process.
        """
        with self._app.test_request_context(path, query_string=query):
            g.for_others = True
            answer = self._app.full_dispatch_request()
            kept = ("Content-Type", "Content-Disposition", "Cache-Control")
            headers = [(name, value) for name, value in answer.headers.items() if name in kept]
            lasting = answer.status_code == 200 and not g.get("open_to_more", False)
            return (answer.get_data(), answer.status_code, headers), lasting


def answer(question: LongQuestion) -> tuple[object, bool]:
    """Answer a question of the oracle."""
    return question.answer()


def canary() -> tuple[str, bool]:
    """Return a word that only a working prover can say."""
    return "sings", False


TASKS: Final[Mapping[str, Callable[..., tuple[object, bool]]]] = MappingProxyType(
    {function.__name__: function for function in (answer, draw_png, prove_table, tabled, make_drills, canary)}
)
"""Every task but `page` by its name."""


POLITENESS: Final = 2
"""The niceness of the pool, which gives way to the processes that answer visitors."""

LARGE: Final = 144 << 20
"""Bytes of memory above which the process clears its caches."""


class Cancelled(BaseException):
    """The work at hand is cancelled: nobody waits for it any more."""


def run(child: Child) -> None:
    """Work until the gate is gone, or until this process holds too much memory."""
    config = child.start.config
    events = start_log(config.log, child.start.name)
    cancelling = _Cancelling()
    signal.signal(signal.SIGUSR1, cancelling.handle)
    tasks = TaskRunner(config)
    with suppress(OSError):
        os.nice(POLITENESS)
    gate = child.connect()
    gate.send_bytes(pack(("pool", child.start.number, os.getpid(), resident_bytes())))
    child.give_sign()
    with suppress(EOFError, OSError):
        while resident_bytes() <= config.limits.memory:
            seconds, content = marshal.loads(gate.recv_bytes())  # noqa: S302 - from the gate
            work = pickle.loads(content)  # noqa: S301 - from a page process
            gate.send_bytes(pack((*_work(seconds, work, tasks.run, cancelling), resident_bytes())))
            if resident_bytes() > LARGE:
                forget()
                gc.collect()  # solvers refer to each other in circles
    events.stop()


class _Cancelling:
    """A signal handler that raises Cancelled, but only within the work that the signal is meant for."""

    def __init__(self) -> None:
        self.possible = False

    def handle(self, *_: object) -> None:
        if self.possible:
            self.possible = False
            raise Cancelled


def _work(
    seconds: float, work: Task | Position, run: Callable[[Task], tuple[object, bool]], cancelling: _Cancelling
) -> tuple[object, ...]:
    """Do a task, or prove a position for some seconds; return the message that reports its end, without the memory."""
    try:
        try:
            cancelling.possible = True
            result, lasting = take_turn(work, seconds) if isinstance(work, Position) else run(work)
            return "done", pickle.dumps(result), lasting
        finally:
            cancelling.possible = False
    except Cancelled:
        return "failed", "cancelled"
    except Exception as error:
        LOGGER.exception("A task has failed")
        return "failed", repr(error)
