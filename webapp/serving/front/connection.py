"""A visitor's connection: HTTP/1.1 parsed by httptools, within deadlines and limits.

The front gets one whole request at a time, in order. Pipelined requests wait here, within limits. Reading never stops,
so that a disconnect is noticed at once.
"""

import asyncio
import os
import socket
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from typing import Final
from urllib.parse import unquote

import httptools

from webapp.serving.counts import RequestCounts
from webapp.serving.door import Door, share_of
from webapp.serving.front.exchange import RETRY_AFTER, Request, refusal
from webapp.serving.front.front import Front, Reply
from webapp.serving.front.stream import Stream
from webapp.serving.http.log import LOGGER, log

try:
    from fcntl import ioctl
    from termios import TIOCOUTQ
except ImportError:  # not on every system
    TIOCOUTQ = 0  # type: ignore[misc]

BATCHES: Final = frozenset({"/api/v1/predict", "/api/v1/prove", "/prove"})
"""The addresses that take many positions at once."""

MORE_THAN_A_BATCH: Final = "That is more than a table or a batch of positions may have."

MESSAGES: Final = {
    400: "That is no HTTP/1.1 request.",
    408: "The request took too long to arrive.",
    411: "Send the form with its length.",
    413: "A move is a few letters; that was far more.",
    414: "That address is far longer than any link.",
    429: "You ask for more than your share. Wait a moment and try again.",
    431: "Those headers are far longer than any browser's.",
    500: "Something broke here.",
    503: "The server is busy. Try again in a few seconds.",
}
"""Messages for requests refused before the application, by status."""

FULL: Final = Reply(
    "503 Service Unavailable",
    *refusal("/live/", 503, "Too many pages wait for news here. Ask again now and then.", retry_after=30),
)
"""The answer when there are too many news streams."""

RATE: Final = "rate"
"""The reason counted for rate-limited requests. There can be many, so the log sums them up."""

SLICE: Final = 1 << 14
"""Bytes that are parsed between two checks of the limits."""

HOSTS: Final = {"1.0": (0, 1), "1.1": (1,)}
"""The allowed numbers of Host headers, by the version of HTTP."""


class Unacceptable(Exception):
    """A request breaks a limit, so parsing ends."""


@dataclass(frozen=True, slots=True)
class Services:
    """The services that all connections of a process share, and the set of open connections and streams."""

    door: Door
    front: Front
    counts: RequestCounts
    log_addresses: bool = False
    open: "set[Connection | Stream]" = field(default_factory=set)


