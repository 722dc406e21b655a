"""The headers of every answer, and the refusal of forms that other sites send."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from flask import Flask, abort, request

from webapp import htmx

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = [
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Vary", htmx.VARY),
]
CHECK_AGAIN: Final = ("Cache-Control", "no-cache")


def init_app(app: Flask) -> None:
    """Adds both to an application."""
    app.before_request(refuse_other_sites)
    app.wsgi_app = StrictHeaders(app.wsgi_app)  # type: ignore[method-assign]


class StrictHeaders:
    """Adds the strict headers to every answer; one that says nothing of caching is to be checked again each time.

    WSGI middleware, since that costs less than setting each header on Flask's response.
    """

    def __init__(self, app: "WSGIApplication") -> None:
        self.app = app

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answers as the wrapped application does."""

        def start(status: str, headers: list[tuple[str, str]], *exc_info: Any) -> Any:
            cached = any(name == "Cache-Control" for name, _ in headers)
            return start_response(status, headers + HEADERS + ([] if cached else [CHECK_AGAIN]), *exc_info)

        return self.app(environ, start)


def refuse_other_sites() -> None:
    """Answers 403 to a POST that the browser says another site has sent. Programs that send neither header pass.

    Without a usable host there is no telling which site is ours (400), without a length how long a form is (411).
    """
    if not request.host:
        abort(400)
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    if "Transfer-Encoding" in request.headers:
        abort(411)
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site not in (None, "same-origin", "none") or (origin is not None and _host(origin) != request.host):
        abort(403)


def _host(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""
