"""The ways to share a game: its link, QR code, picture and moves, and a small board for frames on other sites.

The small board reads the same links. It sends messages to the page around its frame.
"""

import re
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Final
from urllib.parse import urlsplit

from flask import Blueprint, Response, current_app, g, jsonify, make_response, render_template, request
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from solver.board.notation import format_position, quoted
from solver.board.pasted import format_game
from solver.pictures import card
from webapp.pages.play import words
from webapp.pages.play.game import Snapshot
from webapp.pages.play.link import PLAY, SHARE, Link, read_link
from webapp.pages.play.preview import HEIGHT, WIDTH, code, known, preview, title_of
from webapp.pages.play.record import challenge
from webapp.pages.play.routes import Said, Venue, asked, moved_at, shown_at
from webapp.pages.play.view import game_view
from webapp.serving.http.answers import ByteCache, wants_fragment
from webapp.serving.http.errors import Refusal
from webapp.serving.http.security import EMBED, OEMBED
from webapp.ui import previews
from webapp.ui.previews import A_DAY, tags

share = Blueprint("share", __name__)

QUIET_ZONE: Final = 4
"""The width in modules of the light border around a QR code, as the standard asks."""

_OURS: Final = re.compile(rf"(?:{PLAY}|{EMBED})/([^/]+)")
_PIXELS: Final = re.compile(r"[1-9][0-9]{0,5}")


@dataclass(frozen=True, slots=True)
class Field:
    """A text to copy: its id in the page, its title, and the name of the button that copies it."""

    id: str
    title: str
    copies: str
    text: str


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways to share a game: texts to copy, and the addresses of its QR code and pictures."""

    problems: tuple[str, ...]
    game: str
    url: str
    link: Field
    fields: tuple[Field, ...]
    qr: str
    pictures: dict[str, str]
    embed: str


@share.get(f"{SHARE}/<board>")
def shared(board: str) -> Response:
    """Show the ways to share a game, as a page or in the play page's panel. Replace bad parts of its link."""
    read = asked(board)
    page = _page(read.link, tuple(map(str, read.problems)))
    return make_response(page, 400 if read.problems else 200)


@share.get(f"{SHARE}/<board>/qr.svg")
def qr_code(board: str) -> Response:
    """Draw the QR code of a game's full address. There is none if the server does not know its own name."""
    read, site = asked(board), g.site
    if read.problems:
        return Response(f"{read.problems[0]}\n", 400, mimetype="text/plain")
    if not site:
        return Response("This server does not know the name it is reached by.\n", 404, mimetype="text/plain")
    link = site + read.link.url()
    cache: ByteCache = current_app.extensions["cache"]
    return Response(cache.kept(("qr", link), lambda: qr_drawn(link)), mimetype="image/svg+xml")


def qr_drawn(text: str) -> bytes:
    """Return a text as a QR code. It is dark on light even on a dark page, since many scanners read nothing else."""
    import segno  # noqa: PLC0415 - few pages have one

    out = BytesIO()
    made = segno.make(text, error="m", micro=False, boost_error=False)
    made.save(
        out, kind="svg", border=QUIET_ZONE, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None
    )
    return out.getvalue()


def _page(link: Link, problems: tuple[str, ...]) -> str:
    site = g.site
    dare = challenge(link)
    link = link.having(guest=True)
    shown = link.game.upto(link.at)
    rows = "" if link.rules.vanishes else format_position(shown.last)  # they don't show which stone is the oldest
    columns = shown.columns if link.rules.falls and not shown.positions[0].is_begun else ""
    fields = [
        Field("share-link", "Link", "Copy link", site + link.url()),
        Field(
            "share-dare", "Challenge", "Copy the challenge", f"{words.dare(dare)} {site}{dare.url()}" if dare else ""
        ),
        Field("share-moves", "Moves", "Copy the moves", format_game(shown) if shown.moves else ""),
        Field("share-columns", "Columns", "Copy the columns", columns),
        Field("share-rows", "Position", "Copy the position", rows),
        Field("share-code", "Embed", "Copy the code to embed", code(link, site) if site else ""),
    ]
    ways = Ways(
        problems=problems,
        game=title_of(link),
        url=link.url(),
        link=fields[0],
        fields=tuple(field for field in fields[1:] if field.text),
        qr=link.url(SHARE, "/qr.svg") if site else "",
        pictures={kind.upper(): link.url(file=f".{kind}") for kind in ("png", "svg")},
        embed=link.url(EMBED),
    )
    part = Markup(render_template("_share.html", ways=ways, fragment=wants_fragment()))  # noqa: S704 - a template
    if wants_fragment():
        return part
    told = previews.tags(preview(link, known(link)))
    return render_template("share.html", ways=ways, part=part, preview=told)


