"""A page process: it answers requests at a socket that all page processes share."""

import asyncio
import gc
import signal
import socket
import sys
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

from solver.processes import live_no_longer_than, resident_bytes
from webapp.config import AppConfig
from webapp.pages.live.access import LiveDatabase
from webapp.pages.live.news import Newsroom
from webapp.serving.counts import RequestCounts
from webapp.serving.door import Door
from webapp.serving.front.connection import Services
from webapp.serving.front.front import Front
from webapp.serving.front.listening import serve
from webapp.serving.http.log import LOGGER, LogWriter, start_log
from webapp.serving.pool.line import Line
from webapp.serving.pool.messages import ChildChannel, Wire

SIGN_EVERY: Final = 1.0
"""Seconds between two heartbeats."""

STUDIES: Final = 512
"""Positions whose proofs the process remembers without asking the store."""

SWITCH: Final = 0.001
"""Seconds after which a computing thread gives way to another one."""


def run(listener: socket.socket, channel: ChildChannel, config: AppConfig, number: int) -> None:
    """Answer requests until asked to end, or until the first process is gone."""
    live_no_longer_than(channel.lifeline, channel.at_the_end)
    sys.setswitchinterval(SWITCH)
    limits = config.limits.front
    _allow_files(limits.connections + limits.streams + 256)
    events = start_log(config.log, f"page-{number}")
    try:
        run_loop(_serve(listener, channel.end, config, events))
    except Exception:
        LOGGER.exception("A page process has failed")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second signal must not lose the log
    events.stop()


def run_loop(main: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in the quickest event loop that this system has."""
    try:
        import uvloop  # noqa: PLC0415 - not on every system
    except ImportError:
        asyncio.run(main)
    else:
        uvloop.run(main)


async def _serve(listener: socket.socket, end: socket.socket, config: AppConfig, events: LogWriter) -> None:
    from webapp.app import create_app  # noqa: PLC0415 - once the log is there

    wire, limits = await Wire.over(end), config.limits.front
    line = Line(wire, asyncio.get_running_loop(), limits.threads * 2 // 3, limits.nodes)
    door, counts = Door(limits, not config.proxies, time.monotonic), RequestCounts()
    app = create_app(line, config)
    live_games: LiveDatabase = app.extensions["live"]
    newsroom = Newsroom(live_games.store)
    gc.collect()
    gc.freeze()  # without this, each collection would search the application for a tenth of a second
    front = Front(app, config, counts, events if config.log.requests else None, newsroom.join)
    background = [
        asyncio.create_task(line.listen()),
        asyncio.create_task(_give_signs(line, counts, door)),
        asyncio.create_task(newsroom.run()),
    ]
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await serve(listener, Services(door, front, counts, config.log.addresses), stop)
    for task in background:
        task.cancel()


async def _give_signs(line: Line, counts: RequestCounts, door: Door) -> None:
    from solver.proofs.study import forget_beyond  # noqa: PLC0415 - the kernel and the store

    while True:
        line.say("sign", resident_bytes(), counts, len(door), door.streams)
        forget_beyond(STUDIES)
        await asyncio.sleep(SIGN_EVERY)


def _allow_files(most: int) -> None:
    """Raise the limit of open files to the number that the connections need, as far as the system allows."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on every system

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, hard), hard))
