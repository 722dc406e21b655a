"""The first process: it starts all others, replaces those that die, hang or grow, runs the gate, and ends them all.

Every other process has a wire to the first process, for messages, and a lifeline. The lifeline breaks when the
first process ends, and then the other process ends too.
"""

import asyncio
import logging
import os
import shutil
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from solver.processes import interrupts_held_back
from webapp.config import AppConfig
from webapp.processes import page_worker, pool_worker
from webapp.processes.systemd import Notifier
from webapp.serving.counts import RequestCounts, ServerState
from webapp.serving.http.log import LOGGER, log
from webapp.serving.pool.gate import Gate
from webapp.serving.pool.messages import Asker, ChildChannel, Done, Failed, GateAnswer, Refused, Wire

ProcessKind: TypeAlias = Literal["page", "pool"]

TRIES: Final = 5
"""The number of failed starts in a row after which the server gives up."""

PAUSE: Final = 0.5
"""Seconds before another start after a failed one."""

UNREAD: Final = 64 << 20
"""Bytes of unread messages above which a process counts as hanging."""


@dataclass(eq=False, slots=True)
class Child:
    """A process that the first one has started."""

    kind: ProcessKind
    number: int
    process: BaseProcess
    wire: Wire
    started: float
    last_sign: float
    ready: bool = False
    """True once the process has reported that it is ready."""
    ending: float | None = None
    """The time at which the process was asked to end or was killed."""
    memory: int = 0
    connections: int = 0
    streams: int = 0
    counts: RequestCounts = field(default_factory=RequestCounts)
    signalled: bool = False
    """True once the process has been told that its task is cancelled."""
    listening: "asyncio.Task[None] | None" = None


class CannotStart(Exception):
    """Several processes in a row have ended before they were ready."""


