"""The application behind Granian in a thread of the tests."""

import asyncio
import socket
import urllib.request
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Barrier, Thread
from typing import TYPE_CHECKING, Any, TypeVar

from webapp.config import AppConfig, FrontLimits, ServerLimits
from webapp.processes.page_process import granian_at
from webapp.serving.bridge import Bridge
from webapp.serving.counts import RequestCounts

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

A = TypeVar("A")
T = TypeVar("T")


def run_apart(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread of its own, since the browser tests leave an event loop running in theirs."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, main).result(60)


def at_once(work: Callable[[A], T], arguments: Iterable[A]) -> list[T]:
    """Call a function with each argument, all at the same moment in threads; return the results in order."""
    given = list(arguments)
    together = Barrier(len(given))

    def call(argument: A) -> T:
        together.wait()
        return work(argument)

    with ThreadPoolExecutor(len(given)) as threads:
        return list(threads.map(call, given))


class Pages:
    """A page process with the application and limits of a test. `join` gets the connections that stay open."""

    def __init__(
        self, app: "WSGIApplication", limits: FrontLimits, join: Any, proxies: int, listener: socket.socket
    ) -> None:
        self.port = listener.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.counts = RequestCounts()
        config = AppConfig(proxies=proxies, limits=ServerLimits(front=limits))
        self.bridge = Bridge(app, config, self.counts, None, join)
        self._loop = asyncio.new_event_loop()
        self._server = granian_at(listener, self.bridge, limits)

    def run(self) -> None:
        """Serve until `end`."""
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._server.serve())
        self._loop.close()

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(f"{self.address}{path}", timeout=60) as page:
            body: bytes = page.read()
            return body

    def end(self) -> None:
        """Stop the process as SIGTERM does."""
        with suppress(RuntimeError):  # it has ended already
            self._loop.call_soon_threadsafe(self.bridge.end_streams)
            self._loop.call_soon_threadsafe(self._server.stop)


@contextmanager
def pages(app: "WSGIApplication", limits: FrontLimits, join: Any = None, proxies: int = 0) -> Iterator[Pages]:
    """Serve an application for as long as the block lasts."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        running = Pages(app, limits, join, proxies, listener)
        thread = Thread(target=running.run)
        thread.start()
        try:
            yield running
        finally:
            running.end()
            thread.join(60)