class Connection(asyncio.Protocol):
    """One connection. Each of its states has a deadline, which the door enforces."""

    transport: asyncio.Transport

    def __init__(self, services: Services) -> None:
        self._services = services
        self._door, self._limits = services.door, services.door.limits
        self._parser = httptools.HttpRequestParser(self)
        self._address, self._server = "", ("localhost", 80)
        self._reading: Request | None = None
        self._url = b""
        self._answering: Request | None = None
        self._waiting: deque[Request] = deque()
        """Whole requests behind the one that is being answered."""
        self._received = 0
        self._within_head = True
        self._refusal: int | None = None
        self._deaf = False
        """True once input is ignored: after the last request, or after a refusal."""
        self._has_refused = False
        self._asked = self._draining = self._unread_too_much = False
        self.client = ""
        self.deadline = float("inf")

    # asyncio calls these.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let the connection in, or refuse it where there is no room."""
        self.transport = transport
        transport.set_write_buffer_limits(high=self._limits.ahead_bytes)
        connected = transport.get_extra_info("socket")
        with suppress(OSError):  # the kernel would grow this buffer to megabytes that the door does not count
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._limits.send_buffer)
        peer, own = transport.get_extra_info("peername"), transport.get_extra_info("sockname")
        self._address = str(peer[0]) if peer else ""
        self._server = (str(own[0]), int(own[1])) if own else self._server
        self.client = share_of(self._address)
        self._services.open.add(self)
        if not self._door.enter(self):
            self._send_refusal(503, "connections")
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Free the place of the connection, and drop its requests that have no answer yet."""
        self._services.open.discard(self)
        self._door.leave(self)
        self._forget()

    def eof_received(self) -> None:
        """Drop the requests that have no answer yet. The client has a while to read what was sent."""
        self._deaf = True
        self._forget()
        self._door.wait(self, self._limits.unread)

    def data_received(self, data: bytes) -> None:
        """Parse what has come, in slices."""
        for start in range(0, len(data), SLICE):
            if self._within_head and self._received > self._limits.head_bytes and not self._deaf:
                self._send_refusal(431, "head")
            if self._deaf:
                return
            self._parse(data[start : start + SLICE])

    def _parse(self, data: bytes) -> None:
        self._received += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            cause = error.__context__
            if cause is not None and not isinstance(cause, (Unacceptable, UnicodeError, httptools.HttpParserError)):
                LOGGER.error("A callback of the parser has failed", exc_info=cause)
                self._send_refusal(500, "failure")
            elif not self._deaf:  # else the error is in bytes after the last request
                self._send_refusal(self._refusal or 400, "unreadable" if self._refusal is None else "limit")
        except httptools.HttpParserUpgrade:
            pass  # a request to upgrade the protocol is answered in HTTP/1.1

    def pause_writing(self) -> None:
        """Hold back pipelined requests until the client reads."""
        self._unread_too_much = True

    def resume_writing(self) -> None:
        """Answer the requests that were held back."""
        self._unread_too_much = False
        self._go_on()

    # httptools calls these, within `feed_data`.

    def on_message_begin(self) -> None:
        """Begin a request, unless the one before was the last."""
        if self._deaf:
            raise Unacceptable
        self._asked, self._reading = True, Request(self._address, self._server)
        self._url, self._within_head = b"", True
        self._wait(self._limits.head)

    def on_url(self, url: bytes) -> None:
        """Take a part of the address."""
        self._url += url
        if len(self._url) > self._limits.url:
            self._refuse(414)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        headers = self._current.headers
        headers.append((name.lower(), value.strip(b" \t")))
        if len(headers) > self._limits.headers or self._received > self._limits.head_bytes + SLICE:
            self._refuse(431)

    def on_headers_complete(self) -> None:
        """Check the head, before any of the body is read."""
        request = self._current
        request.method = self._parser.get_method().decode("ascii")
        request.version = self._parser.get_http_version()
        url = httptools.parse_url(self._url)
        request.path = unquote((url.path or b"/").decode("ascii"))
        request.query = (url.query or b"").decode("latin-1")
        upgrades = self._parser.should_upgrade()
        request.keep_alive = request.version == "1.1" and self._parser.should_keep_alive() and not upgrades
        self._within_head = False
        sizes = [len(name) + len(value) for name, value in request.headers]
        if sum(sizes) > self._limits.head_bytes or max(sizes, default=0) > self._limits.header_bytes:
            self._refuse(431)
        if len(request.values(b"host")) not in HOSTS.get(request.version, ()) or not request.path.startswith("/"):
            self._refuse(400)
        if upgrades and any(size.strip(b"0") for size in request.values(b"content-length")):
            self._refuse(400)  # the parser would leave the body unread
        if request.values(b"transfer-encoding"):
            self._refuse(411)
        most = self._limits.batch_bytes if self._takes_batches else self._limits.body_bytes
        if any(not (size.isdigit() and int(size) <= most) for size in request.values(b"content-length")):
            self._refuse(413)
        if len(self._waiting) >= self._limits.pipelined:
            self._refuse(429)
        self._wait(self._limits.body)
        is_next = self._answering is None and not self._waiting and request.version == "1.1"
        if is_next and b"100-continue" in map(bytes.lower, request.values(b"expect")):
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        """Append to the body. The parser keeps it within its Content-Length."""
        self._current.body += body

    def on_message_complete(self) -> None:
        """Queue the complete request, and begin its answer if it is next."""
        request, self._reading, self._received = self._current, None, 0
        if self._waiting and sum(each.size for each in (*self._waiting, request)) > self._limits.pipelined_bytes:
            self._refuse(429)
        self._deaf = not request.keep_alive
        self._waiting.append(request)
        self._go_on()

    # The server and the door call these.

    def drain(self) -> None:
        """Close after the pending answers, because the server is stopping.

        A connection that has asked for nothing yet has a moment to do so.
        """
        self._draining = True
        if self._has_refused or self._answering or self._waiting or self._reading or self._has_input():
            return
        if self._asked:
            self.transport.close()
        else:
            self._door.wait(self, self._limits.patience)

    def give_up(self) -> None:
        """Answer 503 to a request under way, because the server stops now."""
        if self._answering is not None:
            self._send_refusal(503, "stopping")
        else:
            self.transport.abort()

    def overdue(self) -> None:
        """End the connection. Send a refusal if a request was incomplete, or if its answer was not ready in time."""
        if self._has_refused or self.unread() or self.transport.is_closing():
            self.transport.abort()
        elif self._answering is not None:
            self._send_refusal(503, "unanswered")
        elif self._reading is not None:
            self._send_refusal(408, "head" if self._within_head else "body")
        else:
            self.transport.close()

    def make_room(self) -> None:
        """End the connection to make room for another one."""
        self._services.counts.refusals["room"] += 1
        self.transport.abort()

    def unread(self) -> int:
        """Return how many bytes of answers the system has not taken yet."""
        return self.transport.get_write_buffer_size()

    # Requests and their answers.

    @property
    def _current(self) -> Request:
        assert self._reading is not None  # noqa: S101 - the parser calls in order
        return self._reading

    @property
    def _takes_batches(self) -> bool:
        return self._reading is not None and self._reading.path in BATCHES

    def _begin(self, request: Request) -> None:
        self._answering = request
        wait = self._services.front.begin(request, lambda answer: self._finish(request, answer))
        if wait:
            self._send_refusal(429, RATE, wait)

    def _finish(self, request: Request, answer: Reply) -> None:
        """Write an answer in one piece, and go on with the next request."""
        if request.left or self.transport.is_closing():
            return
        self._answering = None
        if answer.stays is not None and request.method == "GET":
            if not self._waiting and not self._reading and self._has_read_all() and self._door.stay(self):
                self._stay(answer)
                return
            answer = FULL
        closes = not request.keep_alive or (self._draining and not self._waiting)
        headers = answer.headers
        if answer.status[:3] not in ("204", "304") and not any(name == "Content-Length" for name, _ in headers):
            headers = [*headers, ("Content-Length", str(len(answer.body)))]
        head = _head(answer.status, headers, closes)
        self.transport.write(head if request.method == "HEAD" else head + answer.body)
        self._door.answered(self)
        if closes:
            self._deaf = True
            self.transport.close()
        elif self._waiting:
            self._go_on()
        elif self._reading is not None:
            self._door.wait(self, self._limits.head if self._within_head else self._limits.body)

    def _go_on(self) -> None:
        """Begin to answer the next request, unless too much of the earlier answers is unread."""
        if self._waiting and not (self._answering or self._unread_too_much or self.transport.is_closing()):
            self._door.at_work(self)
            self._begin(self._waiting.popleft())

    def _stay(self, answer: Reply) -> None:
        """Write the head of an event stream, and hand the connection to a `Stream`."""
        client, services = self.client, self._services

        def ended(stream: Stream) -> None:
            services.open.discard(stream)
            services.door.left(client)

        assert answer.stays is not None  # noqa: S101 - checked by the caller
        services.open.discard(self)
        headers = [header for header in answer.headers if header[0] != "Content-Length"]  # a stream has no length
        self.transport.write(_head(answer.status, headers, closes=True) + answer.body)
        stream = Stream(self.transport, ended)
        services.open.add(stream)
        stream.begin(answer.stays)

    # Refusals.

    def _refuse(self, status: int) -> None:
        self._refusal = status
        raise Unacceptable

    def _send_refusal(self, status: int, reason: str, retry_after: int = RETRY_AFTER) -> None:
        """Send a refusal and ignore further input.

        The connection ends when the client closes it, or after `parting` seconds.
        """
        self._has_refused = self._deaf = True
        words = MORE_THAN_A_BATCH if status == 413 and self._takes_batches else MESSAGES[status]
        url = self._answering.path if self._answering is not None else self._url.decode("latin-1")
        request_id = self._services.front.next_id()
        headers, text = refusal(url, status, words, retry_after, request_id)
        headers.append(("Content-Length", str(len(text))))
        self._services.counts.refusals[reason] += 1
        if reason != RATE:  # refusals by rate are logged together
            named = {"client": self._address} if self._services.log_addresses else {}
            log("refused", status=status, reason=reason, id=request_id, **named)
        self._forget()
        self.transport.write(_head(f"{status} {HTTPStatus(status).phrase}", headers, closes=True) + text)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._door.wait(self, self._limits.parting)

    def _forget(self) -> None:
        """Mark the current request as abandoned, and drop the waiting ones."""
        if self._answering is not None:
            self._answering.left = True
            self._answering = None
        self._waiting.clear()

    def _wait(self, seconds: float) -> None:
        """Set a deadline for the client, unless the server owes it an answer."""
        if self._answering is None and not self._waiting:
            self._door.wait(self, seconds)

    # The socket itself.

    def _has_input(self) -> bool:
        """Return whether the socket has input that the loop has not read yet."""
        try:
            with socket.socket(fileno=os.dup(self.transport.get_extra_info("socket").fileno())) as same:
                return bool(same.recv(1, socket.MSG_PEEK))
        except OSError:
            return False

    def _has_read_all(self) -> bool:
        """Return whether the client has received all earlier answers, as far as the system can tell."""
        if self.unread():
            return False
        left = bytearray(4)
        if TIOCOUTQ:
            with suppress(OSError):
                ioctl(self.transport.get_extra_info("socket").fileno(), TIOCOUTQ, left)
        return not any(left)


def _head(status: str, headers: list[tuple[str, str]], closes: bool) -> bytes:
    """Return the status line and headers of an answer in bytes."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    end = "connection: close\r\n\r\n" if closes else "\r\n"
    return f"HTTP/1.1 {status}\r\ndate: {_date(int(time.time()))}\r\n{lines}{end}".encode("latin-1", "replace")


@lru_cache(maxsize=1)
def _date(second: int) -> str:
    return formatdate(second, usegmt=True)
