"""Requests a second over kept-alive connections, with as little work as possible on the client's side."""

import socket
import time
from collections.abc import Sequence
from itertools import count

CONNECTIONS = 8
_VISITORS = count(1)
"""Each connection comes from an address of its own, since no visitor may ask so often."""


def requests_per_second(port: int, requests: Sequence[bytes], seconds: float) -> float:
    """Send the requests in turn over CONNECTIONS connections, one at a time on each, and count whole answers."""
    sockets = [_connected(port) for _ in range(CONNECTIONS)]
    sent = answered = 0
    for each in sockets:
        each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        each.sendall(requests[sent % len(requests)])
        sent += 1
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        for each in sockets:
            _receive(each)
            answered += 1
            each.sendall(requests[sent % len(requests)])
            sent += 1
    elapsed = time.perf_counter() - began
    for each in sockets:
        each.close()
    return answered / elapsed


def _connected(port: int) -> socket.socket:
    number = next(_VISITORS)
    source = f"127.{1 + number // 62_500}.{number // 250 % 250}.{1 + number % 250}"
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
