"""How an answer is sent: as a page or as htmx's fragment, from the cache or made anew, in gzip and with an ETag.

Only this module names the headers of htmx. With the ETag, browsers fetch only content that has changed. A page takes
longer to compress than to render, so each compressed body is cached.
"""

import gzip
import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache
from hashlib import sha256
from threading import Lock
from typing import Any, Final

from flask import Response, current_app, request
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header
from werkzeug.wrappers import Response as AnyResponse

PROBES: Final = {"/healthz", "/readyz", "/metrics"}
"""The addresses for monitors."""

HTMX_VARY: Final = "HX-Request, HX-Request-Type, HX-History-Restore-Request"
"""The request headers that choose between a page and its fragment."""


MOVED: Final = 308
"""The status of a permanent redirect, which keeps the method of the request."""


def wants_fragment() -> bool:
    """Return whether htmx asks for a fragment to swap in. To restore history it asks for the whole page."""
    headers = request.headers
    return (
        headers.get("HX-Request") == "true"
        and headers.get("HX-Request-Type", "partial") == "partial"
        and headers.get("HX-History-Restore-Request") != "true"
    )


def lead_to(url: str) -> Response:
    """Return a response that has the browser open another page: by htmx if it asked, else by a plain redirect."""
    if wants_fragment():
        return Response(headers={"HX-Redirect": url})
    return Response(status=303, headers={"Location": url})


def show_url(response: Response, url: str, replace: bool = False) -> Response:
    """Have htmx put a link into the address bar, as a new entry of the history or in place of the current one.

    Browsers ignore the header if they asked for the page themselves.
    """
    response.headers["HX-Replace-Url" if replace else "HX-Push-Url"] = url
    return response


def set_cookie(answer: AnyResponse, name: str, value: str, seconds: int | None, path: str) -> None:
    """Set a cookie that the browser sends only to the addresses under a path, and that no script can read."""
    https = request.scheme == "https"
    answer.set_cookie(name, value, seconds, path=path, secure=https, httponly=True, samesite="Lax")


LARGEST_SHARE: Final = 8
"""The number of entries of the largest size that fit into the budget. Larger entries are not kept."""

OVERHEAD: Final = 160
"""The approximate bytes of an entry beside its key and value: its slots in the dictionary and in the order of use."""


class ByteCache:
    """A least-recently-used cache that takes at most `max_bytes`, keys included. Thread-safe."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.size = 0
        """The bytes that the entries take, with their keys and overhead."""
        self._entries: OrderedDict[Hashable, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> bytes | None:
        """Return the value of a key and mark it as the most recently used; return None if there is no value."""
        with self._lock:
            value = self._entries.get(key)
            if value is not None:
                self._entries.move_to_end(key)
            return value

    def put(self, key: Hashable, value: bytes) -> None:
        """Keep a value under a key, unless it is too large. Evict the least recently used values to make room."""
        fits = weight(key, value) <= self.max_bytes // LARGEST_SHARE
        with self._lock:
            before = self._entries.pop(key, None)
            if before is not None:
                self.size -= weight(key, before)
            if not fits:
                return
            self._entries[key] = value
            self.size += weight(key, value)
            while self.size > self.max_bytes:
                self.size -= weight(*self._entries.popitem(last=False))

    def kept(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """Return the value of a key; make and keep it if there is none. Two threads at once may both make it."""
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value)
        return value

    def __len__(self) -> int:
        return len(self._entries)


def weight(key: Hashable, value: bytes) -> int:
    """Return the approximate bytes of an entry. A key is a string, a number, bytes, or a tuple of them."""
    parts = sum(map(sys.getsizeof, key)) if isinstance(key, tuple) else 0
    return OVERHEAD + sys.getsizeof(key) + parts + sys.getsizeof(value)


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
