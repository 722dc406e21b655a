"""The connection from the threads that answer pages to the gate. Threads wait; the event loop never does."""

import asyncio
import pickle
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from threading import get_ident
from typing import Any, Final

from solver.board.position import Position
from solver.proofs.prediction import ProofState, ProofStatus
from webapp.serving.counts import RequestCounts, ServerState
from webapp.serving.http.errors import Busy, ClientDisconnected
from webapp.serving.pool.messages import ANSWERS, Done, Failed, Refused, Status, Task, Wire

GLANCE: Final = 0.2
"""Seconds between two checks that a waiting thread's visitor is still connected."""

REPLY_TIMEOUT: Final = 2.0
"""Seconds that a page waits for the state of a position."""

AT_MOST: Final = 90.0
"""Seconds that a thread waits for the result of a task. A working gate gives up the task sooner."""

TRY_AGAIN: Final = 5
"""Seconds after which a visitor may try again, if the gate has failed."""

RETRY: Final = 0.05
"""Seconds between two attempts to reach a gate that has ended or not started yet."""

QUESTIONS: Final = ("ask", "watch", "state")
"""The messages that get an answer. Their second value is the number of the question."""


class NeedsThread(BaseException):
    """A request in the loop's own thread has to wait for the pool, so another thread must answer it.

    It is no error, and no handler of the application may catch it.
    """


class TaskFailed(Exception):
    """A task has ended without a result. Its process has logged the reason."""


class Line:
    """This page process's line to the gate.

    `search_nodes` is the largest number of nodes that this process searches to predict a position.
    """

    def __init__(self, gate: Path, number: int, search_nodes: int) -> None:
        self._gate, self._number, self.search_nodes = gate, number, search_nodes
        self._loop = asyncio.get_running_loop()
        self._wire: Wire | None = None
        self._loops_thread = get_ident()
        self._numbers = count()
        self._asked: dict[int, Future[Any]] = {}
        self.connected = asyncio.Event()
        """Set once the gate has been reached."""

    async def listen(self) -> None:
        """Hand out the gate's answers for ever. If the gate is gone, wait for the next one."""
        while True:
            try:
                wire = Wire(*await asyncio.open_unix_connection(self._gate))
            except OSError:
                await asyncio.sleep(RETRY)
                continue
            self._wire = wire
            wire.send("page", self._number)
            self.connected.set()
            try:
                while True:
                    number, kind, *values = await wire.receive()
                    if (pending := self._asked.pop(number, None)) is not None:
                        pending.set_result(ANSWERS[kind](*values))
            except EOFError:
                pass
            finally:
                self._wire = None
                wire.close()
                for number in tuple(self._asked):  # waiting threads may remove theirs meanwhile
                    if (pending := self._asked.pop(number, None)) is not None:
                        pending.set_exception(EOFError())

    def run(self, task: Task, client: str, gone: Callable[[], bool]) -> Any:
        """Return the result of a task. Raises Busy, TaskFailed, or ClientDisconnected once `gone()`."""
        with self._question("ask", client, task.kind.value, pickle.dumps(task)) as (number, pending):
            last = time.monotonic() + AT_MOST
            while True:
                try:
                    answer = pending.result(GLANCE)
                except TimeoutError:
                    if gone() or time.monotonic() > last:
                        self._say("drop", number)
                        raise ClientDisconnected from None
                except EOFError:
                    raise Busy(TRY_AGAIN) from None
                else:
                    return self._result(answer)

    def watch(self, position: Position, client: str, in_view: bool) -> ProofStatus:
        """Return the state of a position's proof. For a new position, wait for its first turn.

        `in_view` is true if the client is looking at the position now.
        """
        with self._question("watch", client, pickle.dumps(position), in_view) as (number, pending):
            try:
                status: Status = pending.result(REPLY_TIMEOUT)
            except TimeoutError:
                self._say("drop", number)
                return ProofStatus(ProofState.WAITING)
            except EOFError:
                return ProofStatus(ProofState.OFF)
            proved = pickle.loads(status.proved) if status.proved else ()  # noqa: S301 - from a process of this server
            return ProofStatus(ProofState(status.state), status.ahead, proved)

    def release(self, position: Position) -> None:
        """Tell the gate that a visitor has stopped watching a position."""
        self._say("release", pickle.dumps(position))

    def state(self) -> ServerState | None:
        """Return the state of the whole server; None if the gate does not answer."""
        with self._question("state") as (_, pending), suppress(TimeoutError, EOFError):
            state: ServerState = pending.result(REPLY_TIMEOUT)
            return state
        return None

    def tell(self, memory: int, under_way: int, streams: int, counts: RequestCounts) -> None:
        """Tell the gate of this process, for the monitors; from the loop's own thread."""
        self._send(("tell", memory, under_way, streams, counts.plain()))

    @contextmanager
    def _question(self, kind: str, *values: object) -> Iterator[tuple[int, "Future[Any]"]]:
        """Ask the gate; yield the number of the question and its future answer. Forget both afterwards.

        Raises NeedsThread in the loop's own thread.
        """
        if get_ident() == self._loops_thread:
            raise NeedsThread
        number, pending = next(self._numbers), Future[Any]()
        self._asked[number] = pending
        try:
            self._say(kind, number, *values)
            yield number, pending
        finally:
            self._asked.pop(number, None)

    def _say(self, *message: object) -> None:
        self._loop.call_soon_threadsafe(self._send, message)

    def _send(self, message: tuple[Any, ...]) -> None:
        if self._wire is not None:
            self._wire.send(*message)
        elif message[0] in QUESTIONS and (pending := self._asked.pop(message[1], None)) is not None:
            pending.set_exception(EOFError())

    @staticmethod
    def _result(answer: Done | Failed | Refused) -> Any:
        match answer:
            case Done(result):
                return pickle.loads(result)  # noqa: S301 - from a process of this server
            case Refused(retry_after):
                raise Busy(retry_after)
            case Failed(reason):
                raise TaskFailed(reason)
