"""The gate: it schedules long work on the pool of processes that the whole server shares.

Clients who have used little of the gate lately are served first. Among equals, short tasks (an opponent's decision, a
position's first squares) come before long ones (a lesson, a picture). The time that is left goes to positions that
visitors watch, which are proved in turns. Requests for the same task share one run. A task without a waiting request
is cancelled. A full gate refuses tasks at once, but a light client's task displaces the newest waiting one of the
heaviest client.

The gate is a state machine without processes, clocks or locks of its own. Tasks and positions pass through it unread.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from typing import Final

from solver.proofs.prediction import ProofState, ProofStatus, ProvedMoves
from webapp.config import GateLimits
from webapp.serving.http.cache import ByteCache
from webapp.serving.pool.messages import (
    Asker,
    Done,
    Failed,
    GateAnswer,
    Length,
    Packed,
    PackedTask,
    ProvingTurn,
    Refused,
    Work,
)
from webapp.serving.pool.positions import Positions
from webapp.serving.pool.usage import Usage, Wait

LATER: Final = {Length.SHORT: 0.0, Length.LONG: 4.0}
"""Seconds added to the rank of a task by its length, so that short tasks come first."""

FIRST_TURN_LATER: Final = 1.0
"""Seconds added to the rank of a position's first turn."""


@dataclass(slots=True)
class _Job:
    """A task and all requests that wait for it."""

    task: PackedTask
    askers: dict[Asker, float]
    """The requests that wait, and the time when each began to."""
    kept_until: float = -inf
    """The time until which the task may run without askers: they were told to try again, and may be back soon."""

    @property
    def waits(self) -> list[Wait]:
        """Each asker's client, and the time when it began to wait."""
        return [(asker.client, since) for asker, since in self.askers.items()]


@dataclass(slots=True)
class _Running:
    work: Work
    since: float
    until: float
    cancelled: bool = False


