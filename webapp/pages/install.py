"""What browsers ask for by themselves: the web app manifest, the icon in its sizes, and near misses of an address.

The manifest and the icons let a device install the page. Near misses are redirected to the page that was meant.
"""

from functools import cache
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Response, current_app, redirect, request, url_for
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.routing import RequestRedirect
from werkzeug.wrappers import Response as AnyResponse

from solver.pictures.files import render
from webapp.serving.http.answers import MOVED
from webapp.serving.http.errors import answer, here
from webapp.ui.previews import A_DAY

install = Blueprint("install", __name__)

KEPT: Final = {"Cache-Control": f"public, max-age={A_DAY}"}
ICONS: Final = {
    "icon-192": (192, True),
    "icon-512": (512, True),
    "icon-masked-512": (512, False),
    "apple-touch-icon": (180, False),
}
"""The icons by name, each with its size and whether its corners are round.

Systems cut icons with square corners to their own shape. iPhones ask for `apple-touch-icon`.
"""


@install.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return the web app manifest."""
    written = Path(current_app.static_folder or "", "manifest.webmanifest").read_bytes()
    return Response(written, mimetype="application/manifest+json", headers=KEPT)


@install.get(f"/<any({', '.join(map(repr, ICONS))}):name>.png")
def icon(name: str) -> Response:
    """Return an icon."""
    return Response(_drawn(*ICONS[name]), mimetype="image/png", headers=KEPT)


@cache
def _drawn(size: int, is_round: bool) -> bytes:
    folder = current_app.static_folder
    assert folder is not None  # noqa: S101 - the application is made with one
    svg = (Path(folder) / "favicon.svg").read_text(encoding="utf-8")
    return render(svg if is_round else svg.replace(' rx="6"', ""), size)


elsewhere = Blueprint("elsewhere", __name__)


@elsewhere.get("/favicon.ico")
def favicon() -> AnyResponse:
    """Redirect browsers that ask for the icon before they have seen a page."""
    return redirect(url_for("static", filename="favicon.svg"), MOVED)


@elsewhere.app_errorhandler(NotFound)
def lead_on(error: NotFound) -> Any:
    """Redirect an address that ends in slashes to the address without them, if it exists."""
    path = request.path.rstrip("/")
    return redirect(here(path), MOVED) if path != request.path and _exists(path) else answer(error)


def _exists(path: str) -> bool:
    try:
        current_app.url_map.bind("").match(path, request.method)
    except RequestRedirect:
        return False
    except HTTPException as refused:
        return not isinstance(refused, NotFound)  # it exists for another method
    return True
