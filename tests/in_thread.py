"""The parts of a page process in a thread of the tests, with a clock that they put forward."""

import asyncio
import socket
import urllib.request
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier, Thread
from typing import TYPE_CHECKING, Any, TypeVar

from webapp.config import AppConfig, FrontLimits, ServerLimits
from webapp.serving.counts import RequestCounts
from webapp.serving.door import Door
from webapp.serving.front import listening
from webapp.serving.front.connection import Connection, Services
from webapp.serving.front.front import Front

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

    def __init__(self, app: "WSGIApplication", limits: FrontLimits, join: Any = None) -> None:
        self.address, self.port = "", 0
        self.loop = asyncio.new_event_loop()
        self.now = 0.0
        self.stop = asyncio.Event()
        self.counts = RequestCounts()
        config = AppConfig(limits=ServerLimits(front=limits))
        self.door = Door(limits, True, lambda: self.now)
        self.services = Services(self.door, Front(app, config, self.counts, None, join), self.counts)

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(f"{self.address}{path}", timeout=60) as page:
            body: bytes = page.read()
            return body

    def connections(self) -> list[Connection]:
        """Return the connections that are open, without those that stay for news."""
        return [each for each in list(self.services.open) if isinstance(each, Connection)]

    def unread(self) -> int:
        """Return the bytes of answers that the system has not taken yet."""
        return sum(each.unread() for each in self.connections())

    def after(self, seconds: float) -> None:
        """Read all that was sent before, then put the clock forward."""
        self.get("/healthz")

        async def sweep() -> None:
            self.now += seconds
            self.door.sweep()

        asyncio.run_coroutine_threadsafe(sweep(), self.loop).result(60)

    def end(self) -> None:
        """Stop the process as SIGTERM does."""
        self.loop.call_soon_threadsafe(self.stop.set)


@contextmanager
def pages(app: "WSGIApplication", limits: FrontLimits, join: Any = None) -> Iterator[Pages]:
    """Serve an application for as long as the block lasts."""
    running = Pages(app, limits, join)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        running.port = listener.getsockname()[1]
        running.address = f"http://127.0.0.1:{running.port}"
        serving = listening.serve(listener, running.services, running.stop)
        thread = Thread(target=running.loop.run_until_complete, args=[serving])
        thread.start()
        try:
            yield running
        finally:
            running.end()
            thread.join(60)
            running.loop.close()
