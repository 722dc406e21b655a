"""The front: it passes whole requests to the WSGI application, in the loop's own thread or in others.

Most responses are cheaper than a thread switch, so the loop's own thread makes them, for each visitor in turn. Requests
that may search, or wait for the pool, run in other threads. Live games have threads of their own, because a hanging
database blocks the threads that ask it.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from math import inf
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from solver.board.notation import parse_rules
from solver.errors import BadRules
from solver.search.tablebase import has_table
from webapp.config import AppConfig
from webapp.serving.counts import RequestCounts
from webapp.serving.door import share_of
from webapp.serving.front.exchange import Request, refusal
from webapp.serving.front.fairness import FairQueue, TokenBuckets
from webapp.serving.front.stream import Stream
from webapp.serving.http.errors import PROBES
from webapp.serving.http.log import LOGGER, LogWriter
from webapp.serving.pool.line import NeedsThread

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment

ALIVE: Final = "/healthz"
"""The liveness probe, which is answered at once."""

FIRST_PAGE: Final = "/"
"""The first page, which is quick like static files and boards with a table."""

METHODS: Final = ("GET", "HEAD", "POST")
"""The methods that are counted by name; all others count as "other"."""


class Reply(NamedTuple):
    """An answer that is ready to be sent."""

    status: str
    headers: list[tuple[str, str]]
    body: bytes
    stays: Callable[[Stream], Callable[[], None]] | None = None
    """The function that subscribes the connection to news; None if the connection does not stay open."""


GONE: Final = Reply("499 Client Closed Request", [], b"")
"""The reply that is logged, and never sent, if the visitor has left before a thread was free. The status is nginx's."""


class _Lane:
    """Threads for one kind of request, with a limit of requests under way. One visitor may use a quarter of the limit.

    Only the loop's own thread may use it.
    """

    def __init__(self, name: str, threads: int, most: int, hung: float) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._threads, self._most, self._hung = threads, most, hung
        self._under_way = 0
        self._of: Counter[str] = Counter()
        self._got_on = -inf

    def submit(self, visitor: str, work: Callable[[], Reply], done: Callable[[Reply], None]) -> bool:
        """Run `work` in a thread, and then `done` in the loop with its result. Return False if too much is under way.

        While all threads hang, no request is taken on.
        """
        if self._of[visitor] >= self._most // 4:
            return False
        if self._under_way >= self._threads:
            hangs = time.monotonic() - self._got_on > self._hung
            if hangs or self._under_way >= self._most:
                return False
        elif self._under_way == self._threads - 1:
            self._got_on = time.monotonic()  # all threads are busy from now on
        loop = asyncio.get_running_loop()

        def finished(answer: Reply) -> None:
            self._under_way -= 1
            self._of -= Counter([visitor])  # `-=` drops visitors whose count is 0
            self._got_on = time.monotonic()
            done(answer)

        self._under_way += 1
        self._of[visitor] += 1
        self._pool.submit(lambda: loop.call_soon_threadsafe(finished, work()))
        return True


class _Pending(NamedTuple):
    """A request that is under way."""

    visitor: str
    request: Request
    environ: "WSGIEnvironment"
    began: float
    finish: Callable[[Reply], None]


