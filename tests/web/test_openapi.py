"""The document of the API, the API itself and its page: they agree."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from schemathesis import Case
from schemathesis.generation import GenerationMode

from solver.board.notation import parse_position
from solver.proofs.predict import predict
from solver.report import predict_report
from tests.in_thread import pages
from tests.peers.openapi import asked
from webapp.api.call import CONTENT, PREFIX, Freshness
from webapp.api.calls import CALLS, batch
from webapp.api.description import DOCUMENT, description, error_examples
from webapp.app import create_app
from webapp.config import AppConfig, FrontLimits

OPERATIONS = {
    (path, method): said for path, methods in description()["paths"].items() for method, said in methods.items()
}
AS_IT_IS = {"Accept-Encoding": "identity"}


@pytest.fixture(scope="module")
def described(app: Flask) -> Any:
    return schemathesis.openapi.from_wsgi(DOCUMENT, app)


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize(("path", "method"), OPERATIONS, ids=str)
def test_every_call_keeps_to_its_description_whatever_is_asked(
    described: Any, path: str, method: str, mode: GenerationMode
) -> None:
    if (path, mode) == (DOCUMENT, GenerationMode.NEGATIVE):
        return  # there is nothing to ask badly

    @settings(max_examples=2, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(described[path][method].as_strategy(generation_mode=mode))
    def keeps_to_it(case: Case[Any]) -> None:
        case.call_and_validate(headers=AS_IT_IS)

    keeps_to_it()


@pytest.mark.parametrize(
    "most", [pytest.param(12, marks=pytest.mark.slow), pytest.param(100, marks=pytest.mark.exhaustive)]
)
def test_schemathesis_finds_nothing_in_a_running_server(most: int) -> None:
    assert asked(most)


def test_the_document_is_openapi_and_its_schemas_are_json_schemas(described: Any) -> None:
    assert description()["openapi"].startswith("3.1.")
    described.validate()
    for schema in description()["components"]["schemas"].values():
        jsonschema_rs.meta.validate(schema)


def test_every_address_of_the_api_is_in_the_document_and_no_other(app: Flask) -> None:
    routes = {
        (rule.rule, method.lower())
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(PREFIX)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert routes == set(OPERATIONS)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_the_example_of_a_call_is_what_the_server_answers(client: FlaskClient, call: Any) -> None:
    said = OPERATIONS[call.path, "get"]
    assert client.get(said["x-example"]).json == answer_of(said)["example"]


def test_the_examples_of_a_batch_and_of_errors_are_what_the_server_answers(client: FlaskClient) -> None:
    path = f"{PREFIX}/predict"
    assert client.post(path, json=batch.example).json == answer_of(OPERATIONS[path, "post"])["example"]
    for status in (400, 409):
        for url, error in error_examples(status).items():
            answer = client.get(url)
            assert (answer.status_code, answer.json) == (status, error)
    assert client.post(path).json == error_examples(415)["unsupported_media_type"]


def test_every_error_has_an_example_of_its_shape() -> None:
    for response in description()["components"]["responses"].values():
        content = response["content"]["application/json"]
        assert content["examples"]
        for example in content["examples"].values():
            shape = closed({"$ref": error_shape(), "components": description()["components"]})
            jsonschema_rs.validate(shape, example["value"])


def test_a_parameter_may_be_empty_unless_required_and_its_default_fits_its_schema() -> None:
    parameters = [each for said in OPERATIONS.values() for each in said.get("parameters", ())]
    assert {each["name"] for each in parameters if each["required"]} == {"player"}
    assert all(each.get("allowEmptyValue", False) is not each["required"] for each in parameters)
    for each in parameters:
        if "default" in each["schema"]:
            default = each["schema"]["default"]
            jsonschema_rs.validate(each["schema"], default)


def test_every_operation_belongs_to_one_group_that_is_described() -> None:
    assert {tag for said in OPERATIONS.values() for tag in said["tags"]} == {
        each["name"] for each in description()["tags"]
    }
    assert all(len(said["tags"]) == 1 for said in OPERATIONS.values())


@pytest.mark.parametrize(
    "url",
    [
        *(said["x-example"] for said in OPERATIONS.values() if "x-example" in said),
        "/api/v1/predict?from=XXX/XOO/XOO",
        "/api/v1/predict?board=8x8x5",
        "/api/v1/explain?board=5x4x4&moves=b2c3",
        "/api/v1/move?player=rules:win,block&trace=1",
        "/api/v1/move?player=easy&from=XXX/OO./...",
        "/api/v1/review?board=8x8x5&moves=a1",
        "/api/v1/drills?count=20&seed=1",
        "/api/v1/boards",
        "/api/v1/boards?board=4x4x4-vanishing",
        "/api/v1/move?player=nobody",
        "/api/v1/nothing",
    ],
)
def test_an_answer_has_nothing_that_is_not_described(client: FlaskClient, url: str) -> None:
    answer = client.get(url)
    path = url.partition("?")[0]
    shape = answer_of(OPERATIONS[path, "get"])["schema"]["$ref"] if answer.status_code == 200 else error_shape()
    jsonschema_rs.validate(closed({"$ref": shape, "components": description()["components"]}), answer.json)


def answer_of(said: dict[str, Any]) -> Any:
    return said["responses"]["200"]["content"]["application/json"]


def error_shape() -> str:
    return "#/components/schemas/Error"


def closed(schema: Any) -> Any:
    """Close a schema: allow no properties except those that it names."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(each) for name, each in schema.items()}
    return {"additionalProperties": False, **inner} if isinstance(inner.get("properties"), dict) else inner


