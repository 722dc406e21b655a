"""The server behind the proxy that `deploy/nginx.conf` sets up: a real nginx, with TLS."""

import json
import re
import socket
import ssl
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from email.message import Message
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path
from secrets import token_hex

import pytest

from tests.nginx import free_port, is_up, nginx_before
from tests.server import answered, connected, running_server, wait_for

pytestmark = pytest.mark.slow

HOST = "play.example.org"
ADDRESS = "X-Test-Address"
"""The header with the visitor's address for the nginx of these tests."""


@pytest.fixture(scope="module")
def plain_port() -> int:
    """Return the port at which nginx speaks no TLS."""
    return free_port()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of nginx's files and logs."""
    return tmp_path_factory.mktemp("nginx")


@pytest.fixture(scope="module")
def port(plain_port: int, folder: Path) -> Iterator[int]:
    """Yield the port of an nginx in front of a server."""
    port = free_port()
    certificate = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={HOST}"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    subprocess.run([*certificate, *files, "-addext", f"subjectAltName=DNS:{HOST}"], check=True, capture_output=True)
    changes = {
        "/etc/ssl/play.example.org.pem": f"{folder}/certificate.pem",
        "/etc/ssl/play.example.org.key": f"{folder}/key.pem",
        "listen 80": f"listen 127.0.0.1:{plain_port}",
        "listen [::]:80": f"listen 127.0.0.1:{free_port()}",
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "listen [::]:443 ssl": f"listen 127.0.0.1:{free_port()} ssl",
        "client_header_timeout 10s": "client_header_timeout 5s",
    }
    visitors = f"set_real_ip_from 127.0.0.1; real_ip_header {ADDRESS};"
    with (
        running_server("--proxies", "1", "--allowed-hosts", HOST) as address,
        nginx_before(address, folder, port, changes, visitors),
    ):
        yield port


