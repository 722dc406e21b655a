"""The gate: it schedules long work on the pool of processes that the whole server shares.

Work is known by its bytes, which pass through unread. A *task* runs once, and all requests for it share the run. A
*position* that visitors look at is proved in turns, for as long as somebody asks and a moment longer.

Clients who have used little of the gate lately are served first. Among equals, short tasks (an opponent's decision, a
position's first squares) come before a position's first turn, and that before long tasks (a lesson, a picture). Further
turns have the time that is left. A task without a waiting request is cancelled. A full gate refuses tasks at once, but
a light client's task displaces the newest waiting one of the heaviest client. So it is with the threads that wait in a
page process.

The gate is a state machine without processes, clocks or locks of its own.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from math import inf
from typing import Any, Final, TypeAlias

from solver.proofs.prediction import ProofState
from webapp.config import GateLimits
from webapp.serving.fairness import Usage, Wait
from webapp.serving.http.answers import ByteCache
from webapp.serving.pool.messages import Asker, Done, Failed, GateAnswer, Length, Refused, Status

LATER: Final = {Length.SHORT: 0.0, Length.LONG: 4.0}
"""Seconds added to the rank of a task by its length, so that short tasks come first."""

FIRST_TURN_LATER: Final = 1.0
"""Seconds added to the rank of a position's first turn."""

OUT_OF_VIEW_LATER: Final = 1.0
"""More seconds added to the rank of the first turn of a position out of view."""


@dataclass(eq=False, slots=True)
class _Task:
    """A task, and the requests that wait for it with the time when each began to."""

    content: bytes
    length: Length
    askers: dict[Asker, float] = field(default_factory=dict)
    kept_until: float = -inf
    """The time until which the task may run without askers: they were told to try again, and may be back soon."""
    at_work: bool = False


@dataclass(eq=False, slots=True)
class _Position:
    """A position, the client that watched it last, and whether it is in that client's view now."""

    content: bytes
    client: str
    askers: dict[Asker, float] = field(default_factory=dict)
    """The requests that wait for the first turn, and the time when each began to."""
    at_work: bool = False
    wanted_until: float = inf
    in_view: bool = False
    spent: float = 0.0
    done: bool = False
    proved: bytes = b""


_Job: TypeAlias = _Task | _Position


@dataclass(slots=True)
class _Running:
    job: _Job
    since: float
    until: float
    cancelled: bool = False


