"""The questions of requests that the pool answers, and the line on which threads ask the gate.

Threads wait; the event loop never does. An application without a pool, in a test or in a process of the pool, does
everything itself.
"""

import asyncio
import pickle
import time
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import wraps
from itertools import count
from pathlib import Path
from threading import get_ident
from typing import Any, Final, ParamSpec, Protocol

from flask import Response, abort, current_app, g, has_app_context, has_request_context, request
from werkzeug.wrappers import Response as AnyResponse

from solver.board.position import Position
from solver.oracle import LongQuestion, Pool
from solver.proofs.prediction import ProofState, ProofStatus
from webapp.serving.counts import ServerState
from webapp.serving.fairness import share_of
from webapp.serving.http.errors import Busy, ClientDisconnected
from webapp.serving.pool.messages import Done, Failed, Refused, Status, Task, Wire

P = ParamSpec("P")

MAX_QUERY: Final = 2000
"""The most characters in the query of a page that the pool makes."""

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


class ServerPool(Pool, Protocol):
    """The pool of an application. Each question is on behalf of the client of the present request."""

    def run(self, task: Task, gone: Callable[[], bool] | None = None) -> Any:
        """Return the result of a task, unless the visitor is `gone`, by default the one of the request."""

    def state(self) -> ServerState | None:
        """Return the state of the whole server; None if the gate does not answer."""


def pool() -> ServerPool | None:
    """Return the pool of the application that answers the request, if it has one."""
    return current_app.extensions.get("gate") if has_app_context() else None


def do(function: Callable[..., tuple[Any, bool]], *arguments: Hashable, long: bool = False) -> Any:
    """Return the result of a function that also returns whether it lasts: the pool calls it, or else this process."""
    asked = pool()
    return function(*arguments)[0] if asked is None else asked.run(Task.of(function, *arguments, long=long))


def client_of_request() -> str:
    """Return the client that the gate charges for the request. Outside a request, it is empty."""
    return share_of(request.remote_addr or "") if has_request_context() else ""


def answer_question(question: LongQuestion) -> tuple[Any, bool]:
    """Answer a question of the oracle: a task of the pool."""
    return question.answer()


def made_by_the_pool(view: Callable[P, AnyResponse | str]) -> Callable[P, AnyResponse | str]:
    """Make the pool render the page of a slow view. The view sets `g.open_to_more` if the page will change."""

    @wraps(view)
    def respond(*args: P.args, **kwargs: P.kwargs) -> AnyResponse | str:
        if pool() is None:
            return view(*args, **kwargs)
        if len(request.query_string) > MAX_QUERY:
            abort(414)
        return Response(*do(make_page, request.path, request.query_string.decode("ascii", "replace"), long=True))

    return respond


def make_page(path: str, query: str) -> tuple[tuple[bytes, int, list[tuple[str, str]]], bool]:
    """Return body, status and headers of the response to a GET: a task of the pool.

    `g.for_others` tells a view that the real request, with its host, is in another process.
    """
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    with app.test_request_context(path, query_string=query):
        g.for_others = True
        made = app.full_dispatch_request()
        kept = ("Content-Type", "Content-Disposition", "Cache-Control")
        headers = [(name, value) for name, value in made.headers.items() if name in kept]
        lasting = made.status_code == 200 and not g.get("open_to_more", False)
        return (made.get_data(), made.status_code, headers), lasting


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
                    number, answered = await wire.receive()
                    if (pending := self._asked.pop(number, None)) is not None:
                        pending.set_result(answered)
            except EOFError:
                pass
            finally:
                self._wire = None
                wire.close()
                for number in tuple(self._asked):  # waiting threads may remove theirs meanwhile
                    if (pending := self._asked.pop(number, None)) is not None:
                        pending.set_exception(EOFError())

    def answer(self, question: LongQuestion, long: bool = False) -> Any:
        """Return the answer to a question of the oracle. Raises as `run` does."""
        return self.run(Task.of(answer_question, question, long=long))

    def run(self, task: Task, gone: Callable[[], bool] | None = None) -> Any:
        """Return the result of a task. Raises Busy, TaskFailed, or ClientDisconnected once `gone()`."""
        if gone is None:
            gone = request.environ.get("noughts.gone", bool) if has_request_context() else bool
        with self._question("ask", client_of_request(), task.length, pickle.dumps(task)) as (number, pending):
            last = time.monotonic() + AT_MOST
            while True:
                try:
                    answered = pending.result(GLANCE)
                except TimeoutError:
                    if gone() or time.monotonic() > last:
                        self._say("drop", number)
                        raise ClientDisconnected from None
                except EOFError:
                    raise Busy(TRY_AGAIN) from None
                else:
                    return self._result(answered)

    def watch(self, position: Position, in_view: bool) -> ProofStatus:
        """Return the state of a position's proof. For a new position, wait for its first turn.

        `in_view` is true if the client is looking at the position now.
        """
        with self._question("watch", client_of_request(), pickle.dumps(position), in_view) as (number, pending):
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

    def tell(self, *figures: object) -> None:
        """Tell the gate the figures of this process, for the monitors; from the loop's own thread."""
        self._send(("tell", *figures))

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
    def _result(answered: Done | Failed | Refused) -> Any:
        match answered:
            case Done(result):
                return pickle.loads(result)  # noqa: S301 - from a process of this server
            case Refused(retry_after):
                raise Busy(retry_after)
            case Failed(reason):
                raise TaskFailed(reason)
