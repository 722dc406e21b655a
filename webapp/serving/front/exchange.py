"""A whole request, and the refusal of a request before it reaches the application."""

import json
import sys
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Final

from solver.report import error_report
from webapp.serving.http.errors import code_of
from webapp.serving.http.security import CHECK_AGAIN, headers_at, is_open

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

HEADER_COST: Final = 200
"""Bytes of memory that a header takes beside its text."""


@dataclass(eq=False, slots=True)
class Request:
    """A request, with the addresses of client and server.

    `path` is decoded, but `query` is not. Header names are in lower case.
    """

    peer: str
    server: tuple[str, int]
    method: str = ""
    path: str = ""
    query: str = ""
    version: str = "1.1"
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytearray = field(default_factory=bytearray)
    keep_alive: bool = True
    left: bool = False
    """True once the visitor has gone, or was refused, before the answer."""

    @property
    def size(self) -> int:
        """The approximate bytes of memory that the request takes."""
        headers = sum(len(name) + len(value) + HEADER_COST for name, value in self.headers)
        return len(self.path) + len(self.query) + headers + len(self.body)

    def values(self, name: bytes) -> list[bytes]:
        """Return the values of a header, in order."""
        return [value for each, value in self.headers if each == name]

    def environ(self) -> "WSGIEnvironment":
        """Return the WSGI environment of the request."""
        environ: WSGIEnvironment = {
            "REQUEST_METHOD": self.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": self.path.encode().decode("latin-1"),
            "QUERY_STRING": self.query,
            "SERVER_PROTOCOL": f"HTTP/{self.version}",
            "SERVER_NAME": self.server[0],
            "SERVER_PORT": str(self.server[1]),
            "REMOTE_ADDR": self.peer,
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": BytesIO(self.body),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
        }
        for raw, value in self.headers:
            if b"_" in raw:
                continue  # X_Forwarded_For must not pass for X-Forwarded-For
            name, text = raw.decode("latin-1").upper().replace("-", "_"), value.decode("latin-1")
            key = name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"
            environ[key] = f"{environ[key]},{text}" if key in environ else text
        return environ


RETRY_AFTER: Final = 5
"""Seconds after which a client may ask a busy server again."""

LATER: Final = (429, 503)
"""The statuses that carry Retry-After."""


def refusal(
    url: str, status: int, words: str, retry_after: int = RETRY_AFTER, request_id: str = ""
) -> tuple[list[tuple[str, str]], bytes]:
    """Return the headers and the body that refuse a request for `url` with this status."""
    path = url.partition("?")[0]
    headers = [*headers_at(path), CHECK_AGAIN]
    if status in LATER:
        headers.append(("Retry-After", str(retry_after)))
    if not is_open(path):
        return [("Content-Type", "text/plain; charset=utf-8"), *headers], f"{words}\n".encode()
    told = error_report(code_of(status), words)
    if status in LATER:
        told["error"]["retry_after"] = retry_after
    if request_id:
        told["error"]["request_id"] = request_id
        headers.append(("X-Request-Id", request_id))
    return [("Content-Type", "application/json"), *headers], json.dumps(told).encode()
