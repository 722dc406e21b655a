"""`noughts serve`: the application on a production server."""

import argparse
import os
import socket
import sys
from multiprocessing import parent_process
from typing import Any

from solver.errors import BadOption
from solver.notation import quoted

PROXIES_VARIABLE = "NOUGHTS_PROXIES"
"""The environment variable by which the workers learn how many proxies in front of them are to be believed."""

THREADS = 8
"""Threads a worker: answers are computed, not waited for, but one slow form must not keep the others waiting."""

BACKPRESSURE = 128
"""Requests that a worker takes at a time; the others wait in the socket's queue."""

PATIENCE = 5
"""Seconds that a worker may take to end when asked; one that was asked while it started may not have heard it."""


def add_command(commands: Any) -> None:
    """Adds the subcommand to the command line of `noughts`."""
    command = commands.add_parser("serve", help="serve the game to browsers")
    command.add_argument("--host", default="127.0.0.1", help="the address to listen on (%(default)s)")
    command.add_argument("--port", type=int, default=8000, help="the port, 0 for any free one (%(default)s)")
    command.add_argument("--workers", type=int, default=1, help="how many processes answer requests (%(default)s)")
    command.add_argument(
        "--proxies",
        type=int,
        default=0,
        help="how many proxies in front to believe about host and scheme (%(default)s)",
    )
    command.add_argument(
        "--provers",
        type=int,
        default=max(1, (os.cpu_count() or 2) // 2),
        help="how many processes prove squares in the background, 0 for none (%(default)s)",
    )
    command.set_defaults(run=serve)


def serve(options: argparse.Namespace) -> int:
    """Serves until interrupted. Raises BadOption for an address or a number that cannot be."""
    if not 1 <= options.workers <= 64:
        raise BadOption(f"There can be 1 to 64 workers, not {options.workers}.")
    if not 0 <= options.proxies <= 10:
        raise BadOption(f"There can be 0 to 10 proxies in front, not {options.proxies}.")
    if not 0 <= options.provers <= 64:
        raise BadOption(f"There can be 0 to 64 provers, not {options.provers}.")
    address, port = _free_address(options.host, options.port)
    os.environ[PROXIES_VARIABLE] = str(options.proxies)

    from granian import Granian  # noqa: PLC0415 - its start-up cost is not the other commands'

    from webapp.provers import Limits  # noqa: PLC0415
    from webapp.sharing import shared_pool  # noqa: PLC0415

    server = Granian("webapp.serve:worker", address=address, port=port, workers=options.workers, **server_options())
    host = f"[{options.host}]" if ":" in options.host else options.host
    with shared_pool(Limits(workers=options.provers)):
        print(f"Noughts is at http://{host}:{port}/ (stop with Ctrl-C)", flush=True)
        server.serve()
    return 0


def worker() -> Any:
    """The application as a worker process serves it, in a process group of its own: Ctrl-C reaches the server alone.

    The server then ends its workers in order; interrupted themselves as well, they could be started again meanwhile.
    """
    if hasattr(os, "setpgrp") and parent_process() is not None:
        os.setpgrp()
    from webapp.app import create_app  # noqa: PLC0415 - the command line has no need of it

    return create_app()


def server_options() -> dict[str, Any]:
    """How the server runs an application, whatever its address and the number of its workers."""
    from granian.constants import Interfaces  # noqa: PLC0415
    from granian.log import LogLevels  # noqa: PLC0415

    return {
        "interface": Interfaces.WSGI,
        "factory": True,
        "blocking_threads": THREADS,
        "backpressure": BACKPRESSURE,
        "log_level": LogLevels.error,
        "websockets": False,
        "respawn_failed_workers": True,
        "workers_kill_timeout": PATIENCE,
    }


def _free_address(host: str, port: int) -> tuple[str, int]:
    """The numeric address and the port to listen on, a free port for 0. Raises BadOption if they cannot be had."""
    if not 0 <= port <= 65535:
        raise BadOption(f"A port is a number from 0 to 65535, not {port}.")
    try:
        family, *_, found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if sys.platform != "win32":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(found)
            return str(found[0]), int(probe.getsockname()[1])
    except PermissionError:
        raise BadOption(f"Port {port} is not yours to listen on; choose one above 1023 with --port.") from None
    except UnicodeError:
        raise BadOption(f"{quoted(host)} is no host name; choose another with --host.") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadOption(
            f"Cannot listen on {host}:{port} ({reason}); choose another with --host or --port, 0 for any free port."
        ) from None
