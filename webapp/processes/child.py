"""What every process of a server has from the first one, and its signs of life."""

import socket
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from solver.processes import live_no_longer_than, resident_bytes

ProcessKind: TypeAlias = Literal["gate", "page", "pool"]

MODULES: Final[dict[ProcessKind, str]] = {
    "gate": "webapp.processes.gate_process",
    "page": "webapp.processes.page_process",
    "pool": "webapp.processes.prover",
}
"""The module of each kind of process. Its function `run` is what the process does."""

SIGN: Final = struct.Struct("!Q")
"""A sign of life: the bytes of memory that a process holds."""

SIGN_EVERY: Final = 1.0
"""Seconds between two signs of life."""


RETRY: Final = 0.05
"""Seconds between two attempts to reach a gate that has not started yet."""


@dataclass(frozen=True, slots=True)
class Lines:
    """A child's lines to the first process. When the lifeline breaks, the child calls `at_the_end` and ends."""

    number: int
    lifeline: "Connection[Any, Any]"
    signs: "Connection[Any, Any]"
    gate: Path
    """The Unix socket of the gate."""
    restarts: Any
    """The number of processes that were replaced, in memory that all processes share."""
    at_the_end: Callable[[], object]

    def hold(self) -> None:
        """End this process once the first one has ended."""
        live_no_longer_than(self.lifeline, self.at_the_end)

    def connect(self) -> "Connection[Any, Any]":
        """Return a connection to the gate, once there is one."""
        while True:
            end = socket.socket(socket.AF_UNIX)
            try:
                end.connect(str(self.gate))
            except OSError:
                end.close()
                time.sleep(RETRY)
            else:
                return Connection(end.detach())

    def give_sign(self) -> None:
        """Tell the first process that this one is alive."""
        self.signs.send_bytes(SIGN.pack(resident_bytes()))


def run(kind: ProcessKind, *arguments: object) -> None:
    """Run a process of a kind: the module is imported in that process alone, so the first one stays small."""
    import_module(MODULES[kind]).run(*arguments)