class Front:
    """The application behind its queues. `join` subscribes a connection to the news that its request has asked for."""

    def __init__(
        self,
        app: "WSGIApplication",
        config: AppConfig,
        counts: RequestCounts,
        requests: LogWriter | None,
        join: Callable[[Any, Stream], Callable[[], None]] | None = None,
    ) -> None:
        limits = config.limits.front
        self._app, self._limits, self._counts, self._requests = app, limits, counts, requests
        self._proxies = config.proxies
        self._join = join
        self._buckets = TokenBuckets(limits.rate, limits.burst, time.monotonic)
        self._probe_buckets = TokenBuckets(limits.rate, limits.burst, time.monotonic)
        self._quick: FairQueue[_Pending] = FairQueue(time.thread_time)
        self._is_to_serve = False
        self._pages = _Lane("page", limits.threads, limits.requests, inf)
        self._live = _Lane("live", limits.live_threads, limits.requests, limits.hung)
        # The probes have their own threads, so that no visitor keeps the server's monitors waiting.
        self._probes = _Lane("probe", 2, limits.requests, inf)
        self._prefix, self._numbers = token_hex(4), count(1)

    def next_id(self) -> str:
        """Return a new identifier for a request."""
        return f"{self._prefix}-{next(self._numbers):x}"

    def begin(self, request: Request, finish: Callable[[Reply], None]) -> int:
        """Answer a request by calling `finish` in the loop's own thread, now or later. Return 0.

        If the visitor is over the rate limit, answer nothing and return the seconds to wait.
        """
        environ = request.environ()
        visitor, path = self._visitor(environ), environ["PATH_INFO"]
        buckets = self._probe_buckets if path == ALIVE else self._buckets
        if wait := buckets.take(visitor):
            return wait
        environ["noughts.request_id"] = self.next_id()
        environ["noughts.gone"] = lambda: request.left
        if self._join is not None:
            environ["noughts.newsroom"] = True
        pending = _Pending(visitor, request, environ, time.perf_counter(), finish)
        if path == ALIVE:
            self._answer_at_once(pending)
        elif _is_quick(path):
            self._quick.put(visitor, pending)
            self._serve_soon()
        else:
            self._hand_on(pending)
        return 0

    def _visitor(self, environ: "WSGIEnvironment") -> str:
        """Return the name that a visitor's requests are counted under."""
        address: str = environ["REMOTE_ADDR"]
        if proxies := self._proxies:
            forwarded = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")
            address = forwarded[-proxies].strip() if len(forwarded) >= proxies else address
        return share_of(address)

    def _serve_soon(self) -> None:
        if not self._is_to_serve:
            self._is_to_serve = True
            asyncio.get_running_loop().call_soon(self._serve)

    def _serve(self) -> None:
        """Answer quick requests for a slice of time, each visitor in turn. Then let the loop read."""
        until = time.monotonic() + self._limits.slice
        try:
            self._quick.serve(self._answer_at_once)
            while self._quick and time.monotonic() < until:
                self._quick.serve(self._answer_at_once)
        finally:
            self._is_to_serve = False
            if self._quick:
                self._serve_soon()

    def _answer_at_once(self, pending: _Pending) -> None:
        if pending.request.left:
            return
        try:
            answer = self._answer(pending.environ)
        except NeedsThread:
            ours = {name: value for name, value in pending.environ.items() if name.startswith("noughts.")}
            self._hand_on(pending._replace(environ=pending.request.environ() | ours))
        else:
            self._end(pending, answer)

    def _hand_on(self, pending: _Pending) -> None:
        """Answer in a thread, or refuse if too much is under way."""
        path: str = pending.environ["PATH_INFO"]
        lane = self._probes if path in PROBES else self._live if path.startswith("/live") else self._pages
        if not lane.submit(pending.visitor, partial(self._answer_apart, pending), partial(self._end, pending)):
            words, request_id = "The server is busy. Try again in a few seconds.", pending.environ["noughts.request_id"]
            busy = refusal(path, 503, words, request_id=request_id)
            self._end(pending, Reply("503 Service Unavailable", *busy))

    def _answer_apart(self, pending: _Pending) -> Reply:
        return GONE if pending.request.left else self._answer(pending.environ)

    def _end(self, pending: _Pending, answer: Reply) -> None:
        environ = pending.environ
        wanted = environ.get("noughts.stays")
        if wanted is not None and self._join is not None:
            answer = answer._replace(stays=partial(self._join, wanted))
        pending.finish(answer)
        seconds, status = time.perf_counter() - pending.began, int(answer.status[:3])
        method, route = environ["REQUEST_METHOD"], environ.get("noughts.route", "none")
        self._counts.answered(route, method if method in METHODS else "other", status, seconds)
        if self._requests is not None:
            self._requests.note(environ, status, len(answer.body), seconds)

    def _answer(self, environ: "WSGIEnvironment") -> Reply:
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], *_: object) -> Callable[[bytes], object]:
            started[:] = [(status, headers)]
            return lambda _: None  # no application here uses the old `write` of WSGI

        try:
            parts: Iterable[bytes] = self._app(environ, start)
            try:
                body = b"".join(parts)
            finally:
                close: Callable[[], None] | None = getattr(parts, "close", None)
                if close is not None:
                    close()
            return Reply(*started[0], body)
        except NeedsThread:
            raise
        except BaseException:  # a lost answer would hold its connection
            LOGGER.exception("The application has failed")
            broken = refusal(
                environ["PATH_INFO"], 500, "Something broke here.", request_id=environ["noughts.request_id"]
            )
            return Reply("500 Internal Server Error", *broken)


def _is_quick(path: str) -> bool:
    """Return whether the address is of a page without search: a static file, or a game with a table of outcomes."""
    if path == FIRST_PAGE or path.startswith("/static/"):
        return True
    if not path.startswith("/play/"):
        return False
    try:
        return has_table(parse_rules(path.removeprefix("/play/")))
    except BadRules:
        return False
