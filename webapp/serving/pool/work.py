"""The messages between the processes of a server: tasks, positions to be proved, and what becomes of them."""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from solver.board.position import Position


class Length(StrEnum):
    """How long a task may take."""

    SHORT = "short"
    LONG = "long"


@dataclass(frozen=True, slots=True)
class Task:
    """A task of `webapp.processes.tasks` by its name, and its arguments. Equal tasks have equal results."""

    kind: Length
    name: str
    arguments: tuple[Hashable, ...] = ()


class Standing(StrEnum):
    """The state of a position that is to be proved in the background."""

    PROVING = "proving"
    WAITING = "waiting"
    DONE = "done"
    SPENT = "spent"
    BUSY = "busy"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Look:
    """The state of such a position as a page shows it, and how many are in front of it."""

    standing: Standing
    ahead: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of the figures that a page shows are known."""

    done: int
    total: int

    @property
    def complete(self) -> bool:
        """Whether all are."""
        return self.done == self.total


@dataclass(frozen=True, slots=True)
class ProvingTurn:
    """Work on a position for so many seconds, whose proofs go to the store."""

    position: Position
    seconds: float


Work: TypeAlias = Task | ProvingTurn


@dataclass(frozen=True, slots=True)
class Asker:
    """A request that waits for an answer: the process that answers it, its number for the question, and the visitor."""

    page_worker: int
    number: int
    client: str


@dataclass(frozen=True, slots=True)
class Done:
    """A task's result, pickled."""

    result: bytes


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a task has no result."""

    reason: str


@dataclass(frozen=True, slots=True)
class Refused:
    """That the gate is full, or that a task took too long."""

    retry_after: int
    reason: str


GateAnswer: TypeAlias = Done | Failed | Refused | Look
