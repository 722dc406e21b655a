"""Requests at a socket: what is refused before the application, who waits for whom, and who is noticed to leave."""

import asyncio
import os
import re
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import combinations
from threading import Event, current_thread
from typing import TYPE_CHECKING, Any
from unittest.mock import AsyncMock

import pytest

from tests.in_thread import Pages, pages, run_apart
from tests.server import FORM, answered, connected, wait_for
from webapp.config import FrontLimits
from webapp.serving.stream import Stream, probe_clients

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

LIMITS = FrontLimits()
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
SLOW = b"GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


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
        elif path == "/broken":
            return []  # and never says how it starts
        elif path == "/live/game/news":
            environ["noughts.told"]["stays"] = "game"
        elif path.startswith("/play/"):
            body = current_thread().name.partition("_")[0].encode()
        elif path == "/address":
            body = environ["REMOTE_ADDR"].encode()
        elif path == "/headers":
            body = "".join(f"{name}={environ[name]};" for name in sorted(environ) if name.startswith("HTTP_")).encode()
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
    return re.findall(rb"HTTP/1.[01] (\d+)", answer)


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
        ("GET / HTTP/2.0\r\nHost: a", b"400"),
        ("GET / HTTP/1.0", b"200"),
        ("GET / HTTP/1.1\r\nHost: a", b"200"),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket", b"200"),
        ("GET http://elsewhere/ HTTP/1.1\r\nHost: a", b"200"),
        ("GET /%ff HTTP/1.1\r\nHost: a", b"200"),
        ("OPTIONS * HTTP/1.1\r\nHost: a", b"400"),
    ],
)
def test_a_request_needs_one_host_and_a_version_that_is_spoken(server: Pages, head: str, status: bytes) -> None:
    assert statuses(answer_to(server, closing(head))) == [status]


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (f"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {LIMITS.body_bytes + 1}", b"413"),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999", b"400"),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked", b"411"),
        (f"GET /{'a' * LIMITS.url} HTTP/1.1\r\nHost: a", b"414"),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1", b"400"),
        (f"GET / HTTP/1.1\r\nHost: a\r\nX: {'a' * LIMITS.head_bytes}", b"431"),
        ("GET / HTTP/1.1\r\nHost: a" + "\r\nX: a" * 200, b"431"),
        ("PRI * HTTP/2.0", b"400"),
        ("nonsense", b"400"),
        ("\x16\x03\x01\x02\x00\x01\x00", b"400"),
    ],
)
def test_a_request_beyond_a_limit_or_in_another_tongue_is_refused(server: Pages, head: str, status: bytes) -> None:
    assert statuses(answer_to(server, closing(head))) == [status]


def test_a_header_with_an_underscore_does_not_pass_for_one_with_a_hyphen(server: Pages) -> None:
    head = closing("GET /headers HTTP/1.1\r\nHost: a\r\nX_Real: 1\r\nX-Real: 2\r\nX-Real: 3")
    assert answer_to(server, head).endswith(b"HTTP_CONNECTION=close;HTTP_HOST=a;HTTP_X_REAL=2,3;")


@pytest.mark.parametrize(("proxies", "address"), [(0, b"127.0.0.1"), (1, b"192.0.2.2"), (2, b"192.0.2.1")])
def test_a_visitor_is_whom_the_trusted_proxies_name(app: Application, proxies: int, address: bytes) -> None:
    head = closing("GET /address HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1, 192.0.2.2")
    with pages(app, LIMITS, proxies=proxies) as server:
        assert answer_to(server, head).endswith(b"\r\n\r\n" + address)


def test_who_leaves_before_the_answer_is_noticed(server: Pages, app: Application) -> None:
    with connected(server.address) as connection:
        connection.sendall(SLOW)
        wait_for(lambda: bool(app.left))
        assert not app.left[0]()
    wait_for(app.left[0])


def test_the_loop_answers_for_a_board_only_once_another_thread_has_made_its_table(server: Pages) -> None:
    assert [server.get("/play/3x3x3-wild") == b"page" for _ in range(3)] == [True, False, False]
    assert [server.get("/play/4x4x4") for _ in range(2)] == [b"page"] * 2


def test_a_board_that_is_long_unused_is_taken_to_have_lost_its_table(server: Pages) -> None:
    assert [server.get("/play/3x3x3") == b"page" for _ in range(2)] == [True, False]
    for holes in combinations(("a1", "b1", "c1", "a2", "b2", "c2", "a3"), 3):  # 35 boards
        server.get(f"/play/3x3x3-holes{''.join(holes)}")
    assert server.get("/play/3x3x3") == b"page"


def test_news_stay_open_until_the_client_leaves(server: Pages) -> None:
    with connected(server.address) as connection:
        connection.sendall(b"GET /live/game/news HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for(lambda: server.bridge.streams == 1)
    wait_for(lambda: server.bridge.streams == 0)


def test_news_end_when_the_server_is_about_to_stop(server: Pages) -> None:
    with connected(server.address) as connection:
        connection.sendall(b"GET /live/game/news HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for(lambda: server.bridge.streams == 1)
        server.end()
        assert statuses(answered(connection)) == [b"200"]


def test_the_search_for_clients_leaves_all_descriptors_alone() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()) as client,
        listener.accept()[0] as ours,
    ):
        before = os.listdir("/proc/self/fd")
        probe_clients({client.getsockname(), ("192.0.2.1", 1)})
        assert os.listdir("/proc/self/fd") == before
        assert ours.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 1
        assert ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 2000


