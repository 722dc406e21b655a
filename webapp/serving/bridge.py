"""The bridge from Granian, which speaks HTTP, to the application: RSGI on one side, WSGI on the other.

Most responses are cheaper than a thread switch, so the event loop's own thread makes them. Requests that may search,
wait for the pool, or come first to a board, run in other threads. Live games have threads of their own, because a
hanging database blocks the threads that ask it.
"""

import asyncio
import json
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from io import BytesIO
from itertools import count
from math import inf
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from werkzeug.test import run_wsgi_app

from solver import oracle
from solver.board.notation import parse_rules
from solver.board.position import Position
from solver.errors import BadRules
from webapp.config import AppConfig
from webapp.serving.counts import RequestCounts
from webapp.serving.fairness import FairQueue, Members, Places, TokenBuckets, remember, share_of
from webapp.serving.http.answers import PROBES
from webapp.serving.http.errors import REQUEST_ID, code_of, error_object, message_of
from webapp.serving.http.log import LOGGER, LogWriter, log
from webapp.serving.http.security import CHECK_AGAIN, headers_at, is_open
from webapp.serving.pool.asking import NeedsThread
from webapp.serving.stream import PROBE_EVERY, Stream, probe_clients

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment
    from granian._granian import RSGIHTTPProtocol
    from granian.rsgi import Scope

ALIVE: Final = "/healthz"
"""The liveness probe, which has a rate limit of its own."""

FIRST_PAGE: Final = "/"
"""The first page, which is quick like static files and boards whose table is made."""

MOST_READY: Final = 32
"""Boards whose pages the event loop answers: no more than have their tables kept (`solver.search.tablebase`)."""

BATCHES: Final = frozenset({"/api/v1/predict", "/api/v1/prove", "/prove", "/learn/pyfl-program"})
"""The addresses that take many positions at once."""

CLASSES: Final = "/class/"
"""The beginning of addresses whose visitors are counted with their class."""

STATIC: Final = "/static/"
"""The beginning of the addresses of static files, which cost little."""

STATIC_SHARE: Final = 5
"""A visitor may ask for this many times as many static files as pages: all pupils of a school open a page at once."""

METHODS: Final = ("GET", "HEAD", "POST")
"""The methods that are counted by name; all others count as "other"."""

RETRY_AFTER: Final = 5
"""Seconds after which a client may ask a busy server again."""

LATER: Final = (429, 503)
"""The statuses that carry Retry-After."""

RATE: Final = "rate"
"""The reason counted for rate-limited requests. There can be many, so the log sums them up."""

