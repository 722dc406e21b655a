"""A connection that stays open for news, after its request was answered."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

UNREAD: Final = 1 << 14
"""Bytes of unread news above which the connection is ended. A piece of news is only a few letters."""

UNASKED: Final = 1 << 12
"""Bytes that the client may send on a stream before it is cut off."""

SEND_BUFFER: Final = 1 << 13
"""Bytes of news that the system may hold for the client."""

UNACKNOWLEDGED: Final = 2000
"""Milliseconds without an acknowledgement after which the system gives the connection up."""

PROBE_EVERY: Final = 1
"""Seconds between two probes of the client, so that a lost player soon counts as away."""


class Stream(asyncio.Protocol):
    """The protocol of a stream of news. It replaces `Connection`, and calls `ended` when it closes."""

    def __init__(self, transport: asyncio.Transport, ended: "Callable[[Stream], object]") -> None:
        self._transport, self._ended = transport, ended
        self._leave: Callable[[], None] | None = None
        self._received = 0
        self._gone = False
        transport.set_protocol(self)
        with suppress(AttributeError, OSError):  # not on every system
            connected = transport.get_extra_info("socket")
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED)
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL):
                connected.setsockopt(socket.IPPROTO_TCP, option, PROBE_EVERY)

    def begin(self, join: "Callable[[Stream], Callable[[], None]]") -> None:
        """Subscribe to news, unless the connection has ended already."""
        if not self._gone:
            self._leave = join(self)

    def send(self, data: bytes) -> None:
        """Send data, or end the connection if its client has stopped reading."""
        if self._transport.get_write_buffer_size() > UNREAD:
            self._transport.abort()
        elif not self._transport.is_closing():
            self._transport.write(data)

    def end(self) -> None:
        """End the connection after the data written so far is sent."""
        self._transport.close()

    drain = end

    def give_up(self) -> None:
        """End the connection at once."""
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Answer nothing more, and end a connection that goes on sending."""
        self._received += len(data)
        if self._received > UNASKED:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Unsubscribe: one side has ended the connection."""
        self._gone = True
        if self._leave is not None:
            self._leave()
        self._ended(self)
