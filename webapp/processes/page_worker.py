"""A process that answers pages, at a socket that it shares with others of its kind."""

import asyncio
import signal
import socket
import sys
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final

import uvicorn

from solver.processes import live_no_longer_than, resident_bytes
from webapp.live.news import Newsroom
from webapp.server.connection import Connection
from webapp.server.counts import RequestCounts
from webapp.server.door import Door
from webapp.server.front import Front
from webapp.server.limits import FrontLimits
from webapp.server.line import Line
from webapp.server.log import LOGGER, LogOptions, RequestLog, request_log, start_log
from webapp.server.wire import Tie, Wire

SIGN_EVERY: Final = 1.0
"""Seconds between two signs of life."""

SWEEP_EVERY: Final = 0.5
"""Seconds between two looks at the connections' deadlines."""

STUDIES: Final = 512
"""Positions of which the process knows what is proved of their squares without asking the store."""

STOP: Final = 3
"""Seconds that requests under way have when the process is to end."""

SWITCH: Final = 0.001
"""Seconds after which a thread that computes lets another one have its turn."""

BACKLOG: Final = 1024
"""Connections that the system keeps ready until a process takes them."""


def run(listener: socket.socket, tie: Tie, limits: FrontLimits, log_options: LogOptions, number: int) -> None:
    """Answers until it is asked to end, or the first process is gone."""
    live_no_longer_than(tie.lifeline, tie.at_the_end)
    signal.signal(signal.SIGTERM, _heeded)  # uvicorn puts its own in place, and this one back when it ends
    sys.setswitchinterval(SWITCH)
    _allow_files(limits.connections + limits.streams + 256)
    events, requests = start_log(log_options, f"page-{number}"), request_log(log_options, f"page-{number}")
    try:
        run_loop(_serve(listener, tie.end, limits, requests, log_options.addresses))
    except Exception:
        LOGGER.exception("A process that answers pages has failed")
    if requests is not None:
        requests.stop()
    events.stop()


def run_loop(main: Coroutine[Any, Any, None]) -> None:
    """Runs it in the quickest event loop there is for this system."""
    try:
        import uvloop  # noqa: PLC0415 - not on every system
    except ImportError:
        asyncio.run(main)
    else:
        uvloop.run(main)


async def _serve(
    listener: socket.socket, end: socket.socket, limits: FrontLimits, requests: RequestLog | None, addresses: bool
) -> None:
    from solver.proofs.study import spend_at_once  # noqa: PLC0415 - with the application, once the log is there
    from webapp.app import create_app, proxies  # noqa: PLC0415
    from webapp.live.keeping import Keeping  # noqa: PLC0415

    wire = await Wire.over(end)
    line = Line(wire, asyncio.get_running_loop(), limits.threads * 2 // 3)
    spend_at_once(nodes=limits.nodes)
    door, counts = Door(limits, not proxies(), time.monotonic), RequestCounts()
    live_games = Keeping.as_the_environment_says()
    newsroom = Newsroom(live_games.store)
    app = create_app(gate=line, live_games=live_games)
    config = configured(Front(app, limits, counts, requests, newsroom.join), door, counts, addresses)
    background = [
        asyncio.create_task(line.listen()),
        asyncio.create_task(_give_signs(line, counts, door)),
        asyncio.create_task(_sweep(door)),
        asyncio.create_task(newsroom.run()),
    ]
    await uvicorn.Server(config).serve(sockets=[listener])
    for task in background:
        task.cancel()


def configured(front: Front, door: Door, counts: RequestCounts, log_addresses: bool = False) -> uvicorn.Config:
    """How uvicorn serves what the front answers, behind the door."""
    own = {"door": door, "front": front, "counts": counts, "log_addresses": log_addresses}
    return uvicorn.Config(
        _unused,
        http=type("Connection", (Connection,), own),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=STOP,
    )


def _heeded(*_: object) -> None:
    """A process that is asked to end writes its last lines."""


async def _unused(scope: object, receive: object, send: object) -> None:
    """The ASGI application that uvicorn asks for: the connections hand their requests to the front instead."""


async def _give_signs(line: Line, counts: RequestCounts, door: Door) -> None:
    from solver.proofs.study import forget_beyond  # noqa: PLC0415 - the kernel and the store

    while True:
        line.say("sign", resident_bytes(), counts, len(door), door.streams)
        forget_beyond(STUDIES)
        await asyncio.sleep(SIGN_EVERY)


async def _sweep(door: Door) -> None:
    while True:
        await asyncio.sleep(SWEEP_EVERY)
        door.sweep()


def _allow_files(most: int) -> None:
    """Has the system allow as many open connections as the limits do, as far as it can be asked to."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on every system

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, hard), hard))
