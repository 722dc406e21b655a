"""Addresses with a slash too many, and the icon by its old name: they lead to what is meant, and never off the site."""

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from webapp.pages.learn.lessons import LESSONS


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


@pytest.mark.parametrize(
    "path", ["/nowhere/", "/learn/nothing/at/all/", "/play/3x3x3/more/", "/static/", "/favicon.ico/more/"]
)
def test_what_is_not_there_is_not_there_with_a_slash_either(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


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
