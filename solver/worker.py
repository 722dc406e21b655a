"""A process that proves positions for another one, which tells it over a pipe what to prove and for how long."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import get_context
from multiprocessing.connection import Connection

from solver.outcome import Bounds
from solver.position import Position
from solver.rules import Rules
from solver.search.budget import Budget

PLACES = 1 << 22
"""Positions that a worker remembers of a board; it remembers two boards at a time."""

POLITENESS = 10
"""How far workers stand back behind the processes that answer people."""

Found = dict[Position, Bounds]
"""What is proved of the positions that one move leads to."""


class WorkerDied(Exception):
    """The process is gone, whatever ended it."""


class Worker:
    """A process that proves, made when it is first needed and made again when it has died."""

    def __init__(self) -> None:
        self._connection: Connection | None = None

    def prove(self, position: Position, seconds: float) -> Found:
        """What is proved of the position's squares after so many seconds, or as soon as all is. Raises WorkerDied."""
        with self._at_work() as connection:
            connection.send((position, seconds))
            found: Found = connection.recv()
            return found

    def stop(self) -> None:
        """Ends the process; it does so too when this one dies."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
            self._process.terminate()
            self._process.join()

    @contextmanager
    def _at_work(self) -> Iterator[Connection]:
        try:
            if self._connection is None:
                context = get_context("spawn")  # a fork would inherit the other workers' pipes
                ours, theirs = context.Pipe()
                with theirs:
                    self._process = context.Process(target=_work, args=(theirs,), daemon=True)
                    self._process.start()
                self._connection = ours
            yield self._connection
        except (EOFError, OSError) as error:
            self.stop()
            raise WorkerDied from error


def _work(connection: Connection) -> None:
    """Answers until the other end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    if hasattr(os, "nice"):
        os.nice(POLITENESS)
    from solver.proving import proving, study_of  # noqa: PLC0415 - the kernel and the store belong to the worker alone
    from solver.search.solver import Solver  # noqa: PLC0415

    solver = lru_cache(maxsize=2)(lambda rules: Solver(rules, max_places=PLACES))
    while True:
        try:
            position, seconds = connection.recv()
            rules: Rules = position.rules
            for _ in proving(position, Budget(seconds=seconds), solver(rules)):
                pass
            connection.send(study_of(position).bounds)
        except (EOFError, OSError):
            return