EVERY_REQUEST: Final = {
    "SCRIPT_NAME": "",
    "SERVER_NAME": "localhost",
    "SERVER_PORT": "80",
    "wsgi.version": (1, 0),
    "wsgi.url_scheme": "http",
    "wsgi.errors": sys.stderr,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
"""What is the same in the environment of each request."""

Join = Callable[[Any, Stream], Callable[[], None]]
"""A function that subscribes a stream to news, and returns a function to call when the stream has ended."""


class Reply(NamedTuple):
    """An answer that is ready to be sent."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


GONE: Final = Reply(499, [], b"")
"""The reply that is logged, and never sent, if the visitor has left before a thread was free. The status is nginx's."""


class RefusedRequest(Exception):
    """A request is refused before the application. `reason` is what is counted and logged."""

    def __init__(self, status: int, reason: str, words: str = "", retry_after: int = RETRY_AFTER) -> None:
        super().__init__(status, reason)
        self.status, self.reason, self.words = status, reason, words
        self.retry_after = retry_after if status in LATER else 0

    def reply(self, environ: "WSGIEnvironment") -> Reply:
        """Return the answer that refuses this request."""
        path, request_id = environ["PATH_INFO"], environ[REQUEST_ID]
        headers = [*headers_at(path), CHECK_AGAIN, ("X-Request-Id", request_id)]
        if self.retry_after:
            headers.append(("Retry-After", str(self.retry_after)))
        words = self.words or message_of(self.status, to_programs=is_open(path))
        if not is_open(path):
            return Reply(self.status, [("Content-Type", "text/plain; charset=utf-8"), *headers], f"{words}\n".encode())
        report = error_object(code_of(self.status), words, self.retry_after, environ)
        headers.append(("Content-Type", "application/json"))
        return Reply(self.status, headers, json.dumps(report).encode())


class _Visit:
    """A request under way, with the bytes of its head. `left` is true once the visitor has gone before the answer.

    `is_ready` is true once the table of the board in the address is made. `told` is what the application says beside
    its answer: the `route`, in `stays` the news that the visitor stays for, and the secret and group of a `member`.
    """

    __slots__ = ("began", "environ", "is_ready", "left", "path", "size", "told", "visitor")

    def __init__(self, environ: "WSGIEnvironment", path: str, visitor: str, size: int) -> None:
        self.environ, self.path, self.visitor, self.size = environ, path, visitor, size
        self.began, self.left, self.is_ready = time.perf_counter(), False, False
        self.told: dict[str, Any] = {}
        environ["noughts.gone"], environ["noughts.told"] = lambda: self.left, self.told


class _Lane:
    """Threads for one kind of request, with a limit of requests under way. One visitor may use a quarter of it."""

    def __init__(self, name: str, threads: int, most: int, hung: float = inf) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._threads, self._hung = threads, hung
        self._places = Places(most, most // 4)
        self._got_on = -inf

    async def run(self, visitor: str, work: Callable[[], Reply]) -> Reply:
        """Run `work` in a thread. Raises RefusedRequest if too much is under way, or while all threads hang."""
        waiting = self._places.total - self._threads
        if waiting >= 0 and time.monotonic() - self._got_on > self._hung:
            raise RefusedRequest(503, "hanging")
        if not self._places.take(visitor):
            raise RefusedRequest(503, "crowded")
        if waiting == -1:
            self._got_on = time.monotonic()  # all threads are busy from now on

        def finished(_: object) -> None:
            self._places.free(visitor)
            self._got_on = time.monotonic()

        running = asyncio.get_running_loop().run_in_executor(self._pool, work)
        running.add_done_callback(finished)  # a thread goes on after its request is given up
        return await asyncio.shield(running)


class Bridge:
    """The application as Granian calls it. `join` gets the connections that stay open for news."""

    def __init__(
        self,
        app: "WSGIApplication",
        config: AppConfig,
        counts: RequestCounts,
        requests: LogWriter | None = None,
        join: Join | None = None,
    ) -> None:
        limits = self._limits = config.limits.front
        self._app, self._counts, self._requests, self._join = app, counts, requests, join
        self._proxies, self._logs_addresses = config.proxies, config.log.addresses
        self._buckets = TokenBuckets(limits.rate, limits.burst, time.monotonic)
        self._probe_buckets = TokenBuckets(limits.rate, limits.burst, time.monotonic)
        self._static_buckets = TokenBuckets(limits.rate * STATIC_SHARE, limits.burst * STATIC_SHARE, time.monotonic)
        self._members = Members()
        self._bytes = Places(limits.arriving_bytes, limits.arriving_bytes // 4)
        self.under_way = 0
        """The number of requests under way."""
        self._open: set[Stream] = set()
        self._streams = Places(limits.streams, limits.streams if config.proxies else limits.streams_per_client)
        self._quick: FairQueue[tuple[_Visit, asyncio.Future[Reply | None]]] = FairQueue(time.thread_time)
        self._is_to_serve = False
        self._ready: OrderedDict[str, None] = OrderedDict()
        """The addresses of boards with a table, the longest unused first."""
        self._unprobed: set[tuple[str, int]] = set()
        self._pages = _Lane("page", limits.threads, limits.requests)
        self._live = _Lane("live", limits.live_threads, limits.requests, limits.hung)
        self._classes = _Lane("class", limits.threads, 2 * limits.requests, limits.hung)
        # The probes have their own threads, so that no visitor keeps the server's monitors waiting.
        self._probes = _Lane("probe", 2, limits.requests)
        self._prefix, self._numbers = token_hex(4), count(1)

    @property
    def streams(self) -> int:
        """The number of connections that stay for news."""
        return self._streams.total

    def end_streams(self) -> None:
        """End the connections that stay for news, because the server is about to stop."""
        for stream in self._open:
            stream.end()

    async def __rsgi__(self, scope: "Scope", protocol: "RSGIHTTPProtocol") -> None:
        """Answer one request."""
        environ: WSGIEnvironment = EVERY_REQUEST.copy()
        environ[REQUEST_ID] = f"{self._prefix}-{next(self._numbers):x}"
        try:
            visit = self._read_head(scope, environ)
            reply = await self._read_and_answer(visit, protocol)
            if "stays" in visit.told and self._join is not None and scope.method == "GET":
                await self._stay(reply, visit, self._join, scope, protocol)
                return
        except RefusedRequest as refused:
            self._note(refused, environ)
            reply = refused.reply(environ)
        if reply is not GONE:
            protocol.response_bytes(*reply)

    # A request.

    def _read_head(self, scope: "Scope", environ: "WSGIEnvironment") -> _Visit:
        """Put the head of a request into its environment; return the request. Raises RefusedRequest."""
        address = scope.client.rpartition(":")[0].strip("[]")
        environ["REQUEST_METHOD"], environ["REMOTE_ADDR"] = scope.method, address
        environ["PATH_INFO"] = scope.path.encode().decode("latin-1")
        environ["QUERY_STRING"], environ["SERVER_PROTOCOL"] = scope.query_string, f"HTTP/{scope.http_version}"
        environ["noughts.newsroom"] = self._join is not None
        size = hosts = 0
        for name, value in scope.headers.items():
            size += len(name) + len(value)
            hosts += name == "host"
            if key := _key_of(name):
                environ[key] = f"{environ[key]},{value}" if key in environ else value
        if proxies := self._proxies:
            forwarded = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")
            address = forwarded[-proxies].strip() if len(forwarded) >= proxies else address
            environ["REMOTE_ADDR"] = address  # for the log: the application changes only its copy
        visitor = share_of(address)
        if scope.path.startswith(CLASSES):
            visitor = self._members.group_of(environ.get("HTTP_COOKIE", ""), visitor)
        is_static = scope.path.startswith(STATIC)
        buckets = self._probe_buckets if scope.path == ALIVE else self._static_buckets if is_static else self._buckets
        if wait := buckets.take(visitor):
            raise RefusedRequest(429, RATE, retry_after=wait)
        if not scope.path.startswith("/") or hosts > 1 or (not hosts and scope.http_version == "1.1"):
            raise RefusedRequest(400, "unreadable")
        url = len(scope.path) + len(scope.query_string)
        if url > self._limits.url:
            raise RefusedRequest(414, "limit")
        if size > self._limits.head_bytes:
            raise RefusedRequest(431, "limit")
        return _Visit(environ, scope.path, visitor, url + size)

    async def _read_and_answer(self, visit: _Visit, protocol: "RSGIHTTPProtocol") -> Reply:
        """Return the answer to a request, whose bytes are counted until then. Raises RefusedRequest."""
        length = self._length_of_body(visit)
        if not self._bytes.take(visit.visitor, visit.size + length):
            raise RefusedRequest(503, "bytes")
        self.under_way += 1
        try:
            visit.environ["wsgi.input"] = BytesIO(await self._read_body(length, protocol))
            return await self._answer(visit, protocol)
        finally:
            self.under_way -= 1
            self._bytes.free(visit.visitor, visit.size + length)

    def _length_of_body(self, visit: _Visit) -> int:
        """Return the bytes of a body. Raises RefusedRequest if it is too long or of no stated length."""
        if "HTTP_TRANSFER_ENCODING" in visit.environ:
            raise RefusedRequest(411, "limit")
        stated = visit.environ.get("CONTENT_LENGTH", "0")
        is_batch = visit.path in BATCHES
        most = self._limits.batch_bytes if is_batch else self._limits.body_bytes
        length = int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 10 else most + 1
        if length > most:
            words = "That is more than a table or a batch of positions may have." if is_batch else ""
            raise RefusedRequest(413, "limit", words)
        return length

    async def _read_body(self, length: int, protocol: "RSGIHTTPProtocol") -> bytes:
        """Return the body of a request. Raises RefusedRequest if it is too slow or ends too soon."""
        if not length:
            return b""
        try:
            async with asyncio.timeout(self._limits.body):
                body = b"".join([part async for part in protocol])  # Granian keeps it within the stated length
        except TimeoutError:
            raise RefusedRequest(408, "body") from None
        if len(body) < length:
            raise RefusedRequest(400, "cut")  # the visitor has left, and half a form must not count
        return body

    # Its answer.

    async def _answer(self, visit: _Visit, protocol: "RSGIHTTPProtocol") -> Reply:
        """Return the answer, made by this thread or another one. Raises RefusedRequest."""
        path = visit.path
        reply = await self._answer_in_turn(visit) if self._is_quick(path) else None
        if reply is None:
            lane = self._lane_of(path)
            leaving = asyncio.ensure_future(_watch(visit, protocol))
            try:
                async with asyncio.timeout(self._limits.answer):
                    reply = await lane.run(visit.visitor, partial(self._answer_apart, visit))
            except TimeoutError:
                visit.left = True
                raise RefusedRequest(503, "unanswered") from None
            finally:
                leaving.cancel()
            if visit.is_ready:
                remember(self._ready, {path: None}, MOST_READY)
        environ, seconds = visit.environ, time.perf_counter() - visit.began
        if "member" in visit.told:
            self._members.note(*visit.told["member"])
        method, route = environ["REQUEST_METHOD"], visit.told.get("route", "none")
        self._counts.answered(route, method if method in METHODS else "other", reply.status, seconds)
        if self._requests is not None:
            self._requests.note(environ, reply.status, len(reply.body), seconds)
        return reply

    def _lane_of(self, path: str) -> _Lane:
        if path in PROBES:
            return self._probes
        return (
            self._classes if path.startswith(CLASSES[:-1]) else self._live if path.startswith("/live") else self._pages
        )

    def _is_quick(self, path: str) -> bool:
        """Return whether the address is of a page without search: a static file, or a board whose table is made."""
        if path in self._ready:
            self._ready.move_to_end(path)
            return True
        return path in (ALIVE, FIRST_PAGE) or path.startswith(STATIC)

    async def _answer_in_turn(self, visit: _Visit) -> Reply | None:
        """Return the answer, made by this thread when it is the visitor's turn, or None if it needs another thread."""
        answered: asyncio.Future[Reply | None] = asyncio.get_running_loop().create_future()
        self._quick.put(visit.visitor, (visit, answered))
        self._serve_soon()
        return await answered

    def _serve_soon(self) -> None:
        if not self._is_to_serve:
            self._is_to_serve = True
            asyncio.get_running_loop().call_soon(self._serve)

    def _serve(self) -> None:
        """Answer quick requests for a slice of time, each visitor in turn. Then let the loop read."""
        until = time.monotonic() + self._limits.slice
        try:
            self._quick.serve(self._give)
            while self._quick and time.monotonic() < until:
                self._quick.serve(self._give)
        finally:
            self._is_to_serve = False
            if self._quick:
                self._serve_soon()

    def _give(self, waiting: "tuple[_Visit, asyncio.Future[Reply | None]]") -> None:
        visit, answered = waiting
        if not answered.done():
            answered.set_result(self._answer_at_once(visit))

    def _answer_at_once(self, visit: _Visit) -> Reply | None:
        """Return the answer, or None if that needs another thread."""
        try:
            return self._ask(visit.environ)
        except NeedsThread:
            visit.environ["wsgi.input"].seek(0)
            return None

    def _answer_apart(self, visit: _Visit) -> Reply:
        if visit.left:
            return GONE
        reply = self._ask(visit.environ)
        visit.is_ready = _make_table(visit.path)
        return reply

    def _ask(self, environ: "WSGIEnvironment") -> Reply:
        """Return the application's answer. Raises NeedsThread."""
        try:
            parts, status, headers = run_wsgi_app(self._app, environ, buffered=True)
        except NeedsThread:
            raise
        except BaseException:  # a lost answer would hold its connection
            LOGGER.exception("The application has failed")
            return RefusedRequest(500, "failure").reply(environ)
        return Reply(int(status[:3]), headers.to_wsgi_list(), b"".join(parts))

    async def _stay(
        self, reply: Reply, visit: _Visit, join: Join, scope: "Scope", protocol: "RSGIHTTPProtocol"
    ) -> None:
        """Keep a connection open for news until one side ends it. Raises RefusedRequest if too many stay."""
        if not self._streams.take(visit.visitor):
            words = "Too many pages wait for news here. Ask again now and then."
            raise RefusedRequest(503, "streams", words, retry_after=30)
        try:
            self._probe_soon(scope.client)
            headers = [(name, value) for name, value in reply.headers if name != "Content-Length"]
            transport, stream = protocol.response_stream(reply.status, headers), Stream()
            stream.send(reply.body)
            leave = join(visit.told["stays"], stream)
            self._open.add(stream)
            try:
                await stream.run(transport, protocol)
            finally:
                self._open.discard(stream)
                leave()
        finally:
            self._streams.free(visit.visitor)

    def _probe_soon(self, client: str) -> None:
        host, _, port = client.rpartition(":")
        if not self._unprobed:
            asyncio.get_running_loop().call_later(PROBE_EVERY, self._probe)
        self._unprobed.add((host.strip("[]"), int(port or 0)))

    def _probe(self) -> None:
        probe_clients(self._unprobed)
        self._unprobed.clear()

    def _note(self, refused: RefusedRequest, environ: "WSGIEnvironment") -> None:
        """Count and log a refusal."""
        self._counts.refusals[refused.reason] += 1
        if refused.reason != RATE:
            named = {"client": environ["REMOTE_ADDR"]} if self._logs_addresses else {}
            log("refused", status=refused.status, reason=refused.reason, id=environ[REQUEST_ID], **named)


async def _watch(visit: _Visit, protocol: "RSGIHTTPProtocol") -> None:
    """Note when the visitor leaves before the answer."""
    await protocol.client_disconnect()
    visit.left = True


@lru_cache(maxsize=512)
def _key_of(name: str) -> str:
    """Return the key of a header in the environment; "" for one with an underscore.

    X_Forwarded_For must not pass for X-Forwarded-For.
    """
    if "_" in name:
        return ""
    key = name.upper().replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"


def _make_table(path: str) -> bool:
    """Make the table of the board that the address names; return whether it has one."""
    if not path.startswith("/play/"):
        return False
    try:
        rules = parse_rules(path.removeprefix("/play/"))
    except BadRules:
        return False
    if rules.is_small:
        oracle.known(Position(rules))
    return rules.is_small