class Gate:
    """The gate. It calls `reply` with every answer that does not come at once."""

    def __init__(
        self, limits: GateLimits, reply: Callable[[Asker, GateAnswer], None], clock: Callable[[], float]
    ) -> None:
        self._limits, self._reply, self._clock = limits, reply, clock
        self._usage = Usage(clock)
        self._tasks: dict[bytes, _Task] = {}
        self._positions: OrderedDict[bytes, _Position] = OrderedDict()
        """Positions that are worked on or waited for, and for a moment some that no longer are; the next turn first."""
        self._remembered: OrderedDict[bytes, _Position] = OrderedDict()
        """The state of other positions, the one that was watched longest ago first. Only `watch` looks them up."""
        self._running: dict[int, _Running] = {}
        self._results = ByteCache(limits.results)
        self.refused = self.cancelled = 0

    # Calls for page processes.

    def ask(self, asker: Asker, length: Length, content: bytes) -> GateAnswer | None:
        """Return a task's answer if it is there already. Otherwise return None, and give it to `reply` later."""
        if (kept := self._results.get(content)) is not None:
            return Done(kept)
        self._usage.charge(asker.client)
        task = self._tasks.get(content)
        if task is None:
            own = [task for task in self._tasks.values() if any(asker.client == other.client for other in task.askers)]
            if len(own) >= self._limits.per_client:
                return self._refusal("share")
            if len(self._tasks) >= self._limits.waiting and not self._displace_for(asker.client):
                return self._refusal("full")
        if not self._makes_place_for(asker):
            return self._refusal("threads")
        if task is None:
            task = self._tasks[content] = _Task(content, length)
        self._wait(task, asker)
        return None

    def watch(self, asker: Asker, content: bytes, in_view: bool) -> GateAnswer | None:
        """Return the state of a position's proof, and have it worked on for a while if the limits allow it.

        Return None for a new position: the asker gets its answer after the first turn, which the position has even if
        nothing else is proved in the background. With `in_view`, the client looks at this position now and at no other.
        """
        now = self._clock()
        self._usage.charge(asker.client)
        self._put_away()
        position = self._positions.get(content) or self._remembered.get(content)
        if content in self._remembered:
            self._remembered.move_to_end(content)
        if in_view:  # the client no longer looks at any other position
            for other in self._positions.values():
                other.in_view = other.in_view and other.client != asker.client
        if position is None or (position.wanted_until < now and not position.done):
            if not self._makes_room_for(asker.client):
                self.refused += 1
                return Status(ProofState.BUSY.value)
            position = self._positions.setdefault(content, position or _Position(content, asker.client))
            self._remembered.pop(content, None)
            position.spent = 0.0  # a visitor who comes back later gets the full time again
            position.client, position.in_view = asker.client, False
        if in_view:
            position.client, position.in_view = asker.client, True
        position.wanted_until = now + self._limits.lease
        if position.spent or position.done or not self._makes_place_for(asker):
            return self._status(position)
        self._wait(position, asker)
        return None

    def release(self, content: bytes) -> None:
        """Note that a visitor has stopped watching a position: work ends unless another visitor watches it soon."""
        if (position := self._positions.get(content)) is not None:
            position.wanted_until = min(position.wanted_until, self._clock() + 3 * self._limits.turn)

    def drop(self, gone: Callable[[Asker], bool]) -> None:
        """Forget the askers that have gone."""
        for job in self._jobs():
            for asker in [asker for asker in job.askers if gone(asker)]:
                self._leave(job, asker)
        self._drop_unwanted()

    # Calls for the pool.

    def next_for(self, process: int) -> tuple[float, bytes] | None:
        """Return the next work for an idle process, and its seconds if it is a turn. It runs from now on."""
        job = self._next()
        if job is None:
            return None
        seconds, now, job.at_work = 0.0, self._clock(), True
        if isinstance(job, _Position):
            seconds = self._limits.first_turn if job.askers and not job.spent else self._limits.turn
            limit = seconds + self._limits.short
            self._positions.move_to_end(job.content)
        else:
            limit = self._limits.short if job.length is Length.SHORT else self._limits.long
        self._running[process] = _Running(job, now, now + limit)
        return seconds, job.content

    def finished(self, process: int, answer: Done | Failed, lasting: bool = False) -> None:
        """Take the result of a process's work.

        Keep a `lasting` result for later requests; a turn's is lasting if all squares are proved.
        """
        running = self._running.pop(process, None)
        if running is None:
            return
        job, job.at_work = running.job, False
        if isinstance(job, _Position):
            self._end_turn(job, running.since, answer, lasting)
            return
        if lasting and isinstance(answer, Done):
            self._results.put(job.content, answer.result)
        if isinstance(answer, Done) or not running.cancelled:
            self._answer_all(job, answer)
        if not job.askers:
            del self._tasks[job.content]

    def lost(self, process: int) -> None:
        """Note that a process has ended and its work is lost."""
        running = self._running.get(process)
        if running is not None and isinstance(running.job, _Task) and not running.cancelled:
            self._turn_away_all(running.job, "ended")
        self.finished(process, Failed("ended"))

    def tick(self) -> None:
        """Tell askers that have waited too long to try again, and give up work that runs too long."""
        now = self._clock()
        for job in self._jobs():
            given_up = isinstance(job, _Position) and not (job.at_work or self._is_open(job))
            for asker, since in tuple(job.askers.items()):
                if given_up or since + self._limits.patience < now:
                    self._turn_away(job, asker, "patience")
                    if isinstance(job, _Task):
                        job.kept_until = now + 3 * self._limits.retry_after
        for running in self._running.values():
            if now > running.until:
                self._cancel(running)
                if isinstance(running.job, _Task):
                    self._turn_away_all(running.job, "deadline")
        self._drop_unwanted()

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

    def figures(self) -> Mapping[str, Any]:
        """Return figures for monitors, by the fields of `ServerState`."""
        now = self._clock()
        ages = (now - since for task in self._waiting_tasks() for since in task.askers.values())
        return {
            "pool_wanted": self._limits.processes,
            "pool_busy": len(self._running),
            "waiting": len(self._tasks),
            "waiting_most": self._limits.waiting,
            "oldest": max(ages, default=0.0),
            "refused": self.refused,
            "cancelled": self.cancelled,
            "proving": sum(map(self._is_open, self._positions.values())),
        }

    # The order of work.

    def _next(self) -> _Job | None:
        running = [running.job for running in self._running.values()]
        long = sum(isinstance(job, _Task) and job.length is Length.LONG for job in running)
        long_fits = long < max(1, self._limits.processes - 1)
        waited_for: list[_Job] = [task for task in self._waiting_tasks() if long_fits or task.length is Length.SHORT]
        idle = [position for position in self._positions.values() if self._is_open(position) and not position.at_work]
        waited_for += [position for position in idle if position.askers and not position.spent]
        if waited_for:
            return min(waited_for, key=self._rank)
        turns = sum(isinstance(job, _Position) for job in running)
        if turns >= min(self._limits.provers, self._limits.processes):
            return None
        return min(idle, key=lambda position: not position.in_view, default=None)

    def _rank(self, job: _Job) -> float:
        if isinstance(job, _Task):
            later = LATER[job.length]
        else:
            later = FIRST_TURN_LATER + (0 if job.in_view else OUT_OF_VIEW_LATER)
        return self._usage.rank(waits_of(job)) + later

    def _waiting_tasks(self) -> list[_Task]:
        """Return the tasks that no process is working on, oldest first."""
        return [task for task in self._tasks.values() if not task.at_work]

    def _jobs(self) -> list[_Job]:
        return [*self._tasks.values(), *self._positions.values()]

    # Who has to give way.

    def _displace_for(self, client: str) -> bool:
        """Displace a waiting task of a heavier client. Return False if there is none."""
        task = self._usage.to_displace(client, {task: waits_of(task) for task in self._waiting_tasks()})
        if task is not None:
            self._turn_away_all(task, "displaced")
            del self._tasks[task.content]
        return task is not None

    def _makes_place_for(self, asker: Asker) -> bool:
        """Return whether one more thread of the asker's page process may wait, in the place of another if need be."""
        waiting = {
            other: job for job in self._jobs() for other in job.askers if other.page_process == asker.page_process
        }
        if len(waiting) < self._limits.threads:
            return True
        waits = {other: [(other.client, job.askers[other])] for other, job in waiting.items()}
        displaced = self._usage.to_displace(asker.client, waits)
        if displaced is not None:
            self._turn_away(waiting[displaced], displaced, "displaced")
            self._drop_unwanted()
        return displaced is not None

    def _makes_room_for(self, client: str) -> bool:
        """Give up a position out of view if one more would be too many. Return whether the client may have one more."""
        everyone = [position for position in self._positions.values() if self._is_open(position)]
        own = [position for position in everyone if position.client == client]
        if len(own) >= self._limits.positions_per_client:
            return self._give_up(own)
        return len(everyone) < self._limits.positions or self._give_up(everyone)

    def _give_up(self, positions: list[_Position]) -> bool:
        """Give up a position out of view, the heaviest client's first. Return False if there is none."""
        now = self._clock()
        out_of_view = (position for position in positions if not position.in_view)
        position = max(out_of_view, key=lambda position: self._usage.of(position.client, now), default=None)
        if position is not None:
            position.wanted_until = -inf
        return position is not None

    # Askers.

    def _wait(self, job: _Job, asker: Asker) -> None:
        job.askers[asker] = self._clock()
        self._usage.charge(asker.client, 0, places=1)

    def _leave(self, job: _Job, asker: Asker) -> None:
        del job.askers[asker]
        self._usage.charge(asker.client, 0, places=-1)

    def _answer_all(self, job: _Job, answer: GateAnswer) -> None:
        for asker in tuple(job.askers):
            self._leave(job, asker)
            self._reply(asker, answer)

    def _turn_away(self, job: _Job, asker: Asker, reason: str) -> None:
        """Tell an asker to try again, or the state of the position so far."""
        self._leave(job, asker)
        self._reply(asker, self._status(job) if isinstance(job, _Position) else self._refusal(reason))

    def _turn_away_all(self, task: _Task, reason: str) -> None:
        for asker in tuple(task.askers):
            self._turn_away(task, asker, reason)

    def _refusal(self, reason: str) -> Refused:
        self.refused += 1
        return Refused(self._limits.retry_after, reason)

    # The end of work.

    def _drop_unwanted(self) -> None:
        """Forget the tasks that nobody waits for, and cancel those that run."""
        now = self._clock()
        for task in tuple(self._tasks.values()):
            if not (task.askers or task.at_work or task.kept_until > now):
                del self._tasks[task.content]
        for running in self._running.values():
            job = running.job
            if isinstance(job, _Task) and not (job.askers or job.kept_until > now):
                self._cancel(running)

    def _cancel(self, running: _Running) -> None:
        if not running.cancelled:
            running.cancelled, running.until = True, self._clock()
            self.cancelled += 1

    def _end_turn(self, position: _Position, since: float, answer: Done | Failed, done: bool) -> None:
        # A turn costs at least this much, so that a position is given up in the end.
        position.spent += max(self._clock() - since, self._limits.first_turn)
        position.done = done
        if isinstance(answer, Done):
            position.proved = answer.result
        self._answer_all(position, self._status(position))

    # Positions.

    def _is_open(self, position: _Position) -> bool:
        return not position.done and position.spent < self._limits.seconds and position.wanted_until > self._clock()

    def _status(self, position: _Position) -> Status:
        proved = position.proved
        if position.done:
            return Status(ProofState.DONE.value, 0, proved)
        if not self._limits.provers:
            return Status(ProofState.OFF.value, 0, proved)
        if position.spent >= self._limits.seconds:
            return Status(ProofState.SPENT.value, 0, proved)
        if position.at_work or position.spent:
            return Status(ProofState.PROVING.value, 0, proved)
        before = takewhile(lambda other: other is not position, self._positions.values())
        return Status(ProofState.WAITING.value, sum(other.in_view and self._is_open(other) for other in before))

    def _put_away(self) -> None:
        """Remember the positions that are neither worked on nor waited for, and forget the oldest of those."""
        for content, position in tuple(self._positions.items()):
            if not (position.askers or position.at_work or self._is_open(position)):
                self._remembered[content] = self._positions.pop(content)
        while len(self._remembered) > self._limits.kept:
            self._remembered.popitem(last=False)


def waits_of(job: _Job) -> list[Wait]:
    """Return each asker's client, and the time when it began to wait."""
    return [(asker.client, since) for asker, since in job.askers.items()]
