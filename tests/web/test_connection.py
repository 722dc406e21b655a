"""A single connection at a socket: parsing, refusals, order and disconnects."""

import re
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from tests.in_thread import Pages, pages
from tests.server import answered, connected, wait_for
from webapp.config import FrontLimits

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

LIMITS = FrontLimits()
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Application:
    """Respond with the length of the form, or as the path asks. `/slow` waits for the test."""

    def __init__(self) -> None:
        self.held = Event()
        self.left: list[Callable[[], bool]] = []

    def __call__(self, environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        path, body = environ["PATH_INFO"], b"%d" % len(environ["wsgi.input"].read())
        if path == "/slow":
            self.left.append(environ["noughts.gone"])
            self.held.wait(60)
        elif path == "/long":
            body = bytes(1 << 20)
        elif path == "/broken":
            return []  # and never says how it starts
        elif path == "/live/game/news":
            environ["noughts.stays"] = "game"
        start("200 OK", [("Content-Type", "text/plain")])
        return [body]


@pytest.fixture
def app() -> Iterator[Application]:
    application = Application()
    yield application
    application.held.set()


@pytest.fixture
def server(app: Application) -> Iterator[Pages]:
    with pages(app, LIMITS, join) as running:
        yield running
        app.held.set()


def join(_: Any, stream: Any) -> Callable[[], None]:  # noqa: ARG001 - the newsroom's signature
    return lambda: None


def statuses(answer: bytes) -> list[bytes]:
    return re.findall(rb"HTTP/1.1 (\d+)", answer)


def answer_to(server: Pages, request: bytes) -> bytes:
    with connected(server.address) as connection:
        connection.sendall(request)
        return answered(connection)


def closing(head: str) -> bytes:
    return f"{head}\r\nConnection: close\r\n\r\n".encode()


@pytest.mark.parametrize("parts", [1, 8, 64])
def test_a_batch_at_the_limit_is_read_whole_however_many_parts_it_comes_in(server: Pages, parts: int) -> None:
    body = b"x" * LIMITS.batch_bytes
    head = closing(f"POST /api/v1/predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}")
    with connected(server.address) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(head)
        for start in range(0, len(body), len(body) // parts):
            server.get("/")  # and so what was sent before has been read
            connection.sendall(body[start : start + len(body) // parts])
        assert answered(connection).endswith(b"\r\n\r\n%d" % len(body))


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("GET / HTTP/1.1", b"400"),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b", b"400"),
        ("GET / HTTP/1.0\r\nHost: a\r\nHost: b", b"400"),
        ("GET / HTTP/2.0\r\nHost: a", b"400"),
        ("GET / HTTP/1.0", b"200"),
        ("GET / HTTP/1.1\r\nHost: a", b"200"),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket", b"200"),
        ("GET http://elsewhere/ HTTP/1.1\r\nHost: a", b"200"),
        ("GET /%ff HTTP/1.1\r\nHost: a", b"200"),
        ("OPTIONS * HTTP/1.1\r\nHost: a", b"400"),
        ("CONNECT a:80 HTTP/1.1\r\nHost: a", b"400"),
    ],
)
def test_a_request_needs_one_host_and_a_version_that_is_spoken(server: Pages, head: str, status: bytes) -> None:
    assert statuses(answer_to(server, closing(head))) == [status]


def test_nothing_is_answered_behind_a_request_that_closes_the_connection(server: Pages) -> None:
    assert statuses(answer_to(server, closing("GET / HTTP/1.1\r\nHost: a") + GET + b"nonsense")) == [b"200"]


def test_a_form_that_asks_for_another_protocol_is_refused(server: Pages) -> None:
    head = "POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 7\r\n\r\ncell=b2"
    assert statuses(answer_to(server, head.encode())) == [b"400"]


def test_who_leaves_with_another_request_behind_the_first_is_noticed(server: Pages, app: Application) -> None:
    with connected(server.address) as connection:
        connection.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n" + GET)
        wait_for(lambda: bool(app.left))
        assert not app.left[0]()
    wait_for(app.left[0])


def test_requests_behind_a_slow_one_are_bounded_by_their_number(server: Pages) -> None:
    with connected(server.address) as connection:
        connection.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n" + GET * (LIMITS.pipelined + 1))
        assert statuses(answered(connection)) == [b"429"]


def test_requests_behind_a_slow_one_are_bounded_by_the_memory_they_take(app: Application) -> None:
    headers = b"".join(b"X: %d\r\n" % number for number in range(90))
    request = b"GET / HTTP/1.1\r\nHost: localhost\r\n" + headers + b"\r\n"
    with pages(app, FrontLimits(pipelined_bytes=30_000)) as server, connected(server.address) as connection:
        connection.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n" + request * 2)
        assert statuses(answered(connection)) == [b"429"]
        app.held.set()


def test_the_system_holds_little_of_what_is_not_read(server: Pages) -> None:
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(b"GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for(lambda: server.unread() > (1 << 20) - 4 * LIMITS.send_buffer)


def test_news_do_not_begin_while_an_answer_before_is_unread(server: Pages) -> None:
    ask = b"GET /live/game/news HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(b"GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n" + ask + GET)
        wait_for(lambda: bool(server.unread()))
        assert not server.door.streams
    with connected(server.address) as connection:
        connection.sendall(GET)
        assert statuses(connection.recv(1 << 16)) == [b"200"]
        connection.sendall(ask)
        wait_for(lambda: server.door.streams == 1)


def test_a_request_under_way_is_answered_before_the_end_and_the_connection_closed(app: Application) -> None:
    with pages(app, LIMITS) as server, connected(server.address) as idle, connected(server.address) as slow:
        idle.sendall(GET)
        assert statuses(idle.recv(1 << 16)) == [b"200"]
        slow.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n" + GET)
        wait_for(lambda: bool(app.left))
        server.end()
        assert answered(idle) == b""
        with pytest.raises(ConnectionRefusedError):
            connected(server.address).__enter__()
        app.held.set()
        answer = answered(slow)
        assert statuses(answer) == [b"200", b"200"]
        assert answer.count(b"connection: close") == 1


def test_a_connection_that_was_just_made_is_answered_once_more_at_the_end(app: Application) -> None:
    with pages(app, LIMITS) as server, connected(server.address) as idle, connected(server.address) as fresh:
        idle.sendall(GET)
        assert statuses(idle.recv(1 << 16)) == [b"200"]
        wait_for(lambda: len(server.door) == 2)
        server.end()
        assert answered(idle) == b""
        fresh.sendall(GET)
        assert statuses(answered(fresh)) == [b"200"]


def test_what_takes_longer_than_the_end_may_is_answered_503_with_a_time_to_ask_again(app: Application) -> None:
    with pages(app, FrontLimits(drain=0.1)) as server, connected(server.address) as slow:
        slow.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for(lambda: bool(app.left))
        server.end()
        answer = answered(slow)
        assert statuses(answer) == [b"503"]
        assert b"Retry-After: " in answer
        assert app.left[0]()
        app.held.set()


def test_who_asks_for_more_than_their_share_is_refused_and_told_when_to_ask_again(app: Application) -> None:
    with pages(app, FrontLimits(rate=0.5, burst=3)) as server, connected(server.address) as connection:
        connection.sendall(GET * 4)
        answer = answered(connection)
        assert statuses(answer)[-1] == b"429"
        assert b"Retry-After: 2\r\n" in answer
        assert server.counts.refusals["rate"] == 1
        assert statuses(answer_to(server, closing("GET /healthz HTTP/1.1\r\nHost: a"))) == [b"200"]


def test_requests_for_live_games_are_refused_at_once_while_their_threads_hang(app: Application) -> None:
    limits = FrontLimits(live_threads=1, hung=0.0)

    def slow_games(environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        if environ["PATH_INFO"].startswith("/live/"):
            environ["PATH_INFO"] = "/slow"
        return app(environ, start)

    with pages(slow_games, limits) as server, connected(server.address) as hanging:
        hanging.sendall(b"GET /live/game HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for(lambda: bool(app.left))
        refused = answer_to(server, closing("GET /live/other HTTP/1.1\r\nHost: a"))
        assert statuses(refused) == [b"503"]
        assert b"Retry-After: " in refused
        assert statuses(answer_to(server, closing("GET /learn/ HTTP/1.1\r\nHost: a"))) == [b"200"]
        app.held.set()


def test_a_connection_that_ends_its_side_while_answers_are_unread_is_ended(server: Pages) -> None:
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(b"GET /long HTTP/1.1\r\nHost: a\r\n\r\nGET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        wait_for(lambda: bool(server.unread()))
        connection.shutdown(socket.SHUT_WR)
        wait_for(lambda: all(each.transport.is_closing() for each in server.connections()))
        server.after(LIMITS.unread + 1)
        wait_for(lambda: not len(server.door))


def test_answers_stay_in_order_when_a_client_that_does_not_read_asks_for_more(server: Pages) -> None:
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(b"GET /long HTTP/1.1\r\nHost: a\r\n\r\n" + GET)
        wait_for(lambda: bool(server.unread()))
        connection.sendall(closing("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3") + b"abc")
        bodies = re.findall(rb"Content-Length: \d+\r\n(?:[^\r]+\r\n)*\r\n(.)", answered(connection), re.DOTALL)
        assert bodies == [b"\0", b"0", b"3"]


def test_empty_lines_do_not_put_off_the_end_of_a_connection_that_asks_for_nothing(server: Pages) -> None:
    with connected(server.address) as connection:
        for _ in range(4):
            connection.sendall(b"\r\n")
            server.after(LIMITS.first / 3)
        assert answered(connection) == b""


def test_a_refused_connection_that_is_still_open_at_the_end_does_not_disturb_it(app: Application) -> None:
    with pages(app, FrontLimits(drain=0.1)) as server, connected(server.address) as refused:
        with connected(server.address) as slow:
            refused.sendall(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
            slow.sendall(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
            wait_for(lambda: len(app.left) == 2)
            refused.sendall(b"nonsense\r\n\r\n")
            assert statuses(answered(refused)) == [b"400"]
            server.end()
            assert statuses(answered(slow)) == [b"503"]
        app.held.set()


def test_a_request_that_is_never_answered_is_given_up(server: Pages, app: Application) -> None:
    with connected(server.address) as connection:
        connection.sendall(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        wait_for(lambda: bool(app.left))
        server.after(LIMITS.answer + 1)
        assert statuses(answered(connection)) == [b"503"]
        assert app.left[0]()


@pytest.mark.parametrize("path", ["/broken", "/play/3x3x3"])
def test_an_application_that_breaks_is_answered_for_and_others_go_on(path: str) -> None:
    def broken(environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        if environ["QUERY_STRING"] == "broken":
            return []
        start("200 OK", [])
        return []

    with pages(broken, LIMITS) as server:
        for query, status in (("broken", b"500"), ("", b"200")):
            head = closing(f"GET {path}?{query} HTTP/1.1\r\nHost: a")
            assert statuses(answer_to(server, head)) == [status]


def test_a_flood_of_probes_is_refused_like_any_other(app: Application) -> None:
    with pages(app, FrontLimits(rate=0.5, burst=3)) as server:
        answer = answer_to(server, b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" * 4)
        assert statuses(answer)[-1] == b"429"


def test_one_visitor_has_a_quarter_of_the_threads_queue(app: Application) -> None:
    with pages(app, FrontLimits(requests=8)) as server, ExitStack() as stack:
        for _ in range(2):
            connection = stack.enter_context(connected(server.address))
            connection.sendall(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        wait_for(lambda: len(app.left) == 2)
        assert statuses(answer_to(server, closing("GET /slow HTTP/1.1\r\nHost: a"))) == [b"503"]
        app.held.set()
