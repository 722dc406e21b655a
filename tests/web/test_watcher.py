"""A server whose processes die, hang, grow or are asked to end."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from threading import Event

import psutil
import pytest

from tests.marked import slow
from tests.server import answered, connected, figure, started, wait_for


class Server:
    def __init__(self, process: "subprocess.Popen[str]", address: str, log: Path, processes: int) -> None:
        self.process, self.address, self.log, self.processes = process, address, log, processes

    def events(self, name: str) -> list[dict[str, object]]:
        *whole, _ = self.log.read_text(encoding="utf-8").split("\n")  # the last one may be written just now
        return [event for event in map(json.loads, whole) if event["event"] == name]

    def children(self, kind: str) -> list[int]:
        """Return the processes of a kind that run now, the oldest first."""
        started = [int(str(event["pid"])) for event in self.events("process-started") if event["kind"] == kind]
        return [pid for pid in started if psutil.pid_exists(pid)]

    def get(self, path: str) -> int:
        with urllib.request.urlopen(f"{self.address}{path}", timeout=60) as answer:
            return int(answer.status)

    def is_ready(self) -> bool:
        """Return whether every process has started."""
        try:
            ready = sum(figure(self.address, f"noughts_{kind}_processes") for kind in ("page", "pool"))
            return self.get("/readyz") == 200 and ready >= self.processes
        except (OSError, HTTPException):  # an answer of 503 is one, and so is half an answer of a process that dies
            return False


@contextmanager
def served(
    folder: Path,
    *options: str,
    port: int = 0,
    before: tuple[str, ...] = (),
    listener: socket.socket | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Server]:
    """Run a server with options, a command in front of it, a socket handed to it, and more environment variables."""
    command = [*before, sys.executable, "-m", "solver", "serve", "--port", str(port), "--log-format", "json", *options]
    variables = {"TMPDIR": str(folder), **(environment or {})}
    with started(command, folder / "log", listener=listener, environment=variables) as (process, address):
        yield Server(process, address, folder / "log", processes=4 if "2" in options else 3)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("server"), "--workers", "2", "--provers", "1") as running:
        yield running


@pytest.fixture
def server(shared: Server) -> Server:
    """Return the server that several tests share, once it has replaced the killed processes."""
    wait_for(shared.is_ready)
    return shared


@pytest.mark.slow
def test_a_killed_page_process_is_replaced_and_said(server: Server) -> None:
    (first, _) = server.children("page")
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: len(server.children("page")) == 2 and first not in server.children("page"))
    wait_for(server.is_ready)
    assert first in [event["pid"] for event in server.events("process-ended")]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="page processes share one socket there")
def test_connections_are_spread_over_the_page_processes(server: Server) -> None:
    processes = set()
    for _ in range(40):
        with urllib.request.urlopen(f"{server.address}/healthz", timeout=60) as answer:
            processes.add(answer.headers["X-Request-Id"].partition("-")[0])
    assert len(processes) == 2


@pytest.mark.slow
def test_a_stopped_page_process_is_replaced_and_holds_up_nobody_else(server: Server) -> None:
    (first, _) = server.children("page")
    os.kill(first, signal.SIGSTOP)
    # On a busy machine, the other process may seem to hang too.
    wait_for(lambda: first not in server.children("page"))
    wait_for(lambda: "hangs" in [event["reason"] for event in server.events("process-replaced")])
    assert [server.get("/play/3x3x3") for _ in range(10)] == [200] * 10


@pytest.mark.slow
def test_a_killed_process_of_the_pool_is_replaced(server: Server) -> None:
    pool = server.children("pool")
    for pid in pool:
        os.kill(pid, signal.SIGKILL)
    wait_for(lambda: len(set(server.children("pool")) - set(pool)) == 2)
    wait_for(server.is_ready)
    assert server.get("/learn/forks") == 200


@pytest.mark.slow
def test_a_process_that_has_grown_too_much_is_replaced_and_no_request_fails(tmp_path: Path) -> None:
    with served(tmp_path, "--memory", "32M") as server:
        statuses = set()

        def is_replaced() -> bool:
            statuses.add(server.get("/play/3x3x3"))
            return any(event["kind"] == "page" for event in server.events("process-replaced"))

        wait_for(is_replaced)
        assert statuses == {200}
        assert re.fullmatch(r"holds \d+ MiB", str(server.events("process-replaced")[0]["reason"]))


@pytest.mark.slow
def test_when_the_first_process_is_killed_all_others_end_and_the_next_start_works(tmp_path: Path) -> None:
    with served(tmp_path, "--workers", "2") as server:
        wait_for(server.is_ready)
        everyone = server.children("page") + server.children("pool")
        port = int(server.address.rpartition(":")[2])
        server.process.kill()
        wait_for(lambda: not any(map(psutil.pid_exists, everyone)))
        wait_for(lambda: not list(tmp_path.glob("noughts*")))
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
    with served(tmp_path, port=port) as again:
        assert again.get("/healthz") == 200


@pytest.mark.slow
def test_a_server_that_stops_leaves_nothing_behind(tmp_path: Path) -> None:
    with served(tmp_path, "--workers", "2") as server:
        wait_for(server.is_ready)
        everyone = server.children("page") + server.children("pool")
    assert server.process.returncode == 0
    assert not any(map(psutil.pid_exists, everyone))
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


@pytest.mark.slow
def test_proofs_go_on_in_the_background_and_reach_pages_by_the_store(server: Server) -> None:
    def proved() -> int:
        with urllib.request.urlopen(f"{server.address}/api/v1/predict?board=7x6x4&moves=a1g6", timeout=60) as answer:
            squares = json.loads(answer.read())["squares"].values()
            return sum(square["plies"] is not None for square in squares)

    first = proved()
    wait_for(lambda: server.get("/play/7x6x4?moves=a1g6") == 200 and proved() > min(first, 39))


@pytest.mark.slow
def test_the_processes_of_a_server_share_what_is_proved(server: Server) -> None:
    def proved() -> int:
        with urllib.request.urlopen(f"{server.address}/play/7x6x4?moves=a1g5", timeout=60) as answer:
            match = re.search(r"(\d+) of 40 squares proved", answer.read().decode())
            return int(match[1]) if match else 40

    first = proved()
    assert first < 40
    wait_for(lambda: proved() > first)


HEEDING = """
import os, signal, sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""A script that runs a command with the default SIGHUP, although the tests may run under nohup."""

SLOW = b"GET /learn/pictures/distinct.pdf HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def listens(address: str) -> bool:
    try:
        with connected(address):
            return True
    except OSError:
        return False


@contextmanager
def asked_for_something_slow(server: Server) -> Iterator[socket.socket]:
    """Connect, and send a request that the pool works on."""
    with connected(server.address) as connection:
        connection.sendall(SLOW)
        wait_for(lambda: figure(server.address, "noughts_pool_busy") > 0)
        yield connection


@pytest.mark.slow
@pytest.mark.parametrize("signal_", [signal.SIGTERM, *slow(signal.SIGHUP, signal.SIGINT)])
def test_a_server_that_is_asked_to_end_answers_first_what_the_pool_works_on(
    tmp_path: Path, signal_: signal.Signals
) -> None:
    heeding = (sys.executable, "-c", HEEDING)
    with served(tmp_path, before=heeding) as server, asked_for_something_slow(server) as connection:
        server.process.send_signal(signal_)
        assert answered(connection).startswith(b"HTTP/1.1 200 ")
        assert server.process.wait(60) == 0


@pytest.mark.slow
def test_a_server_that_is_asked_twice_ends_at_once(tmp_path: Path) -> None:
    with served(tmp_path) as server, asked_for_something_slow(server) as connection:
        server.process.terminate()
        wait_for(lambda: not listens(server.address))
        server.process.terminate()
        assert not answered(connection).startswith(b"HTTP/1.1 200 ")
        assert server.process.wait(60) == 0


@pytest.mark.slow
def test_a_gate_that_dies_while_requests_under_way_are_answered_is_replaced(tmp_path: Path) -> None:
    with served(tmp_path) as draining, connected(draining.address) as connection:
        connection.sendall(b"POST /play/3x3x3 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\n\r\ncell=")
        wait_for(lambda: figure(draining.address, "noughts_requests_under_way") > 0)
        draining.process.terminate()
        wait_for(lambda: not listens(draining.address))
        (first,) = draining.children("gate")
        os.kill(first, signal.SIGKILL)
        wait_for(lambda: len(draining.children("gate")) == 1 and first not in draining.children("gate"))


@pytest.mark.slow
def test_a_server_under_nohup_goes_on_when_its_terminal_ends(tmp_path: Path) -> None:
    with served(tmp_path, before=("nohup",)) as server:
        server.process.send_signal(signal.SIGHUP)
        assert server.get("/healthz") == 200
        assert not server.events("server-stopped")


@pytest.mark.slow
def test_a_restart_at_a_socket_that_is_handed_on_loses_no_request(tmp_path: Path) -> None:
    over, statuses = Event(), []

    def visit(server: Server) -> None:
        while not over.wait(0.05):
            statuses.append(server.get("/play/3x3x3"))

    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener, ThreadPoolExecutor() as visitors:
        try:
            with served(tmp_path, listener=listener) as first:
                visits = [visitors.submit(visit, first) for _ in range(4)]
                wait_for(lambda: len(statuses) > 20)
                first.process.terminate()
                assert first.process.wait(60) == 0
            before = len(statuses)
            with served(tmp_path, listener=listener):
                wait_for(lambda: len(statuses) > before + 20 or any(each.done() for each in visits))
                over.set()
                for each in visits:
                    each.result(60)
        finally:
            over.set()
    assert set(statuses) == {200}


@pytest.mark.slow
def test_the_service_manager_is_told_that_the_server_is_ready_lives_and_stops(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(60)
        told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "300000"}
        heard: list[bytes] = []

        def listen() -> None:  # all the time, since a full socket takes no more messages
            while b"STOPPING=1" not in heard:
                heard.append(manager.recv(100))

        with ThreadPoolExecutor(1) as pool:
            listening = pool.submit(listen)
            with served(tmp_path, environment=told) as server:
                wait_for(lambda: b"READY=1" in heard and heard.count(b"WATCHDOG=1") >= 3)
                server.process.terminate()
                listening.result(60)
    assert set(heard) == {b"READY=1", b"WATCHDOG=1", b"STOPPING=1"}


@pytest.mark.slow
def test_a_server_runs_where_the_name_of_the_temporary_folder_is_longer_than_a_sockets_may_be(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 25)
    folder.mkdir()
    with served(folder) as server:
        assert server.get("/healthz") == 200
