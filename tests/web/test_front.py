"""A real server at its sockets: it refuses too long requests and malformed HTTP, without harm to others."""

import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.server import FORM, answered, connected, figure, running_server, wait_for
from webapp.config import FrontLimits

STALLED = f"POST /play/3x3x3 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n{FORM}\r\ncell=".encode()


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server") / "log"


@pytest.fixture(scope="module")
def address(log: Path) -> Iterator[str]:
    with running_server("--workers", "1", "--provers", "1", "--log-format", "json", log=log) as served:
        yield served


def status_of(address: str, request: bytes) -> int:
    with connected(address) as connection:
        connection.sendall(request)
        answer = answered(connection)
    assert answer.startswith(b"HTTP/1.1 "), answer[:80]
    return int(answer[9:12])


def is_well(address: str) -> bool:
    with urllib.request.urlopen(f"{address}/play/3x3x3?moves=b2", timeout=60) as page:
        return bool(page.status == 200)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "sent"), [(150, STALLED), (300, b"")], ids=["stalled forms", "idle connections"])
def test_many_connections_that_wait_keep_nobody_waiting(address: str, number: int, sent: bytes) -> None:
    with ExitStack() as stack:
        for _ in range(number):
            stack.enter_context(connected(address)).sendall(sent)
        assert all(is_well(address) for _ in range(20))


def test_programs_are_refused_by_an_error_object_that_other_sites_may_read(address: str) -> None:
    large = ("POST", "/api/v1/predict", {"Content-Length": "200000"}, 413, "too_large")  # no body ever comes
    long = ("GET", f"/api/v1/predict?from={'a' * 65_000}", {"Accept": "*/*"}, 414, "address_too_long")
    for method, path, headers, status, code in (large, long):
        with closing(HTTPConnection(urlsplit(address).netloc, timeout=60)) as connection:
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            told = json.loads(answer.read())["error"]
        assert answer.status == status
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert told["code"] == code
        assert answer.headers["X-Request-Id"] == told["request_id"]


def test_a_hundred_positions_go_in_one_request(address: str) -> None:
    batch = {"positions": [{"from": "/".join(["." * 8] * 8), "board": "8x8x3", "moves": "a1 " * 80}] * 100}
    body = json.dumps(batch).encode()
    asked = urllib.request.Request(f"{address}/api/v1/predict", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked, timeout=60) as answer:
        assert len(json.load(answer)["predictions"]) == 100
    assert len(body) > FrontLimits().body_bytes


def test_every_answer_has_an_id_and_error_pages_show_theirs(address: str) -> None:
    with urllib.request.urlopen(f"{address}/", timeout=60) as page:
        assert page.headers["X-Request-Id"]
    with pytest.raises(urllib.error.HTTPError) as raised:
        urllib.request.urlopen(f"{address}/nowhere", timeout=60)
    with raised.value as error:
        assert error.headers["X-Request-Id"] in error.read().decode()


@pytest.mark.slow
def test_what_was_made_once_by_the_pool_is_the_same_for_everyone(address: str) -> None:
    bodies = set()
    for _ in range(3):
        with urllib.request.urlopen(f"{address}/learn/search", timeout=120) as page:
            bodies.add(page.read())
    assert len(bodies) == 1


def test_the_log_names_requests_and_refusals_as_json_and_no_addresses(address: str, log: Path) -> None:
    def events(kind: str) -> list[dict[str, Any]]:
        *whole, _ = log.read_text(encoding="utf-8").split("\n")  # the last line may be written just now
        return [event for event in map(json.loads, whole) if event["event"] == kind]

    def requests() -> list[dict[str, Any]]:
        return [event for event in events("request") if event["path"] == path]

    path, refused = "/play/3x3x3?moves=b2&seed=logged", len(events("refused"))
    with urllib.request.urlopen(f"{address}{path}", timeout=60) as page:
        assert page.status == 200
    assert status_of(address, b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n") == 413
    wait_for(lambda: bool(requests()) and len(events("refused")) > refused)
    assert [(event["method"], event["status"]) for event in requests()] == [("GET", 200)]
    assert requests()[0]["bytes"] > 0
    assert events("server-started")
    assert events("process-started")
    assert "127.0.0.1" not in log.read_text(encoding="utf-8")


def test_the_log_sums_up_what_is_refused_to_a_visitor_who_asks_too_often(address: str, log: Path) -> None:
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port or 80), 60, ("127.0.0.9", 0)) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 1200)
        while b"HTTP/1.1 429 " not in connection.recv(1 << 16):
            pass
    wait_for(lambda: '"reason": "rate", "times": ' in log.read_text(encoding="utf-8"))


def test_the_log_has_no_more_of_a_live_games_address_than_its_beginning(address: str, log: Path) -> None:
    secret = "sEcReT" + 16 * "x"
    paths = "/live/{0} //live/{0} /live//{0} /%6cive/{0} /x/../live/{0} /?at=/live/{0} /live/{0}/news?once=1"
    for path in paths.format(secret).split():
        request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        assert status_of(address, request.encode()) in (200, 404)
    wait_for(lambda: r"/live/sEcReT\u2026/news?once=1" in log.read_text(encoding="utf-8"))
    assert secret not in log.read_text(encoding="utf-8")


def test_a_page_process_tells_its_figures(address: str) -> None:
    wait_for(lambda: figure(address, r'noughts_memory_bytes\{process="page-2"\}') > 0)


def test_work_that_nobody_waits_for_any_more_is_cancelled(address: str) -> None:
    wait_for(lambda: figure(address, "noughts_pool_busy") == 0)  # with what other tests have asked for
    before = figure(address, "noughts_gate_cancelled_total")
    with connected(address) as connection:
        connection.sendall(b"GET /learn/pictures/distinct.pdf HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for(lambda: figure(address, "noughts_pool_busy") > 0)
    wait_for(lambda: figure(address, "noughts_gate_cancelled_total") == before + 1)
    wait_for(lambda: figure(address, "noughts_pool_busy") == 0)
    assert figure(address, "noughts_process_restarts_total") == 0
