"""Errors that are no game's: unknown pages, refused or broken requests, in the look of the pages or as JSON."""

from typing import Any

from flask import Flask, Response, make_response, render_template, request
from werkzeug.exceptions import HTTPException, InternalServerError

from webapp import htmx
from webapp.api import error_object

_WORDS = {
    403: ("Refused", "That came from another site. Open the game here and play on."),
    404: ("No such page", "There is nothing at this address. A game's address begins with /play/."),
    405: ("Not that way", "This address does not take that kind of request."),
    413: ("Too much", "A move is a few letters; that was far more."),
    500: ("Something broke here", "That is our fault. Your game is in the link: go back and try again."),
}


def init_app(app: Flask) -> None:
    """Has the application answer every HTTP error this way."""
    app.register_error_handler(HTTPException, answer)


def answer(error: HTTPException) -> Any:
    """A page, a fragment for htmx, or an error object for the API."""
    original = error if error.code is not None else InternalServerError()
    status = original.code or 500
    title, message = _WORDS.get(status, (original.name, original.description or "The request cannot be answered."))
    if request.path.startswith("/api/"):
        response = make_response(error_object(title.lower().replace(" ", "_"), message), status)
    else:
        response = _page(title, message, status)
    for name, value in original.get_headers(request.environ):
        if name == "Allow":
            response.headers[name] = value
    return response


def _page(title: str, message: str, status: int) -> Response:
    fragment = htmx.wants_fragment()
    template = "_error.html" if fragment else "error.html"
    back = request.full_path.rstrip("?") if request.path.startswith("/play/") else "/"
    return make_response(render_template(template, title=title, message=message, back=back), status)
