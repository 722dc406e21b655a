"""A connection that stays open for news: what is left of one once its request was answered."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

UNREAD: Final = 1 << 14
"""Bytes that may lie unread before the connection is ended: news are a few letters each."""

SENT: Final = 1 << 12
"""Bytes that the other side may still send, though nobody asks for anything."""

UNACKNOWLEDGED: Final = 20_000
"""Milliseconds for which news may go unacknowledged until the system gives the connection up."""


class Stream(asyncio.Protocol):
    """Takes a connection over from the one that has read its request. `ended` is called once it is gone."""

    def __init__(self, transport: asyncio.Transport, ended: "Callable[[Stream], object]") -> None:
        self._transport, self._ended = transport, ended
        self._leave: Callable[[], None] | None = None
        self._received = 0
        self._gone = False
        transport.set_protocol(self)
        with suppress(AttributeError, OSError):  # not on every system
            transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED)

    def begin(self, join: "Callable[[Stream], Callable[[], None]]") -> None:
        """Has it told of news from now on, unless it has ended already."""
        if not self._gone:
            self._leave = join(self)

    def send(self, data: bytes) -> None:
        """Writes, or ends a connection that nobody reads."""
        if self._transport.get_write_buffer_size() > UNREAD:
            self._transport.abort()
        elif not self._transport.is_closing():
            self._transport.write(data)

    def end(self) -> None:
        """Ends the connection once what was written is on its way."""
        self._transport.close()

    def shutdown(self) -> None:
        """The same, as uvicorn calls it when the server ends."""
        self.end()

    def data_received(self, data: bytes) -> None:
        """Nothing more is answered here."""
        self._received += len(data)
        if self._received > SENT:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """The other side has gone, or this one has ended it."""
        self._gone = True
        if self._leave is not None:
            self._leave()
        self._ended(self)
