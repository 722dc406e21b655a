"""One pool of provers for all workers of a server: a process of its own, to which each of them has a line."""

import json
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from multiprocessing import AuthenticationError, get_context
from multiprocessing.connection import Client, Connection, Listener
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any, Protocol

from solver.position import Position
from webapp.provers import Limits, Look, Provers, Standing

VARIABLE = "NOUGHTS_PROVERS"
"""The environment variable by which a worker learns where the pool is."""

PATIENCE = 0.3
"""Seconds that a page waits for the pool."""

LOOK_EVERY = 1.0
"""Seconds after which the server sees whether the pool is still there, and begins another if not."""


class Pool(Protocol):
    """What a page needs of the pool; see `Provers`."""

    def look(self, position: Position) -> Look: ...  # noqa: D102
    def release(self, position: Position) -> None: ...  # noqa: D102


class NoPool:
    """Where nothing proves in the background."""

    def look(self, position: Position) -> Look:  # noqa: ARG002
        """Off."""
        return Look(Standing.OFF)

    def release(self, position: Position) -> None:
        """Nothing to release."""


@contextmanager
def shared_pool(limits: Limits) -> Iterator[None]:
    """Runs the pool as long as the block lasts; worker processes that are started in it find it by the environment.

    A pool that dies is replaced at the same address.
    """
    if not limits.workers:
        yield
        return
    key, ended = os.urandom(16), Event()
    with TemporaryDirectory(prefix="noughts-") as folder:
        address = rf"\\.\pipe\noughts-{os.getpid()}" if sys.platform == "win32" else os.path.join(folder, "pool")
        os.environ[VARIABLE] = json.dumps({"address": address, "key": key.hex()})

        def keep_it_running() -> None:
            while not ended.is_set():
                process = get_context("spawn").Process(target=_run, args=(address, key, limits, os.getpid()))
                process.start()
                while process.is_alive() and not ended.wait(LOOK_EVERY):
                    pass
                process.kill()  # which ends even one that hangs; it holds nothing that is not in the store
                process.join()
                with suppress(OSError):
                    os.remove(address)  # the socket of the one that has ended

        keeper = Thread(target=keep_it_running)
        keeper.start()
        try:
            yield
        finally:
            ended.set()
            keeper.join()
            del os.environ[VARIABLE]


def _run(address: str, key: bytes, limits: Limits, server: int) -> None:
    """The pool's process: answers everyone who connects, a thread for each, and ends with the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server's own process ends this one
    Thread(target=_end_with, args=(server,), daemon=True).start()
    provers = Provers(limits)
    with Listener(address, authkey=key) as listener:
        while True:
            with suppress(OSError, EOFError, AuthenticationError):
                Thread(target=_serve, args=(listener.accept(), provers), daemon=True).start()


def _serve(connection: "Connection[Any, Any]", provers: Provers) -> None:
    with suppress(OSError, EOFError), connection:
        while True:
            what, position = connection.recv()
            ask: Callable[[Position], Look | None] = provers.look if what == "look" else provers.release
            connection.send(ask(position))


def _end_with(server: int) -> None:
    while os.getppid() == server:
        time.sleep(1)
    os._exit(0)


def pool_of_server() -> Pool:
    """The pool that the environment names, or none. One that cannot be reached is as none, with a warning."""
    if VARIABLE not in os.environ:
        return NoPool()
    return _Line()


class _Line:
    """The way to the pool, opened by the first who needs it and again when it has broken.

    One thread asks, so that a pool that hangs costs everyone else a moment and not their thread.
    """

    def __init__(self) -> None:
        self._asker = ThreadPoolExecutor(1, thread_name_prefix="pool")
        self._asked: Future[Look | None] | None = None
        self._connection: Connection[Any, Any] | None = None

    def look(self, position: Position) -> Look:
        """As the pool does; a pool that does not answer in time is as none."""
        return self._ask("look", position) or Look(Standing.OFF)

    def release(self, position: Position) -> None:
        """As the pool does."""
        self._ask("release", position)

    def _ask(self, what: str, position: Position) -> Look | None:
        if self._asked is not None and wait([self._asked], PATIENCE).not_done:
            return None
        asked = self._asked = self._asker.submit(self._answer, what, position)
        return None if wait([asked], PATIENCE).not_done else asked.result()

    def _answer(self, what: str, position: Position) -> Look | None:
        try:
            if self._connection is None:
                said = json.loads(os.environ[VARIABLE])
                self._connection = Client(said["address"], authkey=bytes.fromhex(said["key"]))
            self._connection.send((what, position))
            answer: Look | None = self._connection.recv()
        except Exception as error:  # a pool that is gone, or no longer what it was, is as none
            if self._connection is not None:
                logging.getLogger("noughts").warning("The pool of provers does not answer: %r", error)
                self._connection.close()
                self._connection = None
            return None
        return answer
