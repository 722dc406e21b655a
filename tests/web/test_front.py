"""The server as people start it, at its sockets: what is late, too long or no HTTP/1.1 is refused and harms nobody."""

import json
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.server import running_server, wait_until_it_answers

FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running_server("--workers", "1", "--provers", "1") as served:
        yield served


@contextmanager
def connected(address: str) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), timeout=60) as connection:
        yield connection


def answered(connection: socket.socket) -> bytes:
    """All that the server says until it ends the connection."""
    parts = []
    while True:
        try:
            part = connection.recv(65536)
        except ConnectionResetError:
            break
        if not part:
            break
        parts.append(part)
    return b"".join(parts)


def status_of(address: str, request: bytes) -> int:
    with connected(address) as connection:
        connection.sendall(request)
        answer = answered(connection)
    assert answer.startswith(b"HTTP/1.1 "), answer[:80]
    return int(answer[9:12])


def is_well(address: str) -> bool:
    with urllib.request.urlopen(f"{address}/play/3x3x3?moves=b2", timeout=60) as page:
        return bool(page.status == 200)


def test_a_form_that_stops_in_the_middle_is_answered_408_and_its_connection_ended(address: str) -> None:
    head = f"POST /play/3x3x3 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n{FORM}\r\ncell="
    assert status_of(address, head.encode()) == 408


def test_headers_that_never_end_are_answered_408(address: str) -> None:
    assert status_of(address, b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ") == 408


def test_a_connection_that_says_nothing_is_ended(address: str) -> None:
    with connected(address) as connection:
        assert answered(connection) == b""


def test_many_stalled_forms_keep_nobody_waiting(address: str) -> None:
    head = f"POST /play/3x3x3 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n{FORM}\r\ncell=".encode()
    port = int(address.rpartition(":")[2])
    stalled = [socket.create_connection(("127.0.0.1", port)) for _ in range(150)]
    try:
        for connection in stalled:
            connection.sendall(head)
        assert all(is_well(address) for _ in range(20))
    finally:
        for connection in stalled:
            connection.close()


def test_idle_connections_make_room_for_those_who_want_something(address: str) -> None:
    port = int(address.rpartition(":")[2])
    idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(300)]
    try:
        assert all(is_well(address) for _ in range(20))
    finally:
        for connection in idle:
            connection.close()


def test_http_2_is_not_spoken(address: str) -> None:
    assert status_of(address, PREFACE) == 400
    upgrade = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n"
    assert status_of(address, upgrade.encode()) == 200


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 200_000, 431),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: a\r\n" * 200 + b"\r\n", 431),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
        (b"POST /play/3x3x3 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n", 413),
        (b"POST /play/3x3x3 HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST /play/3x3x3 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        (b"GET /lab HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200, 429),
        (b"nonsense\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00", 400),
    ],
    ids=[
        "long header",
        "many headers",
        "long address",
        "large form",
        "negative length",
        "chunked",
        "pipeline",
        "nonsense",
        "TLS",
    ],
)
def test_what_is_beyond_the_limits_is_refused_at_once(address: str, request_: bytes, status: int) -> None:
    assert status_of(address, request_) == status
    assert is_well(address)


def test_requests_on_one_connection_are_answered_in_order(address: str) -> None:
    with connected(address) as connection:
        for path in ("/healthz", "/api/v1/predict", "/healthz"):
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        end = b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        connection.sendall(end)
        answer = answered(connection)
    assert re.findall(rb"HTTP/1.1 (\d+)", answer) == [b"200", b"200", b"200", b"404"]
    assert answer.index(b'"status"') < answer.index(b'"squares"') < answer.rindex(b'"status"')


def test_a_form_in_two_parts_is_read_whole(address: str) -> None:
    head = f"POST /play/3x3x3 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 7\r\n{FORM}\r\nce"
    with connected(address) as connection:
        connection.sendall(head.encode())
        time.sleep(0.2)
        connection.sendall(b"ll=b2")
        assert answered(connection).startswith(b"HTTP/1.1 303")


