"""The process of the gate: page processes and provers connect to its Unix socket.

It may die at any time and is started again: page processes connect anew, and the provers end with it.
"""

import asyncio
import logging
import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from solver.system import resident_bytes
from webapp.processes.child import SIGN_EVERY, Child
from webapp.serving.counts import RequestCounts, ServerState
from webapp.serving.http.log import LOGGER, log, start_log
from webapp.serving.pool.gate import Gate
from webapp.serving.pool.messages import Asker, Done, Failed, GateAnswer, Refused, Wire

UNREAD = 64 << 20
"""Bytes of unread messages above which a page process or prover counts as hanging."""


@dataclass(eq=False, slots=True)
class _Page:
    """A connected page process, with the last that it has told of itself."""

    wire: Wire
    memory: int = 0
    under_way: int = 0
    streams: int = 0
    counts: RequestCounts = field(default_factory=RequestCounts)


@dataclass(eq=False, slots=True)
class _Prover:
    """A connected prover. `signalled` is true once it has been told that its task is cancelled."""

    wire: Wire
    pid: int
    memory: int
    signalled: bool = False


class GateServer:
    """The gate and its connections."""

    def __init__(self, child: Child) -> None:
        self._child, self._limits = child, child.start.config.limits
        self._pages: dict[int, _Page] = {}
        self._provers: dict[int, _Prover] = {}
        self._gate = Gate(self._limits.gate, self._reply, time.monotonic)
        self._past = RequestCounts()
        self._latest = child.start.number
        """The number of the process that was started last: the watcher numbers them one after the other."""

    async def serve(self) -> None:
        """Serve until this process is ended."""
        with suppress(FileNotFoundError):
            self._child.start.gate.unlink()  # of the gate before
        await asyncio.start_unix_server(self._connected, self._child.start.gate)
        signed = float("-inf")
        while True:
            if time.monotonic() >= signed + SIGN_EVERY:
                signed = time.monotonic()
                self._child.give_sign()
            self._gate.tick()
            self._cancel()
            self._dispatch()
            await asyncio.sleep(self._limits.check_every)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle the messages of a process until it has ended."""
        wire = Wire(reader, writer)
        try:
            kind, number, *more = await wire.receive()
            self._latest = max(self._latest, number)
            await (self._hear_page(number, wire) if kind == "page" else self._hear_prover(number, _Prover(wire, *more)))
        except EOFError:
            pass
        except Exception:
            LOGGER.exception("A process has sent a message that cannot be handled")
        wire.close()

    # Page processes.

    async def _hear_page(self, number: int, wire: Wire) -> None:
        page = self._pages[number] = _Page(wire)
        try:
            while True:
                self._take(number, page, await wire.receive())
                self._dispatch()
        finally:
            del self._pages[number]
            self._past.add(page.counts)
            self._gate.drop(lambda asker: asker.page_process == number)

    def _take(self, number: int, page: _Page, message: tuple[Any, ...]) -> None:
        match message:
            case ("ask", question, client, length, content):
                asker = Asker(number, question, client)
                self._reply(asker, self._gate.ask(asker, length, content))
            case ("watch", question, client, position, in_view):
                asker = Asker(number, question, client)
                self._reply(asker, self._gate.watch(asker, position, in_view))
            case ("drop", question):
                self._gate.drop(lambda asker: (asker.page_process, asker.number) == (number, question))
            case ("release", position):
                self._gate.release(position)
            case ("state", question):
                page.wire.send(question, self._state())
            case ("tell", *figures):
                page.memory, page.under_way, page.streams, page.counts = figures

    def _reply(self, asker: Asker, answer: GateAnswer | None) -> None:
        """Send the gate's answer to the page process that asked; nothing yet if `answer` is None."""
        if isinstance(answer, Refused):
            log("gate-refused", logging.WARNING, reason=answer.reason, asked_by=f"page-{asker.page_process}")
        page = self._pages.get(asker.page_process)
        if answer is None or page is None:
            return
        if page.wire.unread > UNREAD:
            page.wire.close()  # it hangs, and the first process will see that too
        else:
            page.wire.send(asker.number, answer)

    # Provers.

    async def _hear_prover(self, number: int, prover: _Prover) -> None:
        self._provers[number] = prover
        try:
            while True:
                self._dispatch()
                *report, prover.memory = await prover.wire.receive()
                match report:
                    case ["done", result, lasting]:
                        self._gate.finished(number, Done(result), lasting)
                    case ["failed", reason]:
                        self._gate.finished(number, Failed(reason))
        finally:
            del self._provers[number]
            self._gate.lost(number)

    def _dispatch(self) -> None:
        """Give work to every idle prover."""
        for number, prover in self._provers.items():
            if not self._gate.is_at_work(number):
                work = self._gate.next_for(number)
                if work is None:
                    return
                prover.signalled = False
                prover.wire.send(*work)

    def _cancel(self) -> None:
        """Tell provers that their task is cancelled; kill those that do not stop."""
        for number, late in self._gate.to_cancel():
            prover = self._provers[number]
            if late or not prover.signalled:
                log("prover-killed" if late else "task-cancelled", number=number, pid=prover.pid)
                prover.signalled = True
                with suppress(ProcessLookupError):
                    os.kill(prover.pid, signal.SIGKILL if late else signal.SIGUSR1)

    def _state(self) -> ServerState:
        """Return the state of the whole server, for its monitors."""
        counts = RequestCounts()
        for one in (self._past, *(page.counts for page in self._pages.values())):
            counts.add(one)
        memory = {f"page-{number}": page.memory for number, page in self._pages.items()}
        memory |= {f"pool-{number}": prover.memory for number, prover in self._provers.items()}
        return ServerState(
            pages=len(self._pages),
            pool=len(self._provers),
            restarts=max(0, self._latest - 1 - self._limits.workers - self._limits.gate.processes),
            under_way=sum(page.under_way for page in self._pages.values()),
            streams=sum(page.streams for page in self._pages.values()),
            memory={**memory, self._child.start.name: resident_bytes()},
            counts=counts,
            **self._gate.figures(),
        )


def run(child: Child) -> None:
    """Serve until the watcher is gone."""
    start_log(child.start.config.log, child.start.name)
    asyncio.run(GateServer(child).serve())
