"""The messages between page processes, the gate and the provers.

A message is a pickled tuple with its length in front, over the gate's Unix socket, as by `multiprocessing.connection`.
What a visitor has caused travels in it as pickled bytes of its own, which only the page process that asks and the
prover that works unpickle. Equal values mostly have equal bytes, by which the gate finds them; if not, their work is
done twice.
"""

import asyncio
import pickle
import struct
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple, Self, TypeAlias


class Length(StrEnum):
    """The time that a task may take."""

    SHORT = "short"
    LONG = "long"


@dataclass(frozen=True, slots=True)
class Task:
    """A call of a function, which returns its result and whether a later call would return the same."""

    length: Length
    function: Callable[..., tuple[Any, bool]]
    arguments: tuple[Hashable, ...] = ()

    @classmethod
    def of(cls, function: Callable[..., tuple[Any, bool]], *arguments: Hashable, long: bool = False) -> Self:
        """Make the task to call a function."""
        return cls(Length.LONG if long else Length.SHORT, function, arguments)


@dataclass(frozen=True, slots=True)
class Asker:
    """A request that waits for an answer: its page process, the number of its question there, and its visitor."""

    page_process: int
    number: int
    client: str


class Done(NamedTuple):
    """The pickled result of a task, or of a turn."""

    result: bytes


class Failed(NamedTuple):
    """The reason why a task has no result."""

    reason: str


class Refused(NamedTuple):
    """A refusal, because the gate is full or the task took too long."""

    retry_after: int
    reason: str


class Status(NamedTuple):
    """The state of a position's proof, the number of positions in front of it, and what is proved, pickled."""

    state: str
    ahead: int = 0
    proved: bytes = b""


GateAnswer: TypeAlias = Done | Failed | Refused | Status

_LENGTH: Final = struct.Struct("!i")


class Wire:
    """One end of a connection, which never blocks: messages are buffered until the other end takes them."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    def send(self, *message: Any) -> None:
        """Send a message after all earlier ones. Do nothing once the other end is gone."""
        if not self._writer.is_closing():
            data = pickle.dumps(message)
            self._writer.write(_LENGTH.pack(len(data)) + data)

    async def receive(self) -> tuple[Any, ...]:
        """Return the next message. Raises EOFError when the other end is gone."""
        try:
            (length,) = _LENGTH.unpack(await self._reader.readexactly(_LENGTH.size))
            message: tuple[Any, ...] = pickle.loads(await self._reader.readexactly(length))  # noqa: S301 - our own
        except (asyncio.IncompleteReadError, OSError) as error:
            raise EOFError from error
        return message

    @property
    def unread(self) -> int:
        """The bytes that the other end has not taken yet."""
        return self._writer.transport.get_write_buffer_size()

    def close(self) -> None:
        """Close this end."""
        self._writer.close()
