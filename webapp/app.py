"""The application factory."""

import os
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from flask import Flask, request, url_for
from werkzeug.middleware.proxy_fix import ProxyFix

from solver.notation import parse_rules
from solver.search.table import table
from webapp import compression, errors, security
from webapp.api import api
from webapp.cache import BYTES_VARIABLE, DEFAULT_BYTES, ByteCache
from webapp.lab import lab
from webapp.learn.drawings import drawings
from webapp.learn.pages import learn
from webapp.link import DEFAULT_BOARD
from webapp.pages import pages
from webapp.serve import PROXIES_VARIABLE
from webapp.sharing import Pool, pool_of_server

MAX_FORM_BYTES = 4096
A_YEAR = 31_536_000


class _Application(Flask):
    def get_send_file_max_age(self, filename: str | None) -> int | None:  # noqa: ARG002 - Flask's signature
        """A static file is kept for a year where its address changes with it, else asked for again each time."""
        return A_YEAR if "v" in request.args else None


def create_app(
    pool: Pool | None = None, *, cache_bytes: int | None = None, allowed_hosts: tuple[str, ...] | None = None
) -> Flask:
    """The web application, ready to serve: its first request is no slower than the next.

    `pool` proves in the background; without one it is the server's, if the application runs in one. `cache_bytes` is
    what it may keep to answer sooner, `allowed_hosts` are those it answers for, all if there are none; what is not
    given the environment says.
    """
    proxies = int(os.environ.get(PROXIES_VARIABLE, "0"))
    if cache_bytes is None:
        cache_bytes = int(os.environ.get(BYTES_VARIABLE) or DEFAULT_BYTES)
    if allowed_hosts is None:
        allowed_hosts = tuple(os.environ.get(security.HOSTS_VARIABLE, "").split(","))
    root = _resources()
    app = _Application(__name__, template_folder=str(root / "templates"), static_folder=str(root / "static"))
    app.config["MAX_CONTENT_LENGTH"] = MAX_FORM_BYTES
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True}
    app.json.sort_keys = False  # type: ignore[attr-defined]  # squares stay in reading order
    app.url_map.merge_slashes = False
    app.extensions["provers"] = pool or pool_of_server()
    app.extensions["cache"] = ByteCache(cache_bytes)
    security.init_app(app, security.Hosts(allowed_hosts, proxied=proxies > 0))
    errors.init_app(app)
    app.register_blueprint(pages)
    app.register_blueprint(api)
    app.register_blueprint(learn)
    app.register_blueprint(lab)
    app.register_blueprint(drawings)
    compression.init_app(app)

    @cache
    def static(name: str) -> str:
        """A static file's address, which changes with the file, so that browsers may keep it for a year."""
        digest = blake2b((root / "static" / name).read_bytes(), digest_size=6).hexdigest()
        return url_for("static", filename=name, v=digest)

    app.jinja_env.globals["static"] = static
    if proxies:
        wrapped: Any = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=proxies)
        app.wsgi_app = wrapped  # type: ignore[method-assign]
    table(parse_rules(DEFAULT_BOARD))
    return app


def _resources() -> Path:
    """The folder that holds `templates` and `static`: inside the installed package, else beside it in a checkout."""
    package = Path(__file__).parent
    return package if (package / "templates").is_dir() else package.parent
