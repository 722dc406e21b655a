"""The first process of a server: it starts the others, watches them, and stops them. It parses nothing that they say.

There are page processes, one gate and the provers. A page process and the gate give a sign of life every second, each
over a line of its own: their memory in bytes. Whoever ends, hangs or holds too much memory is replaced.
"""

import logging
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final

from webapp.config import AppConfig
from webapp.processes.child import NUMBER, ProcessKind, Start
from webapp.processes.systemd import Notifier
from webapp.serving.http.log import log

TRIES: Final = 5
"""The number of failed starts in a row after which the server gives up."""

PAUSE: Final = 0.5
"""Seconds before another start after a failed one."""


class CannotStart(Exception):
    """Several processes in a row have ended before they were ready."""


@dataclass(eq=False, slots=True)
class _Child:
    """A process that the watcher has started, and the watcher's end of its line."""

    kind: ProcessKind
    number: int
    process: "subprocess.Popen[bytes]"
    line: "Connection[Any, Any]"
    listener: socket.socket
    started: float
    last_sign: float | None = None
    memory: int = 0
    ending: float | None = None
    """The time at which the process was asked to end or was killed."""


class Watcher:
    """A server at listening sockets, which runs until it is told to stop.

    A socket, and who waits in its queue, outlives the page process at it. `folder` is the run's own; it is removed at
    the end. `environment` is that of the processes.
    """

    def __init__(
        self, listeners: list[socket.socket], config: AppConfig, folder: Path, environment: Mapping[str, str]
    ) -> None:
        self._listeners, self._config, self._limits = listeners, config, config.limits
        self._folder, self._environment = folder, environment
        self._wanted: dict[ProcessKind, int] = {
            "gate": 1,
            "page": self._limits.workers,
            "pool": self._limits.gate.processes,
        }
        self._children: list[_Child] = []
        self._numbers = count(1)
        self._failed_starts = 0
        self._stopping = self._forced = False
        self._notifier = Notifier()

    def serve(self, announce: Callable[[], None]) -> None:
        """Run until SIGTERM, SIGHUP or Ctrl-C; call `announce` once these are handled. Raises CannotStart.

        Requests under way are answered first, and what they need is still replaced if it is lost. A second signal ends
        everything at once.
        """
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup ignores SIGHUP
                signal.signal(number, self.stop)
        announce()
        try:
            while not self._stopping:
                self._turn()
            self._notifier.tell("STOPPING=1")
            for listener in self._listeners:
                listener.close()
            self._wanted["page"] = 0
            for child in self._of("page"):
                self._end(child, gently=True)
            while self._of("page") and not self._forced:
                self._turn()
        finally:
            self._end_all()

    def stop(self, *_: object) -> None:
        """Tell `serve` to end everything and return. A second call ends everything at once."""
        self._forced, self._stopping = self._stopping, True

    def _turn(self) -> None:
        """Start what is missing, wait until there is something to do, and check all processes."""
        self._start_missing()
        wait([child.line for child in self._children if not child.line.closed], self._limits.check_every)
        for child in list(self._children):
            self._listen(child)
            if child.process.poll() is None:
                self._judge(child)
            else:
                self._bury(child)
        self._notifier.alive(time.monotonic())

    # Starting.

    def _start_missing(self) -> None:
        """Start the missing processes of each kind. A process that is ending does not count."""
        if self._failed_starts >= TRIES:
            raise CannotStart
        if self._failed_starts:
            time.sleep(PAUSE)
        try:
            for kind, wanted in self._wanted.items():
                for _ in range(wanted - sum(child.ending is None for child in self._of(kind))):
                    self._start(kind)
        except OSError as error:  # the system has no room for another process just now
            log("process-not-started", logging.ERROR, reason=str(error))
            time.sleep(PAUSE)

    def _start(self, kind: ProcessKind) -> None:
        taken = [child.listener for child in self._of("page") if child.ending is None]
        listeners = sorted(self._listeners, key=taken.count)
        numbers = tuple(listener.fileno() for listener in listeners) if kind == "page" else ()
        start = Start(kind, next(self._numbers), self._config, self._folder, numbers)
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(  # noqa: S603 - this very program
                [sys.executable, "-m", "webapp.processes", start.name],
                stdin=theirs.fileno(),
                env=self._environment,
                pass_fds=numbers,
                process_group=0,  # a terminal's signals reach the watcher alone
            )
        line: Connection[Any, Any] = Connection(ours.detach())
        self._children.append(_Child(kind, start.number, process, line, listeners[0], time.monotonic()))
        with suppress(OSError):  # it has ended already
            line.send(start)
        log("process-started", kind=kind, number=start.number, pid=process.pid)

    # Watching.

    def _listen(self, child: _Child) -> None:
        """Read a process's signs of life."""
        try:
            while not child.line.closed and child.line.poll():
                (child.memory,) = NUMBER.unpack(child.line.recv_bytes(NUMBER.size))
                if child.last_sign is None:
                    self._failed_starts = 0
                    if child.kind == "page":
                        self._notifier.tell("READY=1")
                child.last_sign = time.monotonic()
        except (EOFError, OSError):  # it is about to end
            child.line.close()

    def _judge(self, child: _Child) -> None:
        """Kill a process that hangs, and replace one that uses too much memory."""
        now, limits = time.monotonic(), self._limits
        if child.ending is not None:
            if now - child.ending > limits.stop + (limits.front.drain if child.kind == "page" else 0):
                child.process.kill()
        elif child.last_sign is None:
            if now - child.started > limits.start:
                self._replace(child, "does not start")
        elif child.kind != "pool" and now - child.last_sign > limits.silence:
            self._replace(child, "hangs")
        elif child.kind == "page" and child.memory > limits.memory:
            self._replace(child, f"holds {child.memory >> 20} MiB", gently=True)

    def _replace(self, child: _Child, reason: str, gently: bool = False) -> None:
        _warn("process-replaced", child, reason=reason)
        self._end(child, gently)

    def _end(self, child: _Child, gently: bool) -> None:
        child.ending = time.monotonic()
        child.process.terminate() if gently else child.process.kill()

    def _bury(self, child: _Child) -> None:
        """Forget a process that has ended."""
        self._children.remove(child)
        child.line.close()
        if child.ending is None:
            _warn("process-ended", child, exit_code=child.process.returncode)
        self._failed_starts += child.last_sign is None

    def _of(self, kind: ProcessKind) -> list[_Child]:
        return [child for child in self._children if child.kind == kind]

    def _end_all(self) -> None:
        for listener in self._listeners:
            listener.close()
        for child in self._children:
            child.process.kill()
        for child in self._children:
            child.process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def _warn(event: str, child: _Child, **fields: object) -> None:
    """Log the loss or the replacement of a process."""
    log(event, logging.WARNING, kind=child.kind, number=child.number, pid=child.process.pid, **fields)