def unverified() -> ssl.SSLContext:
    """Return a TLS context that accepts any certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@contextmanager
def secured(port: int, name: str | None = HOST, protocol: str = "http/1.1") -> Iterator[ssl.SSLSocket]:
    """Connect by TLS, and ask for the certificate of a name. Raises SSLError where there is none for it."""
    context = unverified()
    context.set_alpn_protocols([protocol])
    with (
        connected(f"https://127.0.0.1:{port}") as raw,
        context.wrap_socket(raw, server_hostname=name) as connection,
    ):
        yield connection


class _Connection(HTTPSConnection):
    def connect(self) -> None:
        """Connect to this machine, and ask for the certificate of the site."""
        raw = socket.create_connection(("127.0.0.1", self.port), self.timeout)
        self.sock = unverified().wrap_socket(raw, server_hostname=HOST)


@contextmanager
def asking(port: int, path: str, data: bytes | None = None, **headers: str) -> Iterator[HTTPResponse]:
    """Send a request and return the response after its head was read."""
    connection = _Connection(HOST, port, timeout=60)
    try:
        form = {} if data is None else {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("GET" if data is None else "POST", path, data, {**form, **headers})
        with connection.getresponse() as answer:
            yield answer
    finally:
        connection.close()


def ask(port: int, path: str, data: bytes | None = None, **headers: str) -> tuple[int, str, Message]:
    """Return status, text and headers of an answer; redirects are not followed."""
    with asking(port, path, data, **headers) as answer:
        return answer.status, answer.read().decode(), answer.headers


@pytest.fixture
def secret() -> str:
    """Return a made-up secret for the address of a live game."""
    return f"sEcReT{token_hex(8)}"


def logged(folder: Path, mark: str) -> str:
    """Wait until the access log has the mark, and return it with the error log."""
    log = folder / "access.log"
    wait_for(lambda: mark in log.read_text())
    return log.read_text() + (folder / "error.log").read_text()


def statuses(answers: bytes) -> list[int]:
    """Return the statuses of answers that came on one connection."""
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", answers)]


@contextmanager
def stalled_forms(port: int, address: str, number: int = 40) -> Iterator[None]:
    """Hold as many connections as one visitor may have, each with a form that never ends."""
    with ExitStack() as stack:
        for _ in range(number):
            connection = stack.enter_context(secured(port))
            head = f"POST /play/3x3x3 HTTP/1.1\r\nHost: {HOST}\r\n{ADDRESS}: {address}\r\nContent-Length: 9\r\n\r\n"
            connection.sendall(head.encode())
        yield


def test_a_page_comes_by_tls_with_its_full_link_and_the_promise_to_stay_with_tls(port: int) -> None:
    status, text, headers = ask(port, "/share/3x3x3?moves=b2")
    assert status == 200
    assert f'value="https://{HOST}/play/3x3x3?moves=b2&amp;as=guest"' in text
    assert "max-age" in headers["Strict-Transport-Security"]


def test_a_move_from_the_page_is_taken_and_one_from_elsewhere_is_not(port: int) -> None:
    own, other = f"https://{HOST}", f"http://{HOST}"
    status, _, headers = ask(port, "/play/3x3x3", b"cell=b2", Origin=own)
    assert (status, headers["Location"].startswith("/play/3x3x3?moves=b2")) == (303, True)
    assert ask(port, "/play/3x3x3", b"cell=b2", Origin=other)[0] == 403


def test_what_only_those_who_run_the_server_are_to_see_is_not_passed_on(port: int) -> None:
    assert [ask(port, path)[0] for path in ("/metrics", "/readyz", "/healthz")] == [403, 403, 200]


def test_who_comes_without_tls_is_led_to_it(port: int, plain_port: int) -> None:
    assert is_up(port)
    with connected(f"http://127.0.0.1:{plain_port}") as connection:
        connection.sendall(f"GET /play/3x3x3?moves=b2 HTTP/1.0\r\nHost: {HOST}\r\n\r\n".encode())
        answer = answered(connection).decode()
    assert answer.startswith("HTTP/1.1 301 ")
    assert f"\r\nLocation: https://{HOST}/play/3x3x3?moves=b2\r\n" in answer


def test_one_connection_takes_many_requests_at_once(port: int) -> None:
    with secured(port, protocol="h2") as connection:
        assert connection.selected_alpn_protocol() == "h2"


def test_what_is_too_long_the_server_itself_refuses(port: int) -> None:
    status, text, _ = ask(port, "/play/3x3x3", b"cell=" + 10_000 * b"b", Origin=f"https://{HOST}")
    assert (status, "A move is a few letters" in text) == (413, True)


def test_what_the_proxy_refuses_pages_of_other_sites_read_as_an_error_object(port: int) -> None:
    status, text, headers = ask(port, "/api/v1/predict", b" ", **{"Content-Length": "300000"})
    assert (status, json.loads(text)["error"]["code"]) == (413, "too_large")
    assert (headers["Content-Type"], headers["Access-Control-Allow-Origin"]) == ("application/json", "*")


@pytest.mark.parametrize("start", ["/live/", "//live/", "/%6cive/", "/x/../live/", "/./live//", "/x/live/", "/LIVE/"])
def test_the_log_has_only_the_beginning_of_a_live_games_address(
    port: int, folder: Path, secret: str, start: str
) -> None:
    mark = f"mark-{start.encode().hex()}"
    assert ask(port, f"{start}{secret}/news?once=1")[0] in (308, 404)
    assert ask(port, f"/healthz?{mark}")[0] == 200
    text = logged(folder, mark)
    assert re.search(r'live/sEcReT\.\.\.\?once=1"', text, re.IGNORECASE)
    assert secret not in text


@pytest.mark.parametrize("link", ["/live/", "%2Flive%2F", "%2f%6cive%2f", "%252Flive%252F", "%252F%256cive%252F"])
def test_the_log_has_no_query_that_names_a_live_game(port: int, folder: Path, secret: str, link: str) -> None:
    mark = f"mark-{link.encode().hex()}"
    assert ask(port, f"/healthz?seed=1&url=https://{HOST}{link}{secret}")[0] == 200
    assert ask(port, f"/healthz?{mark}")[0] == 200
    text = logged(folder, mark)
    assert '"GET /healthz?..."' in text
    assert secret not in text


def test_the_log_has_other_queries_whole(port: int, folder: Path) -> None:
    assert ask(port, "/play/3x3x3?moves=b2&name=A%20B%2FC%7B")[0] == 200
    assert '"GET /play/3x3x3?moves=b2&name=A%20B%2FC%7B" 200' in logged(folder, "name=A%20B")


def test_neither_log_has_a_referrer(port: int, folder: Path, secret: str) -> None:
    # nginx adds the referrer to the log line of its own errors, such as a too large form.
    referrer = f"https://{HOST}/live/{secret}"
    assert ask(port, "/play/3x3x3?mark=large", b" ", Referer=referrer, **{"Content-Length": "300000"})[0] == 413
    assert secret not in logged(folder, "mark=large")


def test_news_of_a_live_game_comes_at_once(port: int) -> None:
    own = f"https://{HOST}"
    status, text, headers = ask(port, "/live", b"board=3x3x3", Origin=own)
    assert status == 303, text
    game = headers["Location"]
    with asking(port, f"{game}/news") as news:
        told = (line for line in news if line.startswith(b"data:"))
        before = next(told)
        assert ask(port, game, b"do=join", Origin=own)[0] == 303
        assert next(told) != before


def test_without_tls_a_foreign_host_gets_no_answer(port: int, plain_port: int) -> None:
    assert is_up(port)
    with connected(f"http://127.0.0.1:{plain_port}") as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n")
        assert answered(connection) == b""


def test_by_tls_a_foreign_host_gets_no_answer(port: int) -> None:
    with secured(port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n")
        assert answered(connection) == b""


@pytest.mark.parametrize("name", ["elsewhere.example", None])
def test_a_foreign_host_gets_no_certificate(port: int, name: str | None) -> None:
    with pytest.raises(ssl.SSLError), secured(port, name):
        pass


@pytest.mark.parametrize("tls", [False, True])
def test_headers_that_never_end_are_given_up_before_the_host_is_known(port: int, plain_port: int, tls: bool) -> None:
    assert is_up(port)
    with secured(port) if tls else connected(f"http://127.0.0.1:{plain_port}") as connection:
        connection.settimeout(30)  # nginx's default is a minute
        connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert answered(connection) in (b"", b"HTTP/1.1 408 Request Time-out\r\n")


def test_answers_do_not_say_which_nginx_it_is(port: int) -> None:
    assert ask(port, "/metrics")[2]["Server"] == "nginx"


def test_a_visitor_cannot_pass_for_another_or_for_another_scheme(port: int) -> None:
    forged = {"X-Forwarded-Proto": "javascript", "X-Forwarded-Host": "elsewhere.example", "X-Forwarded-For": "1.2.3.4"}
    status, text, _ = ask(port, "/play/3x3x3", None, **forged)
    assert status == 200
    assert not re.search("javascript:|elsewhere", text)


def test_a_visitor_with_too_many_connections_is_refused(port: int) -> None:
    with stalled_forms(port, "192.0.2.1"):
        wait_for(lambda: ask(port, "/api/v1/predict", None, **{ADDRESS: "192.0.2.1"})[0] == 429)
        status, text, headers = ask(port, "/api/v1/predict", None, **{ADDRESS: "192.0.2.1"})
    assert (status, json.loads(text)["error"]["code"], headers["Retry-After"]) == (429, "too_many", "5")


@pytest.mark.parametrize(
    ("first", "same", "other"),
    [
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:2::1"),
        ("198.51.100.1", "198.51.100.1", "198.51.100.2"),
        ("::ffff:203.0.113.1", "::ffff:203.0.113.1", "::ffff:203.0.113.2"),
    ],
)
def test_connections_are_counted_by_ipv4_address_or_ipv6_network(port: int, first: str, same: str, other: str) -> None:
    with stalled_forms(port, first):
        wait_for(lambda: ask(port, "/healthz", None, **{ADDRESS: same})[0] == 429)
        assert ask(port, "/healthz", None, **{ADDRESS: other})[0] == 200


@pytest.mark.parametrize(
    ("first", "same", "other"),
    [
        ("2001:db8:0:3::1", "2001:db8:0:3:ffff:ffff:ffff:ffff", "2001:db8:0:4::1"),
        ("198.51.100.3", "198.51.100.3", "198.51.100.4"),
    ],
)
def test_requests_are_counted_by_ipv4_address_or_ipv6_network(port: int, first: str, same: str, other: str) -> None:
    def requests(address: str, number: int) -> bytes:
        return number * f"GET /metrics HTTP/1.1\r\nHost: {HOST}\r\n{ADDRESS}: {address}\r\n\r\n".encode()

    last = f"GET /metrics HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode()
    with secured(port) as connection:
        # nginx answers /metrics by itself, so the burst is over long before a second's requests are forgiven.
        connection.sendall(requests(first, 200) + requests(same, 100) + requests(other, 100) + last)
        came = statuses(answered(connection))
    assert Counter(came[200:300])[429] > 0
    assert Counter(came[300:400]) == {403: 100}
