"""Link previews: the title, the description and the picture of a page, as other programs show them beside its link."""

from dataclasses import dataclass
from typing import Final

from flask import Response, current_app, g, request
from markupsafe import Markup

from solver.errors import NoughtsError
from solver.pictures.card import HEIGHT, WIDTH, Card
from solver.pictures.mosaic import Mosaic
from webapp.serving.http.cache import ByteCache
from webapp.serving.http.compression import DigestedResponse, digest_of
from webapp.serving.http.security import site_shown
from webapp.serving.pool.gating import rastered

A_DAY: Final = 86_400
"""Seconds for which a picture is good that stays the same; another version of the program may draw it otherwise."""

A_MINUTE: Final = 60
"""Seconds for which one is good of which more may be proved."""

FOR_ANY_SITE: Final = {"Cross-Origin-Resource-Policy": "cross-origin"}
"""Pictures are made to be shown on other sites' pages."""


PLACE: Final = b"<!-- preview -->"
"""Stands for the host in a page that is kept for all hosts."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What is told of a page: `path` is the address that it is known by, `picture` that of its picture."""

    title: str
    description: str
    path: str
    picture: str


def tags(preview: Preview) -> Markup:
    """The elements of a page's head that tell it. Full addresses are there where the host may be named."""
    template = current_app.jinja_env.get_template("_preview.html")
    told = template.render(preview=preview, site=site_shown(), width=WIDTH, height=HEIGHT)
    return Markup(told)  # noqa: S704 - from a template


def told(page: Response, preview: Preview) -> Response:
    """A page that has left room for it, with what is told of it, unless it is made for another process to do that."""
    if not g.get("for_others", False):
        page.set_data(page.get_data().replace(PLACE, tags(preview).encode(), 1))
    return page


def answer(card: Card, kind: str, settled: bool) -> Response:
    """The picture as `svg` or `png`; `settled` says that it will look the same whenever it is asked for.

    Its tag comes of its contents, so that a picture that somebody has already is not drawn.
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
    return cache.kept(("png", digest), lambda: rastered(mosaic))


def refused(error: NoughtsError, status: int = 400) -> Response:
    """Why there is no such picture."""
    return Response(f"{error}\n", status, mimetype="text/plain")
