"""The cost of the server's layers around the application: a page with and without them, in turn, in one process."""

import asyncio
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from statistics import median
from typing import TYPE_CHECKING, Any

from tests.benchmarks.serving import get
from webapp.app import create_app
from webapp.config import AppConfig, FrontLimits, ServerLimits
from webapp.serving.counts import RequestCounts
from webapp.serving.door import Door
from webapp.serving.front.connection import Connection, Services
from webapp.serving.front.exchange import Request
from webapp.serving.front.front import Front

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

ROUNDS = 9
PAGES = 300
PATH = "/play/3x3x3"
LINK = "moves=b2a1"


class _Wire(asyncio.Transport):
    """A transport that only counts the answers."""

    def __init__(self, own: socket.socket) -> None:
        super().__init__({"socket": own, "peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 80)})
        self.answered = asyncio.Event()

    def write(self, data: Any) -> None:
        assert data.startswith(b"HTTP/1.1 200")
        self.answered.set()

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Ignore the limits, since no bytes are kept."""

    def is_closing(self) -> bool:
        return False


def figures() -> Iterator[str]:
    """Time a cached page, by the application alone and through connection, door and front."""
    app = create_app()
    bare, whole = [], []
    for _ in range(ROUNDS):
        bare.append(without_layers(app))
        whole.append(asyncio.run(with_layers(app)))
    ratio = median(each / alone for each, alone in zip(whole, bare, strict=True))
    yield (
        f"layers of the server: a page in {1e6 * median(whole):.0f} µs through them, {1e6 * median(bare):.0f} µs by the"
        f" application alone, {ratio:.2f} times as long"
    )


def without_layers(app: "WSGIApplication") -> float:
    """Return the seconds that the application takes for a page."""
    environ = Request("127.0.0.1", ("127.0.0.1", 80), "GET", PATH, LINK, headers=[(b"host", b"localhost")]).environ()

    def start(status: str, *_: object) -> Callable[[bytes], object]:
        assert status == "200 OK"
        return len

    def ask() -> None:
        parts: Iterable[bytes] = app(dict(environ), start)
        b"".join(parts)

    return _each(ask)


async def with_layers(app: "WSGIApplication") -> float:
    """Return the seconds from the bytes of a request to those of its answer."""
    limits, counts = FrontLimits(burst=10**9), RequestCounts()
    config = AppConfig(limits=ServerLimits(front=limits))
    services = Services(Door(limits, True, time.monotonic), Front(app, config, counts, None), counts)
    with socket.create_server(("127.0.0.1", 0)) as own:
        wire, connection, request = _Wire(own), Connection(services), get(f"{PATH}?{LINK}")
        connection.connection_made(wire)
        began = time.perf_counter()
        for _ in range(PAGES):
            wire.answered.clear()
            connection.data_received(request)
            await wire.answered.wait()
        taken = time.perf_counter() - began
        connection.connection_lost(None)
    return taken / PAGES


def _each(ask: Callable[[], None]) -> float:
    began = time.perf_counter()
    for _ in range(PAGES):
        ask()
    return (time.perf_counter() - began) / PAGES
