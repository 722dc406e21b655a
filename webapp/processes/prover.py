"""A process of the pool: it does the work that the gate hands it, one piece at a time.

Each task returns its result, and whether a later call would return the same.
"""

import gc
import os
import pickle
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from solver.board.position import Position
from solver.proofs.study import forget, take_turn
from solver.system import resident_bytes
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.processes.child import Child
from webapp.serving.http.log import LOGGER, start_log
from webapp.serving.pool.messages import Task


class TaskRunner:
    """The application in which a process of the pool does its tasks."""

    def __init__(self, config: AppConfig) -> None:
        self._app = create_app(config=replace(config, allowed_hosts=()))  # the process that asks has checked the host

    def run(self, task: Task) -> tuple[Any, bool]:
        """Run a task. Raises the errors of the task."""
        with self._app.app_context():
            return task.function(*task.arguments)


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
    gate.send(("pool", child.start.number, os.getpid(), resident_bytes()))
    child.give_sign()
    with suppress(EOFError, OSError):
        while resident_bytes() <= config.limits.memory:
            seconds, content = gate.recv()
            work = pickle.loads(content)  # noqa: S301 - from a page process
            gate.send((*_work(seconds, work, tasks.run, cancelling), resident_bytes()))
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