def test_the_page_shows_each_call_with_an_example_to_open(client: FlaskClient) -> None:
    page = client.get("/api").text
    assert page.count("<h1>") == 1
    for said in OPERATIONS.values():
        if "x-example" in said:
            assert f'href="{said["x-example"].replace("&", "&amp;")}"' in page
            for parameter in said["parameters"]:
                assert f"<code>{parameter['name']}</code>" in page
    assert f'href="{DOCUMENT}"' in page


def test_the_page_links_an_answer_that_is_not_complete(client: FlaskClient) -> None:
    link = re.search(r'href="([^"]+)">See an unfinished answer<', client.get("/api").text)
    assert link is not None
    answer = client.get(unescape(link[1])).json
    assert answer is not None
    assert {"unknown"} == {square["outcome"] for square in answer["squares"].values()}
    assert "pending" in answer


def test_the_page_names_no_server_that_is_not_known_to_be_this_one() -> None:
    client = create_app(config=AppConfig(allowed_hosts=())).test_client()
    assert "http://localhost:81/api/v1/predict" in client.get("/api", headers={"Host": "localhost:81"}).text
    assert "elsewhere.example" not in client.get("/api", headers={"Host": "elsewhere.example"}).text


def test_the_document_says_for_how_long_answers_may_be_kept() -> None:
    about = CONTENT["headers"]["Cache-Control"]["description"]
    assert [keeping for keeping in Freshness if f"`{keeping}`" not in about] == []


@pytest.fixture(scope="module")
def clients() -> Iterator[dict[str, str]]:
    """Yield the clients as the page of a running server shows them."""
    with pages(create_app(), FrontLimits()) as server:
        text = server.get("/api").decode()
        yield {
            language: unescape(re.findall(rf'aria-label="{language}"><code>(.*?)</code>', text, re.DOTALL)[0])
            for language in CONTENT["clients"]
        }


EXAMPLE = predict_report(predict(parse_position("X.O/.X./..O")))
BEST = {"c2": {"outcome": "draw", "plies": 5}}


def test_no_client_has_more_than_ten_lines() -> None:
    assert all(len(text.splitlines()) <= 10 for text in CONTENT["clients"].values())


def test_the_client_in_python_finds_the_best_squares(clients: dict[str, str]) -> None:
    done = subprocess.run([sys.executable, "-I", "-c", clients["Python"]], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"{BEST} {{")


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_client_by_curl_gets_the_same(clients: dict[str, str]) -> None:
    done = subprocess.run(["sh", "-ec", clients["curl"]], capture_output=True, text=True, check=True)
    one, many = map(json.loads, done.stdout.splitlines())
    assert one == many["predictions"][0] == EXAMPLE


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
def test_the_client_in_javascript_finds_the_best_squares(clients: dict[str, str]) -> None:
    done = subprocess.run(["node", "-e", clients["JavaScript"]], capture_output=True, text=True, check=True)
    assert json.dumps(BEST, separators=(",", ":")) in done.stdout.splitlines()
