"""Cached pages and their link previews.

A cached page has no mistakes of an address, no settings of the visitor's game and no preview. They have too many
variants to be cached, so they are written into a copy of the page. A preview is the title, the description and the
picture of a page, which other programs show beside its link.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from flask import Response, current_app, g, request
from markupsafe import Markup

from solver.board.outcome import Outcome
from solver.errors import NoughtsError
from solver.pictures.card import HEIGHT, WIDTH, Card
from solver.pictures.mosaic import Mosaic
from solver.proofs.prediction import Prediction
from webapp.serving.http.answers import ByteCache, DigestedResponse, digest_of
from webapp.serving.pool.asking import do

PROBLEMS: Final = b"<!-- problems -->"
"""The placeholder in templates for mistakes in the address."""

SETTINGS: Final = b"<!-- settings -->"
"""The placeholder in forms for the settings of a game."""

_CARRIED: Final = re.compile(rb"(\?|&amp;)carried=([a-z=]*)")


def kept_page(name: str, shown: object, make: Callable[[], str]) -> bytes:
    """Return a page from the cache, or make it. It depends only on its name and on the `repr` of `shown`."""
    cache: ByteCache = current_app.extensions["cache"]
    return cache.kept((name, digest_of(repr(shown).encode())), lambda: make().encode())


def proved_so_far(predictions: Iterable[Prediction]) -> tuple[Outcome, ...]:
    """Return the outcomes on boards without a table, as part of a page's key: later proofs may change them."""
    changing = (prediction for prediction in predictions if not prediction.position.rules.is_small)
    return tuple(outcome for prediction in changing for outcome in prediction.squares.values())


def with_problems(page: bytes, problems: Iterable[str]) -> bytes:
    """Write the mistakes in a page's address into the page."""
    said = (Markup('<p class="problem" role="alert">{}</p>\n').format(problem) for problem in problems)
    return page.replace(PROBLEMS, "".join(said).encode(), 1)


def carrying(url: str, otherwise: str = "") -> str:
    """Return an address with a placeholder for a game's settings. Without settings, `otherwise` takes its place."""
    return f"{url}{'&' if '?' in url else '?'}carried={otherwise}"


def with_settings(page: bytes, settings: Mapping[str, str]) -> bytes:
    """Write the settings of a game, if any, into the links and forms of a page."""
    text = "&amp;".join(f"{name}={value}" for name, value in settings.items()).encode()  # none of it needs quoting
    page = _CARRIED.sub(lambda found: found[1] + carried if (carried := text or found[2]) else b"", page)
    fields = (Markup('<input type="hidden" name="{}" value="{}">').format(*each) for each in settings.items())
    return page.replace(SETTINGS, "".join(fields).encode())


A_DAY: Final = 86_400
"""Seconds to keep a final picture. A later version of Noughts may draw it differently."""

A_MINUTE: Final = 60
"""Seconds to keep a picture of a position that is not proved yet."""

FOR_ANY_SITE: Final = {"Cross-Origin-Resource-Policy": "cross-origin"}
"""The header that lets other sites show a picture."""

PLACEHOLDER: Final = b"<!-- preview -->"
"""The placeholder for a preview in a cached page. The page is the same for all hosts, but its preview names one."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a page: `path` is the address of the page, and `picture` the address of its picture."""

    title: str
    description: str
    path: str
    picture: str


def tags(preview: Preview, oembed: str = "") -> Markup:
    """Render a preview as elements of a page's head, with full addresses if the host may be named.

    `oembed` is the address at which a game is described for other sites.
    """
    template = current_app.jinja_env.get_template("_preview.html")
    rendered = template.render(preview=preview, site=g.site, oembed=oembed, width=WIDTH, height=HEIGHT)
    return Markup(rendered)  # noqa: S704 - from a template


def with_preview(page: Response, preview: Preview) -> Response:
    """Fill the placeholder of a page. Leave it in a page for another process, which fills it itself."""
    if not g.get("for_others", False):
        page.set_data(page.get_data().replace(PLACEHOLDER, tags(preview).encode(), 1))
    return page


def answer(card: Card, kind: str, settled: bool) -> Response:
    """Answer with a picture as `svg` or `png`. A `settled` picture no longer changes.

    The ETag is made from the SVG, so that a PNG is drawn only if the browser has no current copy.
    """
    mosaic = card.mosaic()
    svg = mosaic.svg().encode()
    digest = digest_of(svg)
    if kind == "svg":
        found: Response = DigestedResponse(svg, digest, mimetype="image/svg+xml")
    else:
        found = Response(mimetype="image/png")
        found.set_etag(digest.hex())
        if found.make_conditional(request).status_code == 200:
            found.set_data(_png(mosaic, digest))
    found.headers.extend({"Cache-Control": f"public, max-age={A_DAY if settled else A_MINUTE}"} | FOR_ANY_SITE)
    return found


def _png(mosaic: Mosaic, digest: bytes) -> bytes:
    cache: ByteCache = current_app.extensions["cache"]
    return cache.kept(("png", digest), lambda: bytes(do(draw_png, mosaic)))


def draw_png(mosaic: Mosaic) -> tuple[bytes, bool]:
    """Return a picture as PNG: a task of the pool. The process that asks caches it under the picture's digest."""
    return mosaic.png(), False


def refused(error: NoughtsError, status: int = 400) -> Response:
    """Answer with the reason why there is no such picture."""
    return Response(f"{error}\n", status, mimetype="text/plain")
