"""The application factory."""

import os
from collections.abc import Callable
from datetime import date
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, request, url_for
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.security import safe_join

from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE
from solver.search.tablebase import looked_up
from webapp.api import api
from webapp.health import health, route_of_request
from webapp.pages.install import install
from webapp.pages.lab import lab
from webapp.pages.learn.charts.drawings import drawings
from webapp.pages.learn.routes import learn
from webapp.pages.live.keeping import Keeping
from webapp.pages.live.routes import live
from webapp.pages.play.embed import embed
from webapp.pages.play.routes import pages
from webapp.pages.play.share import share
from webapp.pages.practise.routes import practise, today_in_utc
from webapp.serving.http import compression, errors, security
from webapp.serving.http.cache import BYTES_VARIABLE, DEFAULT_BYTES, ByteCache
from webapp.serving.pool.gating import GateLine
from webapp.ui import filters
from webapp.ui.elsewhere import elsewhere
from webapp.ui.lean import FOREIGN, lean

MAX_FORM_BYTES = 4096
A_YEAR = 31_536_000

AREAS: Final = (health, pages, share, embed, api, learn, practise, live, lab, drawings, install, elsewhere)
"""The blueprints, in the order in which their addresses are tried."""


class _Application(Flask):
    def get_send_file_max_age(self, filename: str | None) -> int | None:  # noqa: ARG002 - Flask's signature
        """A static file is kept for a year where its address changes with it, else asked for again each time."""
        return A_YEAR if "v" in request.args else None

    def send_static_file(self, filename: str) -> Response:
        """Our own styles and scripts go out without their comments."""
        path = safe_join(self.static_folder or "", filename)
        found = lean(Path(path)) if path and not filename.startswith(FOREIGN) else None
        if found is None:
            return super().send_static_file(filename)
        answer = Response(found[0], mimetype=found[1])
        if age := self.get_send_file_max_age(filename):
            answer.headers["Cache-Control"] = f"public, max-age={age}"
        return answer


def create_app(
    gate: GateLine | None = None,
    *,
    cache_bytes: int | None = None,
    allowed_hosts: tuple[str, ...] | None = None,
    today: Callable[[], date] = today_in_utc,
    live_games: Keeping | None = None,
) -> Flask:
    """The web application, ready to serve: its first request is no slower than the next.

    `gate` is the way to the pool that does what takes long; without one the application does everything itself, and
    proves nothing in the background. `cache_bytes` is what it may keep to answer sooner, `allowed_hosts` are those it
    answers for, all if there are none; where either is not given, the environment says it. `today` is the day whose
    drill is the daily one, `live_games` where live games are kept, if not where the environment says.
    """
    behind = proxies()
    # Another server than `noughts serve` sets no hosts: then it is that server's task to check them.
    trusted = behind > 0 or (allowed_hosts is None and security.HOSTS_VARIABLE not in os.environ)
    if allowed_hosts is None:
        allowed_hosts = tuple(os.environ.get(security.HOSTS_VARIABLE, "").split(","))
    if cache_bytes is None:
        cache_bytes = int(os.environ.get(BYTES_VARIABLE) or DEFAULT_BYTES)
    root = _resources()
    app = _Application(__name__, template_folder=str(root / "templates"), static_folder=str(root / "static"))
    app.config["MAX_CONTENT_LENGTH"] = MAX_FORM_BYTES
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.json.sort_keys = False  # type: ignore[attr-defined]  # squares stay in reading order
    app.url_map.merge_slashes = False
    app.extensions["gate"] = gate
    app.extensions["cache"] = ByteCache(cache_bytes)
    app.extensions["today"] = today
    app.extensions["live"] = live_games or Keeping.as_the_environment_says()
    security.init_app(app, security.Hosts(allowed_hosts, trusted))
    errors.init_app(app)
    filters.init_app(app)
    for blueprint in AREAS:
        app.register_blueprint(blueprint)
    compression.init_app(app)
    app.after_request(_named_route)
    _give_addresses(app, root / "static")
    if behind:
        wrapped: Any = ProxyFix(app.wsgi_app, x_for=behind, x_proto=behind, x_host=behind)
        app.wsgi_app = wrapped  # type: ignore[method-assign]
    looked_up(Position(TIC_TAC_TOE))  # and what follows
    return app


def proxies() -> int:
    """How many proxies in front are to be believed, as the environment says."""
    return int(os.environ.get(security.PROXIES_VARIABLE, "0"))


def _named_route(answer: Response) -> Response:
    """Tells the server what the answer is counted by."""
    request.environ["noughts.route"] = route_of_request()
    return answer


def _give_addresses(app: Flask, folder: Path) -> None:
    """Gives the templates `url_for`, and `static` for files whose addresses change with them, to be kept for a year."""

    @cache
    def static(name: str) -> str:
        digest = blake2b((folder / name).read_bytes(), digest_size=6).hexdigest()
        return url_for("static", filename=name, v=digest)

    app.jinja_env.globals["static"] = static
    app.jinja_env.globals["url_for"] = lru_cache(maxsize=256)(app.url_for)  # the same addresses on every page


def _resources() -> Path:
    """The folder that holds `templates` and `static`: inside the installed package, else beside it in a checkout."""
    package = Path(__file__).parent
    return package if (package / "templates").is_dir() else package.parent
