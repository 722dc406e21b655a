"""HTTP/1.1 over bare sockets, with full control of every byte, delay and client address."""

import asyncio
import socket
from contextlib import closing
from dataclasses import dataclass

LIMIT = 1 << 24
"""Bytes of the largest answer that is read."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer. Header names are in lower case; `head` is as it came."""

    status: int
    headers: dict[str, str]
    body: bytes
    head: bytes = b""

    @property
    def is_html(self) -> bool:
        """True if a browser takes the body for a page."""
        return self.headers.get("content-type", "").startswith("text/html")

    @property
    def closes(self) -> bool:
        """True if the server says that it closes the connection now."""
        return self.headers.get("connection", "").lower() == "close"


class Connection:
    """A connection to the server, from the address given."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def to(cls, port: int, source: str | None = None, receive_buffer: int | None = None) -> "Connection":
        """Connect from the source address, with a small buffer for clients that do not read. Raises OSError."""
        made = socket.socket()
        try:
            made.setblocking(False)
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if receive_buffer:
                made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            if source:
                # The port is chosen on connecting, so that many connections do not use up those of one address.
                made.setsockopt(socket.IPPROTO_IP, getattr(socket, "IP_BIND_ADDRESS_NO_PORT", 24), 1)
                made.bind((source, 0))
            await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", port))
            return cls(*await asyncio.open_connection(sock=made, limit=LIMIT))
        except BaseException:
            made.close()
            raise

    @property
    def local(self) -> tuple[str, int]:
        """The client's own address and port."""
        address: tuple[str, int] = self._writer.get_extra_info("sockname")
        return address

    @property
    def ended(self) -> bool:
        """True if the server has closed it: then a browser makes a new one before it sends."""
        return self._reader.at_eof() or self._writer.is_closing()

    async def send(self, data: bytes) -> None:
        """Send data, and wait only while the server does not take it. Raises OSError."""
        self._writer.write(data)
        await self._writer.drain()

    async def receive(self) -> bytes:
        """Return the next bytes, none at the end. Raises OSError."""
        return await self._reader.read(65536)

    async def answer(self, headless: bool = False) -> Answer:
        """Return one whole answer, without a body to HEAD.

        Raises OSError or EOFError if the server closes before its end, ValueError for no HTTP.
        """
        try:
            head = await self._reader.readuntil(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").split("\r\n")[:-2]
            version, status, *_ = f"{first} ".split(" ")
            if not version.startswith("HTTP/1."):
                raise ValueError(f"no answer: {first!r}")
            pairs = (line.partition(":") for line in lines)
            headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
            body = b"" if headless else await self._body(int(status), headers)
            return Answer(int(status), headers, body, head)
        except asyncio.LimitOverrunError as error:
            raise ValueError("the head of the answer has no end") from error

    async def _body(self, status: int, headers: dict[str, str]) -> bytes:
        if status in (204, 304):
            return b""
        if "content-length" in headers:
            return await self._reader.readexactly(int(headers["content-length"]))
        if headers.get("transfer-encoding") != "chunked":
            return await self._reader.read()
        body = bytearray()
        while size := int((await self._reader.readuntil(b"\r\n")).partition(b";")[0], 16):
            body += await self._reader.readexactly(size)
            await self._reader.readexactly(2)
        while await self._reader.readuntil(b"\r\n") != b"\r\n":
            pass
        return bytes(body)

    def stop_reading(self) -> None:
        """Stop reading."""
        self._writer.transport.pause_reading()  # type: ignore[attr-defined]

    def close(self) -> None:
        """End the connection at once."""
        self._writer.transport.abort()


async def exchange(port: int, request: bytes, source: str | None = None) -> Answer:
    """Send a request on a fresh connection and return its answer. Raises what `Connection.answer` raises."""
    with closing(await Connection.to(port, source)) as connection:
        await connection.send(request)
        return await connection.answer()
