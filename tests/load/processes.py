"""The server as a tree of processes, looked at from outside: its CPU, its memory, who answers, who is left."""

import json
import os
import select
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

import psutil  # type: ignore[import-untyped,unused-ignore]

from tests.benchmarks.serving import openings
from tests.load import ROOT
from tests.server import with_socket

COMMAND = (sys.executable, "-m", "solver")
WORKERS = 2
MEGABYTE = 1 << 20
MEMORY = 300 * MEGABYTE
"""Resident bytes that no process may hold."""

LAST_LINES = 15
"""Lines of a server's log that are shown where a test fails."""


class Server:
    """A running `noughts serve`: its address, its log, and every process that it has started."""

    def __init__(self, process: subprocess.Popen[str], port: int, folder: Path) -> None:
        self.process, self.port, self.folder = process, port, folder
        self.root = psutil.Process(process.pid)
        self.homes = 0
        """Addresses that innocents come from, 0 for the one that attackers may share."""

    @property
    def address(self) -> str:
        """Where it answers, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def temporary(self) -> Path:
        """Its folder for temporary files, which is nobody else's."""
        return self.folder / "temporary"

    def tree(self) -> list[psutil.Process]:
        """The first process and all that descend from it."""
        with suppress(psutil.NoSuchProcess):
            return [self.root, *self.root.children(recursive=True)]
        return []

    def cpu_seconds(self) -> float:
        """What all processes have cost so far, those that have ended included."""
        times = (spent(process) for process in self.tree())
        return sum(times)

    def cpu_seconds_at_rest(self, at_most: float = 60) -> float:
        """The same, once nothing is at work any more."""
        before, deadline = self.cpu_seconds(), time.monotonic() + at_most
        while time.monotonic() < deadline:
            time.sleep(0.5)  # the span over which what goes on is measured
            now = self.cpu_seconds()
            if now - before < 0.05:
                break
            before = now
        return self.cpu_seconds()

    def memory(self) -> dict[int, int]:
        """The resident bytes of every process, by its number."""
        found = {}
        for process in self.tree():
            with suppress(psutil.NoSuchProcess):
                found[process.pid] = process.memory_info().rss
        return found

    def serving(self, local: tuple[str, int]) -> int | None:
        """The process that holds the other end of a connection from this address and port, the first one last."""
        for process in reversed(self.tree()):
            with suppress(psutil.NoSuchProcess):
                if any(each.raddr == local for each in process.net_connections("tcp4")):
                    return int(process.pid)
        return None

    def events(self) -> Counter[str]:
        """How many lines of each kind its log has, as far as they are JSON."""
        found: Counter[str] = Counter()
        for line in (self.folder / "log").read_text(encoding="utf-8", errors="replace").splitlines():
            with suppress(ValueError):
                entry: Any = json.loads(line)
                if isinstance(entry, dict):
                    found[str(entry.get("event"))] += 1
        return found

    def last_lines(self) -> list[str]:
        """The end of its log but for the lines of single requests."""
        lines = (self.folder / "log").read_text(encoding="utf-8", errors="replace").splitlines()
        return [line for line in lines if '"request"' not in line][-LAST_LINES:]

    def warm_up(self) -> None:
        """Waits until it is ready, then asks for every kind of an innocent's page. Raises TimeoutError."""
        wait_until(self.ready, 30, "the server is not ready")
        link, cell = openings()[0]
        for _ in range(4 * WORKERS):
            for path, form in (("/", None), (link, None), (link, f"cell={cell}".encode()), ("/healthz", None)):
                with urlopen(self.address + path, form, timeout=20) as answer:
                    answer.read()

    def ready(self) -> bool:
        """Whether it takes requests."""
        for path in ("/readyz", "/healthz"):
            try:
                with urlopen(self.address + path, timeout=5):
                    return True
            except HTTPError as error:
                error.close()
                if error.code != 404:  # a server that has no such page is ready when it is alive
                    return False
            except (URLError, OSError):
                return False
        return False

    def stop(self) -> None:
        """Asks it to stop, and ends all that has not after ten seconds. Raises AssertionError if anything had not."""
        processes = self.tree()
        with suppress(psutil.NoSuchProcess):
            self.root.terminate()
        left = still_alive(processes, 10)
        for process in left:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self.process.wait(10)
        assert not left, f"did not stop when asked: {left}"


