"""Requests a second of the pages and of a bare Flask route, in turn, on the same server with the same workers."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count, cycle
from statistics import median
from urllib.parse import urlsplit

from solver.board.notation import format_cell, format_moves, parse_rules
from solver.board.position import Position
from tests.server import running_server, wait_until_it_answers
from webapp.config import FrontLimits

ROUNDS = 5
SECONDS = 1.2
CONNECTIONS = 8

_VISITORS = count(1)
"""The numbers of the connections. Each comes from a network of its own, since one visitor may not ask so often."""


def get(path: str, **headers: str) -> bytes:
    """Return a GET request as it goes over the wire."""
    return _request(f"GET {path}", headers, b"")


def post_move(path: str, cell: str) -> bytes:
    """Return a move as htmx posts it."""
    headers = {
        "HX-Request": "true",
        "HX-Request-Type": "partial",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    return _request(f"POST {path}", headers, f"cell={cell}".encode())


def _request(line: str, headers: dict[str, str], body: bytes) -> bytes:
    fields = {"Host": "localhost", **headers, "Content-Length": str(len(body))}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"{line} HTTP/1.1\r\n{head}\r\n".encode() + body


def openings() -> list[tuple[str, str]]:
    """Return links of the 72 positions after two moves, each with every next square: 504 pairs."""
    rules = parse_rules("3x3x3")
    start = Position(rules)
    return [
        (f"/play/3x3x3?moves={format_moves((first, second), rules)}", format_cell(third, rules))
        for first in start.legal_moves
        for second in start.after(first).legal_moves
        for third in start.after(first).after(second).legal_moves
    ]


@contextmanager
def bare_server() -> Iterator[str]:
    """Serve the bare application as `noughts serve` serves the game."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "tests.benchmarks.bare", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_until_it_answers(f"http://127.0.0.1:{port}", path="/")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def requests_per_second(port: int, requests: Iterator[bytes], seconds: float) -> float:
    """Count whole answers to the next requests, sent over kept-alive connections, one at a time on each."""
    sockets = [_connected(port) for _ in range(CONNECTIONS)]
    answered = 0
    for each in sockets:
        each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        each.sendall(next(requests))
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        for each in sockets:
            _receive(each)
            answered += 1
            each.sendall(next(requests))
    elapsed = time.perf_counter() - began
    for each in sockets:
        each.close()
    return answered / elapsed


def _connected(port: int) -> socket.socket:
    number = next(_VISITORS)
    source = f"127.{1 + number // 62_500}.{number % 250}.{1 + number // 250 % 250}"
    return socket.create_connection(("127.0.0.1", port), source_address=(source, 0))


def _receive(connection: socket.socket) -> None:
    """Read one whole answer. Raises RuntimeError unless its status is 200."""
    data = connection.recv(65536)
    while (head_end := data.find(b"\r\n\r\n")) < 0:
        data += connection.recv(65536)
    if not data.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(f"Not answered well: {data[:80]!r}")
    start = data.lower().index(b"content-length:") + 15
    missing = int(data[start : data.index(b"\r\n", start)]) - (len(data) - head_end - 4)
    while missing > 0:
        missing -= len(connection.recv(65536))


def figures() -> Iterator[str]:
    """Measure a page and a move, of one link and of all openings, each as a ratio to the bare route."""
    links = openings()
    loads = {
        "page (GET), one link": [get(links[0][0])],
        "page (GET), all openings": [get(link) for link, _ in links],
        "move (htmx POST), one link": [post_move(*links[0])],
        "move (htmx POST), all openings": [post_move(*each) for each in links],
        "page (GET), all openings, gzipped": [get(link, **{"Accept-Encoding": "gzip"}) for link, _ in links],
    }
    positions = list(dict.fromkeys(link for link, _ in links))
    loads["page (GET), no link twice"] = [get(f"{link}&seed={seed}") for seed in range(400) for link in positions]
    loads["move (htmx POST), no link twice"] = [
        post_move(f"{link}&seed=m{seed}", cell) for seed in range(60) for link, cell in links
    ]
    turns = {name: cycle(requests) for name, requests in loads.items()}  # later rounds go on, and ask no link twice
    rates: dict[str, list[float]] = {name: [] for name in loads}
    ratios: dict[str, list[float]] = {name: [] for name in loads}
    hello = []
    with bare_server() as bare, running_server() as address:
        bare_port, port = urlsplit(bare).port or 0, urlsplit(address).port or 0
        for _ in range(ROUNDS):
            hello.append(requests_per_second(bare_port, cycle([get("/")]), SECONDS))
            for name, requests in turns.items():
                rates[name].append(requests_per_second(port, requests, SECONDS))
                ratios[name].append(rates[name][-1] / hello[-1])
    yield from _told(hello, rates, ratios)
    yield from _workers(loads["page (GET), no link twice"])


def _told(hello: list[float], rates: dict[str, list[float]], ratios: dict[str, list[float]]) -> Iterator[str]:
    threads = FrontLimits().threads
    yield f"bare Flask route: {median(hello):,.0f} requests a second (1 worker, up to {threads} threads)"
    for name, rate in rates.items():
        yield f"{name}: {median(rate):,.0f} a second, {median(ratios[name]):.2f} of the bare route"


def _workers(requests: list[bytes]) -> Iterator[str]:
    """Compare two page processes with one. The process that asks takes its part of the processors, too."""
    ratios = []
    with running_server("--workers", "1") as one, running_server("--workers", "2") as two:
        turns = {urlsplit(address).port or 0: cycle(requests) for address in (one, two)}
        for _ in range(ROUNDS):
            alone, together = (requests_per_second(port, turn, SECONDS) for port, turn in turns.items())
            ratios.append(together / alone)
    yield f"page (GET), no link twice: two page processes answer {median(ratios):.2f} times as many as one"
