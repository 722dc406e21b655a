"""`noughts serve`: run the application on a server that can face the open internet without a proxy."""

import os
import re
import socket
import sys
from argparse import Namespace
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from solver.board.notation import quoted
from solver.cli.command import argument, command, within
from solver.errors import BadOption

if TYPE_CHECKING:
    from webapp.config import AppConfig

_SIZE = re.compile(r"(\d{1,6})(K|M|G)?(?:iB|B)?", re.ASCII | re.IGNORECASE)
LONGEST_FOLDER = 90
"""Bytes of the name of a folder in which a Unix socket fits on every system."""

MALLOC = {"MALLOC_ARENA_MAX": "2", "MALLOC_MMAP_THRESHOLD_": str(1 << 20)}
"""What the processes are told about memory: few arenas, which hold on to it, and large blocks go back once free."""

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@command(
    "serve",
    "Serves the game to browsers.",
    "noughts serve --port 8080",
    argument("--host", default="127.0.0.1", help="the address to listen on (%(default)s)"),
    argument("--port", type=int, default=8000, help="the port, 0 for any free one (%(default)s)"),
    argument("--workers", type=int, default=1, help="how many processes answer requests (%(default)s)"),
    argument(
        "--provers",
        type=int,
        default=max(1, (os.cpu_count() or 2) // 2),
        help="how many processes prove squares in the background, 0 for none (%(default)s)",
    ),
    argument(
        "--proxies",
        type=int,
        default=0,
        help="how many proxies in front to believe about host, scheme and address (%(default)s)",
    ),
    argument(
        "--allowed-hosts",
        default="",
        metavar="NAMES",
        help="the host names to answer for, with commas between them; .example.org stands for all under it (any)",
    ),
    argument("--cache", default="32M", metavar="SIZE", help="what a worker keeps of pages (%(default)s)"),
    argument(
        "--memory", default="240M", metavar="SIZE", help="what a process may hold before it is replaced (%(default)s)"
    ),
    argument(
        "--database",
        metavar="URL",
        help="where live games are kept, e.g. postgresql+psycopg://name@host/database; NOUGHTS_DATABASE says it too"
        " (a SQLite file in the user's data folder, or in the folder that NOUGHTS_DATA names)",
    ),
    argument("--live-games", type=int, default=10_000, help="how many live games there may be (%(default)s)"),
    argument("--log-format", choices=("lines", "json"), default="lines", help="how the log is written (%(default)s)"),
    argument("--no-access-log", action="store_true", help="log no requests, only what goes wrong"),
    argument("--log-addresses", action="store_true", help="name visitors' addresses in the log"),
)
def serve_command(options: Namespace) -> int:
    """Serve until interrupted. Raises BadOption for an option that cannot be used."""
    within(options.workers, 1, 64, "workers")
    within(options.proxies, 0, 10, "proxies in front")
    within(options.provers, 0, 64, "provers")
    within(options.live_games, 0, 1_000_000, "live games")
    config = _config(options)
    # The modules of the server are imported here, so that other commands start without them.
    from webapp.processes.systemd import activated_listener  # noqa: PLC0415
    from webapp.processes.watcher import CannotStart, Watcher  # noqa: PLC0415
    from webapp.serving.http.log import log, start_log  # noqa: PLC0415

    handed_over = activated_listener()
    name = options.host if handed_over is None else handed_over.getsockname()[0]
    listeners = _listeners(options.host, options.port, options.workers) if handed_over is None else [handed_over]
    folder = _run_folder()
    config, environment = _with_folders(config, folder), MALLOC | os.environ | _cache_at(folder)
    events = start_log(config.log, "server")
    port = listeners[0].getsockname()[1]
    host = f"[{name}]" if ":" in name else name

    def announce() -> None:
        print(f"Noughts is at http://{host}:{port}/ (stop with Ctrl-C)", flush=True)
        log("server-started", port=port, workers=options.workers, provers=options.provers)

    try:
        Watcher(listeners, config, folder, environment).serve(announce)
    except CannotStart:
        log("server-failed", 40, reason="its processes end before they are ready")
        return 1
    finally:
        log("server-stopped")
        events.stop()
    return 0


add_command = serve_command.add_to
"""The function that adds the subcommand to the command line of `noughts`."""


def _config(options: Namespace) -> "AppConfig":
    """Return the settings in the options and the environment. Raises BadOption."""
    from webapp.config import AppConfig, GateLimits, LogOptions, ServerLimits  # noqa: PLC0415
    from webapp.serving.http.security import Hosts  # noqa: PLC0415

    settings = AppConfig.from_environment()
    database = settings.database if options.database is None else options.database
    if database:
        from webapp.pages.live.database import checked_database  # noqa: PLC0415 - SQLAlchemy

        checked_database(database)
    cache, memory = _bytes("--cache", options.cache, 0), _bytes("--memory", options.memory, 32 << 20)
    hosts = tuple(options.allowed_hosts.split(","))
    Hosts(hosts)
    return replace(
        settings,
        proxies=options.proxies,
        allowed_hosts=hosts,
        cache_bytes=cache,
        database=database,
        live_games=options.live_games,
        limits=ServerLimits(
            workers=options.workers,
            memory=memory,
            gate=GateLimits(processes=max(2, options.provers), provers=options.provers),
        ),
        log=LogOptions(options.log_format, not options.no_access_log, options.log_addresses),
    )


def _run_folder() -> Path:
    """Make the folder of this run, which is removed after it. Its name is short enough for a Unix socket in it."""
    usual = Path(mkdtemp(prefix="noughts-"))
    if len(os.fsencode(usual)) <= LONGEST_FOLDER:
        return usual
    usual.rmdir()
    return Path(mkdtemp(prefix="noughts-", dir="/tmp"))


def _with_folders(config: "AppConfig", folder: Path) -> "AppConfig":
    """Return the settings with the place of live games: the folder of this run if the usual one cannot be used."""
    from webapp.pages.live.file import FILE, live_file  # noqa: PLC0415

    file = None if config.database else live_file(config.data_folder)
    if file is not None:
        config = replace(config, data_folder=str(file.parent))  # so that no NOUGHTS_CACHE can move it
    if not config.database and file is None:
        config = replace(config, database=f"sqlite:///{folder}/{FILE}")
    return config


def _cache_at(folder: Path) -> dict[str, str]:
    """Return the setting that keeps proofs in the folder of this run, if the usual folder cannot be used."""
    from solver.proofs.store import FULL, default_store  # noqa: PLC0415 - the store

    usable = os.environ.get("NOUGHTS_CACHE") != "off" and default_store().trouble() in ("", FULL)
    return {} if usable else {"NOUGHTS_CACHE": str(folder)}


def _bytes(option: str, text: str, least: int) -> int:
    """Return the bytes of a size such as 32M. Raises BadOption."""
    match = _SIZE.fullmatch(text.strip())
    size = int(match[1]) * _UNITS[(match[2] or "").upper()] if match else -1
    if size < least:
        raise BadOption(f"{option} {quoted(text)} is not a size of at least {least >> 20}M; write it as in 64M.")
    return size


def _listeners(host: str, port: int, workers: int) -> list[socket.socket]:
    """Return sockets that listen at the address; port 0 means any free port. Raises BadOption.

    Whoever connects before the page processes are ready waits for them. On Linux each of these has a socket of its own,
    among which the system spreads connections. From one that they share, one process could take most.
    """
    if not 0 <= port <= 65535:
        raise BadOption(f"A port is a number from 0 to 65535, not {port}.")
    try:
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listen = partial(socket.create_server, family=family, dualstack_ipv6=family == socket.AF_INET6)
        only = listen(place)  # fails if another server is there, also one with several sockets
        if workers == 1 or sys.platform != "linux":
            return [only]
        place = only.getsockname()
        only.close()
        return [listen(place, reuse_port=True) for _ in range(workers)]
    except PermissionError:
        raise BadOption(f"You may not listen on port {port}; choose one above 1023 with --port.") from None
    except UnicodeError:
        raise BadOption(f"{quoted(host)} is not a host name; choose another with --host.") from None
    except OSError as error:
        reason = (error.strerror or str(error)).partition(" (")[0].lower()
        raise BadOption(
            f"Cannot listen on {host}:{port} ({reason}); choose another with --host or --port, 0 for any free port."
        ) from None