def test_news_that_wait_give_way_to_newer_news_and_the_last_are_sent_before_the_end() -> None:
    async def main() -> None:
        stream, transport, protocol = Stream(), AsyncMock(), AsyncMock()
        protocol.client_disconnect = asyncio.Event().wait
        for news in (b"1", b"2", b"3"):
            stream.send(news)
        stream.end()
        await asyncio.wait_for(stream.run(transport, protocol), 20)
        transport.send_bytes.assert_awaited_once_with(b"3")

    run_apart(main())


def test_half_a_form_does_not_count(server: Pages) -> None:
    with connected(server.address) as connection:
        connection.sendall(closing("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7") + b"cell=")
        connection.shutdown(socket.SHUT_WR)
        assert statuses(answered(connection)) != [b"200"]
    wait_for(lambda: server.counts.refusals["cut"] == 1)


def test_one_visitor_has_a_share_of_the_streams(app: Application) -> None:
    ask = b"GET /live/game/news HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with pages(app, FrontLimits(streams_per_client=1), join) as server, connected(server.address) as first:
        first.sendall(ask)
        wait_for(lambda: server.bridge.streams == 1)
        refused = answer_to(server, ask)
        assert statuses(refused) == [b"503"]
        assert b"retry-after: 30\r\n" in refused


def test_a_request_under_way_is_answered_before_the_end_and_nobody_else_is(app: Application) -> None:
    with pages(app, LIMITS) as server, connected(server.address) as idle, connected(server.address) as slow:
        idle.sendall(GET)
        assert statuses(idle.recv(1 << 16)) == [b"200"]
        slow.sendall(SLOW)
        wait_for(lambda: bool(app.left))
        server.end()
        assert answered(idle) == b""
        app.held.set()
        assert statuses(answered(slow)) == [b"200"]


def test_who_asks_for_more_than_their_share_is_refused_and_told_when_to_ask_again(app: Application) -> None:
    with pages(app, FrontLimits(rate=0.5, burst=3)) as server:
        answer = answer_to(server, GET * 3 + closing("GET / HTTP/1.1\r\nHost: a"))
        assert statuses(answer) == [b"200"] * 3 + [b"429"]
        assert b"retry-after: 2\r\n" in answer
        assert server.counts.refusals["rate"] == 1
        assert statuses(answer_to(server, closing("GET /healthz HTTP/1.1\r\nHost: a"))) == [b"200"]


def test_a_flood_of_probes_is_refused_like_any_other(app: Application) -> None:
    probe = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
    with pages(app, FrontLimits(rate=0.5, burst=3)) as server:
        assert statuses(answer_to(server, probe * 3 + closing("GET /healthz HTTP/1.1\r\nHost: a")))[-1] == b"429"


def test_requests_for_live_games_are_refused_at_once_while_their_threads_hang(app: Application) -> None:
    def slow_games(environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        if environ["PATH_INFO"].startswith("/live/"):
            environ["PATH_INFO"] = "/slow"
        return app(environ, start)

    with pages(slow_games, FrontLimits(live_threads=1, hung=0.0)) as server, connected(server.address) as hanging:
        hanging.sendall(b"GET /live/game HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for(lambda: bool(app.left))
        refused = answer_to(server, closing("GET /live/other HTTP/1.1\r\nHost: a"))
        assert statuses(refused) == [b"503"]
        assert b"retry-after: " in refused
        assert statuses(answer_to(server, closing("GET /learn/ HTTP/1.1\r\nHost: a"))) == [b"200"]
        app.held.set()


def test_one_visitor_has_a_quarter_of_the_threads_queue(app: Application) -> None:
    with pages(app, FrontLimits(requests=12)) as server, ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(connected(server.address)).sendall(SLOW)
        wait_for(lambda: len(app.left) == 3)
        refused = answer_to(server, SLOW)
        assert statuses(refused) == [b"503"]
        assert b"retry-after: 5\r\n" in refused
        app.held.set()


@pytest.mark.parametrize("head", ["", f"X: {'a' * 9000}\r\n"], ids=["two small requests", "one large head"])
def test_one_visitor_has_a_quarter_of_the_bytes_of_requests_under_way(app: Application, head: str) -> None:
    begun = (
        f"POST /play/3x3x3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 9\r\n{head}{FORM}\r\ncell="
    ).encode()
    with pages(app, FrontLimits(arriving_bytes=4 * 150)) as server, connected(server.address) as first:
        first.sendall(begun)

        def is_refused() -> bool:  # once the first one is under way
            return statuses(answer_to(server, begun + b"a1a1")) == [b"503"]

        wait_for(is_refused)
        assert server.bridge.under_way <= 1


def test_the_bytes_of_a_request_are_free_again_once_it_is_answered(app: Application) -> None:
    with pages(app, FrontLimits(arriving_bytes=4 * 150)) as server:
        assert [statuses(answer_to(server, closing("GET / HTTP/1.1\r\nHost: a"))) for _ in range(9)] == [[b"200"]] * 9
        assert server.bridge.under_way == 0


def test_whose_form_takes_too_long_to_arrive_is_answered_408(app: Application) -> None:
    begun = f"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 9\r\n{FORM}\r\ncell="
    with pages(app, FrontLimits(body=0.1)) as server:
        assert statuses(answer_to(server, begun.encode())) == [b"408"]


def test_a_request_that_is_never_answered_is_given_up(app: Application) -> None:
    with pages(app, FrontLimits(answer=0.1)) as server:
        assert statuses(answer_to(server, SLOW)) == [b"503"]
        assert app.left[0]()
        app.held.set()


def test_who_does_not_finish_the_headers_is_left(app: Application) -> None:
    with pages(app, FrontLimits(head=0.1)) as server:
        assert answer_to(server, b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ") == b""


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
