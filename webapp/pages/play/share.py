"""The ways to hand a game on: its link, a QR code of it, its picture, its moves as text, and code to frame it."""

from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

from flask import Blueprint, Response, current_app, make_response, render_template, request
from markupsafe import Markup

from solver.board.notation import format_position
from solver.board.pasted import format_game
from webapp.pages.play.framing import code, title_of
from webapp.pages.play.link import SHARE, Link, ReadLink, read_link
from webapp.pages.play.preview import known, preview
from webapp.serving.http import htmx
from webapp.serving.http.cache import ByteCache
from webapp.serving.http.security import EMBED, site_shown
from webapp.ui import previews

share = Blueprint("share", __name__)

QUIET_ZONE: Final = 4
"""Light modules around a QR code: what the standard asks for."""


@dataclass(frozen=True, slots=True)
class Field:
    """A text to copy: its name in the page, its title, and what a button that copies it is called."""

    id: str
    title: str
    copies: str
    text: str


@share.get(f"{SHARE}/<board>")
def ways(board: str) -> Response:
    """A page of its own, or what the panel of the play page shows; the nearest sensible game where a link is bad."""
    read = _asked(board)
    page = _page(read.link, tuple(map(str, read.problems)))
    return make_response(page, 400 if read.problems else 200)


@share.get(f"{SHARE}/<board>/qr.svg")
def qr_code(board: str) -> Response:
    """The QR code of a game's link, which is whole: only where the server may name itself."""
    read, site = _asked(board), site_shown()
    if read.problems:
        return Response(f"{read.problems[0]}\n", 400, mimetype="text/plain")
    if not site:
        return Response("This server does not know the name it is reached by.\n", 404, mimetype="text/plain")
    link = site + read.link.url()
    cache: ByteCache = current_app.extensions["cache"]
    return Response(cache.kept(("qr", link), lambda: qr_drawn(link)), mimetype="image/svg+xml")


def qr_drawn(text: str) -> bytes:
    """A text as a QR code, dark on light on a dark page too, since many readers know no other."""
    import segno  # noqa: PLC0415 - few pages have one

    out = BytesIO()
    made = segno.make(text, error="m", micro=False, boost_error=False)
    made.save(
        out, kind="svg", border=QUIET_ZONE, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None
    )
    return out.getvalue()


def _asked(board: str) -> ReadLink:
    return read_link(board, request.query_string.decode("ascii", "replace"))


def _page(link: Link, problems: tuple[str, ...]) -> str:
    site = site_shown()
    shown = link.game.upto(link.at)
    fields = [
        Field("share-link", "Link", "Copy link", site + link.url()),
        Field("share-moves", "Moves", "Copy the moves", format_game(shown) if shown.moves else ""),
        Field("share-rows", "Position", "Copy the position", format_position(shown.last)),
        Field("share-code", "Embed", "Copy the code to embed", code(link, site) if site else ""),
    ]
    context: dict[str, Any] = {
        "title": "Share this game · Noughts",
        "problems": problems,
        "game": title_of(link),
        "url": link.url(),
        "host": site,
        "link": fields[0],
        "fields": [field for field in fields[1:] if field.text],
        "qr": link.url(SHARE, "/qr.svg") if site else "",
        "pictures": {kind.upper(): link.url(file=f".{kind}") for kind in ("png", "svg")},
        "embed": link.url(EMBED),
    }
    part = Markup(render_template("_share.html", **context, fragment=htmx.wants_fragment()))  # noqa: S704 - a template
    if htmx.wants_fragment():
        return part
    told = previews.tags(preview(link, known(link)))
    return render_template("share.html", **context, part=part, preview=told)
