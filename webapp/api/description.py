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
from webapp.api.call import CONTENT, MOST_BYTES, PREFIX, BodyCall, Call, Operation, Schema, named
from webapp.api.calls import OPERATIONS, predictions
from webapp.serving.http.errors import code_of, message_of
from webapp.ui.address import Query, with_query

DOCUMENT: Final = f"{PREFIX}/openapi.json"


@cache
def description() -> Report:
    """Return the whole document, made once."""
    return {
        "openapi": "3.1.1",
        "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
        "info": {
            "title": "Noughts",
            "version": solver.__version__ or "0",
            "description": CONTENT["about"],
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": about} for name, about in CONTENT["tags"].items()],
        "paths": _paths(),
        "components": {"schemas": _schemas(), "headers": CONTENT["headers"], "responses": _refusals()},
    }


def _paths() -> Report:
    paths: dict[str, Report] = {}
    for call in OPERATIONS:
        paths.setdefault(call.path, {})[call.method.lower()] = _get(call) if isinstance(call, Call) else _post(call)
    return paths | {DOCUMENT: {"get": CONTENT["document"]}}


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
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in CONTENT["headers"]},
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


_REFUSED: Final[Mapping[int, tuple[Query, ...]]] = {
    400: ({"board": "9x9x9"}, {"position": "X.O/.X./..O"}),
    409: ({"moves": "b2b2"},),
}
"""The queries of predictions that are refused, by status."""


def _refusals() -> Report:
    return {f"Error{status}": _refusal(int(status), why) for status, why in CONTENT["why"].items()}


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
