"""The workers of a Dask cluster as a pool. Dask is an optional extra, imported only where it is asked for."""

import asyncio
import logging
import re
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

from solver.board.notation import quoted
from solver.errors import BadOption
from solver.proofs.workers import Workers

TIMEOUT = 4.0
"""Seconds within which a scheduler answers."""

_ADDRESS = re.compile(r"(?:tcp|tls)://(?:\[[^\]/\s]+\]|[^/:\[\]\s]+):\d{1,5}", re.ASCII)


def cluster(address: str) -> Workers:
    """The workers of the scheduler at an address such as `tcp://127.0.0.1:8786`.

    Raises BadOption if Dask is not installed, the address is none, or no scheduler answers there.
    """
    if not _ADDRESS.fullmatch(address):
        raise BadOption(f"{quoted(address)} is no address of a scheduler. Write it as in tcp://127.0.0.1:8786.")
    try:
        from distributed.scheduler import KilledWorker  # noqa: PLC0415 - the optional extra
    except ImportError:
        raise BadOption("Dask is not installed. Install it with: pip install 'noughts[dask]'") from None
    return Workers(partial(_connected, address), max(1, workers_at(address)), (KilledWorker, CancelledError))


@contextmanager
def _connected(address: str) -> Iterator[Executor]:
    from distributed import Client  # noqa: PLC0415 - the optional extra

    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # a lost scheduler is reported here
    workers_at(address)  # a client would not give up a port where something else answers
    with Client(address, timeout=TIMEOUT, set_as_default=False) as client:
        yield client.get_executor()


def workers_at(address: str) -> int:
    """How many workers there are. Raises BadOption if no scheduler says so in time."""
    from distributed import rpc  # noqa: PLC0415 - the optional extra

    async def ask() -> int:
        async with rpc(address) as scheduler:
            return len((await scheduler.identity(n_workers=-1))["workers"])

    async def ask_in_time() -> int:
        return await asyncio.wait_for(ask(), TIMEOUT)

    try:
        with ThreadPoolExecutor(1) as aside:  # the caller's thread may have an event loop of its own
            return aside.submit(asyncio.run, ask_in_time()).result()
    except Exception as error:  # anything may be raised by an address that is no scheduler's
        raise BadOption(
            f"No Dask scheduler answers at {address} within {TIMEOUT:g} seconds. Start one with: dask scheduler"
        ) from error
