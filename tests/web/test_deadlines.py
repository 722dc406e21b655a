"""Connections that are late, at their sockets, by a clock that the tests put forward: nobody waits."""

import asyncio
import re
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest
import uvicorn

from tests.server import FORM, answered, connected, wait_for
from webapp.app import create_app
from webapp.processes.page_worker import configured
from webapp.server.counts import RequestCounts
from webapp.server.door import Door
from webapp.server.front import Front
from webapp.server.limits import FrontLimits

LIMITS = FrontLimits()


class Server:
    """What answers pages in a process of a server, in a thread of this one."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.loop = asyncio.new_event_loop()
        self.now = 0.0
        self.door = Door(LIMITS, True, lambda: self.now)

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(f"{self.address}{path}", timeout=60) as page:
            body: bytes = page.read()
            return body

    def after(self, seconds: float) -> None:
        """Puts the clock forward, once all that was sent before has been read."""
        self.get("/healthz")

        async def sweep() -> None:
            self.now += seconds
            self.door.sweep()

        asyncio.run_coroutine_threadsafe(sweep(), self.loop).result(60)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with socket.create_server(("127.0.0.1", 0)) as listener, running(listener) as started:
        yield started


@contextmanager
def running(listener: socket.socket) -> Iterator[Server]:
    server, counts = Server(f"http://127.0.0.1:{listener.getsockname()[1]}"), RequestCounts()
    front = Front(create_app(), LIMITS, counts, None)
    serving = uvicorn.Server(configured(front, server.door, counts))
    thread = Thread(target=server.loop.run_until_complete, args=[serving.serve(sockets=[listener])])
    thread.start()
    try:
        yield server
    finally:
        serving.should_exit = True
        thread.join(60)
        server.loop.close()


def test_a_form_that_stops_in_the_middle_is_answered_408_and_its_connection_ended(server: Server) -> None:
    with connected(server.address) as connection:
        connection.sendall(f"POST /play/3x3x3 HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n{FORM}\r\ncell=".encode())
        server.after(LIMITS.body + 1)
        assert answered(connection).startswith(b"HTTP/1.1 408 ")


def test_headers_that_never_end_are_answered_408(server: Server) -> None:
    with connected(server.address) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        server.after(LIMITS.head + 1)
        assert answered(connection).startswith(b"HTTP/1.1 408 ")


def test_a_connection_that_says_nothing_is_ended(server: Server) -> None:
    with connected(server.address) as connection:
        server.after(LIMITS.first + 1)
        assert answered(connection) == b""


def test_who_is_not_late_yet_is_waited_for(server: Server) -> None:
    with connected(server.address) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
        server.after(LIMITS.head - 1)
        connection.sendall(b"Connection: close\r\n\r\n")
        assert answered(connection).startswith(b"HTTP/1.1 200 ")


def test_a_form_that_stops_behind_another_request_is_answered_408_too(server: Server) -> None:
    first = b"GET /learn/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
    second = f"POST /play/3x3x3 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n{FORM}\r\n".encode()
    with connected(server.address) as connection:
        connection.sendall(first + second)
        start = connection.recv(1)  # the first is being answered, and then the second has its time
        server.after(LIMITS.body + 1)
        assert re.findall(rb"HTTP/1.1 (\d+)", start + answered(connection)) == [b"200", b"408"]


def test_who_asks_for_more_than_is_read_is_not_given_all_of_it(server: Server) -> None:
    path = "/learn/pictures/distinct.svg"
    size = len(server.get(path))
    with connected(server.address) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 60)
        server.after(0)
        wait_for(lambda: not len(server.door))
        assert len(answered(connection)) < 30 * size
    assert server.get("/healthz")
