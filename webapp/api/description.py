"""The description of the API in OpenAPI 3.1, made from the table of calls; its examples are computed."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from werkzeug.datastructures import MultiDict

from solver.errors import NoughtsError
from solver.report import error_report, installed_version
from webapp.api.call import PREFIX, Call, Freshness, Misfit, Parameter, Report, Schema
from webapp.api.calls import CALLS, answer_batch, predictions, read_batch
from webapp.api.shapes import MOST_BYTES, MOST_IN_A_BATCH, SHAPES, named
from webapp.api.table import EXAMPLE, PATH, answer_table, read_table
from webapp.serving.http.errors import code_of, message_to_programs
from webapp.ui.address import Query, with_query

DOCUMENT: Final = f"{PREFIX}/openapi.json"

BATCH: Final[Report] = {"positions": [{"from": "X.O/.X./..O"}, {"board": "2x2x2"}, {"moves": "b2b2"}]}
"""The example of a batch: the last of its positions gets an error."""

TAGS: Final = {
    "Positions": "Where the squares of a position lead, and why.",
    "Players": "What an opponent plays, and if yours is unbeatable.",
    "Games": "What the moves of a game gave away.",
    "Drills": "Positions with a task.",
    "Boards": "Who wins on every board.",
    "This API": "Its description.",
}
"""The groups of the calls, with what each is about."""

_ABOUT: Final = """\
See where every square leads in tic-tac-toe and its bigger relatives, k in a row on a board of columns x rows.

