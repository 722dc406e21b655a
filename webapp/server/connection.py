"""A connection of uvicorn's with deadlines and limits. HTTP/1.1 only."""

import asyncio
import socket
from functools import partial
from http import HTTPStatus
from typing import ClassVar, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from webapp.server.counts import RequestCounts
from webapp.server.door import Door, share_of
from webapp.server.front import Front, Reply
from webapp.server.log import log
from webapp.server.refusals import refusal
from webapp.server.stream import Stream

BATCHES: Final = b"/api/v1/predict"
"""The address that takes many positions at once."""

MORE_THAN_A_BATCH: Final = "That is more than a batch of positions may have."

PARTED: Final = {
    400: "That is no HTTP/1.1 request.",
    408: "The request took too long to arrive.",
    411: "Send the form with its length.",
    413: "A move is a few letters; that was far more.",
    429: "That is too much at once on one connection.",
    414: "That address is far longer than any link.",
    431: "Those headers are far longer than any browser's.",
    503: "The server is busy. Try again in a few seconds.",
}
"""The words to requests that are refused before the application sees them, by status."""


FULL: Final = Reply(
    "503 Service Unavailable",
    *refusal("/live/", 503, "Too many pages wait for news here. Ask again now and then.", retry_after=30),
)
"""The answer where no further connection may stay."""


class Unacceptable(Exception):
    """Ends the reading of a request."""


