"""Addresses that people and browsers write otherwise than the pages do: each leads to the page that is meant."""

from typing import Any, Final

from flask import Blueprint, current_app, redirect, request, url_for
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.routing import RequestRedirect
from werkzeug.wrappers import Response

from webapp.serving.http.errors import answer, here

elsewhere = Blueprint("elsewhere", __name__)

MOVED: Final = 308
"""The status of an answer that leads to another address for good, however it was asked for."""


@elsewhere.get("/favicon.ico")
def icon() -> Response:
    """The icon, for browsers that ask for it before they have seen a page."""
    return redirect(url_for("static", filename="favicon.svg"), MOVED)


@elsewhere.app_errorhandler(NotFound)
def lead_on(error: NotFound) -> Any:
    """Leads from an address with slashes at its end to the one without, if there is something."""
    path = request.path.rstrip("/")
    return redirect(here(path), MOVED) if path != request.path and _is_there(path) else answer(error)


def _is_there(path: str) -> bool:
    try:
        current_app.url_map.bind("").match(path, request.method)
    except RequestRedirect:
        return False
    except HTTPException as refused:
        return not isinstance(refused, NotFound)  # there, for another method
    return True
