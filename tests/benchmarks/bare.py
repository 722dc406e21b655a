"""The smallest Flask application, against which the pages' speed is measured."""

import asyncio
import socket
import sys
import time

from flask import Flask

from webapp.config import AppConfig
from webapp.processes.page_worker import run_loop
from webapp.serving.counts import RequestCounts
from webapp.serving.door import Door
from webapp.serving.front import listening
from webapp.serving.front.connection import Services
from webapp.serving.front.front import Front
from webapp.serving.http.log import start_log


def create_app() -> Flask:
    """Make an application with one route that says hello."""
    app = Flask(__name__)

    @app.get("/")
    def hello() -> str:
        return "Hello"

    return app


def serve(port: int) -> None:
    """Serve it as `noughts serve` serves the game, in one process."""
    config, counts = AppConfig(), RequestCounts()
    front = Front(create_app(), config, counts, start_log(config.log, "bare"))
    services = Services(Door(config.limits.front, True, time.monotonic), front, counts)
    run_loop(listening.serve(socket.create_server(("127.0.0.1", port)), services, asyncio.Event()))


if __name__ == "__main__":
    serve(int(sys.argv[1]))
