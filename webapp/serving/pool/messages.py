"""The messages between page processes, the gate and the provers.

A message is a tuple of plain values, written by marshal with its length in front, over the gate's Unix socket. What a
visitor has caused travels in it as opaque bytes, which only the page process that asks and the prover that works read.
"""

import asyncio
import marshal
import pickle
import struct
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum, StrEnum
from typing import Any, Final, TypeAlias

from solver.proofs.prediction import ProofState, ProofStatus
from webapp.serving.counts import ServerState


class Length(StrEnum):
    """The time that a task may take."""

    SHORT = "short"
    LONG = "long"


@dataclass(frozen=True, slots=True)
class Task:
    """A task of `webapp.processes.prover`: its name and arguments. Equal tasks have equal results."""

    kind: Length
    name: str
    arguments: tuple[Hashable, ...] = ()

    @property
    def packed(self) -> "PackedTask":
        """The task for its way through the gate."""
        return PackedTask(self.kind, pickle.dumps(self))


Packed: TypeAlias = bytes
"""A pickled value that the gate passes on unread, so that nothing in it costs the gate anything.

Equal values mostly have equal bytes, by which the gate finds them; if not, their work is done twice.
"""


@dataclass(frozen=True, slots=True)
class PackedTask:
    """A task as the gate sees it."""

    kind: Length
    content: Packed


@dataclass(frozen=True, slots=True)
class ProvingTurn:
    """Seconds of work on a position. The proofs come back with the answer."""

    position: Packed
    seconds: float


Work: TypeAlias = PackedTask | ProvingTurn


@dataclass(frozen=True, slots=True)
class Asker:
    """A request that waits for an answer: its page process, the number of its question there, and its visitor."""

    page_process: int
    number: int
    client: str


@dataclass(frozen=True, slots=True)
class Done:
    """A task's result, pickled."""

    result: bytes


@dataclass(frozen=True, slots=True)
class Failed:
    """The reason why a task has no result."""

    reason: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal, because the gate is full or the task took too long."""

    retry_after: int
    reason: str


GateAnswer: TypeAlias = Done | Failed | Refused | ProofStatus

ANSWERS: Final[Mapping[str, Callable[..., object]]] = {
    "Done": Done,
    "Failed": Failed,
    "Refused": Refused,
    "ProofStatus": lambda state, ahead, proved: ProofStatus(ProofState(state), ahead, proved),
    "ServerState": lambda *values: ServerState.of(values),
}
"""The functions that make an answer of the values in a message, by the name of its class."""

_LENGTH = struct.Struct("!i")


def plain(value: Any) -> Any:
    """Return a value as what a message may hold: a dataclass as a list of its fields, a counter as a dictionary."""
    if is_dataclass(value):
        return [plain(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, Mapping):
        return dict(value)
    return value.value if isinstance(value, Enum) else value


def packed(message: tuple[Any, ...]) -> bytes:
    """Return the bytes of a message, without its length."""
    return marshal.dumps(message)


class Wire:
    """One end of a connection, which never blocks: messages are buffered until the other end takes them.

    The other end may be a blocking `multiprocessing.connection.Connection`, which sends and receives `packed` messages.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    def send(self, message: tuple[Any, ...]) -> None:
        """Send a message after all earlier ones. Do nothing once the other end is gone."""
        if not self._writer.is_closing():
            data = packed(message)
            self._writer.write(_LENGTH.pack(len(data)) + data)

    async def receive(self) -> tuple[Any, ...]:
        """Return the next message. Raises EOFError when the other end is gone."""
        try:
            (length,) = _LENGTH.unpack(await self._reader.readexactly(_LENGTH.size))
            message: tuple[Any, ...] = marshal.loads(await self._reader.readexactly(length))  # noqa: S302 - our own
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
