"""The application factory. Browsers get our styles and scripts without comments."""

from collections.abc import Callable
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, request
from jinja2 import StrictUndefined
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.security import safe_join

from solver import oracle
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE
from webapp.api.routes import api
from webapp.config import AppConfig
from webapp.health import health, tell_route
from webapp.pages.classes.frame import frames
from webapp.pages.classes.routes import ClassDatabase, classes
from webapp.pages.games import games
from webapp.pages.install import elsewhere, install
from webapp.pages.lab import lab
from webapp.pages.learn.routes import learn
from webapp.pages.live.routes import LiveDatabase, live
from webapp.pages.play.routes import pages
from webapp.pages.play.share import share
from webapp.pages.practise.routes import practise, today_in_utc
from webapp.pages.prove.routes import proving
from webapp.serving.http import errors, security
from webapp.serving.http.answers import ByteCache, compress
from webapp.serving.pool.asking import ServerPool
from webapp.ui import filters


def _without_blocks(style: str) -> str:
    """Return a style without its comments, indents and empty lines."""
    begin, *parts = style.split("/*")
    rest = (part.partition("*/")[2] for part in parts)
    return "\n".join(filter(None, map(str.strip, (begin + "".join(rest)).split("\n"))))


def _without_lines(script: str) -> str:
    """Return a script without indents and the lines of comments. A comment after code stays: a text may look so."""

    def is_comment(line: str) -> bool:
        return line.startswith("//") or (line.startswith("/*") and line.endswith("*/"))

    return "\n".join(line for line in map(str.strip, script.splitlines()) if line and not is_comment(line))


LEAN: Final[dict[str, tuple[str, Callable[[str], str]]]] = {
    ".css": ("text/css", _without_blocks),
    ".js": ("text/javascript", _without_lines),
}
"""The content type and the function that removes comments and indents, by file suffix."""

FOREIGN: Final = "vendor/"
"""The folder of third-party files, which are served unchanged."""


@lru_cache(maxsize=128)
def lean(path: Path) -> tuple[bytes, str] | None:
    """Return a file without its comments, and its content type. Return None if the file is served unchanged."""
    if path.suffix not in LEAN or not path.is_file():
        return None
    mimetype, without_comments = LEAN[path.suffix]
    return without_comments(path.read_text(encoding="utf-8")).encode(), mimetype


MAX_FORM_BYTES = 4096
A_YEAR = 31_536_000

AREAS: Final = (
    health,
    pages,
    games,
    frames,
    share,
    api,
    learn,
    practise,
    proving,
    live,
    classes,
    lab,
    install,
    elsewhere,
)
"""The blueprints, in the order in which their addresses are tried."""


class _Application(Flask):
    jinja_environment = filters.Templates

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return a view or a hook as it is. None is a coroutine, and to look takes 4 µs of each request."""
        return func

    def get_send_file_max_age(self, filename: str | None) -> int | None:  # noqa: ARG002 - Flask's signature
        """Return one year for an address that contains the digest of its file. Browsers check other files each time."""
        return A_YEAR if "v" in request.args else None

    def send_static_file(self, filename: str) -> Response:
        """Send a static file; our own styles and scripts go without their comments."""
        path = safe_join(self.static_folder or "", filename)
        file = lean(Path(path)) if path and not filename.startswith(FOREIGN) else None
        if file is None:
            return super().send_static_file(filename)
        answer = Response(file[0], mimetype=file[1])
        if age := self.get_send_file_max_age(filename):
            answer.headers["Cache-Control"] = f"public, max-age={age}"
        return answer


def create_app(
    gate: ServerPool | None = None, config: AppConfig | None = None, today: Callable[[], date] = today_in_utc
) -> Flask:
    """Return the web application, warmed up so that its first request is no slower than the next.

    `gate` connects to the pool, which does the long work; without it the application does everything itself and proves
    nothing in the background. Without `config`, the settings are the usual ones. `today` returns the day of the
    daily drill.
    """
    config = config or AppConfig.from_environment()
    root = _resources()
    app = _Application(__name__, template_folder=str(root / "templates"), static_folder=str(root / "static"))
    app.config["MAX_CONTENT_LENGTH"] = MAX_FORM_BYTES
    app.jinja_options = {"autoescape": True, "trim_blocks": True, "lstrip_blocks": True, "undefined": StrictUndefined}
    app.json.sort_keys = False  # type: ignore[attr-defined]  # squares stay in reading order
    app.url_map.merge_slashes = False
    app.extensions["gate"] = gate
    app.extensions["cache"] = ByteCache(config.cache_bytes)
    app.extensions["today"] = today
    live_games = app.extensions["live"] = LiveDatabase(config)
    app.extensions["classes"] = ClassDatabase(config, live_games)
    # Without named hosts, the server or proxy in front is trusted to check the host.
    is_checked = config.proxies > 0 or config.allowed_hosts is None
    security.init_app(app, security.Hosts(config.allowed_hosts or (), is_checked))
    app.register_error_handler(HTTPException, errors.answer)
    filters.init_app(app)
    for blueprint in AREAS:
        app.register_blueprint(blueprint)
    app.after_request(compress)
    app.after_request(tell_route)
    if number := config.proxies:
        wrapped: Any = ProxyFix(app.wsgi_app, x_for=number, x_proto=number, x_host=number)
        app.wsgi_app = wrapped  # type: ignore[method-assign]
    oracle.known(Position(TIC_TAC_TOE))  # builds the table of all its positions
    return app


def _resources() -> Path:
    """Return the folder that holds `templates` and `static`: the installed package or the root of a checkout."""
    package = Path(__file__).parent
    return package if (package / "templates").is_dir() else package.parent
