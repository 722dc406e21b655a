"""Addresses: the parts of a query are data. Their names cause no error and lead to no other host."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from tests.web.conftest import HTMX
from tests.web.test_gating import Gate
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.pages.learn.lessons import LESSONS
from webapp.pages.learn.routes import WORKING
from webapp.serving.counts import ServerState
from webapp.serving.pool.messages import Progress, Task
from webapp.ui.address import with_query

FOREIGN = "evil.example"
RESERVED = {
    "name": "menace",
    "endpoint": "pages.play",
    "_external": "1",
    "_scheme": "ftp",
    "_method": "POST",
    "_anchor": "top",
    "values": "1",
}
"""Names of arguments that `url_for` and the functions below it take, each with a value that has an effect there."""

ASKED = [*({name: text} for name, text in RESERVED.items()), RESERVED]
"""Each reserved name alone, and all together."""

EXAMPLES = {"board": "3x3x3", "filename": "app.css", "kind": "svg", "path": "daily", "size": "192"}
"""A value for each variable of a route but `name`."""

RULES = sorted(create_app().url_map.iter_rules(), key=str)


class PreparingGate(Gate):
    """A gate that never finishes the figures of a lesson, and does every other task at once."""

    def run(self, task: Task, client: str, gone: Callable[[], bool]) -> Any:
        return Progress(0, 1) if task.name == "prepare" else super().run(task, client, gone)

    def state(self) -> ServerState:
        return ServerState(pool=1, pool_wanted=1, waiting_most=1)


@pytest.fixture(scope="module")
def preparing() -> FlaskClient:
    return create_app(PreparingGate(), config=AppConfig(allowed_hosts=())).test_client()


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(config=AppConfig(allowed_hosts=())).test_client()


@pytest.fixture(scope="module")
def live_game(preparing: FlaskClient) -> str:
    """Return the name of a live game that nobody has joined."""
    return preparing.post("/live").headers["Location"].removeprefix("/live/")


def paths(rule: Rule, live_game: str) -> Iterator[str]:
    """Yield the address of each lesson where a route is that of lessons, else one address that the route matches."""
    names = ["tree"]
    if rule.endpoint.startswith("learn."):
        names = list(LESSONS)
    elif rule.endpoint.startswith("live."):
        names = [live_game]
    for name in names if "name" in rule.arguments else [""]:
        built = rule.build({argument: EXAMPLES.get(argument, name) for argument in rule.arguments})
        assert built
        yield built[1]


def check(client: FlaskClient, path: str, method: str, query: dict[str, str], headers: dict[str, str]) -> None:
    form = query if method == "POST" else None
    with client.open(
        path, method=method, query_string=query, data=form, headers={**headers, "Host": FOREIGN}
    ) as answer:
        assert answer.status_code < 500, query
        assert FOREIGN not in str(answer.headers), query
        assert f"//{FOREIGN}".encode() not in answer.data, query


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_a_reserved_name_in_a_query_is_no_error_and_leads_to_no_other_host(
    rule: Rule, preparing: FlaskClient, live_game: str
) -> None:
    methods = sorted({"GET", "POST"} & (rule.methods or set()))
    for path, method, query, headers in product(paths(rule, live_game), methods, ASKED, ({}, HTMX)):
        check(preparing, path, method, query, headers)
        check(preparing, path, method, query | {WORKING: "1"}, headers)


@pytest.mark.parametrize("name", LESSONS)
def test_a_reserved_name_in_a_query_does_no_harm_once_a_lesson_is_prepared(name: str, client: FlaskClient) -> None:
    for query, headers in product(ASKED, ({}, HTMX)):
        check(client, f"/learn/{name}", "GET", query | {WORKING: "1"}, headers)


def test_a_prepared_lesson_is_shown_with_what_was_asked_for_and_the_settings_of_a_game(client: FlaskClient) -> None:
    answer = client.get(f"/learn/trial?{WORKING}=1&strategy=hard&x=human&o=easy&show=coach&utm=1&name=menace")
    assert answer.headers["Location"] == "/learn/trial?x=human&o=easy&show=coach&strategy=hard"


def test_an_address_has_a_readable_query_and_a_fragment() -> None:
    parts = {"from": "X../.../...", "rules": "win,block", "at": 3, "show": None, "find": "a b&c=d#e"}
    assert (
        with_query("/here", parts, "stage") == "/here?from=X../.../...&rules=win,block&at=3&find=a+b%26c%3Dd%23e#stage"
    )


def test_an_address_without_parts_is_its_path() -> None:
    assert with_query("/here", {"show": None}) == "/here"
