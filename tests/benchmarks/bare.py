"""The smallest Flask application, against which the pages' speed is measured."""

import socket
import sys

import uvloop
from flask import Flask

from webapp.config import AppConfig
from webapp.processes.page_process import granian_at
from webapp.serving.bridge import Bridge
from webapp.serving.counts import RequestCounts
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
    config = AppConfig()
    bridge = Bridge(create_app(), config, RequestCounts(), start_log(config.log, "bare"))

    async def run() -> None:
        with socket.create_server(("127.0.0.1", port)) as listener:
            await granian_at(listener, bridge, config.limits.front).serve()

    uvloop.run(run())


if __name__ == "__main__":
    serve(int(sys.argv[1]))
