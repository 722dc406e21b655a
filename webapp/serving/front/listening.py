"""A process at its listening socket: it takes connections until it is to end, and then lets them finish."""

import asyncio
import socket
from contextlib import suppress
from typing import Final

from webapp.serving.front.connection import RATE, Connection, Services
from webapp.serving.http.log import LOGGER, log

BACKLOG: Final = 1024
"""Connections that the system keeps ready until a process takes them."""

SWEEP_EVERY: Final = 0.5
"""Seconds between two looks at the connections' deadlines."""

LOOK_EVERY: Final = 0.02
"""Seconds between two looks at whether all connections have ended."""


async def serve(listener: socket.socket, services: Services, stop: asyncio.Event) -> None:
    """Take connections until `stop` is set, then let what was asked for be answered and close them.

    Requests that still run after `drain` seconds get 503.
    """
    loop, limits = asyncio.get_running_loop(), services.door.limits
    server = await loop.create_server(lambda: Connection(services), sock=listener, backlog=BACKLOG)
    sweeping = asyncio.create_task(_sweep(services))
    await stop.wait()
    server.close()
    await asyncio.sleep(LOOK_EVERY)  # let `connection_made` run for connections that were just accepted
    for each in list(services.open):
        each.drain()
    await _ended(services, limits.drain)
    for each in list(services.open):
        each.give_up()
    await _ended(services, limits.parting)
    sweeping.cancel()


async def _sweep(services: Services) -> None:
    logged = 0
    while True:
        await asyncio.sleep(SWEEP_EVERY)
        try:
            services.door.sweep()
        except Exception:  # the next sweep is due all the same
            LOGGER.exception("A look at the deadlines has failed")
        refused = services.counts.refusals[RATE]
        if refused > logged:
            log("refused", status=429, reason=RATE, times=refused - logged)
            logged = refused


async def _ended(services: Services, seconds: float) -> None:
    """Wait until all connections have ended, for so long at most."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while services.open:
                await asyncio.sleep(LOOK_EVERY)
