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

from solver.board.outcome import Outcome
from solver.board.position import Position
from solver.board.rules import Cell
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


class ProofState(StrEnum):
    """The state of a position's proof in the background."""

    PROVING = "proving"
    WAITING = "waiting"
    DONE = "done"
    SPENT = "spent"
    BUSY = "busy"
    OFF = "off"


ProvedMoves: TypeAlias = tuple[tuple[Cell, int, int], ...]
"""What is proved of a position: for each move, the least and the greatest score of the position after it."""


@dataclass(frozen=True, slots=True)
class ProofStatus:
    """The state of a position's proof as a page shows it, the number of positions in front of it, and the proofs."""

    state: ProofState
    ahead: int = 0
    found: ProvedMoves = ()


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
    "ProofStatus": lambda state, ahead, found: ProofStatus(ProofState(state), ahead, found),
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
