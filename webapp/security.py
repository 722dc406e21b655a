"""The headers of every answer, and the refusal of forms that other sites send."""

from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request

from webapp import htmx

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
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def init_app(app: Flask) -> None:
    """Adds both to an application."""
    app.before_request(refuse_other_sites)
    app.after_request(add_headers)


def refuse_other_sites() -> None:
    """Answers 403 to a POST that the browser says another site has sent. Programs that send neither header pass."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site not in (None, "same-origin", "none") or (origin is not None and _host(origin) != request.host):
        abort(403)


def add_headers(response: Response) -> Response:
    """The strict headers; pages are to be checked again before they are shown from a cache."""
    headers = response.headers
    for name, value in HEADERS.items():
        headers[name] = value
    if "Cache-Control" not in headers:
        headers["Cache-Control"] = "no-cache"
        headers["Vary"] = f"{vary}, {htmx.VARY}" if (vary := headers.get("Vary")) else htmx.VARY
    return response


def _host(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""
