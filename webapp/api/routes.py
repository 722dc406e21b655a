"""The addresses of the API: every call, the document, and the page that shows it to people.

The page says what each call is for, and has an example to open and clients to copy.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, Response, abort, current_app, g, jsonify, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from solver.errors import NoughtsError
from solver.proofs.predict import predict
from solver.report import Report
from webapp.api.call import CONTENT, MOST_BYTES, BodyCall, Call, Freshness, Misfit, Operation
from webapp.api.calls import OPERATIONS, predictions
from webapp.api.description import DOCUMENT, description
from webapp.serving.http.errors import Refusal, error_object
from webapp.serving.pool.asking import made_by_the_pool
from webapp.ui.address import with_query
from webapp.ui.board import Mini, of_outcomes
from webapp.ui.previews import kept_page

WIDTH: Final = 80
"""The most characters of a line of JSON, unless a single value is longer."""

UNPROVED: Final = with_query(predictions.path, {"board": "8x8x5", "moves": "a1h8"})
"""A request for a position with few proved squares."""

LOCAL_SERVER: Final = "http://127.0.0.1:8000"
"""The placeholder for the server in the clients' code. The page puts its own server there."""


@dataclass(frozen=True, slots=True)
class ApiView:
    """The page: the calls, the statuses of errors with their meaning, and a picture of the first call's answer."""

    document: str
    calls: tuple[Operation[Any, Any], ...]
    refusals: tuple[tuple[str, str], ...]
    picture: Mini
    unproved: str
    clients: Mapping[str, str]


def api_view(document: Report, site: str) -> ApiView:
    """Make the page that shows a document. The clients on it use the server at the address `site`."""
    responses = document["components"]["responses"]
    return ApiView(
        document=DOCUMENT,
        calls=OPERATIONS,
        refusals=tuple((name.removeprefix("Error"), response["description"]) for name, response in responses.items()),
        picture=_picture(),
        unproved=UNPROVED,
        clients={language: text.replace(LOCAL_SERVER, site) for language, text in CONTENT["clients"].items()},
    )


def _picture() -> Mini:
    position = predictions.question_by(predictions.example).last
    return of_outcomes(position, predict(position).squares)


def pretty(value: Any, indent: int = 0, begun: int = 0) -> str:
    """Format JSON with line breaks. A value that fits into one line stays on it.

    `indent` and `begun` together are the number of characters in front of the first line.

    >>> print(pretty({"squares": {"a1": {"outcome": "draw", "plies": 9}}, "best": ["a1"]}))
    {"squares": {"a1": {"outcome": "draw", "plies": 9}}, "best": ["a1"]}
    """
    line = json.dumps(value, ensure_ascii=False)
    if indent + begun + len(line) <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    deeper = indent + 2
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {pretty(part, deeper, len(name) + 4)}" for name, part in value.items()]
    else:
        parts = [pretty(part, deeper) for part in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    lines = f",\n{' ' * deeper}".join(parts)
    return f"{opening}\n{' ' * deeper}{lines}\n{' ' * indent}{closing}"


api = Blueprint("api", __name__)

PREFLIGHT_SECONDS: Final = 86_400
"""Seconds for which a browser may remember the answer to a preflight request."""

DOCUMENT_KEEPING: Final = "public, max-age=3600"
"""`Cache-Control` of the document, which changes with the installed version."""


def _get(call: Call[Any, Any]) -> Callable[[], AnyResponse | str]:
    def answer() -> AnyResponse | str:
        question = call.question(request.args)

        def respond() -> Response:
            report, keeping = call.answer(question)
            g.open_to_more = keeping is not Freshness.LASTING
            return _with_keeping(jsonify(report), keeping)

        return made_by_the_pool(respond)() if call.expensive(question) else respond()

    return answer


def _post(call: BodyCall[Any, Any]) -> Callable[[], Response]:
    def answer() -> Response:
        if request.mimetype != "application/json":
            abort(415)
        request.max_content_length = MOST_BYTES
        if (request.content_length or 0) > MOST_BYTES:
            raise Refusal(413, "too_large", "Too much", call.too_much)
        report, keeping = call.answer(call.question(request.get_data()))
        return _with_keeping(jsonify(report), keeping)

    return answer


for call in OPERATIONS:
    view = _get(call) if isinstance(call, Call) else _post(call)
    api.add_url_rule(call.path, call.name, view, methods=[call.method])


@api.before_request
def take_all_from_the_body() -> None:
    """Refuse a POST whose address has a query too, which would be ignored."""
    if request.method == "POST" and request.args:
        raise Misfit("Send everything in the body: the address of a POST takes no parameters.")


@api.get(DOCUMENT)
def document() -> Response:
    """Serve the description of all calls for programs, in OpenAPI."""
    written = kept_page("openapi", (), lambda: current_app.json.dumps(description()))
    return _with_keeping(Response(written, mimetype="application/json"), DOCUMENT_KEEPING)


@api.get("/api")
def for_programs() -> Response:
    """Show the description to people, with examples to open and clients to copy."""
    site = g.site or LOCAL_SERVER
    return make_response(
        kept_page("api", site, lambda: render_template("api.html", view=api_view(description(), site), pretty=pretty))
    )


@api.errorhandler(Misfit)
def badly_written(misfit: Misfit) -> Response:
    """Refuse a request that breaks the description of the API."""
    return make_response(error_object(misfit.code, str(misfit), 0, request.environ), 400)


@api.errorhandler(NoughtsError)
def not_to_be_answered(error: NoughtsError) -> Response:
    """Refuse a request that is well written but impossible, such as a taken square."""
    return make_response(error_object(error.code, str(error), 0, request.environ), 409)


@api.after_request
def tell_other_sites(response: Response) -> Response:
    """Tell a browser that asks with OPTIONS what the pages of other sites may send here."""
    if request.method == "OPTIONS":
        response.headers["Access-Control-Allow-Methods"] = response.headers.get("Allow", "GET, HEAD, OPTIONS")
        response.headers["Access-Control-Allow-Headers"] = "Content-Type, If-None-Match"
        response.headers["Access-Control-Max-Age"] = str(PREFLIGHT_SECONDS)
    return response


def _with_keeping(response: Response, keeping: str) -> Response:
    response.headers["Cache-Control"] = keeping
    return response
