"""Errors that are no game's: unknown pages, refused or broken requests, in the look of the pages or as JSON."""

from typing import Any

from flask import Flask, Response, make_response, render_template, request
from werkzeug.exceptions import HTTPException, InternalServerError

from webapp import htmx
from webapp.api import error_object

_WORDS = {
    400: ("bad_request", "That cannot be read", "Open the game here and play on."),
    403: ("refused", "Refused", "That came from another site. Open the game here and play on."),
    404: ("not_found", "No such page", "There is nothing at this address. A game's address begins with /play/."),
    405: ("method_not_allowed", "Not that way", "This address does not take that kind of request."),
    411: ("length_required", "How long is it?", "Send the form with its length."),
    413: ("too_large", "Too much", "A move is a few letters; that was far more."),
    500: ("internal", "Something broke here", "That is our fault. Your game is in the link: go back and try again."),
}


def init_app(app: Flask) -> None:
    """Has the application answer every HTTP error this way."""
    app.register_error_handler(HTTPException, answer)


def answer(error: HTTPException) -> Any:
    """A page, a fragment for htmx, or an error object for the addresses that programs use."""
    original = error if error.code is not None else InternalServerError()
    status = original.code or 500
    code, title, message = _WORDS.get(status, ("http_error", original.name, "The request cannot be answered."))
    if request.path.startswith("/api") or request.path == "/healthz":
        response = make_response(error_object(code, message), status)
    else:
        response = _page(title, message, status)
    for name, value in original.get_headers(request.environ):
        if name in ("Allow", "Location"):
            response.headers[name] = value
    return response


def _page(title: str, message: str, status: int) -> Response:
    """The error's page, with the way back to the game whose link was asked for, if it was one."""
    template = "_error.html" if htmx.wants_fragment() else "error.html"
    is_game = request.url_rule is not None and "board" in request.url_rule.arguments
    back = request.full_path.rstrip("?") if is_game else "/"
    return make_response(render_template(template, title=title, message=message, back=back), status)
