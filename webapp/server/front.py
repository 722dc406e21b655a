"""The way from whole requests to the WSGI application.

Most answers take less than a change of threads does, so the loop's own thread gives them. Answers that may wait
for the pool, or search, are given by other threads, most of which only ever wait.
"""

import asyncio
import re
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO
from itertools import count
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from solver.search.tablebase import MAX_CELLS
from webapp.server.counts import RequestCounts
from webapp.server.limits import FrontLimits
from webapp.server.line import NeedsThread
from webapp.server.log import LOGGER, RequestLog
from webapp.server.refusals import refusal
from webapp.server.stream import Stream

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment

ALIVE: Final = "/healthz"
"""The address that is behind nothing."""

AT_ONCE: Final = ("/", ALIVE)
"""Addresses that are answered at once, beside static files and boards that are looked up."""

_PLAYED_ON: Final = re.compile(r"/play/(\d)x(\d)x\d", re.ASCII)

PROBES: Final = ("/readyz", "/metrics")
"""Addresses that have threads of their own, so that no visitor keeps the server's monitors waiting."""

METHODS: Final = ("GET", "HEAD", "POST")
"""The methods that answers are counted by; there is no end of others."""


class Reply(NamedTuple):
    """An answer before it goes over the wire."""

    status: str
    headers: list[tuple[str, str]]
    body: bytes
    stays: Callable[[Stream], Callable[[], None]] | None = None
    """Has the connection told of news, where it stays open after the answer."""


class Request(Protocol):
    """A whole request as the front sees it: uvicorn's."""

    scope: Any
    body: bytearray
    disconnected: bool


class Front:
    """Answers requests. `join` has a connection told of the news that its request has asked for."""

    def __init__(
        self,
        app: "WSGIApplication",
        limits: FrontLimits,
        counts: RequestCounts,
        requests: RequestLog | None,
        join: Callable[[Any, Stream], Callable[[], None]] | None = None,
    ) -> None:
        self._app, self._limits, self._counts, self._requests = app, limits, counts, requests
        self._join = join
        self._threads = ThreadPoolExecutor(limits.threads, thread_name_prefix="page")
        self._probing = ThreadPoolExecutor(2, thread_name_prefix="probe")
        self._under_way = 0
        self._prefix, self._numbers = token_hex(4), count(1)

    def begin(self, request: Request, finish: Callable[[Reply], None], at_once: bool = True) -> None:
        """Has a request answered. `finish` gets the answer, in the loop's own thread, with `at_once` perhaps now."""
        began = time.perf_counter()
        environ = _environ(request)
        environ["noughts.request_id"] = f"{self._prefix}-{next(self._numbers):x}"
        environ["noughts.gone"] = lambda: request.disconnected
        if self._join is not None:
            environ["noughts.newsroom"] = True
        if (at_once and _is_quick(environ)) or environ["PATH_INFO"] == ALIVE:
            try:
                self._end(environ, began, self._answer(environ), finish)
            except NeedsThread:
                environ = _environ(request) | {name: environ[name] for name in environ if name.startswith("noughts.")}
            else:
                return
        if self._under_way >= self._limits.requests:
            busy = refusal(environ["PATH_INFO"], 503, "The server is busy. Try again in a few seconds.")
            self._end(environ, began, Reply("503 Service Unavailable", *busy), finish)
        else:
            self._under_way += 1
            threads = self._probing if environ["PATH_INFO"] in PROBES else self._threads
            threads.submit(self._work, asyncio.get_running_loop(), environ, began, finish)

    def _work(
        self,
        loop: asyncio.AbstractEventLoop,
        environ: "WSGIEnvironment",
        began: float,
        finish: Callable[[Reply], None],
    ) -> None:
        answer = self._answer(environ)
        loop.call_soon_threadsafe(self._worked, environ, began, answer, finish)

    def _worked(self, environ: "WSGIEnvironment", began: float, answer: Reply, finish: Callable[[Reply], None]) -> None:
        self._under_way -= 1
        self._end(environ, began, answer, finish)

    def _end(self, environ: "WSGIEnvironment", began: float, answer: Reply, finish: Callable[[Reply], None]) -> None:
        wanted = environ.get("noughts.stays")
        if wanted is not None and self._join is not None:
            answer = answer._replace(stays=partial(self._join, wanted))
        finish(answer)
        seconds, status = time.perf_counter() - began, int(answer.status[:3])
        method = environ["REQUEST_METHOD"]
        route = environ.get("noughts.route", "none")
        self._counts.answered(route, method if method in METHODS else "other", status, seconds)
        if self._requests is not None:
            self._requests.note(environ, status, len(answer.body), seconds)

    def _answer(self, environ: "WSGIEnvironment") -> Reply:
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], *_: object) -> Callable[[bytes], object]:
            started[:] = [(status, headers)]
            return _unused

        try:
            parts: Iterable[bytes] = self._app(environ, start)
            try:
                body = b"".join(parts)
            finally:
                close: Callable[[], None] | None = getattr(parts, "close", None)
                if close is not None:
                    close()
        except Exception:
            LOGGER.exception("The application has failed")
            broken = refusal(environ["PATH_INFO"], 500, "Something broke here.")
            return Reply("500 Internal Server Error", *broken)
        return Reply(*started[0], body)


def _is_quick(environ: "WSGIEnvironment") -> bool:
    """Whether the answer takes no search: that of a board of up to nine squares, for example."""
    path: str = environ["PATH_INFO"]
    if path in AT_ONCE or path.startswith("/static/"):
        return True
    board = _PLAYED_ON.fullmatch(path)
    return board is not None and int(board[1]) * int(board[2]) <= MAX_CELLS


def _unused(_: bytes) -> None:
    """WSGI's old way to write, which no application here takes."""


def _environ(request: Request) -> "WSGIEnvironment":
    """The request as WSGI has it."""
    scope = request.scope
    server, client = scope["server"] or ("localhost", 80), scope["client"] or ("", 0)
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 80),
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(request.body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw, value in scope["headers"]:
        if b"_" in raw:
            continue  # X_Forwarded_For must not pass for X-Forwarded-For
        name, text = raw.decode("latin-1").upper().replace("-", "_"), value.decode("latin-1")
        key = name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    return environ
