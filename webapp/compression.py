"""Answers in gzip. Each body is compressed once and kept, since popular pages and files are asked for again and again.

A page takes longer to compress than to find; with the work kept, a compressed answer is as quick as a plain one.
"""

import gzip
from functools import lru_cache
from typing import Final

from flask import Flask, Response, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

TYPES: Final = {
    "text/html",
    "text/css",
    "text/javascript",
    "application/json",
    "image/svg+xml",
    "text/vnd.graphviz",
}
SMALLEST: Final = 200
"""Bytes below which compression saves nothing."""


def init_app(app: Flask) -> None:
    """Compresses the application's answers for those who take gzip."""
    app.after_request(compress)


def compress(response: Response) -> Response:
    """The answer in gzip, if its kind is worth it and the asker takes it; it always says that it depends on that."""
    if response.mimetype not in TYPES or response.status_code in (204, 304):
        return response
    response.headers.add("Vary", "Accept-Encoding")
    if not _takes_gzip(request.headers.get("Accept-Encoding", "")):
        return response
    response.direct_passthrough = False
    body = response.get_data()
    if len(body) < SMALLEST:
        return response
    response.set_data(_gzipped(body))
    response.headers["Content-Encoding"] = "gzip"
    if etag := response.get_etag()[0]:
        response.set_etag(etag, weak=True)  # the same content in other bytes
    return response


@lru_cache(maxsize=256)
def _takes_gzip(accepted: str) -> bool:
    return parse_accept_header(accepted, Accept)["gzip"] > 0


@lru_cache(maxsize=2048)
def _gzipped(body: bytes) -> bytes:
    return gzip.compress(body, compresslevel=6, mtime=0)
