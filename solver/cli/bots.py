"""Players outside this process: programs, web services and engines for Gomocup.

Each is a context in which it can be asked for the square that it plays in a position. The context limits what a player
may use, and ends every process of it. If this process is killed, a guard ends the program and those of its group.
"""

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import FrameType
from typing import IO, TYPE_CHECKING, Any, Final, NoReturn, TypeAlias

from solver.analysis.trial import NoAnswer, asked_as
from solver.board.notation import format_cell, quoted
from solver.board.position import Position
from solver.board.rules import Rules
from solver.errors import BadOption, BadRules

MOST_BYTES: Final = 4096
"""The most bytes of an answer, and of the errors that are kept for a program's last words."""

MEMORY: Final = 4 << 30
"""The most bytes of addresses that each process of a program may reserve. Node needs more than a gigabyte."""

GUARD: Final = ("/bin/sh", "-c", 'read -r _; kill -9 "-$0"')
"""A command that kills the group of processes with its last argument as the number, once its input ends."""

LAST_MOMENT: Final = 0.5
"""Seconds that a program has to end after it has closed its output."""

PR_SET_CHILD_SUBREAPER: Final = 36
"""The option of Linux by which orphans among the processes below this one become its children."""

ENDINGS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The signals that end the command, and with it the program."""

if TYPE_CHECKING:
    from urllib.request import OpenerDirector

Bot: TypeAlias = AbstractContextManager[Callable[[Position], str]]
"""A context that gives a function from a position to the name of a square. The function raises NoAnswer."""


class Program(AbstractContextManager[Callable[[Position], str]]):
    """A program that reads a line for each position and answers with a line."""

    def __init__(self, command: Sequence[str], seconds: float, rules: Rules) -> None:
        self._command, self._seconds, self._rules = command, seconds, rules
        self._read = self._errors = b""

    def __enter__(self) -> Callable[[Position], str]:
        """Start the program. Raises BadOption if there is no such program."""
        self._others, self._before = _below(os.getpid()), {ending: signal.signal(ending, _exit) for ending in ENDINGS}
        signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)
        _adopt_orphans(True)
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user names the program
                self._command,
                bufsize=0,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                start_new_session=True,
                preexec_fn=_limit,  # noqa: PLW1509 - this process has no other threads
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
            )
        except OSError as error:
            self._let_signals_through()
            raise BadOption(f"{quoted(self._command[0], 200)} cannot be started: {error.strerror}.") from error
        os.set_blocking(_of(self._process.stdin).fileno(), False)
        self._guard = subprocess.Popen((*GUARD, str(self._process.pid)), stdin=pipe, start_new_session=True)  # noqa: S603
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)
        except BaseException:
            self.__exit__()
            raise
        return self.ask

    def __exit__(self, *_: object) -> None:
        """End every process of the program. A signal waits until that is done."""
        try:
            signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)
        finally:
            self._end()
            self._let_signals_through()

    def _end(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._guard.kill()
        self._guard.wait()
        while left := _below(os.getpid(), self._others):
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                with suppress(ChildProcessError):  # it is an orphan's child, and an orphan itself in the next round
                    os.waitpid(pid, 0)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr, self._guard.stdin):
            if stream is not None:
                stream.close()

    def _let_signals_through(self) -> None:
        _adopt_orphans(False)
        for ending, handler in self._before.items():
            signal.signal(ending, handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)

    def ask(self, position: Position) -> str:
        """Return the program's answer to a position."""
        self.send(f"{position.rules} {asked_as(position)} {position.mover}\n")
        said = self.next_line(time.monotonic() + self._seconds)
        if self._read.strip():
            raise NoAnswer("It printed more than one line.", said)
        return said

    def send(self, text: str) -> None:
        """Send lines, after a check that the program has printed nothing since its last answer."""
        try:
            self._receive(0)
            if self._read.strip():
                raise NoAnswer("It printed this before it was asked.", self._shown())
            self._read = b""
            if _of(self._process.stdin).write(text.encode()) is None:
                raise NoAnswer("It does not read its input.")
        except OSError:
            self._raise_end("It has closed its input.")

    def next_line(self, deadline: float) -> str:
        """Return the next line that the program prints."""
        while b"\n" not in self._read:
            if len(self._read) > MOST_BYTES:
                raise NoAnswer(f"It printed a line of more than {MOST_BYTES:,} bytes.", self._shown())
            left = deadline - time.monotonic()
            if left <= 0:
                late = "No answer" if not self._read else "No whole line"
                raise NoAnswer(f"{late} within {self._seconds:g} s. Does it flush its output?", self._shown() or None)
            self._receive(left)
        line, self._read = self._read.split(b"\n", 1)
        return line[:MOST_BYTES].decode(errors="replace").strip()

    def _receive(self, seconds: float) -> None:
        """Wait until the program prints something, and read it. Raises NoAnswer if its output has ended."""
        out, err = _of(self._process.stdout), _of(self._process.stderr)
        watched = [out] if err.closed else [out, err]
        ready, _, _ = select.select(watched, [], [], seconds)
        if err in ready:
            text = os.read(err.fileno(), 1 << 16)
            self._errors = (self._errors + text)[-MOST_BYTES:]
            if not text:
                err.close()
        if out in ready:
            text = os.read(out.fileno(), 1 << 16)
            self._read += text
            if not text:
                self._raise_end("It has closed its output.")

    def _raise_end(self, otherwise: str) -> NoReturn:
        """Raise NoAnswer with how the program ended and its last words, or with `otherwise` if it still runs."""
        try:
            code = self._process.wait(LAST_MOMENT)
        except subprocess.TimeoutExpired:
            raise NoAnswer(otherwise, self._shown() or None) from None
        err = _of(self._process.stderr)
        while not err.closed and select.select([err], [], [], 0)[0] and (text := os.read(err.fileno(), 1 << 16)):
            self._errors = (self._errors + text)[-MOST_BYTES:]
        how = f"It ended with exit code {code}." if code >= 0 else f"It was ended by {signal.Signals(-code).name}."
        *_, last = ["", *self._errors.decode(errors="replace").strip().splitlines()]
        raise NoAnswer(f"{how} Its last words: {quoted(last, 200)}." if last else how, self._shown() or None)

    def _shown(self) -> str:
        return self._read.decode(errors="replace").strip()[:80]


