"""Messages between the processes of a server: pickled values, each behind its length, over a pair of sockets.

Only processes that this server has started hold an end of it.
"""

import asyncio
import pickle
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

_LENGTH = struct.Struct("!I")


@dataclass(frozen=True, slots=True)
class Tie:
    """What binds another process to the first one: its end of a wire, and a lifeline without which it ends.

    `at_the_end` is what it does first if the lifeline breaks.
    """

    end: socket.socket
    lifeline: "Connection[Any, Any]"
    at_the_end: Callable[[], object]


def _framed(message: object) -> bytes:
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(data)) + data


class Wire:
    """An end whose process does not wait at it: messages lie ready until the other end takes them."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def over(cls, end: socket.socket) -> "Wire":
        """The wire over a connected socket."""
        return cls(*await asyncio.open_connection(sock=end))

    def send(self, message: object) -> None:
        """Sends a message, in order, as soon as the other end reads; nothing once it is gone."""
        if not self._writer.is_closing():
            self._writer.write(_framed(message))

    async def receive(self) -> Any:
        """The next message. Raises EOFError when the other end is gone."""
        try:
            (length,) = _LENGTH.unpack(await self._reader.readexactly(_LENGTH.size))
            return pickle.loads(await self._reader.readexactly(length))  # noqa: S301 - from a process of this server
        except (asyncio.IncompleteReadError, OSError) as error:
            raise EOFError from error

    @property
    def unread(self) -> int:
        """Bytes that the other end has not taken yet."""
        return self._writer.transport.get_write_buffer_size()

    def close(self) -> None:
        """Lets go of this end."""
        self._writer.close()


class WaitingWire:
    """An end whose process has nothing else to do than to wait for the next message."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def send(self, message: object) -> None:
        """Sends a message. Raises OSError when the other end is gone."""
        self._end.sendall(_framed(message))

    def receive(self) -> Any:
        """The next message. Raises EOFError when the other end is gone."""
        (length,) = _LENGTH.unpack(self._exactly(_LENGTH.size))
        return pickle.loads(self._exactly(length))  # noqa: S301 - from the process that started this one

    def _exactly(self, length: int) -> bytes:
        parts: list[bytes] = []
        while length:
            part = self._end.recv(min(length, 1 << 16))
            if not part:
                raise EOFError
            parts.append(part)
            length -= len(part)
        return b"".join(parts)
