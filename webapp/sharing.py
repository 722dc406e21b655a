"""One pool of provers for all workers of a server: a process of its own, to which each of them has a line."""

import json
import logging
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from multiprocessing import get_context
from multiprocessing.managers import BaseManager
from threading import Thread
from typing import Any, Protocol

from solver.position import Position
from webapp.provers import Limits, Look, Provers, Standing

VARIABLE = "NOUGHTS_PROVERS"
"""The environment variable by which a worker learns where the pool is."""


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


class _Manager(BaseManager):
    pass


@contextmanager
def shared_pool(limits: Limits) -> Iterator[None]:
    """Runs the pool as long as the block lasts; worker processes that are started in it find it by the environment."""
    if not limits.workers:
        yield
        return
    key = os.urandom(16)
    manager = _Manager(authkey=key, ctx=get_context("spawn"))
    _Manager.register("pool", callable=_pool)
    os.environ[_LIMITS] = str(limits.workers)
    manager.start(_stay_as_long_as_the_server)
    os.environ[VARIABLE] = json.dumps({"address": manager.address, "key": key.hex()})
    try:
        yield
    finally:
        manager.shutdown()


def pool_of_server() -> Pool:
    """The pool that the environment names, or none. One that cannot be reached is as none, with a warning."""
    if VARIABLE not in os.environ:
        return NoPool()
    return _Line()


_LIMITS = "NOUGHTS_PROVING"


@cache
def _pool() -> Provers:
    """The pool itself, in the manager's process."""
    return Provers(Limits(workers=int(os.environ[_LIMITS])))


def _stay_as_long_as_the_server() -> None:
    """Leaves interrupts to the server, which ends this process; if it is killed itself, this process ends too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(server: int) -> None:
    while os.getppid() == server:
        time.sleep(1)
    os._exit(0)


class _Line:
    """The way to the pool, opened by the first who needs it and again when it has broken."""

    def __init__(self) -> None:
        self._proxy: Any = None

    def look(self, position: Position) -> Look:
        """As the pool does."""
        try:
            found: Look = self._connected().look(position)
        except (OSError, EOFError) as error:
            self._proxy = None
            logging.getLogger("noughts").warning("The pool of provers does not answer: %s", error)
            return Look(Standing.OFF)
        return found

    def release(self, position: Position) -> None:
        """As the pool does."""
        try:
            self._connected().release(position)
        except (OSError, EOFError):
            self._proxy = None

    def _connected(self) -> Any:
        if self._proxy is None:
            said = json.loads(os.environ[VARIABLE])
            _Manager.register("pool")
            manager = _Manager(said["address"], bytes.fromhex(said["key"]))
            manager.connect()
            self._proxy = manager.pool()  # type: ignore[attr-defined]
        return self._proxy
