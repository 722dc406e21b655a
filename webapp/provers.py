"""Proving in the background: a bounded pool of processes that works on the positions people look at.

A position is worked on while somebody looks at it and a moment longer, in turns with the others, up to a limit of
seconds. Everyone who looks at the same position shares the work, and what it has found. Nothing piles up: beyond the
limits a position is turned away, with a word that says so.
"""

import logging
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from threading import Condition, Thread

from solver.outcome import Bounds
from solver.position import Position
from solver.worker import Found, Worker


class Standing(StrEnum):
    """How a position fares."""

    PROVING = "proving"
    WAITING = "waiting"
    DONE = "done"
    SPENT = "spent"
    BUSY = "busy"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Limits:
    """What the pool takes on."""

    workers: int = 1
    """Processes; none proves nothing."""
    positions: int = 32
    """Positions worked on in turns."""
    seconds: float = 120.0
    """Work on one position, after which it is given up."""
    lease: float = 10.0
    """Seconds that a position is worked on after somebody has last looked at it."""
    turn: float = 0.5
    """Seconds of a turn."""
    kept: int = 512
    """Positions whose outcome is remembered, here as elsewhere in the store."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one sees of a position: how it fares, how many are in front of it, and what is proved of its squares."""

    standing: Standing
    ahead: int = 0
    found: Found = field(default_factory=dict)


@dataclass(slots=True)
class _Job:
    wanted_until: float
    found: Found = field(default_factory=dict)
    spent: float = 0.0
    at_work: bool = False
    done: bool = False


class Provers:
    """The pool. Safe for threads; `close` ends its processes."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._jobs: OrderedDict[Position, _Job] = OrderedDict()
        self._changed = Condition()
        self._closed = False
        self._workers = [Worker() for _ in range(limits.workers)]
        self._threads = [Thread(target=self._work, args=(worker,), daemon=True) for worker in self._workers]
        for thread in self._threads:
            thread.start()

    def look(self, position: Position) -> Look:
        """How the position fares; from now on it is wanted for a while, and worked on if the limits allow it."""
        if not self._workers:
            return Look(Standing.OFF)
        with self._changed:
            job = self._jobs.get(position) or _Job(-inf)
            if job.wanted_until < time.monotonic() and not job.done:
                if sum(self._is_open(each) for each in self._jobs.values()) >= self._limits.positions:
                    return Look(Standing.BUSY, 0, dict(job.found))
                job.spent = 0.0  # who comes back later has it worked on again
                self._jobs[position] = job
                self._forget_old()
            job.wanted_until = time.monotonic() + self._limits.lease
            self._changed.notify()
            return Look(self._standing(job), self._ahead(position), dict(job.found))

    def release(self, position: Position) -> None:
        """Somebody has stopped looking: unless another looks again soon, the work ends."""
        with self._changed:
            if (job := self._jobs.get(position)) is not None:
                job.wanted_until = min(job.wanted_until, time.monotonic() + 3 * self._limits.turn)

    def close(self) -> None:
        """Ends the processes."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for worker, thread in zip(self._workers, self._threads, strict=True):
            thread.join(timeout=4 * self._limits.turn)
            worker.stop()

    def _standing(self, job: _Job) -> Standing:
        if job.done:
            return Standing.DONE
        if job.spent >= self._limits.seconds:
            return Standing.SPENT
        return Standing.PROVING if job.at_work or job.spent else Standing.WAITING

    def _ahead(self, position: Position) -> int:
        ahead = 0
        for other, job in self._jobs.items():
            if other == position:
                break
            ahead += self._is_open(job)
        return ahead

    def _is_open(self, job: _Job) -> bool:
        return not job.done and job.spent < self._limits.seconds and job.wanted_until > time.monotonic()

    def _forget_old(self) -> None:
        old = [position for position, job in self._jobs.items() if not self._is_open(job) and not job.at_work]
        for position in old[: max(0, len(self._jobs) - self._limits.kept)]:
            del self._jobs[position]

    def _work(self, worker: Worker) -> None:
        """One thread for each process: gives it the position that has waited longest, one turn at a time."""
        while (taken := self._next()) is not None:
            position, job = taken
            began = time.monotonic()
            found: Found = {}
            try:
                found = worker.prove(position, self._limits.turn)
            except Exception as error:  # whatever it is, the other positions must not wait for it
                logging.getLogger("noughts").warning("A process that proved has ended: %r", error)
                time.sleep(self._limits.turn)
            with self._changed:
                job.spent += time.monotonic() - began
                job.at_work = False
                for after, bounds in found.items():
                    job.found[after] = bounds.narrowed(job.found.get(after, Bounds()))
                job.done = bool(job.found) and all(bounds.score is not None for bounds in job.found.values())

    def _next(self) -> tuple[Position, _Job] | None:
        with self._changed:
            while not self._closed:
                for position, job in self._jobs.items():
                    if self._is_open(job) and not job.at_work:
                        job.at_work = True
                        self._jobs.move_to_end(position)
                        return position, job
                self._changed.wait()
        return None
