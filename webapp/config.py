"""All settings and limits of a server. `noughts serve` makes them and hands them to all processes.

Times are in seconds, sizes in bytes.
"""

import os
from dataclasses import dataclass, field
from typing import Final, Literal

MEBIBYTE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class FrontLimits:
    """The limits of one page process: its connections, requests and threads."""

    connections: int = 8192
    """Connections in all; beyond them, new ones wait."""
    head: float = 10.0
    """The time for the line and headers of a request, and between two requests of a connection."""
    body: float = 10.0
    """The time for the body of a request."""
    answer: float = 120.0
    """The time for the server to answer. The pool gives up sooner."""
    unread: float = 20.0
    """The time after which the system ends a connection whose client does not take what is sent."""
    url: int = 65_000
    """Bytes of an address."""
    head_bytes: int = 80_000
    """Bytes of a request's headers."""
    body_bytes: int = 4096
    """Bytes of a form: a move is a few letters."""
    batch_bytes: int = 128 << 10
    """Bytes of a batch of positions in the API."""
    arriving_bytes: int = 16 * MEBIBYTE
    """Bytes of all requests that are not answered yet, with their heads. One visitor may use a quarter."""
    send_buffer: int = 64 << 10
    """Bytes of answers that the system may hold for one connection. Linux doubles this number."""
    streams: int = 4096
    """Connections that stay open for news of live games."""
    streams_per_client: int = 256
    """Connections for news from one address. There is no such limit behind a proxy."""
    threads: int = 48
    """Threads that answer; most of them only ever wait for the pool."""
    live_threads: int = 16
    """Threads that answer requests for live games, which wait for the database."""
    requests: int = 256
    """Requests for pages that wait for a thread or run in one; more are refused. Live games have the same limit."""
    hung: float = 0.5
    """The time after which all threads count as hanging if no request has finished; new requests are then refused."""
    rate: float = 100.0
    """Requests a second that one visitor may make on average."""
    burst: int = 1000
    """Requests that one visitor may make at once."""
    slice: float = 0.004
    """The time for which the loop answers quick requests before it reads new input."""
    drain: float = 30.0
    """The time to finish the requests under way when the process has to end."""
    nodes: int = 400
    """Nodes that a page process searches to predict a position; the pool proves the rest."""


@dataclass(frozen=True, slots=True)
class GateLimits:
    """The limits of the pool's work."""

    processes: int = 2
    """Processes of the pool, at least 1."""
    provers: int = 1
    """Processes of the pool that may prove in the background at a time, 0 for none."""
    waiting: int = 32
    """Tasks that wait or run; more are refused."""
    per_client: int = 8
    """Tasks of one client."""
    threads: int = 32
    """Threads of one page process that wait for the pool at a time: not all, so that some are left for quick pages."""
    patience: float = 40.0
    """The time that a request waits for its task; then its visitor is asked to try again."""
    short: float = 5.0
    """The time for a short task. A turn that takes too long gets this much extra time to end."""
    long: float = 60.0
    """The time for a long task."""
    grace: float = 2.0
    """The time for a process to end a cancelled task; then the process is killed."""
    positions: int = 32
    """Positions that are proved in turns. Beyond this number, positions that nobody looks at now are given up."""
    positions_per_client: int = 6
    """Positions of one client that are proved in turns."""
    seconds: float = 120.0
    """The time of work on one position; then it is given up."""
    lease: float = 10.0
    """The time for which a position is worked on after its last request."""
    turn: float = 0.5
    """The time of a turn."""
    first_turn: float = 0.2
    """The time of a position's first turn, which its page waits for."""
    kept: int = 512
    """Positions whose state is remembered."""
    results: int = 24 * MEBIBYTE
    """Bytes of task results that are kept for later requests."""
    retry_after: int = 5
    """Seconds after which a refused visitor may try again."""


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """The limits of all processes of a server."""

    workers: int = 1
    """Page processes."""
    memory: int = 240 * MEBIBYTE
    """Bytes of memory above which a process is replaced."""
    silence: float = 5.0
    """The time without a sign of life after which a page process or the gate is replaced."""
    start: float = 60.0
    """The time for a process to start."""
    stop: float = 5.0
    """The time for a process to end, after its requests are answered."""
    check_every: float = 0.25
    """The time between two checks of these limits."""
    front: FrontLimits = field(default_factory=FrontLimits)
    gate: GateLimits = field(default_factory=GateLimits)


@dataclass(frozen=True, slots=True)
class LogOptions:
    """The form and the contents of the log."""

    format: Literal["lines", "json"] = "lines"
    requests: bool = True
    """True to log a line for each request."""
    addresses: bool = False
    """True to log visitors' addresses."""


@dataclass(frozen=True, slots=True)
class AppConfig:
    """The settings of the application and of the server that runs it. It can be pickled."""

    proxies: int = 0
    """The number of trusted proxies in front, which report host, scheme and address."""
    allowed_hosts: tuple[str, ...] | None = None
    """The hosts to answer for; () for all hosts, None if the server in front checks the host."""
    cache_bytes: int = 32 * MEBIBYTE
    """Bytes of pages that a process keeps."""
    database: str = ""
    """The address of the database of live games, "" for a file in `data_folder`."""
    data_folder: str = "off"
    """The folder of live games: "" for the user's own, "off" for a temporary one."""
    live_games: int = 10_000
    """The most live games at a time."""
    limits: ServerLimits = field(default_factory=ServerLimits)
    log: LogOptions = field(default_factory=LogOptions)

    @classmethod
    def from_environment(cls) -> "AppConfig":
        """Return the settings with the places of live games that environment variables name."""
        variable = os.environ.get
        return cls(
            database=variable("NOUGHTS_DATABASE", ""),
            data_folder=variable("NOUGHTS_DATA") or variable("NOUGHTS_CACHE") or "",
        )
