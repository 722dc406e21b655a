"""Late connections at their sockets, by a clock that the tests put forward."""

import re
from collections.abc import Iterator

import pytest

from tests.in_thread import Pages, pages
from tests.server import FORM, answered, connected, wait_for
from webapp.app import create_app
from webapp.config import FrontLimits

LIMITS = FrontLimits()


@pytest.fixture(scope="module")
def server() -> Iterator[Pages]:
    with pages(create_app(), LIMITS) as started:
        yield started


@pytest.mark.parametrize(
    ("sent", "limit", "status"),
    [
        (
            f"POST /play/3x3x3 HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n{FORM}\r\ncell=",
            LIMITS.body,
            b"HTTP/1.1 408",
        ),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", LIMITS.head, b"HTTP/1.1 408"),
        ("", LIMITS.first, b""),
    ],
    ids=["body", "headers", "nothing"],
)
def test_who_is_late_is_answered_408_if_a_request_has_begun_and_ended(
    server: Pages, sent: str, limit: float, status: bytes
) -> None:
    with connected(server.address) as connection:
        connection.sendall(sent.encode())
        server.after(limit + 1)
        assert answered(connection)[:12] == status


def test_who_is_not_late_yet_is_waited_for(server: Pages) -> None:
    with connected(server.address) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
        server.after(LIMITS.head - 1)
        connection.sendall(b"Connection: close\r\n\r\n")
        assert answered(connection).startswith(b"HTTP/1.1 200 ")


def test_a_form_that_stops_behind_another_request_is_answered_408_too(server: Pages) -> None:
    first = b"GET /learn/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
    second = f"POST /play/3x3x3 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n{FORM}\r\n".encode()
    with connected(server.address) as connection:
        connection.sendall(first + second)
        start = connection.recv(1)  # the first is being answered, and then the second has its time
        server.after(LIMITS.body + 1)
        assert re.findall(rb"HTTP/1.1 (\d+)", start + answered(connection)) == [b"200", b"408"]


def test_who_asks_for_more_than_is_read_is_not_given_all_of_it_and_then_ended(server: Pages) -> None:
    path = "/learn/pictures/distinct.svg"
    size = len(server.get(path))
    with connected(server.address) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 16)

        def ended() -> bool:
            server.after(LIMITS.unread + 1)  # again where the first answer was just on its way
            return not len(server.door)

        wait_for(ended)
        assert len(answered(connection)) < 8 * size
    assert server.get("/healthz")


def test_a_pipeline_goes_on_as_its_answers_are_read(server: Pages) -> None:
    with connected(server.address) as connection:
        request = b"GET /learn/pictures/distinct.svg HTTP/1.1\r\nHost: localhost\r\n"
        connection.sendall((request + b"\r\n") * 15 + request + b"Connection: close\r\n\r\n")
        wait_for(lambda: bool(server.unread()))
        assert answered(connection).count(b"HTTP/1.1 200 ") == 16