@contextmanager
def running(folder: Path, *options: str, port: int = 0, listener: socket.socket | None = None) -> Iterator[Server]:
    """A server on the port, by default any free one, or at a socket; its caches and temporary files are in a folder."""
    (folder / "temporary").mkdir(parents=True, exist_ok=True)
    environment = os.environ | {
        "NOUGHTS_CACHE": str(folder / "cache"),
        "TMPDIR": str(folder / "temporary"),
        "PYTHONUNBUFFERED": "1",
    }
    formats = ("--log-format", "json") if "--log-format" in _help() else ()
    command = [*COMMAND, "serve", "--port", str(port), "--workers", str(WORKERS), *formats, *options]
    command, handed_on = (command, ()) if listener is None else with_socket(command, listener)
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment, cwd=ROOT, pass_fds=handed_on
        )
    try:
        server = Server(process, _port(process), folder)
    except AssertionError:
        print(f"\n{(folder / 'log').read_text(encoding='utf-8')}")
        raise
    clean = False
    try:
        yield server
        clean = True
    finally:
        try:
            server.stop()
        except AssertionError:
            if clean:
                raise
        finally:
            assert process.stdout is not None
            process.stdout.close()
            if not clean:
                print(*server.last_lines(), sep="\n")
            elif events := server.events():
                print("\nlogged: " + ", ".join(f"{event} x{count}" for event, count in sorted(events.items())))


@cache
def _help() -> str:
    return subprocess.run([*COMMAND, "serve", "--help"], capture_output=True, text=True, check=True, cwd=ROOT).stdout


def _port(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    line = process.stdout.readline() if select.select([process.stdout], [], [], 30)[0] else ""
    for word in line.split():
        if word.startswith("http://"):
            return urlsplit(word).port or 80
    process.kill()
    process.communicate()
    raise AssertionError("the server did not start")


def spent(process: psutil.Process) -> float:
    """The CPU seconds of a process and of those children that it has waited for."""
    with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
        times = process.cpu_times()
        return float(times.user + times.system + times.children_user + times.children_system)
    return 0.0


def still_alive(processes: list[psutil.Process], seconds: float) -> list[psutil.Process]:
    """Those that have not ended within the seconds; one that nobody has waited for yet has ended."""

    def alive(process: psutil.Process) -> bool:
        try:
            return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
        except psutil.NoSuchProcess:
            return False

    with suppress(TimeoutError):
        wait_until(lambda: not any(map(alive, processes)), seconds)
    return [process for process in processes if alive(process)]


def wait_until(true: Callable[[], bool], seconds: float, complaint: str = "") -> float:
    """Waits until it is so; gives the seconds that took. Raises TimeoutError."""
    began = time.monotonic()
    while not true():
        if time.monotonic() - began > seconds:
            raise TimeoutError(complaint)
        time.sleep(0.05)
    return time.monotonic() - began


@dataclass
class Watch:
    """What a server's processes held while they were watched: by process, samples of time and bytes."""

    samples: dict[int, list[tuple[float, int]]] = field(default_factory=dict)

    @property
    def peak(self) -> int:
        """The most bytes that any process held."""
        return self.peak_between(0, 1)

    def peak_between(self, first: float, last: float) -> int:
        """The same in a part of the time, of which the whole is from 0 to 1."""
        looks = [look for samples in self.samples.values() for look in samples]
        moments = [moment for moment, _ in looks]
        began, span = min(moments, default=0.0), max(moments, default=0.0) - min(moments, default=0.0)
        return max((size for moment, size in looks if first <= (moment - began) / (span or 1) <= last), default=0)


@contextmanager
def sampled(look: Callable[[], None], every: float = 0.25) -> Iterator[None]:
    """Look at something again and again, in a thread, while the block lasts."""
    over = threading.Event()

    def run() -> None:
        while not over.wait(every):
            look()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def watched(server: Server) -> Iterator[Watch]:
    """Looks at the memory of every process of the server while the block lasts."""
    watch = Watch()

    def look() -> None:
        now = time.monotonic()
        for pid, size in server.memory().items():
            watch.samples.setdefault(pid, []).append((now, size))

    with sampled(look):
        yield watch
