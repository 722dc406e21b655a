"""Redirects from near misses of an address to the page that was meant."""

from typing import Any, Final

from flask import Blueprint, current_app, redirect, request, url_for
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.routing import RequestRedirect
from werkzeug.wrappers import Response

from webapp.serving.http.errors import answer, here

elsewhere = Blueprint("elsewhere", __name__)

MOVED: Final = 308
"""The status of a permanent redirect, which keeps the method of the request."""


@elsewhere.get("/favicon.ico")
def icon() -> Response:
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