def test_every_answer_has_an_id_and_error_pages_show_theirs(address: str) -> None:
    with urllib.request.urlopen(f"{address}/", timeout=60) as page:
        assert page.headers["X-Request-Id"]
    with pytest.raises(urllib.error.HTTPError) as raised:
        urllib.request.urlopen(f"{address}/nowhere", timeout=60)
    with raised.value as error:
        assert error.headers["X-Request-Id"] in error.read().decode()


def test_what_was_made_once_by_the_pool_is_the_same_for_everyone(address: str) -> None:
    bodies = set()
    for _ in range(3):
        with urllib.request.urlopen(f"{address}/learn/census", timeout=120) as page:
            bodies.add(page.read())
    assert len(bodies) == 1


def test_the_log_names_requests_and_refusals_as_json_and_no_addresses() -> None:
    command = [sys.executable, "-m", "solver", "serve", "--port", "0", "--log-format", "json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    address = process.stdout.readline().split()[3].rstrip("/")
    events: list[dict[str, Any]] = []
    try:
        wait_until_it_answers(address)
        assert is_well(address)
        assert status_of(address, PREFACE) == 400
        while not ({"request", "refused"} <= {e["event"] for e in events} and "/play" in str(events)):
            events.append(json.loads(process.stderr.readline()))
    finally:
        process.terminate()
        process.communicate(timeout=120)
    requests = [event for event in events if event["event"] == "request" and event["path"] != "/healthz"]
    assert [(event["method"], event["path"], event["status"]) for event in requests] == [
        ("GET", "/play/3x3x3?moves=b2", 200)
    ]
    assert requests[0]["bytes"] > 0
    assert {"server-started", "process-started", "request", "refused"} <= {event["event"] for event in events}
    assert "127.0.0.1" not in str(events)


def test_work_that_nobody_waits_for_any_more_is_cancelled(address: str) -> None:
    def figure(name: str) -> float:
        with urllib.request.urlopen(f"{address}/metrics", timeout=60) as page:
            found = re.search(rf"^{name} (\S+)$", page.read().decode(), re.MULTILINE)
        assert found is not None
        return float(found[1])

    def wait_for(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 120
        while not condition():
            assert time.monotonic() < deadline
            time.sleep(0.05)

    before = figure("noughts_gate_cancelled_total")
    with connected(address) as connection:
        connection.sendall(b"GET /learn/trial?board=4x4x4 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for(lambda: figure("noughts_pool_busy") > 0)
    wait_for(lambda: figure("noughts_gate_cancelled_total") == before + 1)
    wait_for(lambda: figure("noughts_pool_busy") == 0)
    assert figure("noughts_process_restarts_total") == 0


def test_who_asks_for_more_than_is_read_is_not_given_all_of_it(address: str) -> None:
    request = b"GET /learn/pictures/distinct.svg HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with urllib.request.urlopen(f"{address}/learn/pictures/distinct.svg", timeout=120) as page:
        size = len(page.read())
    with connected(address) as connection:
        connection.sendall(request * 60)
        time.sleep(1)
        assert len(answered(connection)) < 30 * size
    assert is_well(address)


def test_a_form_that_stops_behind_another_request_is_answered_408_too(address: str) -> None:
    first = b"GET /learn/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
    second = f"POST /play/3x3x3 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n{FORM}\r\n".encode()
    with connected(address) as connection:
        connection.sendall(first + second)
        statuses = re.findall(rb"HTTP/1.1 (\d+)", answered(connection))
    assert statuses == [b"200", b"408"]


def test_many_quick_requests_at_once_hold_nobody_up(address: str) -> None:
    requests = b"".join(
        f"GET /play/3x3x3?seed=q{number} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() for number in range(60)
    )
    with connected(address) as connection:
        connection.sendall(requests)
        assert is_well(address)
        answer = b""
        while answer.count(b"HTTP/1.1 200") < 60:
            answer += connection.recv(1 << 16)


def test_a_list_of_encodings_longer_than_any_is_not_read(address: str) -> None:
    header = "Accept-Encoding: " + "a," * 3000 + "gzip"
    request = f"GET /play/3x3x3 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{header}\r\n\r\n"
    with connected(address) as connection:
        connection.sendall(request.encode())
        answer = answered(connection)
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"gzip" not in answer.partition(b"\r\n\r\n")[0]
