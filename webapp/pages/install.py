"""Installing the page on a phone or a desktop: the manifest, and the icon in its sizes, drawn from its SVG."""

from functools import lru_cache
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, current_app, json

from solver.pictures.png import rendered
from webapp.ui.previews import A_DAY

install = Blueprint("install", __name__)

KEPT: Final = {"Cache-Control": f"public, max-age={A_DAY}"}
WHOLE: Final = (192, 512)
"""The sizes of the icon with its round corners."""

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
    """What the page is called and looks like where it is installed."""
    return Response(json.dumps(_MANIFEST), mimetype="application/manifest+json", headers=KEPT)


@install.get("/icon-<any('192', '512'):size>.png")
def icon(size: str) -> Response:
    """The icon as it is."""
    return _icon(int(size), to_its_corners=False)


@install.get("/icon-masked-512.png")
def masked_icon() -> Response:
    """The icon to its corners, for systems that cut icons to a shape of their own."""
    return _icon(512, to_its_corners=True)


@install.get("/apple-touch-icon.png")
def touch_icon() -> Response:
    """The same in the size that some phones ask for, at the address where they look."""
    return _icon(180, to_its_corners=True)


def _icon(size: int, to_its_corners: bool) -> Response:
    return Response(_drawn(size, to_its_corners), mimetype="image/png", headers=KEPT)


@lru_cache(maxsize=8)
def _drawn(size: int, to_its_corners: bool) -> bytes:
    folder = current_app.static_folder
    assert folder is not None  # noqa: S101 - the application is made with one
    svg = (Path(folder) / "favicon.svg").read_text(encoding="utf-8")
    return rendered(svg.replace(' rx="6"', "") if to_its_corners else svg, size)
