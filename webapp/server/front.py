"""The way from uvicorn's requests to the WSGI application: each is answered by a thread, its form read before."""

import asyncio
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from itertools import count
from secrets import token_hex
from typing import Any, Final

from webapp.server.connection import PARTED
from webapp.server.counts import Counts
from webapp.server.door import Door
from webapp.server.log import log

AT_ONCE: Final = ("/healthz",)
"""What is answered by the loop itself, behind nothing."""


class Front:
    """A WSGI application as an ASGI one."""

    def __init__(self, app: Any, door: Door, counts: Counts, log_requests: bool, log_addresses: bool) -> None:
        self._app, self._door, self._counts = app, door, counts
        self._log_requests, self._log_addresses = log_requests, log_addresses
        self._threads = ThreadPoolExecutor(door.limits.threads, thread_name_prefix="page")
        self._under_way = 0
        self._prefix, self._numbers = token_hex(4), count(1)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answers one request, as ASGI has it."""
        began = time.perf_counter()
        environ = _environ(scope)
        environ["noughts.request_id"] = f"{self._prefix}-{next(self._numbers):x}"
        if environ.get("CONTENT_LENGTH", "0") != "0":
            form = await _whole_form(receive)
            if form is None:
                return
            environ["wsgi.input"] = BytesIO(form)
        cycle = receive.__self__  # uvicorn's request, whose method this is
        environ["noughts.gone"] = lambda: cycle.disconnected
        if scope["path"] in AT_ONCE:
            status, headers, body = self._answer(environ)
        elif self._under_way >= self._door.limits.requests:
            status, headers, body = _busy()
        else:
            self._under_way += 1
            try:
                loop = asyncio.get_running_loop()
                status, headers, body = await loop.run_in_executor(self._threads, self._answer, environ)
            finally:
                self._under_way -= 1
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})
        self._record(environ, status, len(body), time.perf_counter() - began)

    def _answer(self, environ: dict[str, Any]) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], *_: object) -> None:
            started[:] = [(status, headers)]

        answer: Iterable[bytes] = self._app(environ, start)
        try:
            body = b"".join(answer)
        finally:
            close: Callable[[], None] | None = getattr(answer, "close", None)
            if close is not None:
                close()
        status, headers = started[0]
        return int(status[:3]), [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers], body

    def _record(self, environ: dict[str, Any], status: int, size: int, seconds: float) -> None:
        method, route = environ["REQUEST_METHOD"], environ.get("noughts.route", "none")
        self._counts.answered(route, method if method in ("GET", "POST", "HEAD") else "other", status, seconds)
        if self._log_requests:
            path, query = environ["PATH_INFO"], environ["QUERY_STRING"]
            log(
                "request",
                method=method,
                path=f"{path}?{query}"[:300] if query else path[:300],
                status=status,
                ms=round(seconds * 1000, 1),
                bytes=size,
                id=environ["noughts.request_id"],
                **({"client": environ["REMOTE_ADDR"]} if self._log_addresses else {}),
            )


def _environ(scope: dict[str, Any]) -> dict[str, Any]:
    """The request as WSGI has it; the body is empty until it is put in."""
    server, client = scope.get("server") or ("localhost", 80), scope.get("client") or ("", 0)
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 80),
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1").upper().replace("-", "_")
        if "_" in raw.decode("latin-1"):
            continue  # X_Forwarded_For must not pass for X-Forwarded-For
        key = name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    return environ


async def _whole_form(receive: Any) -> bytes | None:
    """The whole body, of which the connection takes no more than is allowed; None if it never comes."""
    parts = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


def _busy() -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    text = f"{PARTED[503]}\n".encode()
    headers = [
        (b"Content-Type", b"text/plain; charset=utf-8"),
        (b"Content-Length", str(len(text)).encode()),
        (b"Retry-After", b"5"),
        (b"X-Content-Type-Options", b"nosniff"),
    ]
    return 503, headers, text
