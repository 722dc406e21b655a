"""The listening socket of a page process: it takes connections until it is stopped, and lets them finish."""

import asyncio
import socket
from contextlib import suppress
from typing import Final

from webapp.serving.front.connection import RATE, Connection, Services
from webapp.serving.http.log import LOGGER, log

BACKLOG: Final = 1024
"""Connections that the system keeps ready until a process takes them."""

SWEEP_EVERY: Final = 0.5
"""Seconds between two checks of the connections' deadlines."""

CHECK_EVERY: Final = 0.02
"""Seconds between two checks whether all connections have ended."""


async def serve(listener: socket.socket, services: Services, stop: asyncio.Event) -> None:
    """Take connections until `stop` is set, then answer the requests under way and close all.

    Requests that still run after `drain` seconds get 503.
    """
    loop, limits = asyncio.get_running_loop(), services.door.limits
    server = await loop.create_server(lambda: Connection(services), sock=listener, backlog=BACKLOG)
    sweeping = asyncio.create_task(_sweep(services))
    await stop.wait()
    server.close()
    await asyncio.sleep(CHECK_EVERY)  # let `connection_made` run for connections that were just accepted
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
            LOGGER.exception("A check of the deadlines has failed")
        refused = services.counts.refusals[RATE]
        if refused > logged:
            log("refused", status=429, reason=RATE, times=refused - logged)
            logged = refused


async def _ended(services: Services, seconds: float) -> None:
    """Wait until all connections have ended, or until the seconds are over."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while services.open:
                await asyncio.sleep(CHECK_EVERY)
