"""The server as a tree of processes, seen from outside: their CPU and memory, and which of them answers."""

import json
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import psutil  # type: ignore[import-untyped,unused-ignore]

from tests.benchmarks.serving import openings
from tests.nginx import free_port, nginx_before
from tests.server import started

COMMAND = (sys.executable, "-m", "solver")
WORKERS = 2
MEGABYTE = 1 << 20
MEMORY = 300 * MEGABYTE
"""Resident bytes that no process may hold."""

REST = 2.0
"""Seconds over which the processor time of a server at rest is measured."""

AT_REST = 0.1
"""Processor seconds by which a server at rest may exceed one that nobody attacked, over the same `REST`."""

RECOVERED_IN = 30.0
"""Seconds after an attack in which a server must be ready and at rest."""

ENDED_IN = 35.0
"""Seconds in which a server must end when asked; requests under way are answered first."""

LAST_LINES = 15
"""Lines of a server's log that are shown when a test fails."""


class Server:
    """A running `noughts serve`: its address, its log, and every process that it has started."""

    def __init__(self, process: subprocess.Popen[str], port: int, folder: Path) -> None:
        self.process, self.port, self.folder = process, port, folder
        self.root = psutil.Process(process.pid)
        self.front = port
        """The port that visitors come to: the server's own, or that of a proxy in front of it."""

    @property
    def address(self) -> str:
        """The URL of the server, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def temporary(self) -> Path:
        """The server's own folder for temporary files."""
        return self.folder / "temporary"

    def tree(self) -> list[psutil.Process]:
        """Return the first process and all its descendants."""
        with suppress(psutil.NoSuchProcess):
            return [self.root, *self.root.children(recursive=True)]
        return []

    def cpu_seconds(self) -> float:
        """Return the CPU seconds of all processes so far, with those that have ended."""
        times = (spent(process) for process in self.tree())
        return sum(times)

    def cpu_seconds_at_rest(self, at_most: float = 60) -> float:
        """Return the CPU seconds once no process is at work any more."""
        before, deadline = self.cpu_seconds(), time.monotonic() + at_most
        while time.monotonic() < deadline:
            time.sleep(0.5)  # the span over which what goes on is measured
            now = self.cpu_seconds()
            if now - before < 0.05:
                break
            before = now
        return self.cpu_seconds()

    def memory(self) -> dict[int, int]:
        """Return the resident bytes of every process, by its number."""
        found = {}
        for process in self.tree():
            with suppress(psutil.NoSuchProcess):
                found[process.pid] = process.memory_info().rss
        return found

    def serving(self, local: tuple[str, int]) -> int | None:
        """Return the process at the other end of a connection from this address and port; the first one comes last."""
        for process in reversed(self.tree()):
            with suppress(psutil.NoSuchProcess):
                if any(each.raddr == local for each in process.net_connections("tcp4")):
                    return int(process.pid)
        return None

    def events(self) -> Counter[str]:
        """Count the JSON lines of each kind in the log."""
        found: Counter[str] = Counter()
        for line in (self.folder / "log").read_text(encoding="utf-8", errors="replace").splitlines():
            with suppress(ValueError):
                entry: Any = json.loads(line)
                if isinstance(entry, dict):
                    found[str(entry.get("event"))] += 1
        return found

    def last_lines(self) -> list[str]:
        """Return the end of the log without the lines of single requests."""
        lines = (self.folder / "log").read_text(encoding="utf-8", errors="replace").splitlines()
        return [line for line in lines if '"request"' not in line][-LAST_LINES:]

    def warm_up(self) -> None:
        """Wait until the server is ready, then ask for every kind of an innocent's page. Raises TimeoutError."""
        wait_until(self.ready, 30, "the server is not ready")
        link, cell = openings()[0]
        for _ in range(4 * WORKERS):
            for path, form in (("/", None), (link, None), (link, f"cell={cell}".encode()), ("/healthz", None)):
                with urlopen(self.address + path, form, timeout=20) as answer:
                    answer.read()

    def ready(self) -> bool:
        """Return whether the server takes requests."""
        try:
            with urlopen(f"{self.address}/readyz", timeout=5):
                return True
        except OSError:  # an answer of 503 is one, too
            return False

    def recover(self, idle: "Server") -> None:
        """Wait until the server is ready, and as idle as one that nobody attacked. Raises TimeoutError."""

        def recovered() -> bool:
            before = self.cpu_seconds(), idle.cpu_seconds()
            time.sleep(REST)
            used = self.cpu_seconds() - before[0]
            return used <= idle.cpu_seconds() - before[1] + AT_REST and self.ready()

        took = wait_until(recovered, RECOVERED_IN, f"not ready and at rest {RECOVERED_IN:.0f} s after the attack")
        print(f"at rest after {took:.0f} s", flush=True)

    def stop(self) -> None:
        """Ask the server to stop, and kill those left in the end. Raises AssertionError if there are any."""
        processes = self.tree()
        with suppress(psutil.NoSuchProcess):
            self.root.terminate()
        left = still_alive(processes, ENDED_IN)
        for process in left:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self.process.wait(10)
        assert not left, f"did not stop when asked: {left}"


