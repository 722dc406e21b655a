"""HTTP errors in each form, with `Retry-After` and the request's id."""

import pytest
from flask import Flask, abort
from flask.testing import FlaskClient
from markupsafe import escape

from tests.web.conftest import HTMX
from webapp.app import create_app
from webapp.serving.http.errors import REQUEST_ID, Busy

REFRESH = '<meta http-equiv="refresh"'


def failing(error: int | Exception) -> FlaskClient:
    """Return a client of an application in which a page, an object of the API and a move fail."""
    app: Flask = create_app()

    def fail(**_: str) -> str:
        if isinstance(error, int):
            abort(error)
        raise error

    for url in ("/failing", "/api/failing"):
        app.add_url_rule(url, url, fail, methods=["GET", "POST"])
    app.view_functions["pages.move"] = fail
    return app.test_client()


@pytest.mark.parametrize("status", [400, 403, 404, 405, 408, 411, 413, 414, 429, 431, 500, 503])
def test_every_error_has_a_page_a_fragment_and_an_object(status: int) -> None:
    client = failing(status)
    page, fragment = client.get("/failing"), client.get("/failing", headers=HTMX)
    told = client.get("/api/failing")
    assert (page.status_code, fragment.status_code, told.status_code) == (status, status, status)
    assert 'role="alert"' in page.text
    assert 'role="alert"' in fragment.text
    assert "<html" in page.text
    assert "<html" not in fragment.text
    assert told.json is not None
    assert told.json["error"].keys() == {"code", "message"}
    assert told.json["error"]["code"] != "http_error"


@pytest.mark.parametrize(
    ("method", "url", "headers", "by_itself"),
    [
        ("GET", "/failing?a=b&c=%3Cd%3E", {}, True),
        ("GET", "/failing", HTMX, False),
        ("POST", "/play/3x3x3?moves=b2a1", {}, False),
        ("POST", "/play/3x3x3?moves=b2a1", HTMX, False),
    ],
    ids=["a page", "a fragment", "a move, at its game", "a move by htmx, at its game"],
)
def test_a_busy_server_is_asked_again_by_itself_or_by_a_link(
    method: str, url: str, headers: dict[str, str], by_itself: bool
) -> None:
    answer = failing(Busy(7)).open(url, method=method, headers=headers)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "7")
    assert ("The server is busy. This page tries again by itself in 7 seconds." in answer.text) is by_itself
    assert ("The server is busy. Try again in 7 seconds." in answer.text) is not by_itself
    assert f'<a href="{escape(url)}">Try again</a>' in answer.text
    assert (f'{REFRESH} content="7">' in answer.text.partition("</head>")[0]) is by_itself
    assert (REFRESH in answer.text) is by_itself


def test_a_second_is_one() -> None:
    assert "Try again in 1 second." in failing(Busy(1)).get("/failing", headers=HTMX).text


def test_a_busy_server_tells_programs_when_to_ask_again() -> None:
    answer = failing(Busy(4)).get("/api/failing")
    message = "The server is busy. Try again in 4 seconds."
    assert answer.json == {"error": {"code": "busy", "message": message, "retry_after": 4}}
    assert answer.headers["Retry-After"] == "4"


def test_trying_again_never_leads_to_another_site() -> None:
    app = create_app()

    @app.before_request
    def busy() -> None:
        raise Busy(1)

    answer = app.test_client().get("/", environ_overrides={"PATH_INFO": "//elsewhere.example/x"})
    assert '<a href="/elsewhere.example/x">Try again</a>' in answer.text


@pytest.mark.parametrize("status", [400, 404, 500, 503])
def test_an_error_shows_the_requests_id_if_there_is_one(status: int) -> None:
    client, known = failing(status), {REQUEST_ID: "ab<-1"}
    for headers in ({}, HTMX):
        assert "Request ab&lt;-1" in client.get("/failing", headers=headers, environ_base=known).text
        assert "Request " not in client.get("/failing", headers=headers).text
    told = client.get("/api/failing", environ_base=known).json
    assert told is not None
    assert told["error"]["request_id"] == "ab<-1"
