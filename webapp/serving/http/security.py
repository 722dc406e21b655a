"""The headers of every answer, the hosts that are answered for, and the refusal of forms that other sites send."""

import re
from collections.abc import Iterable
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, current_app, request

from solver.board.notation import quoted
from solver.errors import BadOption
from webapp.serving.http import htmx
from webapp.serving.http.errors import REQUEST_ID, Refusal

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HOSTS_VARIABLE: Final = "NOUGHTS_HOSTS"
"""The environment variable that names the hosts to answer for, with commas between them."""

PROXIES_VARIABLE: Final = "NOUGHTS_PROXIES"
"""The environment variable that says how many proxies in front are to be believed."""

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
DENIED: Final = (
    "accelerometer",
    "autoplay",
    "browsing-topics",
    "camera",
    "display-capture",
    "encrypted-media",
    "geolocation",
    "gyroscope",
    "hid",
    "idle-detection",
    "interest-cohort",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "publickey-credentials-get",
    "screen-wake-lock",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
"""What browsers offer to pages and these never use. Sharing stays as it is: not all browsers know its name."""

HEADERS: Final = [
    ("Content-Security-Policy", POLICY),
    ("Permissions-Policy", ", ".join([*(f"{feature}=()" for feature in DENIED), "clipboard-write=(self)"])),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Vary", htmx.VARY),
]
OEMBED: Final = "/oembed"
"""The address that describes games to other sites."""

OPEN_HEADERS: Final = [
    *(each for each in HEADERS if each[0] != "Cross-Origin-Resource-Policy"),
    ("Cross-Origin-Resource-Policy", "cross-origin"),
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Expose-Headers", "ETag, Retry-After, X-Request-Id"),
]
EMBED: Final = "/embed"
"""The beginning of the addresses of boards, the only pages that other sites may frame."""

_OF_FRAMES: Final = {
    "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"),
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
FRAMED_HEADERS: Final = [each for each in HEADERS if each[0] not in ("X-Frame-Options", *_OF_FRAMES)] + [
    *_OF_FRAMES.items()
]
"""The headers of pages that may be framed, also by sites that let nothing in that does not allow it."""

_FRAMED: Final = re.compile(rf"{EMBED}/[^/]+")

CHECK_AGAIN: Final = ("Cache-Control", "no-cache")
ENCRYPTED_ONLY: Final = ("Strict-Transport-Security", "max-age=31536000; includeSubDomains")

PORTS: Final = {"http": 80, "https": 443}
"""The schemes that pages come by, with their usual ports."""

PROBES: Final = {"/healthz", "/readyz", "/metrics"}
"""Addresses asked by machines that know a server by its number alone."""

_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*|[0-9a-f:.]+")


class Hosts:
    """The hosts a server is known by: those it answers for, or, where none are named, those that it is safe to show.

    `trusted` says that the server in front passes on only requests for hosts that are meant. Raises BadOption for a
    name that is no host.
    """

    def __init__(self, allowed: Iterable[str] = (), trusted: bool = False) -> None:
        self._allowed = tuple(_entry(each.strip()) for each in allowed if each.strip())
        self._trusted = trusted

    def answers(self, host: str, scheme: str) -> bool:
        """Whether requests for a host are answered."""
        if not self._allowed:
            return True
        name, port = _parts(host, scheme)
        return any(
            (name == known or (known[0] == "." and f".{name}".endswith(known))) and at in (None, port)
            for known, at in self._allowed
        )

    def shows(self, host: str, scheme: str) -> bool:
        """Whether a page may name the host it was asked for: anybody can ask for it by any name.

        It may if that is a host that is answered for, this machine, or a number.
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
    """A host's name in small letters, without brackets, and its port. Raises ValueError if that is no number."""
    name, colon, port = host.lower().rpartition(":")
    if not colon or port.endswith("]"):
        name, port = host.lower(), ""
    return name.removeprefix("[").removesuffix("]"), int(port) if port else PORTS.get(scheme)


def _entry(text: str) -> tuple[str, int | None]:
    """A host that is answered for, as `Hosts` compares it; at any port unless it names one."""
    bare_v6 = text.count(":") > 1 and "[" not in text
    try:
        name, port = _parts(f"[{text}]" if bare_v6 else text, "")
        dot = "." if name.startswith(".") else ""
        name = name.removeprefix(".") if ":" in name else name.removeprefix(".").encode("idna").decode()
    except ValueError:
        name = ""
    if not _NAME.fullmatch(name):
        raise BadOption(f"{quoted(text)} is no host to answer for; write one like play.example or .example.org.")
    return dot + name, port


def is_open(path: str) -> bool:
    """Whether pages of other sites may read the answers at an address, and may send to it: nothing is kept there."""
    return path.startswith("/api/") or path == OEMBED


def headers_at(path: str) -> list[tuple[str, str]]:
    """The strict headers of every answer at an address."""
    if is_open(path):
        return OPEN_HEADERS
    return FRAMED_HEADERS if _FRAMED.fullmatch(path) else HEADERS


def init_app(app: Flask, hosts: Hosts) -> None:
    """Adds all of it to an application."""
    app.extensions["hosts"] = hosts
    app.before_request(refuse_other_sites)
    app.after_request(redirect_within)
    app.wsgi_app = StrictHeaders(app.wsgi_app)  # type: ignore[method-assign]


class StrictHeaders:
    """Adds the strict headers to every answer; an answer without a word on caching is to be checked again each time.

    WSGI middleware, since that costs less than setting each header on Flask's response.
    """

    def __init__(self, app: "WSGIApplication") -> None:
        self.app = app

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answers as the wrapped application does."""

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

        return self.app(environ, start)


def asked_now() -> Request:
    """The request itself: each look at it through Flask's stand-in costs more than most of what is looked at."""
    return request._get_current_object()  # type: ignore[attr-defined, no-any-return]


def site_shown() -> str:
    """What links to show in full begin with; nothing under a name that may not be the server's own."""
    hosts: Hosts = current_app.extensions["hosts"]
    asked = asked_now()
    return f"{asked.scheme}://{asked.host}" if hosts.shows(asked.host, asked.scheme) else ""


def refuse_other_sites() -> None:
    """Answers 403 to a POST that the browser says another site has sent, but to what is open to all.

    Programs that send neither header pass.

    Without a usable scheme and host there is no telling which site is ours (400), nor is a host answered for that is
    none of ours (400); without a length one cannot tell how long a form is (411).
    """
    asked = asked_now()
    scheme, host = asked.scheme, asked.host
    if scheme not in PORTS:
        abort(400)
    if asked.path not in PROBES:
        if not host:
            abort(400)
        hosts: Hosts = current_app.extensions["hosts"]
        if not hosts.answers(host, scheme):
            raise Refusal(
                400,
                "unknown_host",
                "No such host here",
                "This server does not answer under the name in that address. "
                "Whoever runs it can add the name with --allowed-hosts.",
            )
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
    """Whether an origin is where the request went: the scheme, the host and the port."""
    if origin == f"{scheme}://{host}":
        return True
    try:
        parts = urlsplit(origin)
        return parts.scheme == scheme and _parts(parts.netloc, scheme) == _parts(host, scheme)
    except ValueError:
        return False


def redirect_within(response: Response) -> Response:
    """Routing corrects addresses with the host in front, which anybody can have chosen; the path alone is enough."""
    if response.status_code == 308 and (location := response.location):
        parts = urlsplit(location)
        response.location = "/" + parts.path.lstrip("/") + (f"?{parts.query}" if parts.query else "")
    return response
