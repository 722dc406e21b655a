"""The server behind the proxy that `deploy/nginx.conf` sets up: a real nginx, with TLS."""

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import pytest

from tests.server import answered, connected, running_server, wait_for

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "nginx.conf"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
HOST = "play.example.org"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def plain_port() -> int:
    """The port at which that nginx speaks no TLS."""
    return free_port()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where that nginx has its files and its logs."""
    return tmp_path_factory.mktemp("nginx")


@pytest.fixture(scope="module")
def port(plain_port: int, folder: Path) -> Iterator[int]:
    """The port of an nginx in front of a server."""
    if NGINX is None or shutil.which("openssl") is None:
        if os.environ.get("CI"):
            pytest.fail("CI installs nginx")
        pytest.skip("there is no nginx here")
    port = free_port()
    certificate = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={HOST}"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    subprocess.run([*certificate, *files, "-addext", f"subjectAltName=DNS:{HOST}"], check=True, capture_output=True)
    with running_server("--proxies", "1", "--allowed-hosts", HOST) as address:
        text = CONFIGURATION.read_text(encoding="utf-8")
        for shown, real in (
            ("/etc/ssl/play.example.org.pem", str(folder / "certificate.pem")),
            ("/etc/ssl/play.example.org.key", str(folder / "key.pem")),
            ("/var/log/nginx", str(folder)),
            ("listen 80;", f"listen 127.0.0.1:{plain_port};"),
            ("listen [::]:80;", f"listen 127.0.0.1:{free_port()};"),
            ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
            ("listen [::]:443 ssl", f"listen 127.0.0.1:{free_port()} ssl"),
            ("127.0.0.1:8000", address.removeprefix("http://")),
        ):
            assert shown in text
            text = text.replace(shown, real)
        temporary = "".join(
            f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "nginx.conf").write_text(
            f"pid {folder}/pid; error_log {folder}/error.log; daemon off; master_process off;"
            f" events {{}} http {{ access_log off; {temporary} {text} }}"
        )
        process = subprocess.Popen([NGINX, "-c", str(folder / "nginx.conf"), "-p", str(folder)])
        try:
            wait_for(lambda: process.poll() is not None or is_up(port))
            assert process.poll() is None, (folder / "error.log").read_text()
            yield port
        finally:
            process.terminate()
            process.wait(60)


def unverified() -> ssl.SSLContext:
    """TLS with a certificate that nobody vouches for."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def is_up(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def ask(port: int, path: str, data: bytes | None = None, **headers: str) -> tuple[int, str, Message]:
    """Status, text and headers of an answer; redirects are not followed."""
    opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=unverified()), _Stay())
    request = urllib.request.Request(f"https://127.0.0.1:{port}{path}", data, {"Host": HOST, **headers})
    try:
        with opener.open(request, timeout=60) as answer:
            return answer.status, answer.read().decode(), answer.headers
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode(), error.headers


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Nothing is asked for in place of a redirect."""


@pytest.mark.slow
def test_a_page_comes_by_tls_with_its_full_link_and_the_promise_to_stay_with_tls(port: int) -> None:
    status, text, headers = ask(port, "/share/3x3x3?moves=b2")
    assert status == 200
    assert f'value="https://{HOST}/play/3x3x3?moves=b2"' in text
    assert "max-age" in headers["Strict-Transport-Security"]


@pytest.mark.slow
def test_a_move_from_the_page_is_taken_and_one_from_elsewhere_is_not(port: int) -> None:
    own, other = f"https://{HOST}", f"http://{HOST}"
    status, _, headers = ask(port, "/play/3x3x3", b"cell=b2", Origin=own)
    assert (status, headers["Location"].startswith("/play/3x3x3?moves=b2")) == (303, True)
    assert ask(port, "/play/3x3x3", b"cell=b2", Origin=other)[0] == 403


@pytest.mark.slow
def test_what_only_those_who_run_the_server_are_to_see_is_not_passed_on(port: int) -> None:
    assert [ask(port, path)[0] for path in ("/metrics", "/readyz", "/healthz")] == [403, 403, 200]


@pytest.mark.slow
def test_who_comes_without_tls_is_led_to_it(port: int, plain_port: int) -> None:
    assert is_up(port)
    with connected(f"http://127.0.0.1:{plain_port}") as connection:
        connection.sendall(f"GET /play/3x3x3?moves=b2 HTTP/1.0\r\nHost: {HOST}\r\n\r\n".encode())
        answer = answered(connection).decode()
    assert answer.startswith("HTTP/1.1 301 ")
    assert f"\r\nLocation: https://{HOST}/play/3x3x3?moves=b2\r\n" in answer


@pytest.mark.slow
def test_one_connection_takes_many_requests_at_once(port: int) -> None:
    context = unverified()
    context.set_alpn_protocols(["h2", "http/1.1"])
    with connected(f"https://127.0.0.1:{port}") as raw, context.wrap_socket(raw, server_hostname=HOST) as connection:
        assert connection.selected_alpn_protocol() == "h2"


@pytest.mark.slow
def test_what_is_too_long_the_server_itself_refuses(port: int) -> None:
    status, text, _ = ask(port, "/play/3x3x3", b"cell=" + 10_000 * b"b", Origin=f"https://{HOST}")
    assert (status, "A move is a few letters" in text) == (413, True)


@pytest.mark.slow
def test_what_the_proxy_refuses_pages_of_other_sites_read_as_an_error_object(port: int) -> None:
    status, text, headers = ask(port, "/api/v1/predict", b" ", **{"Content-Length": "300000"})
    assert (status, json.loads(text)["error"]["code"]) == (413, "too_large")
    assert (headers["Content-Type"], headers["Access-Control-Allow-Origin"]) == ("application/json", "*")


@pytest.mark.slow
def test_the_log_has_no_more_of_a_live_games_address_than_its_beginning(port: int, folder: Path) -> None:
    secret, log = "sEcReT" + 16 * "x", folder / "access.log"
    assert ask(port, f"/live/{secret}/news?once=1")[0] == 404
    assert ask(port, "/play/3x3x3?seed=logged", Referer=f"https://{HOST}/live/{secret}")[0] == 200
    wait_for(lambda: "seed=logged" in log.read_text())
    assert '/live/sEcReT..."' in log.read_text()
    assert not [file for file in (log, folder / "error.log") if secret in file.read_text()]


@pytest.mark.slow
def test_news_of_a_live_game_comes_at_once(port: int) -> None:
    own = f"https://{HOST}"
    status, text, headers = ask(port, "/live", b"board=3x3x3", Origin=own)
    assert status == 303, text
    game = headers["Location"]
    stream = urllib.request.Request(f"https://127.0.0.1:{port}{game}/news", headers={"Host": HOST})
    with urllib.request.urlopen(stream, timeout=60, context=unverified()) as news:
        told = (line for line in news if line.startswith(b"data:"))
        before = next(told)
        assert ask(port, game, b"do=sit", Origin=own)[0] == 303
        assert next(told) != before


@pytest.mark.slow
def test_a_foreign_host_is_refused(port: int) -> None:
    assert ask(port, "/", Host="elsewhere.example")[0] == 400


@pytest.mark.slow
def test_a_visitor_cannot_pass_for_another_or_for_another_scheme(port: int) -> None:
    forged = {"X-Forwarded-Proto": "javascript", "X-Forwarded-Host": "elsewhere.example", "X-Forwarded-For": "1.2.3.4"}
    status, text, _ = ask(port, "/play/3x3x3", None, **forged)
    assert status == 200
    assert not re.search("javascript:|elsewhere", text)


@pytest.mark.slow
def test_a_burst_of_connections_from_one_address_is_capped(port: int) -> None:
    connections = []
    try:
        context = unverified()
        statuses = []
        for _ in range(60):
            raw = socket.create_connection(("127.0.0.1", port), timeout=60)
            connection = context.wrap_socket(raw, server_hostname=HOST)
            connections.append(connection)
            connection.sendall(f"POST /play/3x3x3 HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 9\r\n\r\n".encode())
        connections[-1].settimeout(60)
        statuses.append(connections[-1].recv(64).split()[1])
        assert statuses == [b"429"]
        status, text, headers = ask(port, "/api/v1/predict")
        assert (status, json.loads(text)["error"]["code"], headers["Retry-After"]) == (429, "too_many", "5")
    finally:
        for connection in connections:
            connection.close()
