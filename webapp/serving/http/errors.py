"""HTTP errors, such as unknown pages and refused requests, as a page or as JSON."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Self, TypeAlias
from urllib.parse import quote

from flask import Response, make_response, render_template, request
from werkzeug.exceptions import HTTPException, InternalServerError, MethodNotAllowed

from solver.report import error_report
from webapp.serving.http.answers import PROBES, wants_fragment

REQUEST_ID: Final = "noughts.request_id"
"""The key of a request's id in the WSGI environment. Log lines about a request have its id too."""

LIVE_GAME: Final = "/live/<name>"
"""The URL rule of live games."""

Words: TypeAlias = tuple[str, str, str]
"""An error's code for programs, its title and its message."""

_CONTENT: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

_WORDS: Final[dict[int, Words]] = {
    int(status): (words["code"], words["title"], words["message"]) for status, words in _CONTENT["statuses"].items()
}


class TryLater(HTTPException):
    """An error with the seconds after which another try is worthwhile; 0 if waiting does not help."""

    def __init__(self, retry_after: int) -> None:
        super().__init__()
        self.retry_after = retry_after

    def get_headers(self, *arguments: Any, **options: Any) -> list[tuple[str, str]]:
        """Return the headers of the response, with `Retry-After`."""
        later = [("Retry-After", str(self.retry_after))] if self.retry_after else []
        return [*super().get_headers(*arguments, **options), *later]


class Refusal(TryLater):
    """An error with its own code and message in place of those of its status."""

    def __init__(self, status: int, code: str, title: str, message: str, retry_after: int = 0) -> None:
        super().__init__(retry_after)
        self.code = status
        self.words: Words = (code, title, message)

    @classmethod
    def called(cls, code: str, retry_after: int = 0, **parts: str) -> Self:
        """Return the refusal of a code in `errors.toml`, with the parts in its message."""
        words = _CONTENT["refusals"][code]
        return cls(words["status"], code, words["title"], words["message"].format(**parts), retry_after)


class Busy(TryLater):
    """The server is too busy for this request now."""

    code = 503


class ClientDisconnected(HTTPException):
    """The client has disconnected before the response. The status is nginx's for this case."""

    code = 499


def code_of(status: int) -> str:
    """Return the error code that programs get for a status."""
    return _WORDS[status][0]


def message_of(status: int, to_programs: bool = True) -> str:
    """Return what goes with a status, to programs or to people."""
    words: dict[str, str] = _CONTENT["statuses"][str(status)]
    return words.get("to_programs", words["message"]) if to_programs else words["message"]


def answer(error: HTTPException) -> Any:
    """Return an error's page, its fragment for htmx, or an error object at addresses for programs."""
    original = error if error.code is not None else InternalServerError()
    status = original.code or 500
    words = _WORDS.get(status, ("http_error", original.name, "That didn't work."))
    if isinstance(original, Refusal):
        words = original.words
    response = (_json if _is_for_programs() else _page)(words, status, original)
    for name, value in original.get_headers(request.environ):
        if name in ("Allow", "Location", "Retry-After"):
            response.headers[name] = value
    return response


def _is_for_programs() -> bool:
    return request.path.startswith("/api/") or request.path in {*PROBES, "/oembed"}


def _json(words: Words, status: int, error: HTTPException) -> Response:
    code, _, message = words
    if isinstance(error, Busy):
        message = f"The server is busy. Try again in {_seconds(error)}."
    elif isinstance(error, MethodNotAllowed) and error.valid_methods:
        message = f"{request.method} doesn't work here. Use {' or '.join(sorted(error.valid_methods))}."
    elif not isinstance(error, Refusal) and status in _WORDS and request.path.startswith("/api/"):
        message = message_of(status)
    later = error.retry_after if isinstance(error, TryLater) else 0
    return make_response(error_object(code, message, later, request.environ), status)


def error_object(code: str, message: str, retry_after: int, environ: Mapping[str, Any]) -> dict[str, Any]:
    """Return the object of an error, with the request's id and the seconds after which to try again, if any."""
    report = error_report(code, message)
    more = {"retry_after": retry_after, "request_id": environ.get(REQUEST_ID)}
    report["error"].update({name: value for name, value in more.items() if value})
    return report


def _page(words: Words, status: int, error: HTTPException) -> Response:
    """Return the error's page, with a link back to the game if the request was for one.

    If the server is busy, the page offers to try again. A whole page that was requested by GET reloads itself.
    """
    _, title, message = words
    fragment = wants_fragment()
    rule = request.url_rule
    is_game = rule is not None and ("board" in rule.arguments or (rule.rule == LIVE_GAME and status != 404))
    is_asked_for = request.method in ("GET", "HEAD")
    back, way, refresh = "/", "Start a game", 0
    if is_game:
        back, way = here(request.path), "Back to the game"
    if isinstance(error, Busy):
        if is_asked_for:
            back = here(request.path)
        if is_asked_for or is_game:
            way = "Try again"
        by_itself = is_asked_for and not fragment
        refresh = error.retry_after if by_itself else 0
        again = "This page tries again by itself" if by_itself else "Try again"
        message = f"The server is busy. {again} in {_seconds(error)}."
    template = "_error.html" if fragment else "error.html"
    told = {"title": title, "message": message, "back": back, "way": way, "refresh": refresh}
    return make_response(render_template(template, request_id=request.environ.get(REQUEST_ID, ""), **told), status)


def here(path: str) -> str:
    """Return the address of a path on this server with the query of the request."""
    query = request.query_string.decode("ascii", "replace")
    return "/" + quote(path.lstrip("/")) + (f"?{query}" if query else "")


def _seconds(busy: Busy) -> str:
    return f"{busy.retry_after} second{'s' if busy.retry_after != 1 else ''}"