class Gate:
    """The gate. It calls `reply` with every answer that does not come at once."""

    def __init__(
        self, limits: GateLimits, reply: Callable[[Asker, GateAnswer], None], clock: Callable[[], float]
    ) -> None:
        self._limits, self._reply, self._clock = limits, reply, clock
        self._jobs: dict[PackedTask, _Job] = {}
        self._usage = Usage(clock)
        self._positions = Positions(limits, clock, self._usage)
        self._running: dict[int, _Running] = {}
        self._results = ByteCache(limits.results)
        self.refused = 0
        self.cancelled = 0

    # Calls for page processes.

    def ask(self, asker: Asker, task: PackedTask) -> GateAnswer | None:
        """Return the task's answer if it is there already. Otherwise return None, and give it to `reply` later."""
        if (kept := self._results.get(task.content)) is not None:
            return Done(kept)
        self._usage.count_request(asker.client)
        job = self._jobs.get(task)
        if job is None:
            wanted = [job for job in self._jobs.values() if any(asker.client == client for client, _ in job.waits)]
            if len(wanted) >= self._limits.per_client:
                return self._refusal("share")
            if len(self._jobs) >= self._limits.waiting and not self._displace_for(asker.client):
                return self._refusal("full")
            job = self._jobs[task] = _Job(task, {})
        job.askers[asker] = self._clock()
        self._usage.hold(asker.client)
        return None

    def watch(self, asker: Asker, position: Packed, wait: bool, in_view: bool) -> ProofStatus | None:
        """Return the state of a position's proof, or None if `reply` will get it after the first turn."""
        status = self._positions.watch(asker, position, wait, in_view)
        if status is not None and status.state is ProofState.BUSY:
            self.refused += 1
        return status

    def release(self, position: Packed) -> None:
        """Note that a visitor has stopped watching a position."""
        self._positions.release(position)

    def drop(self, gone: Callable[[Asker], bool]) -> None:
        """Forget the askers that have gone."""
        for job in list(self._jobs.values()):
            for asker in [asker for asker in job.askers if gone(asker)]:
                self._leave(job, asker)
            self._drop_unwanted(job)
        self._positions.drop(gone)

    # Calls for the pool.

    def next_for(self, process: int) -> Work | None:
        """Return the next work for an idle process, if any. It counts as running from now on."""
        work = self._next()
        if work is not None:
            now = self._clock()
            match work:
                case PackedTask():
                    limit = self._limits.short if work.kind is Length.SHORT else self._limits.long
                case ProvingTurn():
                    limit = work.seconds + self._limits.short
                    self._positions.begin(work.position)
            self._running[process] = _Running(work, now, now + limit)
        return work

    def finished(self, process: int, answer: Done | Failed, lasting: bool = False) -> None:
        """Take the result of a process's task. Keep a `lasting` result for later requests."""
        if (ended := self._end(process)) is None:
            return
        task, cancelled = ended
        if lasting and isinstance(answer, Done):
            self._results.put(task.content, answer.result)
        if task not in self._jobs or (cancelled and isinstance(answer, Failed)):
            return
        job = self._jobs.pop(task)
        for asker in list(job.askers):
            self._leave(job, asker)
            self._reply(asker, answer)

    def turned(self, process: int, done: bool, found: ProvedMoves) -> None:
        """Note that a process has ended its turn, whether all squares of the position are proved, and what is."""
        self._end(process, done, found)

    def lost(self, process: int) -> None:
        """Note that a process has ended and its work is lost."""
        task, cancelled = self._end(process) or (None, True)
        if task in self._jobs and not cancelled:
            self._dismiss(self._jobs.pop(task), "ended")

    def tick(self) -> None:
        """Tell askers that have waited too long to try again, and give up tasks that run too long."""
        now = self._clock()
        for job in list(self._jobs.values()):
            for asker in [asker for asker, since in job.askers.items() if since + self._limits.patience < now]:
                self._leave(job, asker)
                job.kept_until = now + 3 * self._limits.retry_after
                self._reply(asker, self._refusal("patience"))
            self._drop_unwanted(job)
        for asker, status in self._positions.late():
            self._reply(asker, status)
        for running in self._running.values():
            if now > running.until and not running.cancelled:
                self._cancel(running)
                if isinstance(running.work, PackedTask) and running.work in self._jobs:
                    self._dismiss(self._jobs.pop(running.work), "deadline")

    def to_cancel(self) -> Iterator[tuple[int, bool]]:
        """Yield each process whose work is cancelled, and whether its time to stop is over."""
        now = self._clock()
        for process, running in self._running.items():
            if running.cancelled:
                yield process, now > running.until + self._limits.grace

    # State.

    def is_at_work(self, process: int) -> bool:
        """Return whether a process has unfinished work."""
        return process in self._running

    @property
    def waiting(self) -> int:
        """The number of tasks that wait or run."""
        return len(self._jobs)

    @property
    def oldest(self) -> float:
        """The seconds since the oldest task that still waits was asked for."""
        now = self._clock()
        return max((now - since for job in self._waiting() for since in job.askers.values()), default=0.0)

    @property
    def proving(self) -> int:
        """The number of positions that are proved in turns."""
        return self._positions.open

    @property
    def busy(self) -> int:
        """The number of processes at work."""
        return len(self._running)

    def _next(self) -> Work | None:
        running = [each.work for each in self._running.values()]
        tasks = [work for work in running if isinstance(work, PackedTask)]
        spare = max(1, self._limits.processes - 1)
        long_fits = sum(task.kind is Length.LONG for task in tasks) < spare
        ranked: list[tuple[float, Work]] = [
            (self._usage.rank(job.waits) + LATER[job.task.kind], job.task)
            for job in self._waiting()
            if long_fits or job.task.kind is Length.SHORT
        ]
        if (first := self._positions.waited_for()) is not None:
            turn = ProvingTurn(first, self._limits.first_turn)
            ranked.append((self._positions.rank(first) + FIRST_TURN_LATER, turn))
        if ranked:
            return min(ranked, key=lambda each: each[0])[1]
        if len(running) - len(tasks) < min(self._limits.provers, self._limits.processes):
            position = self._positions.next()
            return ProvingTurn(position, self._limits.turn) if position else None
        return None

    def _waiting(self) -> list[_Job]:
        """Return the jobs that no process is working on, oldest first."""
        tasks = {each.work for each in self._running.values()}
        return [job for job in self._jobs.values() if job.task not in tasks]

    def _displace_for(self, client: str) -> bool:
        """Displace a waiting task of a heavier client. Return False if there is none."""
        task = self._usage.to_displace(client, {job.task: job.waits for job in self._waiting()})
        if task is not None:
            self._dismiss(self._jobs.pop(task), "displaced")
        return task is not None

    def _end(self, process: int, done: bool = False, found: ProvedMoves = ()) -> tuple[PackedTask, bool] | None:
        """Take the work from a process: end its turn, or return its task and whether that was cancelled."""
        running = self._running.pop(process, None)
        if running is None:
            return None
        if isinstance(running.work, PackedTask):
            return running.work, running.cancelled
        seconds = self._clock() - running.since
        for asker, status in self._positions.turned(running.work.position, seconds, done, found):
            self._reply(asker, status)
        return None

    def _leave(self, job: _Job, asker: Asker) -> None:
        """Remove an asker from its job."""
        del job.askers[asker]
        self._usage.release(asker.client)

    def _dismiss(self, job: _Job, reason: str) -> None:
        """Tell all askers of a job to try again."""
        for asker in list(job.askers):
            self._leave(job, asker)
            self._reply(asker, self._refusal(reason))

    def _drop_unwanted(self, job: _Job) -> None:
        if job.askers or job.kept_until > self._clock():
            return
        del self._jobs[job.task]
        for running in self._running.values():
            if running.work == job.task and not running.cancelled:
                self._cancel(running)

    def _cancel(self, running: _Running) -> None:
        running.cancelled, running.until = True, self._clock()
        self.cancelled += 1

    def _refusal(self, reason: str) -> Refused:
        self.refused += 1
        return Refused(self._limits.retry_after, reason)