class Supervisor:
    """A server at a listening socket, which runs until it is told to stop. `folder` is removed at the end."""

    def __init__(self, listener: socket.socket, config: AppConfig, folder: Path | None = None) -> None:
        self._listener, self._config, self._limits = listener, config, config.limits
        self._clean_up = partial(_remove, folder)
        self._children: dict[int, Child] = {}
        self._gate = Gate(self._limits.gate, self._reply, time.monotonic)
        self._numbers = count(1)
        self._past = RequestCounts()
        self._restarts = 0
        self._failed_starts = 0
        self._stopping = self._forced = False
        self._notifier = Notifier()
        self._wake = asyncio.Event()
        self._theirs, self._ours = get_context("spawn").Pipe(duplex=False)

    async def serve(self, announce: Callable[[], None]) -> None:
        """Run until SIGTERM, SIGHUP or Ctrl-C; call `announce` once these are handled. Raises CannotStart.

        Requests under way are answered first. A second signal ends everything at once.
        """
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup ignores SIGHUP
                loop.add_signal_handler(number, self.stop)
        announce()
        try:
            while not self._stopping:
                await self._keep_up()
                await self._turn()
            self._notifier.tell("STOPPING=1")
            self._end_pages()
            while self._all("page") and not self._forced:
                await self._turn()
        finally:
            await self._end_all()

    def stop(self) -> None:
        """Tell `serve` to end everything and return. A second call ends everything at once."""
        self._forced = self._stopping
        self._stopping = True
        self._wake.set()

    async def _turn(self) -> None:
        """Check all processes once, then wait until there is something to do."""
        self._wake.clear()
        self._watch()
        self._gate.tick()
        self._dispatch()
        self._notifier.alive(time.monotonic())
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), self._limits.check_every)

    # Starting and ending.

    async def _keep_up(self) -> None:
        """Start the missing processes of each kind. A page process that is ending does not count."""
        if self._failed_starts >= TRIES:
            raise CannotStart
        if self._failed_starts:
            await asyncio.sleep(PAUSE)
        try:
            for _ in range(self._limits.workers - sum(not child.ending for child in self._all("page"))):
                await self._start("page")
            for _ in range(self._limits.gate.processes - len(self._all("pool"))):
                await self._start("pool")
        except OSError as error:  # the system has no room for another process just now
            log("process-not-started", logging.ERROR, reason=str(error))
            await asyncio.sleep(PAUSE)

    async def _start(self, kind: ProcessKind) -> None:
        number = next(self._numbers)
        ours, theirs = socket.socketpair()
        with theirs, interrupts_held_back():
            arguments = (ChildChannel(theirs, self._theirs, self._clean_up), self._config, number)
            process = get_context("spawn").Process(
                target=page_worker.run if kind == "page" else pool_worker.run,
                args=(self._listener, *arguments) if kind == "page" else arguments,
                name=f"{kind}-{number}",
                daemon=True,
            )
            process.start()
        now = time.monotonic()
        child = self._children[number] = Child(kind, number, process, await Wire.over(ours), now, now)
        log("process-started", kind=kind, number=number, pid=process.pid)
        child.listening = asyncio.create_task(self._listen(child))

    async def _listen(self, child: Child) -> None:
        """Handle the messages of a process until it has ended."""
        try:
            while True:
                self._take(child, await child.wire.receive())
                self._dispatch()
        except EOFError:
            pass
        except Exception:
            LOGGER.exception("A process has sent a message that cannot be handled")
        child.wire.close()
        del self._children[child.number]
        child.process.kill()
        child.process.join()
        if child.kind == "page":
            self._past.add(child.counts)
            self._gate.drop(lambda asker: asker.page_worker == child.number)
        else:
            self._gate.lost(child.number)
        self._wake.set()
        if self._stopping:
            return
        if child.ending is None:
            self._count_restart("process-ended", child, exit_code=child.process.exitcode)
        if not child.ready:
            self._failed_starts += 1

    def _watch(self) -> None:
        """Kill processes that hang or miss their deadline, and replace those that use too much memory."""
        now = time.monotonic()
        for child in self._children.values():
            page = child.kind == "page"
            if child.ending is not None:
                if now - child.ending > self._limits.stop + (self._limits.front.drain if page else 0):
                    child.process.kill()
            elif not child.ready:
                if now - child.started > self._limits.start:
                    self._replace(child, "does not start")
            elif (page and now - child.last_sign > self._limits.silence) or child.wire.unread > UNREAD:
                self._replace(child, "hangs")
            elif child.memory > self._limits.memory and (page or not self._gate.is_at_work(child.number)):
                self._replace(child, f"holds {child.memory >> 20} MiB", gently=True)
        for number, late in self._gate.to_cancel():
            child = self._children[number]
            if late and child.ending is None:
                self._replace(child, "does not stop its cancelled task")
            elif not child.signalled and child.process.pid is not None:
                child.signalled = True
                log("task-cancelled", number=child.number, pid=child.process.pid)
                with suppress(ProcessLookupError):
                    os.kill(child.process.pid, signal.SIGUSR1)

    def _replace(self, child: Child, reason: str, gently: bool = False) -> None:
        child.ending = time.monotonic()
        self._count_restart("process-replaced", child, reason=reason)
        child.process.terminate() if gently else child.process.kill()

    def _count_restart(self, event: str, child: Child, **fields: object) -> None:
        """Count and log the loss or the replacement of a process."""
        self._restarts += 1
        log(event, logging.WARNING, kind=child.kind, number=child.number, pid=child.process.pid, **fields)

    def _end_pages(self) -> None:
        """Tell the page processes to accept no more connections, and to end once all requests are answered."""
        self._listener.close()
        for child in self._all("page"):
            child.ending = time.monotonic()
            child.process.terminate() if child.ready else child.process.kill()

    async def _end_all(self) -> None:
        self._stopping = True
        self._listener.close()
        children = list(self._children.values())
        for child in children:
            child.process.kill()
        if listening := [child.listening for child in children if child.listening]:
            await asyncio.wait(listening, timeout=self._limits.stop)
        for child in children:
            child.process.join()
        self._clean_up()

    # Messages from the other processes.

    def _take(self, child: Child, message: Any) -> None:
        match message:
            case ("sign", memory, counts, connections, streams):
                if not child.ready:
                    self._notifier.tell("READY=1")
                child.ready, child.last_sign, self._failed_starts = True, time.monotonic(), 0
                child.memory, child.counts = memory, counts
                child.connections, child.streams = connections, streams
            case ("ask", number, client, task):
                asker = Asker(child.number, number, client)
                self._reply(asker, self._gate.ask(asker, task))
            case ("watch", number, client, position, wait, in_view):
                asker = Asker(child.number, number, client)
                self._reply(asker, self._gate.watch(asker, position, wait, in_view))
            case ("drop", number):
                self._gate.drop(lambda asker: (asker.page_worker, asker.number) == (child.number, number))
            case ("release", position):
                self._gate.release(position)
            case ("state", number):
                child.wire.send((number, self._state()))
            case ("ready", memory):
                child.ready, self._failed_starts = True, 0
                child.memory = memory
            case ("done", result, lasting, memory):
                child.memory = memory
                self._gate.finished(child.number, Done(result), lasting)
            case ("failed", reason, memory):
                child.memory = memory
                self._gate.finished(child.number, Failed(reason))
            case ("turned", done, memory):
                child.memory = memory
                self._gate.turned(child.number, done)

    def _all(self, kind: ProcessKind) -> list[Child]:
        return [child for child in self._children.values() if child.kind == kind]

    def _dispatch(self) -> None:
        """Give work to every idle process of the pool."""
        for child in self._all("pool"):
            if child.ready and child.ending is None and not self._gate.is_at_work(child.number):
                work = self._gate.next_for(child.number)
                if work is None:
                    return
                child.signalled = False
                child.wire.send(work)

    def _reply(self, asker: Asker, answer: GateAnswer | None) -> None:
        """Send the gate's answer to the page process that asked; nothing yet if `answer` is None."""
        if isinstance(answer, Refused):
            log("gate-refused", logging.WARNING, reason=answer.reason, asked_by=f"page-{asker.page_worker}")
        if answer is not None and (child := self._children.get(asker.page_worker)) is not None:
            child.wire.send((asker.number, answer))

    def _state(self) -> ServerState:
        """Return the state of the whole server, for its monitors."""
        pages, pool, counts = self._all("page"), self._all("pool"), RequestCounts()
        counts.add(self._past)
        for child in pages:
            counts.add(child.counts)
        return ServerState(
            pages=sum(child.ready for child in pages),
            pool=sum(child.ready for child in pool),
            pool_wanted=self._limits.gate.processes,
            pool_busy=self._gate.busy,
            waiting=self._gate.waiting,
            waiting_most=self._limits.gate.waiting,
            refused=self._gate.refused,
            cancelled=self._gate.cancelled,
            proving=self._gate.proving,
            restarts=self._restarts,
            connections=sum(child.connections for child in pages),
            streams=sum(child.streams for child in pages),
            memory={f"{child.kind}-{child.number}": child.memory for child in (*pages, *pool)},
            counts=counts,
        )


def _remove(folder: Path | None) -> None:
    """Remove the folder of this run, if there is one."""
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