Name the position in each request: the server keeps nothing. You need no account, and can ask from any site.
Where complete is false, not every square is proved yet. What isn't proved is unknown: safe_plies says within how many
plies nobody can win, and pending how to get a fuller answer."""


@cache
def description() -> Report:
    """Return the whole document, made once."""
    return {
        "openapi": "3.1.1",
        "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
        "info": {
            "title": "Noughts",
            "version": installed_version() or "0",
            "description": _ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": about} for name, about in TAGS.items()],
        "paths": {call.path: _path(call) for call in CALLS}
        | {PATH: {"post": _proof()}, DOCUMENT: {"get": _OF_DOCUMENT}},
        "components": {"schemas": dict(SHAPES), "headers": _HEADERS, "responses": _refusals()},
    }


def _path(call: Call[Any]) -> Report:
    path = {"get": _operation(call)}
    return path | {"post": _batch()} if call is predictions else path


def _operation(call: Call[Any]) -> Report:
    return {
        "operationId": call.name,
        "tags": [call.tag],
        "summary": call.title,
        "description": call.purpose,
        "parameters": [_parameter(each) for each in call.parameters],
        "responses": {
            "200": _answer("The answer.", call.shape, call.answer(call.asked_by(call.example)).report),
            "304": {"description": "You have this answer already: nothing has changed since the one in If-None-Match."},
            **_refused(400, 409, 414, 429, 503),
        },
        "x-example": with_query(call.path, call.example),
    }


def _parameter(parameter: Parameter) -> Report:
    described = {
        "name": parameter.name,
        "in": "query",
        "required": parameter.required,
        "description": parameter.about,
        "schema": parameter.schema,
        "example": int(parameter.example) if parameter.schema["type"] == "integer" else parameter.example,
    }
    return described if parameter.required else described | {"allowEmptyValue": True}


def _batch() -> Report:
    return {
        "operationId": "predictMany",
        "tags": [predictions.tag],
        "summary": "Many positions at once",
        "description": f"Ask about up to {MOST_IN_A_BATCH} positions in one request. Each gets its own prediction or"
        " its own error. They share a few seconds of search, so a large batch may prove less of each.",
        "requestBody": _body("Batch", BATCH),
        "responses": {
            "200": _answer("The answers.", "Predictions", answer_batch(read_batch(json.dumps(BATCH).encode()))),
            **_refused(400, 411, 413, 415, 429, 503),
        },
    }


def _proof() -> Report:
    return {
        "operationId": "prove",
        "tags": ["Players"],
        "summary": "Is your bot unbeatable?",
        "description": "Send its move in every position it can meet. You get a proof that nobody beats it, or the"
        " shortest game that does.",
        "requestBody": _body("Table", EXAMPLE),
        "responses": {
            "200": _answer("The verdict.", "Proof", answer_table(read_table(json.dumps(EXAMPLE).encode()))),
            **_refused(400, 409, 411, 413, 415, 429, 503),
        },
    }


def _body(shape: str, example: Report) -> Report:
    return {
        "required": True,
        "description": f"No more than {MOST_BYTES:,} bytes.",
        "content": {"application/json": {"schema": named(shape), "example": example}},
    }


def _answer(about: str, shape: str, example: Report) -> Report:
    return {
        "description": about,
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in _HEADERS},
        "content": {"application/json": {"schema": named(shape), "example": example}},
    }


_HEADERS: Final[Mapping[str, Schema]] = {
    "ETag": {
        "description": "A tag of the answer. Send it back in If-None-Match, and you get 304 if nothing has changed.",
        "schema": {"type": "string"},
    },
    "Cache-Control": {
        "description": f"`{Freshness.LASTING}` if all is proved or fixed by a seed; `{Freshness.CHECKED}` if more may"
        f" be proved; `{Freshness.NEVER}` if chance decides each time, and for a batch.",
        "schema": {"type": "string"},
    },
    "Access-Control-Allow-Origin": {
        "description": "You can read the answer from any site.",
        "required": True,
        "schema": {"const": "*"},
    },
}

_OF_DOCUMENT: Final[Report] = {
    "operationId": "description",
    "tags": ["This API"],
    "summary": "This document",
    "description": "The description of the API in OpenAPI.",
    "responses": {
        "200": {
            "description": "The document.",
            "content": {
                "application/json": {
                    "schema": {"type": "object", "required": ["openapi", "info", "paths", "components"]}
                }
            },
        },
        "304": {"description": "You have this document already."},
    },
}

_REFUSED: Final[Mapping[int, tuple[Query, ...]]] = {
    400: ({"board": "9x9x9"}, {"position": "X.O/.X./..O"}),
    409: ({"moves": "b2b2"},),
}
"""The queries of predictions that are refused, by status."""

_WHY: Final = {
    400: "Something is unknown, missing, given twice, or badly written.",
    409: "The parts don't fit together: the square is taken, the rows belong to another board, no game reaches the"
    " position, or the opponent doesn't play on this board.",
    411: "The request doesn't say how long it is.",
    413: "The body has too many bytes.",
    414: "The address is too long.",
    415: "The Content-Type isn't JSON.",
    429: "You ask for more than your share. Try again after the seconds in Retry-After.",
    503: "The server is busy. Try again after the seconds in Retry-After.",
}


def _refusals() -> Report:
    return {_name(status): _refusal(status, why) for status, why in _WHY.items()}


def error_examples(status: int) -> Report:
    """Return errors of a status, by a request that gets them where the request alone decides."""
    if status in _REFUSED:
        return {with_query(predictions.path, query): _error_of(query) for query in _REFUSED[status]}
    told = error_report(code_of(status), message_to_programs(status))
    if status in (429, 503):
        told["error"] |= {"retry_after": 5, "request_id": "3f9c-1a"}
    return {told["error"]["code"]: told}


def _error_of(query: Query) -> Report:
    try:
        predictions.asked(MultiDict(query))
    except Misfit as misfit:
        return error_report(misfit.error.code, str(misfit))
    except NoughtsError as error:
        return error_report(error.code, str(error))
    raise AssertionError(f"{query} is no mistake")


def _refusal(status: int, why: str) -> Report:
    examples = {name: {"value": value} for name, value in error_examples(status).items()}
    shown = {"schema": named("Error"), "examples": examples}
    after = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}} if status in (429, 503) else {}
    return {"description": why, "content": {"application/json": shown}} | ({"headers": after} if after else {})


def _refused(*statuses: int) -> Report:
    return {str(status): {"$ref": f"#/components/responses/{_name(status)}"} for status in statuses}


def _name(status: int) -> str:
    return f"Error{status}"
