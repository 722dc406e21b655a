"""Responses in gzip, and with an ETag, so that browsers fetch only content that has changed.

A page takes longer to compress than to render, so each compressed body is cached.
"""

import gzip
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from flask import Response, current_app, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from webapp.serving.http.cache import ByteCache
from webapp.serving.http.errors import PROBES

TYPES: Final = {"text/html", "text/css", "text/javascript", "application/json", "image/svg+xml", "text/vnd.graphviz"}
SMALLEST: Final = 200
"""Bytes below which compression saves nothing."""

LONGEST_LIST: Final = 256
"""Characters of the longest Accept-Encoding that is read; no browser's is as long."""

LARGE: Final = 1 << 20
"""Bytes above which a body is compressed at the fastest level."""

DIGEST_BYTES: Final = 16


class DigestedResponse(Response):
    """A response with a precomputed body digest."""

    def __init__(self, body: bytes, digest: bytes, **options: Any) -> None:
        super().__init__(body, **options)
        self.digest = digest


def digest_of(body: bytes) -> bytes:
    """Return a short digest of a body. SHA-256 is the strong digest that processors are fastest at."""
    return sha256(body, usedforsecurity=False).digest()[:DIGEST_BYTES]


def compress(response: Response) -> Response:
    """Return the response in gzip if its type is worth it and the client accepts it; set `Vary` in any case.

    The response to a GET gets a weak ETag, since the same content may be compressed or not. Compressed bytes are cached
    under the same digest.
    """
    status, headers = response.status_code, response.headers
    if response.mimetype not in TYPES or status in (204, 206, 304):
        return response
    headers.add("Vary", "Accept-Encoding")
    environ = request.environ  # an access to `request` costs more than the rest of this function
    takes_gzip = _takes_gzip(environ.get("HTTP_ACCEPT_ENCODING", ""))
    tagged = (
        status == 200
        and environ["REQUEST_METHOD"] in ("GET", "HEAD")
        and "ETag" not in headers
        and environ["PATH_INFO"] not in PROBES  # their answers change all the time
    )
    if not (takes_gzip or tagged):
        return response
    response.direct_passthrough = False
    body = response.get_data()
    worth_it = takes_gzip and len(body) >= SMALLEST
    if not (worth_it or tagged):
        return response
    digest = response.digest if isinstance(response, DigestedResponse) else digest_of(body)
    if tagged:
        headers.add("ETag", f'W/"{digest.hex()}"')
        if "HTTP_IF_NONE_MATCH" in environ and response.make_conditional(environ).status_code == 304:
            return response
    if worth_it:
        response.set_data(_gzipped(body, digest))
        headers["Content-Encoding"] = "gzip"
        if not tagged and (etag := response.get_etag()[0]):
            response.set_etag(etag, weak=True)
    return response


@lru_cache(maxsize=64)
def _takes_gzip(accepted: str) -> bool:
    return len(accepted) <= LONGEST_LIST and parse_accept_header(accepted, Accept)["gzip"] > 0


def _gzipped(body: bytes, digest: bytes) -> bytes:
    cache: ByteCache = current_app.extensions["cache"]
    level = 1 if len(body) > LARGE else 6
    return cache.kept(("gzip", digest), lambda: gzip.compress(body, compresslevel=level, mtime=0))
