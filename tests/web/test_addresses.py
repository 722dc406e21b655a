"""Addresses: the parts of a query are data, whose names cause no error and lead to no other host.

Addresses with a slash too many, and the icon by its old name, lead to the page that is meant.
"""

from collections.abc import Iterator
from itertools import product

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.routing import Rule

from tests.marked import exhaustive
from tests.web.conftest import HTMX
from tests.web.test_gating import Gate
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.pages.learn.lessons import LESSONS
from webapp.serving.counts import ServerState
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

EXAMPLES = {"board": "3x3x3", "filename": "app.css", "kind": "svg", "path": "daily", "size": "192"}
"""A value for each variable of a route but `name`."""

RULES = sorted(create_app().url_map.iter_rules(), key=str)


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    gate = Gate(state=ServerState(pool=1, pool_wanted=1, waiting_most=1))
    return create_app(gate, config=AppConfig(allowed_hosts=())).test_client()


@pytest.fixture(scope="module")
def live_game(client: FlaskClient) -> str:
    """Return the name of a live game that nobody has joined."""
    return client.post("/live").headers["Location"].removeprefix("/live/")


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
    rule: Rule, asked: dict[str, str], every: int, client: FlaskClient, live_game: str
) -> None:
    methods = sorted({"GET", "POST"} & (rule.methods or set()))
    for path, method, headers in product(paths(rule, live_game, every), methods, ({}, HTMX)):
        check(client, path, method, asked, headers)


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
