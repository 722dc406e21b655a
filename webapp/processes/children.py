"""The other processes of a server, as the first one sees them."""

import asyncio
import socket
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.process import BaseProcess

from webapp.processes import page_worker, pool_worker
from webapp.serving.counts import RequestCounts
from webapp.serving.http.log import LogOptions
from webapp.serving.limits import FrontLimits
from webapp.serving.pool.wire import Tie, Wire


@dataclass(eq=False, slots=True)
class Child:
    """One of them. `ready` once it has said so; `ending` is when it was asked to end, or found to have to."""

    number: int
    process: BaseProcess
    wire: Wire
    started: float
    last_sign: float
    ready: bool = False
    ending: float | None = None
    memory: int = 0
    connections: int = 0
    streams: int = 0
    counts: RequestCounts = field(default_factory=RequestCounts)
    signalled: bool = False
    """Whether it was told that the work at hand is cancelled."""
    listening: "asyncio.Task[None] | None" = None


def page_process(
    listener: socket.socket, tie: Tie, limits: FrontLimits, log_options: LogOptions, number: int
) -> BaseProcess:
    """A process that answers pages, not yet started."""
    arguments = (listener, tie, limits, log_options, number)
    return get_context("spawn").Process(target=page_worker.run, args=arguments, name=f"page-{number}", daemon=True)


def pool_process(tie: Tie, log_options: LogOptions, number: int) -> BaseProcess:
    """A process of the pool, not yet started."""
    arguments = (tie, log_options, number)
    return get_context("spawn").Process(target=pool_worker.run, args=arguments, name=f"pool-{number}", daemon=True)