@share.get(f"{EMBED}/<board>")
def framed(board: str) -> Response:
    """Show the game of a link in a frame."""
    return shown_at(FRAME, board)


@share.post(f"{EMBED}/<board>")
def move(board: str) -> AnyResponse:
    """Play in the game of the link."""
    return moved_at(FRAME, board)


@share.get(OEMBED)
def described() -> Response:
    """Tell a site in oEmbed's format how to frame the game whose link is in `url`. Raises Refusal."""
    args, site = request.args, g.site
    if args.get("format", "json") != "json":
        raise Refusal(501, "not_implemented", "Not in that format", "This address answers format=json alone.")
    widest, highest = _pixels("maxwidth", card.WIDTH), _pixels("maxheight", card.HEIGHT)
    width, height = min(WIDTH, widest), min(HEIGHT, highest)
    link = _linked(args.get("url", ""), site)
    picture = {"url": site + link.url(file=".png"), "width": card.WIDTH, "height": card.HEIGHT}
    return jsonify(
        version="1.0",
        type="rich",
        provider_name="Noughts",
        provider_url=f"{site}/",
        title=title_of(link),
        html=code(link, site, width, height),
        width=width,
        height=height,
        cache_age=A_DAY,
        **(
            {f"thumbnail_{part}": value for part, value in picture.items()}
            if (widest, highest) == (card.WIDTH, card.HEIGHT)
            else {}
        ),
    )


def _pixels(part: str, most: int) -> int:
    """Return the width or height that a site allows in pixels, `most` at most. Raises Refusal for a bad number."""
    text = request.args.get(part, str(most))
    if not _PIXELS.fullmatch(text):
        raise Refusal(400, "bad_option", "How large?", f"{part}={quoted(text)} isn't a number of pixels.")
    return min(most, int(text))


def _linked(url: str, site: str) -> Link:
    """Return the game that a link of this site leads to. Raises Refusal for any other address."""
    if not url:
        raise Refusal(400, "bad_option", "Which game?", "Say in url= which game's link is meant.")
    try:
        parts = urlsplit(url)
    except ValueError:
        raise Refusal(400, "bad_option", "No address", f"{quoted(url)} is no address.") from None
    found = _OURS.fullmatch(parts.path)
    if not site or f"{parts.scheme}://{parts.netloc}".lower() != site.lower() or found is None:
        raise Refusal(404, "not_found", "Not a game here", "That is not the link of a game on this server.")
    read = read_link(found[1], parts.query)
    if read.problems:
        raise Refusal(404, "not_found", "Not a game here", str(read.problems[0]))
    return read.link


def _draw(shown: Snapshot, fragment: bool, moved: str, problems: Said) -> bytes:
    """Draw a game in a small form for a frame. Its links stay in the frame."""
    link, view = shown.link, game_view(shown, problems, moved)
    title = f"{view.status} · {view.rule} · Noughts"
    question = view.question
    if question:
        question = replace(question, back=question.back._replace(url=link.having(tried=None).url(EMBED)))
    view = view._replace(url=link.url(EMBED), question=question)
    again = link.restarted().url(EMBED)
    game = render_template("_embed.html", game=view, page=link.url(), again=again)
    game = Markup(game)  # noqa: S704 - from a template
    if fragment:
        return Markup("<title>{}</title>\n{}").format(title, game).encode()
    told = tags(preview(link, shown.prediction if link.shows_outcomes else None))
    return render_template("embed.html", title=title, game=game, preview=told).encode()


FRAME: Final = Venue(EMBED, _draw, replaces=True)
"""The frames of other sites. A move there adds no entry to the history of the page around the frame."""
