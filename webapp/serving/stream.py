"""A connection that stays open for news, after its request was answered."""

import asyncio
import os
import socket
from collections.abc import Set
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from granian._granian import RSGIHTTPProtocol, RSGIHTTPStreamTransport

UNACKNOWLEDGED: Final = 2000
"""Milliseconds without an acknowledgement after which the system gives the connection up."""

PROBE_EVERY: Final = 1
"""Seconds between two probes of the client, so that a lost player soon counts as away."""


class Stream:
    """A sender of news. News that waits gives way to newer news. Only the loop's own thread may use it."""

    def __init__(self) -> None:
        self._news = b""
        self._wake = asyncio.Event()
        self._is_ending = False

    def send(self, data: bytes) -> None:
        """Send data soon, in place of what waits."""
        self._news = data
        self._wake.set()

    def end(self) -> None:
        """End the connection after the data so far is sent."""
        self._is_ending = True
        self._wake.set()

    async def run(self, transport: "RSGIHTTPStreamTransport", protocol: "RSGIHTTPProtocol") -> None:
        """Write what is sent, until one side ends the connection."""
        writing, leaving = asyncio.ensure_future(self._write(transport)), asyncio.ensure_future(_left(protocol))
        try:
            await asyncio.wait((writing, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            writing.cancel()
            leaving.cancel()

    async def _write(self, transport: "RSGIHTTPStreamTransport") -> None:
        while self._news or not self._is_ending:
            await self._wake.wait()
            self._wake.clear()
            news, self._news = self._news, b""
            if news:
                await transport.send_bytes(news)


async def _left(protocol: "RSGIHTTPProtocol") -> None:
    await protocol.client_disconnect()


def probe_clients(peers: Set[tuple[str, int]]) -> None:
    """Have the system probe some clients of this process, so that their loss is noticed in seconds.

    Granian does not hand over its sockets, so connections are found by the address of their client. That looks at all
    of them, so it is best done for many clients at once.
    """
    with suppress(OSError, AttributeError):  # not on every system
        for name in os.listdir("/proc/self/fd"):
            with suppress(OSError):  # it is no connection, or closed by now
                connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, int(name))
                try:
                    if connection.getpeername()[:2] in peers:
                        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED)
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
                        for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL):
                            connection.setsockopt(socket.IPPROTO_TCP, option, PROBE_EVERY)
                finally:
                    connection.detach()  # the descriptor is not ours to close
