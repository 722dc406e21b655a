"""A page process: Granian at a socket, and the application behind the bridge."""

import asyncio
import gc
import select
import signal
import socket
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final

from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server.embed import Server

try:
    from uvloop import run as run_loop
except ImportError:  # not on every system
    from asyncio import run as run_loop  # type: ignore[assignment]

from solver.system import resident_bytes
from webapp.config import FrontLimits
from webapp.pages.classes.routes import ClassDatabase
from webapp.pages.live.news import Listener, Newsroom, Subscription
from webapp.pages.live.routes import LiveDatabase
from webapp.processes.child import SIGN_EVERY, Child
from webapp.serving.bridge import RATE, Bridge
from webapp.serving.counts import RequestCounts
from webapp.serving.http.log import LOGGER, LogWriter, log, start_log
from webapp.serving.pool.asking import Line

SWITCH: Final = 0.001
"""Seconds after which a computing thread gives way to another one."""

BACKLOG: Final = 8192
"""Connections that the system keeps ready until a process takes them."""


TAKEN_WITHIN: Final = 0.25
"""Seconds within which a page process takes the connections in its queue, unless it hangs or is not there."""

STANDS_IN: Final = 10.0
"""Seconds for which another page process then takes them, too."""


class _Granian(Server):
    """Granian at a socket that listens already, since systemd can hand it over."""

    listener: socket.socket

    def _init_shared_socket(self) -> None:
        own = self.listener.detach()  # Granian closes it as soon as it stops to listen
        self._shd: Any = SocketHolder(own, False, BACKLOG)  # type: ignore[call-arg]


def granian_at(listener: socket.socket, bridge: Bridge, limits: FrontLimits) -> Server:
    """Return a server at a bound socket, and let the socket listen.

    Each connection inherits a small buffer, and a time after which a client that reads nothing is left.
    """
    listener.setblocking(False)
    listener.listen(BACKLOG)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, limits.send_buffer)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # not on every system
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(limits.unread * 1000))
    server = _Granian(
        bridge,
        interface=Interfaces.RSGI,
        http=HTTPModes.http1,
        websockets=False,
        backlog=BACKLOG,
        backpressure=limits.connections,
        http1_settings=HTTP1Settings(header_read_timeout=round(limits.head * 1000), max_buffer_size=limits.head_bytes),
        log_enabled=False,
    )
    server.listener = listener
    return server


def run(child: Child) -> None:
    """Answer requests until asked to end, or until the watcher is gone."""
    sys.setswitchinterval(SWITCH)
    config = child.start.config
    limits = config.limits.front
    _allow_files(limits.connections + limits.streams + 256)
    events = start_log(config.log, child.start.name)
    try:
        run_loop(_serve(child, events))
    except Exception:
        LOGGER.exception("A page process has failed")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second signal must not lose the log
    events.stop()


async def _serve(child: Child, events: LogWriter) -> None:
    from webapp.app import create_app  # noqa: PLC0415 - once the log is there

    start, config = child.start, child.start.config
    limits = config.limits.front
    line = Line(start.gate, start.number, limits.nodes)
    app = create_app(line, config)
    live_games: LiveDatabase = app.extensions["live"]
    classes: ClassDatabase = app.extensions["classes"]
    counts, newsrooms = RequestCounts(), {"live": Newsroom(live_games.store), "class": Newsroom(classes.store)}

    def join(wanted: Subscription, stream: Listener) -> Callable[[], None]:
        return newsrooms[wanted.room].join(wanted, stream)

    bridge = Bridge(app, config, counts, events if config.log.requests else None, join)
    gc.collect()
    gc.freeze()  # without this, each collection would search the application for a tenth of a second
    own, *others = (socket.socket(fileno=number) for number in start.listeners)
    servers: set[Server] = set()

    async def serve_at(listener: socket.socket, seconds: float | None = None) -> None:
        server = granian_at(listener, bridge, limits)
        servers.add(server)
        if seconds is not None:
            asyncio.get_running_loop().call_later(seconds, server.stop)
        await server.serve()
        servers.discard(server)

    def stop() -> None:
        bridge.end_streams()
        while others:
            others.pop().close()
        for server in servers:
            server.stop()

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop)
    background = [asyncio.create_task(line.listen())]
    await line.connected.wait()
    background += [
        asyncio.create_task(_give_signs(child, line, counts, bridge)),
        *(asyncio.create_task(newsroom.run()) for newsroom in newsrooms.values()),
        asyncio.create_task(_stand_in(others, serve_at)),
    ]
    await serve_at(own)
    for task in background:
        task.cancel()


async def _stand_in(others: list[socket.socket], serve_at: Callable[..., Coroutine[Any, Any, None]]) -> None:
    """Serve for a while at the sockets of other page processes where connections wait and nobody takes them."""
    waited: set[socket.socket] = set()
    async with asyncio.TaskGroup() as serving:
        while True:
            await asyncio.sleep(TAKEN_WITHIN)
            waiting = {other for other in others if select.select([other], [], [], 0)[0]}
            for listener in waiting & waited:
                serving.create_task(serve_at(listener.dup(), STANDS_IN))
            waited = waiting - waited


async def _give_signs(child: Child, line: Line, counts: RequestCounts, bridge: Bridge) -> None:
    logged = 0
    while True:
        child.give_sign()
        if (refused := counts.refusals[RATE]) > logged:
            log("refused", status=429, reason=RATE, times=refused - logged)
            logged = refused
        line.tell(resident_bytes(), bridge.under_way, bridge.streams, counts)
        await asyncio.sleep(SIGN_EVERY)


def _allow_files(most: int) -> None:
    """Raise the limit of open files to the number that the connections need, as far as the system allows."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on every system

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, hard), hard))
