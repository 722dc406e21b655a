"""A real server in a process of its own, as `noughts serve` starts it."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

FORM = "Content-Type: application/x-www-form-urlencoded\r\n"


_HAND_ON = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
os.execv(sys.argv[2], sys.argv[2:])
"""


def with_socket(command: Sequence[str], listener: socket.socket) -> tuple[list[str], tuple[int, ...]]:
    """Wrap a command so that it gets a listening socket as from systemd; return it with the descriptors to pass."""
    return [sys.executable, "-c", _HAND_ON, str(listener.fileno()), *command], (listener.fileno(),)


@contextmanager
def started(
    command: Sequence[str],
    log: Path,
    wait: bool = True,
    listener: socket.socket | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Run a server, with a socket handed to it if there is one; yield its process, and its address without a slash.

    With `wait`, wait until the server answers. At the end the server must stop on SIGTERM within two minutes.
    """
    command, handed_on = (command, ()) if listener is None else with_socket(command, listener)
    with log.open("w") as errors:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **(environment or {})},
            pass_fds=handed_on,
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        match = re.search(r"http://\S+(?=/)", line)
        assert match, f"the server did not start: {line!r}"
        if wait:
            wait_until_it_answers(match.group())
        yield process, match.group()
    finally:
        process.terminate()
        process.communicate(timeout=120)


@contextmanager
def running_server(
    *options: str,
    command: tuple[str, ...] = (sys.executable, "-m", "solver"),
    wait: bool = True,
    log: Path = Path(os.devnull),
) -> Iterator[str]:
    """Serve on a free port for as long as the block lasts; yield the address, without a slash at its end."""
    with started([*command, "serve", "--port", "0", *options], log, wait) as (_, address):
        yield address


def figure(address: str, name: str) -> float:
    """Return one of a server's figures for Prometheus."""
    with urllib.request.urlopen(f"{address}/metrics", timeout=60) as page:
        found = re.search(rf"^{name} (\S+)$", page.read().decode(), re.MULTILINE)
    assert found is not None
    return float(found[1])


def wait_until_it_answers(address: str, path: str = "/healthz") -> None:
    """Wait until the first page process answers. Raises TimeoutError after two minutes."""

    def answers() -> bool:
        try:
            with urllib.request.urlopen(f"{address}{path}", timeout=30):
                return True
        except OSError:  # refused, or accepted by no process yet
            return False

    wait_for(answers)


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until a condition is true. Raises TimeoutError after two minutes."""
    deadline = time.monotonic() + 120
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("The condition has not come true.")
        time.sleep(0.02)


@contextmanager
def connected(address: str) -> Iterator[socket.socket]:
    """Connect to the server at this address."""
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port or 80), timeout=60) as connection:
        yield connection


def answered(connection: socket.socket) -> bytes:
    """Return all that the server sends until it ends the connection."""
    parts = []
    with suppress(ConnectionResetError):
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def made_game(address: str) -> str:
    """Make a live game and return the path of its address."""
    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    with closing(connection):
        connection.request("POST", "/live", "board=3x3x3", {"Content-Type": "application/x-www-form-urlencoded"})
        return str(connection.getresponse().headers["location"])
