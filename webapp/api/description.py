"""The description of the API in OpenAPI 3.1, made from the calls and the structs of their answers.

Its examples are computed.
"""

from collections.abc import Mapping
from functools import cache
from pkgutil import resolve_name
from typing import Any, Final

from msgspec.json import schema_components
from werkzeug.datastructures import MultiDict

import solver
from solver.errors import NoughtsError
from solver.report import BoardText, ErrorReport, MarkText, PositionText, Report, SquareText, error_report
from webapp.api.call import MOST_BYTES, PREFIX, BodyCall, Call, Freshness, Operation, Schema, named
from webapp.api.calls import OPERATIONS, predictions
from webapp.serving.http.errors import code_of, message_of
from webapp.ui.address import Query, with_query

DOCUMENT: Final = f"{PREFIX}/openapi.json"

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
            "version": solver.__version__ or "0",
            "description": _ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": about} for name, about in TAGS.items()],
        "paths": _paths(),
        "components": {"schemas": _schemas(), "headers": _HEADERS, "responses": _refusals()},
    }


def _paths() -> Report:
    paths: dict[str, Report] = {}
    for call in OPERATIONS:
        paths.setdefault(call.path, {})[call.method.lower()] = _get(call) if isinstance(call, Call) else _post(call)
    return paths | {DOCUMENT: {"get": _OF_DOCUMENT}}


def _get(call: Call[Any, Any]) -> Report:
    unchanged = {"description": "You have this answer already: nothing has changed since the one in If-None-Match."}
    return {
        **_beginning(call),
        "parameters": [_parameter(call, name, schema) for name, schema in call.parameters.items()],
        "responses": {"200": _answer("The answer.", call), "304": unchanged} | _refusals_of(400, 409, 414, 429, 503),
        "x-example": call.example_url,
    }


def _post(call: BodyCall[Any, Any]) -> Report:
    return {
        **_beginning(call),
        "requestBody": {
            "required": True,
            "description": f"No more than {MOST_BYTES:,} bytes.",
            "content": {"application/json": {"schema": named(_name(call.asked.__name__)), "example": call.example}},
        },
        "responses": {"200": _answer(call.told, call)}
        | _refusals_of(*sorted((400, 411, 413, 415, 429, 503, *call.refused))),
    }


def _beginning(call: Operation[Any, Any]) -> Report:
    return {"operationId": call.name, "tags": [call.tag], "summary": call.title, "description": call.purpose}


def _parameter(call: Call[Any, Any], name: str, schema: Schema) -> Report:
    required = name in call.required
    (example,) = schema["examples"]
    described = {
        "name": name,
        "in": "query",
        "required": required,
        "description": schema["description"],
        "schema": {key: value for key, value in schema.items() if key not in ("description", "examples")},
        "example": int(example) if schema["type"] == "integer" else example,
    }
    return described if required else described | {"allowEmptyValue": True}


def _answer(about: str, call: Operation[Any, Any]) -> Report:
    return {
        "description": about,
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in _HEADERS},
        "content": {"application/json": {"schema": named(_name(call.shape.__name__)), "example": call.example_answer}},
    }


def _schemas() -> dict[str, Schema]:
    """Return all schemas by name: of the texts and structs in answers, and of bodies."""
    texts, _ = schema_components([BoardText, PositionText, SquareText, MarkText])
    bodies = [call.asked for call in OPERATIONS if isinstance(call, BodyCall)]
    shapes = [*(call.shape for call in OPERATIONS), ErrorReport, *bodies]
    _, structs = schema_components(shapes, ref_template=named("{name}")["$ref"])
    return {
        **{text.pop("title"): text for text in texts},
        **{_name(name): _of_struct(schema) for name, schema in structs.items()},
    }


def _of_struct(schema: Schema) -> Schema:
    about = " ".join(schema["description"].split())
    tidy: Schema = _tidy({**schema, "title": None, "description": about})
    return tidy


def _name(struct: str) -> str:
    return struct.removesuffix("Report").removesuffix("Asked")


def _tidy(schema: Any) -> Any:
    """Return a schema with its texts and structs as references by name, and with null as one more type."""
    match schema:
        case [*schemas]:
            return [_tidy(schema) for schema in schemas]
        case {"title": str(title)}:
            return named(title)
        case {"$ref": reference}:
            return {"$ref": _name(reference)}
        case {"anyOf": [{"type": str(kind), **some}, {"type": "null"}], **more} if "title" not in some:
            return _tidy({**some, "type": [kind, "null"], **more})
        case {"enum": str(values), "type": kind, **more}:
            null = [None] if "null" in kind else []
            return {**more, "type": kind, "enum": [*resolve_name(values), *null]}
        case dict():
            return {key: _tidy(value) for key, value in schema.items() if key != "title"}
    return schema


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
    return {f"Error{status}": _refusal(status, why) for status, why in _WHY.items()}


def error_examples(status: int) -> Report:
    """Return errors of a status, by a request that gets them where the request alone decides."""
    if status in _REFUSED:
        return {with_query(predictions.path, query): _error_of(query) for query in _REFUSED[status]}
    told = error_report(code_of(status), message_of(status))
    if status in (429, 503):
        told["error"] |= {"retry_after": 5, "request_id": "3f9c-1a"}
    return {told["error"]["code"]: told}


def _error_of(query: Query) -> Report:
    try:
        predictions.question(MultiDict(query))
    except NoughtsError as error:
        return error_report(error.code, str(error))
    raise AssertionError(f"{query} is no mistake")


def _refusal(status: int, why: str) -> Report:
    examples = {name: {"value": value} for name, value in error_examples(status).items()}
    shown = {"schema": named("Error"), "examples": examples}
    after = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}} if status in (429, 503) else {}
    return {"description": why, "content": {"application/json": shown}} | ({"headers": after} if after else {})


def _refusals_of(*statuses: int) -> Report:
    return {str(status): {"$ref": f"#/components/responses/Error{status}"} for status in statuses}
