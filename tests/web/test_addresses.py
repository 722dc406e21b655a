"""Addresses: the parts of a query are data, whose names cause no error and lead to no other host.

Addresses with a slash too many, and the icon by its old name, lead to the page that is meant.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.routing import Rule

from tests.marked import exhaustive, sampled
from tests.web.conftest import HTMX
from tests.web.test_gating import Gate
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.pages.learn.figures import Progress
from webapp.pages.learn.lessons import LESSONS
from webapp.pages.learn.routes import WORKING
from webapp.serving.counts import ServerState
from webapp.serving.pool.messages import Task
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

ASKED = [RESERVED, *exhaustive(*({name: text} for name, text in RESERVED.items()))]
"""All reserved names together, and each alone."""

WAYS: list[tuple[dict[str, str], dict[str, str]]] = [({}, {}), (HTMX, {WORKING: "1"}), (HTMX, {}), ({}, {WORKING: "1"})]
"""The headers and further parts with which an address is asked."""

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


def paths(rule: Rule, live_game: str, every: int) -> Iterator[str]:
    """Yield an address that a route matches, or that of every n-th lesson."""
    names = ["tree"]
    if rule.endpoint.startswith("learn."):
        names = list(LESSONS)[::every]
    elif rule.endpoint.startswith("install."):
        names = ["icon-192"]
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


@pytest.mark.parametrize("every", [12, *exhaustive(1)])
@pytest.mark.parametrize("asked", ASKED, ids=",".join)
@pytest.mark.parametrize("rule", RULES, ids=str)
def test_a_reserved_name_in_a_query_is_no_error_and_leads_to_no_other_host(
    rule: Rule, asked: dict[str, str], every: int, preparing: FlaskClient, live_game: str
) -> None:
    methods = sorted({"GET", "POST"} & (rule.methods or set()))
    for path, method, (headers, more) in product(paths(rule, live_game, every), methods, WAYS[: 2 if every > 1 else 4]):
        check(preparing, path, method, asked | more, headers)


@pytest.mark.parametrize("asked", ASKED, ids=",".join)
@pytest.mark.parametrize("name", sampled(LESSONS, 4))
def test_a_reserved_name_in_a_query_does_no_harm_once_a_lesson_is_prepared(
    name: str, asked: dict[str, str], client: FlaskClient
) -> None:
    for headers in ({}, HTMX):
        check(client, f"/learn/{name}", "GET", asked | {WORKING: "1"}, headers)


def test_a_prepared_lesson_is_shown_with_what_was_asked_for_and_the_settings_of_a_game(client: FlaskClient) -> None:
    answer = client.get(
        f"/learn/workshop?see=trial&{WORKING}=1&strategy=hard&x=human&o=easy&show=coach&utm=1&name=menace"
    )
    assert answer.headers["Location"] == "/learn/workshop?x=human&o=easy&show=coach&see=trial&strategy=hard"


def test_an_address_has_a_readable_query_and_a_fragment() -> None:
    parts = {"from": "X../.../...", "rules": "win,block", "at": 3, "show": None, "find": "a b&c=d#e"}
    assert (
        with_query("/here", parts, "stage") == "/here?from=X../.../...&rules=win,block&at=3&find=a+b%26c%3Dd%23e#stage"
    )


def test_an_address_without_parts_is_its_path() -> None:
    assert with_query("/here", {"show": None}) == "/here"


@pytest.mark.parametrize(
    "path", ["/play/3x3x3", "/play/chess", "/play", "/lab", *(f"/learn/{name}" for name in LESSONS)]
)
def test_a_slash_at_the_end_leads_to_the_address_without_it(client: FlaskClient, path: str) -> None:
    for slashes in ("/", "//"):
        answer = client.get(f"{path}{slashes}?moves=b2&from=X%2F..")
        assert (answer.status_code, answer.headers["Location"]) == (308, f"{path}?moves=b2&from=X%2F..")


def test_play_with_a_slash_leads_to_a_game(client: FlaskClient) -> None:
    answer = client.get("/play/", follow_redirects=True)
    assert (answer.status_code, answer.request.path) == (200, "/play/3x3x3")


def test_a_move_with_a_slash_is_still_a_move(client: FlaskClient) -> None:
    answer = client.post("/play/3x3x3/", data={"cell": "a3"}, follow_redirects=True)
    assert answer.request.full_path == "/play/3x3x3?moves=a3b2"


def test_the_icon_is_found_by_its_old_name(client: FlaskClient) -> None:
    moved = client.get("/favicon.ico")
    assert moved.status_code == 308
    with client.get(str(moved.location)) as icon:
        assert icon.mimetype == "image/svg+xml"


def test_an_address_that_takes_no_forms_takes_none_with_a_slash(client: FlaskClient) -> None:
    answer = client.post("/lab/", follow_redirects=True)
    assert (answer.status_code, "GET" in answer.headers["Allow"]) == (405, True)


@pytest.mark.parametrize(
    "path",
    [
        "//elsewhere.example/",
        "///elsewhere.example//",
        "/%2Felsewhere.example/",
        "/\\elsewhere.example/",
        "/https://elsewhere.example/",
    ],
)
def test_nothing_leads_off_the_site(client: FlaskClient, path: str) -> None:
    answer = client.get("/", headers={"Host": "another.example"}, environ_overrides={"PATH_INFO": path})
    assert answer.status_code == 404
    assert "Location" not in answer.headers


@pytest.mark.slow
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=st.builds("".join, st.tuples(st.sampled_from(["/", "//", "/play/", "/learn/"]), st.text(max_size=20))))
def test_whatever_stands_before_the_slash_a_redirect_stays_on_the_site(client: FlaskClient, path: str) -> None:
    wsgi = f"{path}/".encode(errors="replace").decode("latin-1")
    location = client.get("/", headers={"Host": "another.example"}, environ_overrides={"PATH_INFO": wsgi}).location
    assert location is None or (location.isascii() and location.isprintable())
    assert location is None or (location.startswith("/") and not location.startswith(("//", "/\\")))
