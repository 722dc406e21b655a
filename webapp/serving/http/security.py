"""Security headers, the hosts that the server answers for, and the refusal of forms from other sites."""

import re
from collections.abc import Iterable
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, current_app, g, request

from solver.board.notation import quoted
from solver.errors import BadOption
from webapp.serving.http.answers import HTMX_VARY, PROBES
from webapp.serving.http.errors import REQUEST_ID, Refusal

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_FROM_HERE: Final = ("script-src", "style-src", "img-src", "font-src", "connect-src", "manifest-src", "form-action")
POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        *(f"{directive} 'self'" for directive in _FROM_HERE),
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)

DENIED: Final = (
    "accelerometer autoplay browsing-topics camera display-capture encrypted-media geolocation gyroscope hid"
    " idle-detection interest-cohort magnetometer microphone midi payment publickey-credentials-get screen-wake-lock"
    " serial usb xr-spatial-tracking"
)
"""Browser features that no page uses. Web Share is left out: not all browsers know its name."""

HEADERS: Final = [
    ("Content-Security-Policy", POLICY),
    ("Permissions-Policy", ", ".join([*(f"{feature}=()" for feature in DENIED.split()), "clipboard-write=(self)"])),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Vary", HTMX_VARY),
]
OEMBED: Final = "/oembed"
"""The address that describes games to other sites, as oEmbed."""

EMBED: Final = "/embed"
"""The prefix of the only pages that other sites may frame."""

PROVER: Final = "/prove/worker.js"
"""The address of the only script that may run code that a visitor pastes. It runs in a worker without a network."""


def _headers_with(own: dict[str, str], *without: str) -> list[tuple[str, str]]:
    """Return the usual headers, with those in `own` added or replaced and those in `without` left out."""
    return [(name, value) for name, value in HEADERS if name not in (*without, *own)] + [*own.items()]


OPEN_HEADERS: Final = _headers_with(
    {
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": "ETag, Retry-After, X-Request-Id",
    },
    "Vary",  # no fragments are chosen here
)
FRAMED_HEADERS: Final = _headers_with(
    {
        "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"),
        "Cross-Origin-Embedder-Policy": "require-corp",
        "Cross-Origin-Resource-Policy": "cross-origin",
    },
    "X-Frame-Options",
)
"""The headers of pages that may be framed, also by sites that are cross-origin isolated."""

PROVER_HEADERS: Final = _headers_with(
    {
        "Content-Security-Policy": "default-src 'none'; script-src 'unsafe-eval'; connect-src 'none'; "
        "frame-ancestors 'none'"
    }
)
"""The headers of that script, whose policy is the worker's."""

MONITORED_HEADERS: Final = _headers_with({}, "Vary")
"""The headers of what monitors read, in which no fragments are chosen."""

_FRAMED: Final = re.compile(rf"{EMBED}/[^/]+")

CHECK_AGAIN: Final = ("Cache-Control", "no-cache")
ENCRYPTED_ONLY: Final = ("Strict-Transport-Security", "max-age=31536000; includeSubDomains")

PORTS: Final = {"http": 80, "https": 443}
"""The schemes of pages, with their default ports."""

_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*|[0-9a-f:.]+")


class Hosts:
    """The hosts that the server answers for, and the hosts that pages may show.

    If no host is named, the server answers for all. With `trusted`, the server in front has checked the host of each
    request. Raises BadOption for a name that is no host.
    """

    def __init__(self, allowed: Iterable[str] = (), trusted: bool = False) -> None:
        self._allowed = tuple(_entry(text.strip()) for text in allowed if text.strip())
        self._trusted = trusted

    def answers(self, host: str, scheme: str) -> bool:
        """Return whether requests for a host are answered."""
        if not self._allowed:
            return True
        name, port = _parts(host, scheme)
        return any(
            (name == known or (known[0] == "." and f".{name}".endswith(known))) and at in (None, port)
            for known, at in self._allowed
        )

    def shows(self, host: str, scheme: str) -> bool:
        """Return whether pages may show the host of a request.

        A client can make up a host, so pages show only named or trusted hosts, localhost and IP addresses.
        """
        if self._allowed or self._trusted:
            return self.answers(host, scheme)
        name = _parts(host, scheme)[0]
        if name == "localhost":
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True


def _parts(host: str, scheme: str) -> tuple[str, int | None]:
    """Return a host's name in lower case, without brackets, and its port. Raises ValueError for a bad port."""
    name, colon, port = host.lower().rpartition(":")
    if not colon or port.endswith("]"):
        name, port = host.lower(), ""
    return name.removeprefix("[").removesuffix("]"), int(port) if port else PORTS.get(scheme)


