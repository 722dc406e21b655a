"""The first process: it starts all others, replaces what dies, hangs or grows, runs the gate, and ends them all.

Each other process holds one end of a wire to it and one end of a lifeline, so that none of them outlives it, however it
ends.
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
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from solver.processes import interrupts_held_back
from webapp.processes.children import Child, page_process, pool_process
from webapp.processes.systemd import Notifier
from webapp.serving.counts import RequestCounts
from webapp.serving.http.log import LOGGER, LogOptions, log
from webapp.serving.limits import ServerLimits
from webapp.serving.pool.gate import Gate
from webapp.serving.pool.wire import Tie, Wire
from webapp.serving.pool.work import Asker, Done, Failed, GateAnswer, Refused

TRIES: Final = 5
"""How many processes in a row may end before they were ready, until the server gives up."""

PAUSE: Final = 0.5
"""Seconds before the next one is started then."""

UNREAD: Final = 64 << 20
"""Bytes that may lie ready for a process before it counts as hanging."""


class CannotStart(Exception):
    """Process after process has ended before it was ready."""


class Supervisor:
    """Serves at a listening socket until it is told to stop. `folder` is removed at the end, if there is one."""

    def __init__(
        self, listener: socket.socket, limits: ServerLimits, log_options: LogOptions, folder: Path | None = None
    ) -> None:
        self._listener, self._limits, self._log_options = listener, limits, log_options
        self._clean_up: Callable[[], object] = _nothing
        if folder is not None:
            self._clean_up = partial(shutil.rmtree, folder, ignore_errors=True)
        self._pages: dict[int, Child] = {}
        self._pool: dict[int, Child] = {}
        self._gate = Gate(limits.gate, self._reply, time.monotonic)
        self._numbers = 0
        self._past = RequestCounts()
        self._restarts = 0
        self._failed_starts = 0
        self._stopping = self._forced = False
        self._notifier = Notifier()
        self._wake = asyncio.Event()
        self._theirs, self._ours = get_context("spawn").Pipe(duplex=False)

    async def serve(self, announce: Callable[[], None]) -> None:
        """Run until asked to end by SIGTERM, SIGHUP or Ctrl-C, which are heeded from `announce` on. Raises CannotStart.

        Requests under way are answered first. A second signal ends everything at once.
        """
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup has it
                loop.add_signal_handler(number, self.stop)
        announce()
        try:
            while not self._stopping:
                await self._keep_up()
                await self._turn()
            self._notifier.tell("STOPPING=1")
            self._end_pages()
            while self._pages and not self._forced:
                await self._turn()
        finally:
            await self._end_all()

    def stop(self) -> None:
        """Have `serve` end everything and return; called again, at once."""
        self._forced = self._stopping
        self._stopping = True
        self._wake.set()

    async def _turn(self) -> None:
        """Look after all processes once, then wait until there is something to do."""
        self._wake.clear()
        self._watch()
        self._gate.tick()
        self._dispatch()
        self._notifier.alive(time.monotonic())
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), self._limits.look_every)

    # Starting and ending.

    async def _keep_up(self) -> None:
        """Start the processes of each kind that are missing. One that is to end does not count."""
        if self._failed_starts >= TRIES:
            raise CannotStart
        if self._failed_starts:
            await asyncio.sleep(PAUSE)
        try:
            for _ in range(self._limits.workers - sum(not child.ending for child in self._pages.values())):
                await self._start(self._pages, "page", self._page_message)
            for _ in range(self._limits.gate.processes - len(self._pool)):
                await self._start(self._pool, "pool", self._pool_message)
        except OSError as error:  # the system has no room for another process just now
            log("process-not-started", logging.ERROR, reason=str(error))
            await asyncio.sleep(PAUSE)

    async def _start(self, children: dict[int, Child], kind: str, take: Callable[[Child, Any], None]) -> None:
        self._numbers += 1
        number = self._numbers
        ours, theirs = socket.socketpair()
        with theirs, interrupts_held_back():
            tie = Tie(theirs, self._theirs, self._clean_up)
            if kind == "page":
                process = page_process(self._listener, tie, self._limits.front, self._log_options, number)
            else:
                process = pool_process(tie, self._log_options, number)
            process.start()
        now = time.monotonic()
        child = children[number] = Child(number, process, await Wire.over(ours), now, now)
        log("process-started", kind=kind, number=number, pid=process.pid)
        child.listening = asyncio.create_task(self._listen(children, kind, child, take))

    async def _listen(
        self, children: dict[int, Child], kind: str, child: Child, take: Callable[[Child, Any], None]
    ) -> None:
        """Takes a process's messages until it is gone."""
        try:
            while True:
                take(child, await child.wire.receive())
        except EOFError:
            pass
        except Exception:
            LOGGER.exception("A process has said what is not understood")
        child.wire.close()
        del children[child.number]
        child.process.kill()
        child.process.join()
        if kind == "page":
            self._past.add(child.counts)
            self._gate.drop(lambda asker: asker.page_worker == child.number)
        else:
            self._gate.lost(child.number)
        self._wake.set()
        if self._stopping:
            return
        if child.ending is None:
            self._restarts += 1
            log(
                "process-ended",
                logging.WARNING,
                kind=kind,
                number=child.number,
                pid=child.process.pid,
                exit_code=child.process.exitcode,
            )
        if not child.ready:
            self._failed_starts += 1

    def _watch(self) -> None:
        """Kill processes that hang or outstay their deadline, and replace those that use too much memory."""
        now = time.monotonic()
        for child in (*self._pages.values(), *self._pool.values()):
            page = child.number in self._pages
            if child.ending is not None:
                if now - child.ending > self._limits.stop + (self._limits.front.drain if page else 0):
                    child.process.kill()
            elif not child.ready:
                if now - child.started > self._limits.start:
                    self._replace(child, "does not start")
            elif (page and now - child.last_sign > self._limits.silence) or child.wire.unread > UNREAD:
                self._replace(child, "hangs")
            elif child.memory > self._limits.memory and (page or not self._gate.is_at_work(child.number)):
                child.ending = now
                self._told_of(child, f"holds {child.memory >> 20} MiB")
                child.process.terminate()
        for number, late in self._gate.to_cancel():
            child = self._pool[number]
            if late and child.ending is None:
                self._replace(child, "does not heed that its task is cancelled")
            elif not child.signalled and child.process.pid is not None:
                child.signalled = True
                log("task-cancelled", number=child.number, pid=child.process.pid)
                with suppress(ProcessLookupError):
                    os.kill(child.process.pid, signal.SIGUSR1)

    def _replace(self, child: Child, reason: str) -> None:
        child.ending = time.monotonic()
        self._told_of(child, reason)
        child.process.kill()

    def _told_of(self, child: Child, reason: str) -> None:
        self._restarts += 1
        log(
            "process-replaced",
            logging.WARNING,
            kind="page" if child.number in self._pages else "pool",
            number=child.number,
            pid=child.process.pid,
            reason=reason,
        )

    def _end_pages(self) -> None:
        """Have the processes that answer pages take no more connections, and end when all requests are answered."""
        self._listener.close()
        for child in self._pages.values():
            child.ending = time.monotonic()
            child.process.terminate() if child.ready else child.process.kill()

    async def _end_all(self) -> None:
        self._stopping = True
        self._listener.close()
        children = [*self._pages.values(), *self._pool.values()]
        for child in children:
            child.process.kill()
        if listening := [child.listening for child in children if child.listening]:
            await asyncio.wait(listening, timeout=self._limits.stop)
        for child in children:
            child.process.join()
        self._clean_up()

    # What the others say.

    def _page_message(self, child: Child, message: Any) -> None:
        match message:
            case ("sign", memory, counts, connections, streams):
                if not child.ready:
                    self._notifier.tell("READY=1")
                child.ready, child.last_sign, self._failed_starts = True, time.monotonic(), 0
                child.memory, child.counts = memory, counts
                child.connections, child.streams = connections, streams
            case ("ask", number, client, task):
                asker = Asker(child.number, number, client)
                self._answer(asker, self._gate.ask(asker, task))
            case ("look", number, client, position, wait, in_view):
                asker = Asker(child.number, number, client)
                self._answer(asker, self._gate.look(asker, position, wait, in_view))
            case ("drop", number):
                self._gate.drop(lambda asker: (asker.page_worker, asker.number) == (child.number, number))
            case ("release", position):
                self._gate.release(position)
            case ("state", number):
                child.wire.send((number, self._state()))
        self._dispatch()

    def _pool_message(self, child: Child, message: Any) -> None:
        match message:
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
        self._dispatch()

    def _dispatch(self) -> None:
        """Gives every idle process of the pool something to do."""
        for child in self._pool.values():
            if child.ready and child.ending is None and not self._gate.is_at_work(child.number):
                work = self._gate.next_for(child.number)
                if work is None:
                    return
                child.signalled = False
                child.wire.send(work)

    def _answer(self, asker: Asker, answer: GateAnswer | None) -> None:
        if answer is not None:
            self._reply(asker, answer)

    def _reply(self, asker: Asker, answer: GateAnswer) -> None:
        if isinstance(answer, Refused):
            log("gate-refused", logging.WARNING, reason=answer.reason, asked_by=f"page-{asker.page_worker}")
        if (child := self._pages.get(asker.page_worker)) is not None:
            child.wire.send((asker.number, answer))

    def _state(self) -> dict[str, Any]:
        """What the health pages and the metrics say of the whole server."""
        counts = RequestCounts()
        counts.add(self._past)
        for child in self._pages.values():
            counts.add(child.counts)
        return {
            "pages": sum(child.ready for child in self._pages.values()),
            "pages_wanted": self._limits.workers,
            "pool": sum(child.ready for child in self._pool.values()),
            "pool_wanted": self._limits.gate.processes,
            "pool_busy": self._gate.busy,
            "waiting": self._gate.waiting,
            "waiting_most": self._limits.gate.waiting,
            "refused": self._gate.refused,
            "cancelled": self._gate.cancelled,
            "proving": self._gate.proving,
            "restarts": self._restarts,
            "connections": sum(child.connections for child in self._pages.values()),
            "streams": sum(child.streams for child in self._pages.values()),
            "memory": {f"page-{child.number}": child.memory for child in self._pages.values()}
            | {f"pool-{child.number}": child.memory for child in self._pool.values()},
            "counts": counts,
        }


def _nothing() -> None:
    """Cleans up nothing, where nothing is left."""