@contextmanager
def running(folder: Path, *options: str, port: int = 0, listener: socket.socket | None = None) -> Iterator[Server]:
    """Run a server on a port or at a socket, with its caches and temporary files in a folder."""
    (folder / "temporary").mkdir(parents=True, exist_ok=True)
    environment = {"NOUGHTS_CACHE": str(folder / "cache"), "TMPDIR": str(folder / "temporary")}
    command = [*COMMAND, "serve", "--port", str(port), "--workers", str(WORKERS), "--log-format", "json", *options]
    log = folder / "log"
    with started(command, log, wait=False, listener=listener, environment=environment) as (process, address):
        yield from _stopped(Server(process, urlsplit(address).port or 80, folder))


@contextmanager
def behind_nginx(folder: Path, *options: str) -> Iterator[Server]:
    """Run a server behind the shipped nginx, which speaks no TLS here, so that attackers need not either."""
    port = free_port()
    changes = {
        "listen 80": f"listen 127.0.0.1:{free_port()}",
        "listen [::]:80": f"listen 127.0.0.1:{free_port()}",
        "listen 443 ssl http2": f"listen 127.0.0.1:{port}",
        "listen [::]:443 ssl http2": f"listen 127.0.0.1:{free_port()}",
        "ssl_reject_handshake on;": "",
        "ssl_certificate /etc/ssl/play.example.org.pem;": "",
        "ssl_certificate_key /etc/ssl/play.example.org.key;": "",
        "server_name play.example.org;": "server_name play.example.org localhost;",
    }
    with running(folder, "--proxies", "1", *options) as server, nginx_before(server.address, folder, port, changes):
        server.front = port
        yield server


def _stopped(server: Server) -> Iterator[Server]:
    """Yield the server, and stop it in the end; show the end of its log if the test fails."""
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
            if not clean:
                print(*server.last_lines(), sep="\n")
            elif events := server.events():
                print("\nlogged: " + ", ".join(f"{event} x{count}" for event, count in sorted(events.items())))


def spent(process: psutil.Process) -> float:
    """Return the CPU seconds of a process and of the children that it has waited for."""
    with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
        times = process.cpu_times()
        return float(times.user + times.system + times.children_user + times.children_system)
    return 0.0


def still_alive(processes: list[psutil.Process], seconds: float) -> list[psutil.Process]:
    """Return the processes that have not ended within the seconds. A zombie has ended."""

    def alive(process: psutil.Process) -> bool:
        try:
            return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
        except psutil.NoSuchProcess:
            return False

    with suppress(TimeoutError):
        wait_until(lambda: not any(map(alive, processes)), seconds)
    return [process for process in processes if alive(process)]


def wait_until(true: Callable[[], bool], seconds: float, complaint: str = "") -> float:
    """Wait until a condition is true; return the seconds that took. Raises TimeoutError."""
    began = time.monotonic()
    while not true():
        if time.monotonic() - began > seconds:
            raise TimeoutError(complaint)
        time.sleep(0.05)
    return time.monotonic() - began


@dataclass
class Watch:
    """Samples of the memory of a server's processes: by process, times and bytes."""

    samples: dict[int, list[tuple[float, int]]] = field(default_factory=dict)

    @property
    def peak(self) -> int:
        """Return the most bytes that any process held."""
        return self.peak_between(0, 1)

    def peak_between(self, first: float, last: float) -> int:
        """Return the most bytes that any process held in a part of the time, which is 0 to 1 as a whole."""
        looks = [look for samples in self.samples.values() for look in samples]
        moments = [moment for moment, _ in looks]
        began, span = min(moments, default=0.0), max(moments, default=0.0) - min(moments, default=0.0)
        return max((size for moment, size in looks if first <= (moment - began) / (span or 1) <= last), default=0)


@contextmanager
def sampled(look: Callable[[], None], every: float = 0.25) -> Iterator[None]:
    """Call a function again and again, in a thread, while the block lasts."""
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
    """Sample the memory of every process of the server while the block lasts."""
    watch = Watch()

    def look() -> None:
        now = time.monotonic()
        for pid, size in server.memory().items():
            watch.samples.setdefault(pid, []).append((now, size))

    with sampled(look):
        yield watch