def _entry(text: str) -> tuple[str, int | None]:
    """Return the name and port of an allowed host. The port is None if any is allowed. Raises BadOption."""
    bare_v6 = text.count(":") > 1 and "[" not in text
    try:
        name, port = _parts(f"[{text}]" if bare_v6 else text, "")
        dot = "." if name.startswith(".") else ""
        name = name.removeprefix(".") if ":" in name else name.removeprefix(".").encode("idna").decode()
    except ValueError:
        name = ""
    if not _NAME.fullmatch(name):
        raise BadOption(f"{quoted(text)} is not a host name; write one like play.example or .example.org.")
    return dot + name, port


def is_open(path: str) -> bool:
    """Return whether other sites may read an address and post to it. Posts to it store nothing."""
    return path.startswith("/api/") or path == OEMBED


def headers_at(path: str) -> list[tuple[str, str]]:
    """Return the security headers of every response at an address."""
    if is_open(path):
        return OPEN_HEADERS
    if path == PROVER:
        return PROVER_HEADERS
    if path in PROBES:
        return MONITORED_HEADERS
    return FRAMED_HEADERS if _FRAMED.fullmatch(path) else HEADERS


def init_app(app: Flask, hosts: Hosts) -> None:
    """Add the checks and headers to an application."""
    app.extensions["hosts"] = hosts
    app.before_request(refuse_other_sites)
    app.after_request(redirect_within)
    app.wsgi_app = with_headers(app.wsgi_app)  # type: ignore[method-assign, assignment]


def with_headers(app: "WSGIApplication") -> "WSGIApplication":
    """Add the security headers to what an application sends, and `no-cache` where it says no `Cache-Control`.

    It costs less than setting each header on Flask's response.
    """

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *exc_info: Any) -> Any:
            own = {name for name, _ in headers}
            usual = headers_at(environ["PATH_INFO"])
            headers = headers + [header for header in usual if header[0] not in own or header[0] == "Vary"]
            if "Cache-Control" not in own:
                headers.append(CHECK_AGAIN)
            if environ["wsgi.url_scheme"] == "https":
                headers.append(ENCRYPTED_ONLY)
            if request_id := environ.get(REQUEST_ID):
                headers.append(("X-Request-Id", request_id))
            return start_response(status, headers, *exc_info)

        return app(environ, start)

    return answer


def current_request() -> Request:
    """Return the request itself: each access through Flask's proxy costs more than most of its attributes."""
    return request._get_current_object()  # type: ignore[attr-defined, no-any-return]


def refuse_other_sites() -> None:
    """Refuse forms that other sites send (403), except at open addresses.

    A program that sends neither `Sec-Fetch-Site` nor `Origin` passes. Requests with an unknown scheme or host are also
    refused (400), and so are forms without a length (411). `g.site` is the scheme and host for full links, "" if pages
    may not show the host.
    """
    asked = current_request()
    scheme, host, hosts = asked.scheme, asked.host, current_app.extensions["hosts"]
    g.site = ""
    if scheme not in PORTS:
        abort(400)
    if asked.path not in PROBES:  # monitors may know the server only by its IP address
        if not host:
            abort(400)
        if hosts.shows(host, scheme):
            g.site = f"{scheme}://{host}"
        elif not hosts.answers(host, scheme):
            raise Refusal.called("unknown_host")
    if asked.method in ("GET", "HEAD", "OPTIONS"):
        return
    if "Transfer-Encoding" in asked.headers:
        abort(411)
    if is_open(asked.path):
        return
    site = asked.headers.get("Sec-Fetch-Site")
    origin = asked.headers.get("Origin")
    if site not in (None, "same-origin", "none") or (origin is not None and not _is_ours(origin, scheme, host)):
        abort(403)


def _is_ours(origin: str, scheme: str, host: str) -> bool:
    """Return whether an origin has the scheme, the host and the port of the request."""
    if origin == f"{scheme}://{host}":
        return True
    try:
        parts = urlsplit(origin)
        return parts.scheme == scheme and _parts(parts.netloc, scheme) == _parts(host, scheme)
    except ValueError:
        return False


def redirect_within(response: Response) -> Response:
    """Remove the host from the redirects of Flask's routing, because a client can make it up."""
    if response.status_code == 308 and (location := response.location):
        parts = urlsplit(location)
        response.location = parts._replace(scheme="", netloc="", path="/" + parts.path.lstrip("/")).geturl()
    return response
