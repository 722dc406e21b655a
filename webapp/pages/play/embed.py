"""A small board for the frames of other sites: the game of the same links, and messages to the page around it."""

import re
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Blueprint, Response, jsonify, render_template, request
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from solver.board.notation import quoted
from solver.pictures import card
from webapp.pages.play import words
from webapp.pages.play.framing import HEIGHT, WIDTH, code, title_of
from webapp.pages.play.link import PLAY, Link, read_link
from webapp.pages.play.preview import preview
from webapp.pages.play.routes import Said, Venue, moved_at, shown_at, square_html
from webapp.pages.play.snapshot import Snapshot
from webapp.pages.play.view import game_context
from webapp.serving.http.errors import Refusal
from webapp.serving.http.security import EMBED, OEMBED, site_shown
from webapp.ui.previews import A_DAY, tags

embed = Blueprint("embed", __name__)

_OURS: Final = re.compile(rf"(?:{PLAY}|{EMBED})/([^/]+)")
_PIXELS: Final = re.compile(r"[1-9][0-9]{0,5}")


@embed.get(f"{EMBED}/<board>")
def framed(board: str) -> Response:
    """The game of a link."""
    return shown_at(FRAME, board)


@embed.post(f"{EMBED}/<board>")
def move(board: str) -> AnyResponse:
    """Plays in the game of the link."""
    return moved_at(FRAME, board)


@embed.get(OEMBED)
def described() -> Response:
    """How a site frames the game whose link is in `url`, as oEmbed has it. Raises Refusal for what is none."""
    asked, site = request.args, site_shown()
    if asked.get("format", "json") != "json":
        raise Refusal(501, "not_implemented", "Not in that format", "This address answers format=json alone.")
    widest, highest = _pixels("maxwidth", card.WIDTH), _pixels("maxheight", card.HEIGHT)
    width, height = min(WIDTH, widest), min(HEIGHT, highest)
    link = _linked(asked.get("url", ""), site)
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
        **(_thumbnail(link, site) if (widest, highest) == (card.WIDTH, card.HEIGHT) else {}),
    )


def _thumbnail(link: Link, site: str) -> dict[str, Any]:
    """The game's picture, for a site with room for it."""
    return {
        "thumbnail_url": site + link.url(file=".png"),
        "thumbnail_width": card.WIDTH,
        "thumbnail_height": card.HEIGHT,
    }


def _pixels(part: str, most: int) -> int:
    """The room that somebody has, up to the most that is needed. Raises Refusal."""
    text = request.args.get(part, str(most))
    if not _PIXELS.fullmatch(text):
        raise Refusal(400, "bad_option", "How large?", f"{part}={quoted(text)} is no number of pixels.")
    return min(most, int(text))


def _linked(url: str, site: str) -> Link:
    """The game that a link of this site leads to. Raises Refusal."""
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
    """The game with what there is room for in a frame, as the play page has it but for its addresses."""
    context = game_context(shown, problems, moved)
    link = shown.link
    here: dict[str, Any] = {
        "url": link.url(EMBED),
        "page": link.url(),
        "again": link.restarted().url(EMBED),
        "title": f"{words.status(link)} · {words.rule(link.rules)} · Noughts",
    }
    if question := context["question"]:
        back = replace(question["back"], url=link.having(tried=None).url(EMBED))
        here["question"] = question | {"back": back}
    game = Markup(render_template("_embed.html", **context | here, square=square_html))  # noqa: S704 - from a template
    if fragment:
        return Markup("<title>{}</title>\n{}").format(here["title"], game).encode()
    told = tags(preview(link, shown.prediction if link.shows_outcomes else None))
    return render_template("embed.html", title=here["title"], game=game, preview=told).encode()


FRAME: Final = Venue(EMBED, _draw, replaces=True)
"""The frames of other sites. What is played there is no entry of the history of the page around it."""
