"""The web app manifest, and the icon in its sizes, so that the page can be installed on a device."""

from functools import lru_cache
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, current_app, json

from solver.pictures.files import rendered
from webapp.ui.previews import A_DAY

install = Blueprint("install", __name__)

KEPT: Final = {"Cache-Control": f"public, max-age={A_DAY}"}
WHOLE: Final = (192, 512)
"""The sizes of the icon with round corners."""

_MANIFEST: Final = {
    "id": "/",
    "name": "Noughts",
    "short_name": "Noughts",
    "description": "Tic-tac-toe and its bigger relatives, with what perfect play makes of every square.",
    "lang": "en",
    "start_url": "/",
    "scope": "/",
    "display": "standalone",
    "background_color": "#faf9f6",
    "theme_color": "#faf9f6",
    "categories": ["games", "education"],
    "icons": [
        *({"src": f"/icon-{size}.png", "type": "image/png", "sizes": f"{size}x{size}"} for size in WHOLE),
        {"src": "/icon-masked-512.png", "type": "image/png", "sizes": "512x512", "purpose": "maskable"},
    ],
}


@install.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return the web app manifest."""
    return Response(json.dumps(_MANIFEST), mimetype="application/manifest+json", headers=KEPT)


@install.get("/icon-<any('192', '512'):size>.png")
def icon(size: str) -> Response:
    """Return the icon with round corners."""
    return _icon(int(size), is_square=False)


@install.get("/icon-masked-512.png")
def masked_icon() -> Response:
    """Return the icon with square corners, for systems that cut icons to their own shape."""
    return _icon(512, is_square=True)


@install.get("/apple-touch-icon.png")
def touch_icon() -> Response:
    """Return the icon at the address and in the size that iPhones ask for."""
    return _icon(180, is_square=True)


def _icon(size: int, is_square: bool) -> Response:
    return Response(_drawn(size, is_square), mimetype="image/png", headers=KEPT)


@lru_cache(maxsize=8)
def _drawn(size: int, is_square: bool) -> bytes:
    folder = current_app.static_folder
    assert folder is not None  # noqa: S101 - the application is made with one
    svg = (Path(folder) / "favicon.svg").read_text(encoding="utf-8")
    return rendered(svg.replace(' rx="6"', "") if is_square else svg, size)
