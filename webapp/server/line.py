"""The way from the threads that answer pages to the gate. Threads wait; the loop they are served by never does."""

import asyncio
import pickle
import time
from collections.abc import Callable
from concurrent.futures import Future
from itertools import count
from threading import BoundedSemaphore, get_ident
from typing import Any, Final

from solver.board.position import Position
from webapp.errors import Busy, Left
from webapp.server.wire import Wire
from webapp.server.work import Done, Failed, GateAnswer, Look, Refused, Standing, Task

GLANCE: Final = 0.2
"""Seconds after which a thread that waits for an answer sees whether the visitor is still there."""

REPLY_TIMEOUT: Final = 2.0
"""Seconds that a page waits for word of a position."""

AT_MOST: Final = 90.0
"""Seconds after which a gate that does not answer is given up; a gate that does gives a task up sooner."""

TRY_AGAIN: Final = 5
"""Seconds after which a visitor may try again where the gate itself has failed."""


class NeedsThread(BaseException):
    """A request that was to be answered at once has to wait for the pool, which the loop's own thread must not.

    No error, and none of an application's own handlers is to take it for one.
    """


class TaskFailed(Exception):
    """A task ended without a result; its process has logged why."""


class Line:
    """This process's end of the wire. `most` is how many threads may wait for tasks at a time."""

    def __init__(self, wire: Wire, loop: asyncio.AbstractEventLoop, most: int) -> None:
        self._wire, self._loop = wire, loop
        self._loops_thread = get_ident()
        self._numbers = count()
        self._asked: dict[int, Future[Any]] = {}
        self._room, self._looks = BoundedSemaphore(most), BoundedSemaphore(max(1, most // 4))

    async def listen(self) -> None:
        """Hands out answers until the other end is gone."""
        try:
            while True:
                number, answer = await self._wire.receive()
                if (asked := self._asked.pop(number, None)) is not None:
                    asked.set_result(answer)
        except EOFError:
            for asked in self._asked.values():
                asked.set_exception(EOFError())

    def run(self, task: Task, client: str, gone: Callable[[], bool]) -> Any:
        """The result of a task. Raises Busy if it is refused, TaskFailed, or Left if `gone` says so."""
        if not self._room.acquire(blocking=False):
            raise Busy(TRY_AGAIN)
        try:
            number, asked = self._ask("ask", client, task)
        except BaseException:
            self._room.release()
            raise
        last = time.monotonic() + AT_MOST
        try:
            while True:
                try:
                    return self._result(asked.result(GLANCE))
                except TimeoutError:
                    if gone() or time.monotonic() > last:
                        self._say("drop", number)
                        raise Left from None
        except EOFError:
            raise Busy(TRY_AGAIN) from None
        finally:
            self._room.release()
            self._asked.pop(number, None)

    def look(self, position: Position, client: str, in_view: bool) -> Look:
        """How a position fares that is to be proved, after its first turn if it is new, unless many wait for one.

        `in_view` says that it is what the client looks at now.
        """
        if get_ident() == self._loops_thread:
            raise NeedsThread
        waits = self._looks.acquire(blocking=False)
        number, asked = self._ask("look", client, position, waits, in_view)
        try:
            look: Look = asked.result(REPLY_TIMEOUT)
        except TimeoutError:
            return Look(Standing.WAITING)
        except EOFError:
            return Look(Standing.OFF)
        finally:
            self._asked.pop(number, None)
            if waits:
                self._looks.release()
        return look

    def release(self, position: Position) -> None:
        """Tells the gate that nobody looks at a position any more."""
        self._say("release", position)

    def state(self) -> dict[str, Any] | None:
        """What the first process says of the whole server; None if it does not answer."""
        number, asked = self._ask("state")
        try:
            state: dict[str, Any] = asked.result(REPLY_TIMEOUT)
        except (TimeoutError, EOFError):
            return None
        finally:
            self._asked.pop(number, None)
        return state

    def say(self, *message: object) -> None:
        """Sends a message that needs no answer, from the loop's own thread."""
        self._wire.send(message)

    def _ask(self, what: str, *about: object) -> tuple[int, "Future[Any]"]:
        if get_ident() == self._loops_thread:
            raise NeedsThread
        number = next(self._numbers)
        asked: Future[Any] = Future()
        self._asked[number] = asked
        self._say(what, number, *about)
        return number, asked

    def _say(self, *message: object) -> None:
        self._loop.call_soon_threadsafe(self._wire.send, message)

    @staticmethod
    def _result(answer: GateAnswer) -> Any:
        match answer:
            case Done(result):
                return pickle.loads(result)  # noqa: S301 - from a process of this server
            case Refused(retry_after):
                raise Busy(retry_after)
            case Failed(reason):
                raise TaskFailed(reason)
        raise TypeError(f"{answer!r} answers no task.")
