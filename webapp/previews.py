"""What links show before they are opened: the answer that is a page's picture."""

from typing import Final

from flask import Response, current_app, request

from solver.errors import NoughtsError
from solver.pictures.card import Card
from solver.pictures.mosaic import Mosaic
from webapp.cache import ByteCache
from webapp.compression import DigestedResponse, digest_of
from webapp.gating import rastered

A_DAY: Final = 86_400
"""Seconds for which a picture is good that stays the same; another version of the program may draw it otherwise."""

A_MINUTE: Final = 60
"""Seconds for which one is good of which more may be proved."""

FOR_ANY_SITE: Final = {"Cross-Origin-Resource-Policy": "cross-origin"}
"""Pictures are made to be shown on other sites' pages."""


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
    key = ("png", digest)
    kept = cache.get(key)
    if kept is None:
        kept = rastered(mosaic)
        cache.put(key, kept)
    return kept


def refused(error: NoughtsError, status: int = 400) -> Response:
    """Why there is no such picture."""
    return Response(f"{error}\n", status, mimetype="text/plain")
