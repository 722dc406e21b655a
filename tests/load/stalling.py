"""Attackers who stall: bodies that never come, headers that never end, answers that nobody reads."""

import asyncio
from contextlib import suppress

from tests.benchmarks.serving import get
from tests.load.attackers import CLOSED, OPEN, Target, each_again, held
from tests.load.wire import Connection

BODY = (
    b"POST /play/3x3x3 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 99\r\n\r\ncell="
)
CHUNKS = b"POST /play/3x3x3 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\ncell="
HEADERS = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
LARGE = get("/learn/pictures/distinct.svg")
UNREAD = 8
"""Requests for the large picture on one connection, so that no buffer holds all answers."""

RECEIVE_BUFFER = 4096
AGAIN = 2.0
"""Seconds after which a client comes back that the server has closed."""


async def http2(target: Target, clients: int) -> None:
    """Send the preface of HTTP/2 and nothing else."""
    await _held_again(target, clients, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")


async def bodies(target: Target, clients: int) -> None:
    """Send POSTs with a length and no end."""
    await _held_again(target, clients, BODY)


async def chunked_bodies(target: Target, clients: int) -> None:
    """Send POSTs in chunks, and never finish the first chunk."""
    await _held_again(target, clients, CHUNKS)


async def slow_bodies(target: Target, clients: int) -> None:
    """Send POSTs whose body comes at a byte a second."""
    await _held_again(target, clients, BODY, 1, b"b")


async def idle(target: Target, clients: int) -> None:
    """Open connections and send nothing."""
    await _held_again(target, clients, b"")


async def idle_after_a_page(target: Target, clients: int) -> None:
    """Open connections that get a page and then stay."""

    async def stay(_: int) -> None:
        connection = await _connected(target)
        if connection is not None:
            try:
                await connection.send(get("/healthz"))
                target.got[str((await connection.answer()).status)] += 1
            except (OSError, EOFError, ValueError):
                target.got[CLOSED] += 1
                connection.close()
            else:
                await held(target, connection)

    await each_again(clients, stay, AGAIN)


async def slow_headers(target: Target, clients: int) -> None:
    """Send requests whose headers come at a byte a second."""
    await _held_again(target, clients, HEADERS, 1, b"x")


async def unread(target: Target, clients: int) -> None:
    """Ask for large pictures and never read them."""
    await _unread_again(target, clients, LARGE * UNREAD)


async def unread_news(game: str, target: Target, clients: int) -> None:
    """Ask for large pictures and then for the news of a live game, and never read."""
    await _unread_again(target, clients, LARGE * UNREAD + get(f"{game}/news"))


async def _unread_again(target: Target, clients: int, requests: bytes) -> None:
    async def ask(_: int) -> None:
        connection = await _connected(target, RECEIVE_BUFFER)
        if connection is None:
            return
        connection.stop_reading()
        try:
            await connection.send(requests)
            # Nothing is read, so a closed connection shows only in that it takes nothing more.
            while True:
                await asyncio.sleep(1)
                await connection.send(b"\r\n")
        except OSError:
            target.got[CLOSED] += 1
        except asyncio.CancelledError:
            target.got[OPEN] += 1
            raise
        finally:
            connection.close()

    await each_again(clients, ask, AGAIN)


async def _held_again(target: Target, clients: int, begin: bytes, every: float = 0, trickle: bytes = b"") -> None:
    async def hold(_: int) -> None:
        connection = await _connected(target)
        if connection is not None:
            with suppress(OSError):
                await connection.send(begin)
            await held(target, connection, every, trickle)

    await each_again(clients, hold, AGAIN)


async def _connected(target: Target, receive_buffer: int | None = None) -> Connection | None:
    try:
        return await target.connect(receive_buffer)
    except OSError:
        target.got[CLOSED] += 1
        return None