class Gomocup(Program):
    """An engine for five in a row on a square board, which speaks the protocol of Gomocup."""

    def __init__(self, command: Sequence[str], seconds: float, rules: Rules) -> None:
        if rules.columns != rules.rows or rules.k != 5:
            raise BadRules(f"Gomocup engines play five in a row on square boards, such as 8x8x5, and not on {rules}.")
        super().__init__(command, seconds, rules)
        self._started = False

    def ask(self, position: Position) -> str:
        """Return the engine's answer to a position."""
        if not self._started:
            limits = f"INFO timeout_turn {self._seconds * 1000:.0f}\nINFO rule 0\n"
            if (said := self._said(f"START {self._rules.columns}\n")) != "OK":
                raise NoAnswer("It does not start with OK.", said)
            self._started = True
        else:
            limits = ""
        cells = [cell for cell in range(self._rules.size) if position.mark_at(cell)]
        stones = "".join(
            f"{column},{row},{1 if position.mark_at(cell) is position.mover else 2}\n"
            for cell in cells
            for column, row in [self._rules.column_row(cell)]
        )
        said = self._said(limits + (f"BOARD\n{stones}DONE\n" if stones else "BEGIN\n"))
        place = re.fullmatch(r"(\d{1,2}),(\d{1,2})", said, re.ASCII)
        if not place or max(map(int, place.groups())) >= self._rules.columns:
            raise NoAnswer(f"{quoted(said)} is no square: column,row from 0,0.", said)
        return format_cell(self._rules.cell(int(place[1]), int(place[2])), self._rules)

    def _said(self, text: str) -> str:
        deadline = time.monotonic() + self._seconds
        self.send(text)
        while (said := self.next_line(deadline)).startswith(("MESSAGE", "DEBUG", "UNKNOWN")):
            pass
        return said


class Service(AbstractContextManager[Callable[[Position], str]]):
    """A web service that answers a GET with the square as plain text."""

    def __init__(self, url: str, seconds: float) -> None:
        if not re.match("https?://", url, re.IGNORECASE):
            raise BadOption(f"{quoted(url, 200)} is no address: begin it with http:// or https://.")
        self._url, self._seconds = url.partition("#")[0], seconds

    def __enter__(self) -> Callable[[Position], str]:
        """Return the function that asks."""
        return self.ask

    def __exit__(self, *_: object) -> None:
        """Do nothing: no connection is kept."""

    def ask(self, position: Position) -> str:
        """Return the service's answer to a position."""
        import urllib.parse
        from http.client import HTTPException

        asked = {"board": position.rules, "position": asked_as(position), "mark": position.mover}
        url = f"{self._url}{'&' if '?' in self._url else '?'}{urllib.parse.urlencode(asked)}"

        def late(*_: Any) -> NoReturn:
            raise NoAnswer(f"No answer within {self._seconds:g} s.")

        before = signal.signal(signal.SIGALRM, late)
        signal.setitimer(signal.ITIMER_REAL, self._seconds)
        try:
            with _opener().open(url) as answer:
                text: bytes = answer.read(MOST_BYTES)
        except (OSError, ValueError, HTTPException) as error:
            why = getattr(error, "reason", error)
            why = quoted(str(getattr(why, "strerror", None) or why), 200)
            raise NoAnswer(f"{quoted(url, 200)} gives no answer: {why}.") from error
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        return text.decode(errors="replace").strip()


def _opener() -> "OpenerDirector":
    """Return an opener of addresses that follows no redirect to another site."""
    from urllib.parse import urlsplit
    from urllib.request import HTTPRedirectHandler, Request, build_opener

    class SameSite(HTTPRedirectHandler):
        def redirect_request(self, req: Request, *rest: Any) -> Request | None:
            *_, url = rest
            if urlsplit(url)[:2] != urlsplit(req.full_url)[:2]:  # the scheme, the host and the port
                raise NoAnswer(f"It redirects to another site: {quoted(url, 200)}.")
            return super().redirect_request(req, *rest)

    return build_opener(SameSite)


def _of(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None  # noqa: S101 - all three are pipes
    return stream


def _limit() -> None:
    """Limit the memory of the process that is about to become a program, and the files of its crashes."""
    import resource

    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _exit(number: int, _: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)


def _adopt_orphans(wanted: bool) -> None:
    """Let orphans below this process become its children, or let them go; only on Linux."""
    import ctypes

    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, int(wanted), 0, 0, 0)


def _below(process: int, without: Collection[int] = ()) -> list[int]:
    """Return the processes below one, but for those in `without` and theirs; none where there is no /proc."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            _, _, fields = path.read_text(errors="replace").rpartition(")")
            parents[int(path.parent.name)] = int(fields.split()[1])
    processes = [process]
    for process_id in processes:  # grows meanwhile
        processes += [child for child, parent in parents.items() if parent == process_id and child not in without]
    return processes[1:]
