"""The messages between the processes of a server: tasks, positions to prove, and their results.

Each message is a pickled value with its length in front, in the format of `multiprocessing.connection.Connection`. It
goes over a pair of sockets, and only processes of this server hold an end.
"""

import asyncio
import pickle
import socket
import struct
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

from solver.board.outcome import Outcome
from solver.board.position import Position
from solver.board.rules import Cell


class Length(StrEnum):
    """The time that a task may take."""

    SHORT = "short"
    LONG = "long"


Packed: TypeAlias = bytes
"""A pickled value that the first process passes on unread, so that nothing in it costs that process anything.

Equal values mostly have equal bytes, by which the gate finds them; if not, their work is done twice.
"""


@dataclass(frozen=True, slots=True)
class PackedTask:
    """A task as the first process sees it."""

    kind: Length
    content: Packed


@dataclass(frozen=True, slots=True)
class Task:
    """A task of `webapp.processes.pool_worker`: its name and arguments. Equal tasks have equal results."""

    kind: Length
    name: str
    arguments: tuple[Hashable, ...] = ()

    @property
    def packed(self) -> PackedTask:
        """The task for its way through the first process."""
        return PackedTask(self.kind, pickle.dumps(self))


class ProofState(StrEnum):
    """The state of a position's proof in the background."""

    PROVING = "proving"
    WAITING = "waiting"
    DONE = "done"
    SPENT = "spent"
    BUSY = "busy"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class ProofStatus:
    """The state of a position's proof as a page shows it, and the number of positions in front of it."""

    state: ProofState
    ahead: int = 0


class Proving(StrEnum):
    """The effort to prove the squares of a position."""

    MOMENT = "moment"
    """A moment's search."""
    ASIDE = "aside"
    """A search in the pool that goes on as long as it is asked for. The positions that visitors look at come first."""
    IN_VIEW = "in view"
    """A search in the pool that goes on in the background, since the visitor looks at the position."""
    STOPPED = "stopped"
    """No search in the background any more."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question about one position. Each field that is set asks for a part of `analyses.Analysis`.

    `squares` asks for the prediction; `known` gives outcomes to use in its place. `line` is the square whose line of
    best play is wanted, and `reasons` are the squares to explain. `opponent` asks for the mover's chances against that
    player, and `decider` for the decision of the named player. A `seeded` decision is the same on every machine.
    """

    position: Position
    squares: Proving | None = None
    known: tuple[tuple[Cell, Outcome], ...] = ()
    line: Cell | None = None
    reasons: tuple[Cell, ...] = ()
    opponent: str = ""
    decider: str = ""
    seeded: bool = False


@dataclass(frozen=True, slots=True)
class Progress:
    """The number of computed figures of a page, and the number of all its figures."""

    done: int
    total: int

    @property
    def complete(self) -> bool:
        """True if all figures are computed."""
        return self.done == self.total


@dataclass(frozen=True, slots=True)
class ProvingTurn:
    """Seconds of work on a position. The proofs go to the store."""

    position: Packed
    seconds: float


Work: TypeAlias = PackedTask | ProvingTurn


@dataclass(frozen=True, slots=True)
class Asker:
    """A request that waits for an answer: its page process, the number of its question there, and its visitor."""

    page_worker: int
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


_LENGTH = struct.Struct("!I")


@dataclass(frozen=True, slots=True)
class ChildChannel:
    """The connection of a child process to the first process: its end of a wire, and a lifeline.

    When the lifeline breaks, the child calls `at_the_end` and ends.
    """

    end: socket.socket
    lifeline: "Connection[Any, Any]"
    at_the_end: Callable[[], object]


class Wire:
    """One end of a connection, which never blocks: messages are buffered until the other end takes them.

    The other end may be a blocking `Connection` if no message exceeds two gigabytes.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def over(cls, end: socket.socket) -> "Wire":
        """Return the wire over a connected socket."""
        return cls(*await asyncio.open_connection(sock=end))

    def send(self, message: object) -> None:
        """Send a message after all earlier ones. Do nothing once the other end is gone."""
        if not self._writer.is_closing():
            data = pickle.dumps(message)
            self._writer.write(_LENGTH.pack(len(data)) + data)

    async def receive(self) -> Any:
        """Return the next message. Raises EOFError when the other end is gone."""
        try:
            (length,) = _LENGTH.unpack(await self._reader.readexactly(_LENGTH.size))
            return pickle.loads(await self._reader.readexactly(length))  # noqa: S301 - from a process of this server
        except (asyncio.IncompleteReadError, OSError) as error:
            raise EOFError from error

    @property
    def unread(self) -> int:
        """The bytes that the other end has not taken yet."""
        return self._writer.transport.get_write_buffer_size()

    def close(self) -> None:
        """Close this end."""
        self._writer.close()
