"""The connection from the threads that answer pages to the gate. Threads wait; the event loop never does."""

import asyncio
import pickle
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from threading import Lock, get_ident
from typing import Any, Final

from solver.board.position import Position
from solver.proofs.prediction import ProofState, ProofStatus
from webapp.serving.counts import RequestCounts, ServerState
from webapp.serving.http.errors import Busy, ClientDisconnected
from webapp.serving.pool.messages import (
    ANSWERS,
    Done,
    Failed,
    GateAnswer,
    Refused,
    Task,
    Wire,
    plain,
)
from webapp.serving.pool.usage import Usage, Wait

GLANCE: Final = 0.2
"""Seconds between two checks that a waiting thread's visitor is still connected."""

REPLY_TIMEOUT: Final = 2.0
"""Seconds that a page waits for the state of a position."""

AT_MOST: Final = 90.0
"""Seconds that a thread waits for the result of a task. A working gate gives up the task sooner."""

TRY_AGAIN: Final = 5
"""Seconds after which a visitor may try again, if the gate has failed or this process has refused a task."""

DISPLACED: Final = Refused(TRY_AGAIN, "displaced")
NOT_YET: Final = ProofStatus(ProofState.WAITING)
"""The answers to displaced threads. `DISPLACED` ends the wait for a task, `NOT_YET` the wait for a first turn."""


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


class _WaitingRoom:
    """At most `most` threads that wait for one kind of answer. Thread-safe.

    In a full room, a light client's thread displaces the newest thread of the heaviest client.
    """

    def __init__(self, most: int) -> None:
        self._most, self._usage = most, Usage(time.monotonic)
        self._lock = Lock()
        self._waits: dict[int, Wait] = {}

    def enter(self, number: int, client: str) -> tuple[bool, int | None]:
        """Return whether the thread with this number may wait, and the number of the thread that it displaces."""
        with self._lock:
            self._usage.count_request(client)
            displaced = None
            if len(self._waits) >= self._most:
                displaced = self._usage.to_displace(client, {thread: (wait,) for thread, wait in self._waits.items()})
                if displaced is None:
                    return False, None
                self._remove(displaced)
            self._waits[number] = client, time.monotonic()
            self._usage.hold(client)
            return True, displaced

    def leave(self, number: int) -> None:
        """Free the thread's place, if it still has one."""
        with self._lock:
            if number in self._waits:
                self._remove(number)

    def _remove(self, number: int) -> None:
        client, _ = self._waits.pop(number)
        self._usage.release(client)


class Line:
    """This page process's line to the gate. At most `most` threads wait for tasks at a time.

    `search_nodes` is the largest number of nodes that this process searches to predict a position.
    """

    def __init__(self, gate: Path, number: int, most: int, search_nodes: int) -> None:
        self._gate, self._number, self.search_nodes = gate, number, search_nodes
        self._loop = asyncio.get_running_loop()
        self._wire: Wire | None = None
        self._loops_thread = get_ident()
        self._numbers = count()
        self._asked: dict[int, Future[Any]] = {}
        self._tasks, self._first_turns = _WaitingRoom(most), _WaitingRoom(max(1, most // 4))
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
            wire.send(("page", self._number))
            self.connected.set()
            try:
                while True:
                    number, kind, values = await wire.receive()
                    if (asked := self._asked.pop(number, None)) is not None:
                        asked.set_result(ANSWERS[kind](*values))
            except EOFError:
                pass
            finally:
                self._wire = None
                wire.close()
                for number in tuple(self._asked):  # waiting threads may remove theirs meanwhile
                    if (asked := self._asked.pop(number, None)) is not None:
                        asked.set_exception(EOFError())

    def run(self, task: Task, client: str, gone: Callable[[], bool]) -> Any:
        """Return the result of a task. Raises Busy, TaskFailed, or ClientDisconnected once `gone()`."""
        with self._question(self._tasks) as (number, asked):
            if not self._enter(self._tasks, number, client, DISPLACED):
                raise Busy(TRY_AGAIN)
            self._say("ask", number, client, task.kind.value, task.packed.content)
            last = time.monotonic() + AT_MOST
            while True:
                try:
                    answer = asked.result(GLANCE)
                except TimeoutError:
                    if gone() or time.monotonic() > last:
                        self._say("drop", number)
                        raise ClientDisconnected from None
                except EOFError:
                    raise Busy(TRY_AGAIN) from None
                else:
                    if answer is DISPLACED:
                        self._say("drop", number)
                    return self._result(answer)

    def watch(self, position: Position, client: str, in_view: bool) -> ProofStatus:
        """Return the state of a position's proof. For a new position, wait for its first turn.

        If too many threads wait for first turns, the heaviest clients get the state at once. `in_view` is true if the
        client is looking at the position now.
        """
        with self._question(self._first_turns) as (number, asked):
            waits = self._enter(self._first_turns, number, client, NOT_YET)
            self._say("watch", number, client, pickle.dumps(position), waits, in_view)
            try:
                status: ProofStatus = asked.result(REPLY_TIMEOUT)
            except TimeoutError:
                status = NOT_YET
            except EOFError:
                return ProofStatus(ProofState.OFF)
            if status is NOT_YET:
                self._say("drop", number)
            return status

    def release(self, position: Position) -> None:
        """Tell the gate that a visitor has stopped watching a position."""
        self._say("release", pickle.dumps(position))

    def state(self) -> ServerState | None:
        """Return the state of the whole server; None if the gate does not answer."""
        with self._question() as (number, asked), suppress(TimeoutError, EOFError):
            self._say("state", number)
            state: ServerState = asked.result(REPLY_TIMEOUT)
            return state
        return None

    def tell(self, memory: int, streams: int, counts: RequestCounts) -> None:
        """Tell the gate of this process, for the monitors; from the loop's own thread."""
        self._send(("tell", memory, streams, plain(counts)))

    @contextmanager
    def _question(self, room: _WaitingRoom | None = None) -> Iterator[tuple[int, "Future[Any]"]]:
        """Yield the number of a new question and its future answer. Afterwards forget both, and leave the room.

        Raises NeedsThread in the loop's own thread.
        """
        if get_ident() == self._loops_thread:
            raise NeedsThread
        number, asked = next(self._numbers), Future[Any]()
        self._asked[number] = asked
        try:
            yield number, asked
        finally:
            if room is not None:
                room.leave(number)
            self._asked.pop(number, None)

    def _enter(self, room: _WaitingRoom, number: int, client: str, instead: GateAnswer) -> bool:
        """Return whether a thread may wait in a room. The thread that it displaces gets `instead` as its answer."""
        enters, displaced = room.enter(number, client)
        if displaced is not None and (asked := self._asked.pop(displaced, None)) is not None:
            asked.set_result(instead)
        return enters

    def _say(self, *message: object) -> None:
        self._loop.call_soon_threadsafe(self._send, message)

    def _send(self, message: tuple[Any, ...]) -> None:
        if self._wire is not None:
            self._wire.send(message)
        elif message[0] in QUESTIONS and (asked := self._asked.pop(message[1], None)) is not None:
            asked.set_exception(EOFError())

    @staticmethod
    def _result(answer: GateAnswer) -> Any:
        match answer:
            case Done(result):
                return pickle.loads(result)  # noqa: S301 - from a process of this server
            case Refused(retry_after):
                raise Busy(retry_after)
            case Failed(reason):
                raise TaskFailed(reason)
        raise TypeError(f"{answer!r} is not the answer to a task.")
