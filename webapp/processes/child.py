"""A process of the server and its line to the watcher: what it is told at its start, and its signs of life.

The line is a socket, the standard input of the process. Each sign of life goes out on it. When the line breaks, the
watcher has ended, and the process ends too.
"""

import os
import shutil
import signal
import struct
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Client, Connection
from pathlib import Path
from threading import Thread
from typing import Any, Final, Literal, TypeAlias

from solver.system import resident_bytes
from webapp.config import AppConfig

ProcessKind: TypeAlias = Literal["gate", "page", "pool"]

MODULES: Final[dict[ProcessKind, str]] = {
    "gate": "webapp.processes.gate_process",
    "page": "webapp.processes.page_process",
    "pool": "webapp.processes.prover",
}
"""The module of each kind of process. Its function `run` is what the process does."""

NUMBER: Final = struct.Struct("!Q")
"""A sign of life: the bytes of memory that the process holds."""

SIGN_EVERY: Final = 1.0
"""Seconds between two signs of life."""

RETRY: Final = 0.05
"""Seconds between two attempts to reach a gate that has not started yet."""


@dataclass(frozen=True, slots=True)
class Start:
    """What a process is told at its start. `folder` is the run's own folder.

    `listeners` are the descriptors of the sockets for pages, that of a page process itself first.
    """

    kind: ProcessKind
    number: int
    config: AppConfig
    folder: Path
    listeners: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name of the process in the log."""
        return f"{self.kind}-{self.number}"

    @property
    def gate(self) -> Path:
        """The Unix socket of the gate."""
        return self.folder / "gate"


class Child:
    """This process, as far as it concerns the watcher."""

    def __init__(self, line: "Connection[Any, Any]") -> None:
        self.start: Start = line.recv()
        self._line = line

    def run(self) -> None:
        """Do what processes of this kind do."""
        for number in (signal.SIGINT, signal.SIGHUP):  # the watcher alone handles Ctrl-C and the end of a terminal
            signal.signal(number, signal.SIG_IGN)
        Thread(target=self._listen, name="line", daemon=True).start()
        import_module(MODULES[self.start.kind]).run(self)

    def give_sign(self) -> None:
        """Tell the watcher that this process is alive."""
        self._line.send_bytes(NUMBER.pack(resident_bytes()))

    def connect(self) -> "Connection[Any, Any]":
        """Return a connection to the gate, once there is one."""
        while True:
            with suppress(OSError):
                return Client(str(self.start.gate), "AF_UNIX")
            time.sleep(RETRY)

    def _listen(self) -> None:
        """Wait for the end of the watcher, which says no more, and end this process too."""
        with suppress(EOFError, OSError):
            self._line.recv_bytes()
        shutil.rmtree(self.start.folder, ignore_errors=True)
        os._exit(0)