class Connection(HttpToolsProtocol):
    """One visitor's connection. Each state has a deadline, which the door enforces."""

    door: ClassVar[Door]
    front: ClassVar[Front]
    counts: ClassVar[RequestCounts]
    log_addresses: ClassVar[bool] = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # head, then body
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if peer else ""
        self.url = b""
        self._parted = False
        self._received = 0
        self._within_head = True
        self._refusal: int | None = None
        self._answering: RequestResponseCycle | None = None
        self._begun = 0
        self.guest = _Guest(self)
        if not self.door.enter(self.guest):
            self._part(503, "connections")
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.door.leave(self.guest)
        if self._answering is not None:
            self._answering.disconnected = True
        self.pipeline.clear()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._parted:
            return
        if not self._received:
            self._waits(self.door.limits.head)
        self._received += len(data)
        if self._within_head and self._received - len(data) > self.door.limits.head_bytes:
            self._part(431, "head")
            return
        self._begun = 0
        super().data_received(data)

    def on_message_begin(self) -> None:
        self._within_head = True
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > self.door.limits.url:
            self._refuse(414)

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        if len(self.headers) > self.door.limits.headers or self._received > self.door.limits.head_bytes + (1 << 18):
            self._refuse(431)

    def on_headers_complete(self) -> None:
        self._within_head = False
        sizes = [len(name) + len(value) for name, value in self.headers]
        if sum(sizes) > self.door.limits.head_bytes or max(sizes, default=0) > self.door.limits.header_bytes:
            self._refuse(431)
        for name, value in self.headers:
            if name == b"transfer-encoding":
                self._refuse(411)
            if name == b"content-length" and not (value.isdigit() and int(value) <= self._most_bytes()):
                self._refuse(413)
        if len(self.pipeline) >= self.door.limits.pipelined:
            self._refuse(429)
        if not self._is_answering():
            self._waits(self.door.limits.body)
        super().on_headers_complete()
        if self.expect_100_continue:
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_message_complete(self) -> None:
        self._received = 0
        self.door.at_work(self.guest)
        super().on_message_complete()
        if not any(cycle is self.cycle for cycle, _ in self.pipeline):
            self._begin(self.cycle)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: object) -> None:  # noqa: ARG002 - uvicorn's signature
        """In place of an ASGI application the front gets the request, when it is there whole."""
        if cycle.more_body:
            self.door.wait(self.guest, self.door.limits.body)
        else:
            self._begin(cycle)

    def _begin(self, cycle: RequestResponseCycle) -> None:
        self._answering = cycle
        self._begun += 1
        # Only the first of what came together is answered within the parser's call, so that the others are counted.
        self.front.begin(cycle, partial(self._finish, cycle), at_once=self._begun == 1)

    def _finish(self, cycle: RequestResponseCycle, answer: Reply) -> None:
        """Writes an answer, in one piece."""
        cycle.response_complete = True
        if cycle.disconnected or self._parted or self.transport.is_closing():
            return
        if answer.stays is not None and cycle.scope["method"] == "GET":
            if not self.pipeline and self.door.stay(self.guest):
                self._stay(answer)
                return
            answer = FULL
        headers = answer.headers
        if answer.status[:3] not in ("204", "304") and not any(name == "Content-Length" for name, _ in headers):
            headers = [*headers, ("Content-Length", str(len(answer.body)))]
        if not cycle.keep_alive:
            headers = [*headers, ("Connection", "close")]
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
        dated = b"".join(b"%s: %s\r\n" % each for each in self.server_state.default_headers)
        head = f"HTTP/1.1 {answer.status}\r\n{lines}".encode("latin-1", "replace") + dated + b"\r\n"
        self.transport.write(head if cycle.scope["method"] == "HEAD" else head + answer.body)
        if not cycle.keep_alive:
            self.transport.close()
        self.on_response_complete()

    def _stay(self, answer: Reply) -> None:
        """Writes the beginning of an answer that has no end, and hands the connection to a stream."""
        address, connections, door = self.guest.client, self.connections, self.door

        def ended(stream: Stream) -> None:
            connections.discard(stream)
            door.left(address)

        self.server_state.total_requests += 1
        connections.discard(self)
        transport = self.transport
        headers = [header for header in answer.headers if header[0] != "Content-Length"]  # it ends with the connection
        lines = "".join(f"{name}: {value}\r\n" for name, value in [*headers, ("Connection", "close")])
        transport.write(f"HTTP/1.1 {answer.status}\r\n{lines}\r\n".encode("latin-1", "replace") + answer.body)
        self.flow.resume_reading()
        stream = Stream(transport, ended)
        connections.add(stream)  # type: ignore[arg-type]  # uvicorn asks it to shut down, as it does its own
        assert answer.stays is not None  # noqa: S101 - asked before
        stream.begin(answer.stays)

    def on_response_complete(self) -> None:
        """As uvicorn's, but that the door keeps the time."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            self.door.answered(self.guest)  # it has yet to read
            return
        self.flow.resume_reading()
        if not self.pipeline:
            self.door.answered(self.guest)
        elif self.guest.unread() > self.door.limits.ahead_bytes:
            self.transport.abort()
        else:
            self._start_asgi_task(*self.pipeline.pop())

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's signature
        """Called by uvicorn for a request that it cannot read, and for one that the callbacks above have refused."""
        self._part(self._refusal or 400, "unreadable" if self._refusal is None else "limit")

    def _unsupported_upgrade_warning(self) -> None:
        """A request to speak another protocol is answered in this one."""

    def _named(self) -> dict[str, str]:
        return {"client": self.address} if self.log_addresses else {}

    def _most_bytes(self) -> int:
        """How much the body may hold: at most addresses that is a move."""
        limits = self.door.limits
        return limits.batch_bytes if self._takes_batches() else limits.body_bytes

    def _takes_batches(self) -> bool:
        return self.url.partition(b"?")[0] == BATCHES

    def _refuse(self, status: int) -> None:
        self._refusal = status
        raise Unacceptable

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _waits(self, seconds: float) -> None:
        if not self._is_answering():
            self.door.wait(self.guest, seconds)

    def overdue(self) -> None:
        """Ends the connection, with a word if something had come."""
        begun = self._received or (self.cycle is not None and self.cycle.more_body)
        if self._parted or self.guest.unread() or not begun:
            self.transport.abort() if self._parted or self.guest.unread() else self.transport.close()
        else:
            self._part(408, "body" if not self._within_head else "head")

    def _part(self, status: int, reason: str) -> None:
        """Answers in one piece and stops to listen; the connection ends when the other side has read it, or soon."""
        self._parted = True
        words = MORE_THAN_A_BATCH if status == 413 and self._takes_batches() else PARTED[status]
        headers, text = refusal(self.url.decode("latin-1"), status, words)
        headers += ("Content-Length", str(len(text))), ("Connection", "close")
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
        head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n{lines}"
        self.counts.refusals[reason] += 1
        log("refused", status=status, reason=reason, **self._named())
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.write(head.encode() + b"\r\n" + text)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.door.wait(self.guest, self.door.limits.parting)


class _Guest:
    """A connection as the door sees it: uvicorn's own `client` is a pair."""

    def __init__(self, connection: Connection) -> None:
        self.connection, self.client, self.deadline = connection, share_of(connection.address), float("inf")

    def overdue(self) -> None:
        self.connection.overdue()

    def make_room(self) -> None:
        self.connection.counts.refusals["room"] += 1
        self.connection.transport.abort()

    def unread(self) -> int:
        return self.connection.transport.get_write_buffer_size()
