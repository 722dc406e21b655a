"""Headers, foreign forms, escaping, and that nothing a visitor sends is answered with a 500."""

from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solver.strategies import STRATEGIES
from tests.web.conftest import HTMX, RESTORE

EVERYWHERE = ["/", "/play/3x3x3", "/play/chess", "/nowhere", "/healthz", "/api/v1/predict", "/static/app.css"]


@pytest.mark.parametrize("url", EVERYWHERE)
def test_every_answer_carries_the_strict_headers(client: FlaskClient, url: str) -> None:
    with client.get(url) as answer:
        headers = answer.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert "Set-Cookie" not in headers


def test_pages_are_checked_again_each_time(client: FlaskClient) -> None:
    assert client.get("/").headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://[broken"},
        {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "same-origin"},
    ],
)
def test_a_form_from_another_site_is_refused(client: FlaskClient, headers: dict[str, str]) -> None:
    answer = client.post("/play/3x3x3", data={"cell": "a1"}, headers=headers)
    assert answer.status_code == 403
    assert "another site" in answer.text


def test_without_a_usable_host_nothing_is_answered(client: FlaskClient) -> None:
    for headers in ({"Host": "my_host"}, {"Host": "<script>"}, {"Host": "my_host", "Origin": "null"}):
        assert client.post("/play/3x3x3", data={"cell": "a1"}, headers=headers).status_code == 400
        assert client.get("/play/3x3x3", headers=headers).status_code == 400


def test_a_form_must_say_how_long_it_is(client: FlaskClient) -> None:
    answer = client.post("/play/3x3x3", data={"cell": "a1"}, headers={"Transfer-Encoding": "chunked"})
    assert answer.status_code == 411


@pytest.mark.parametrize(
    "headers", [{}, {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}, {"Sec-Fetch-Site": "none"}]
)
def test_a_form_of_our_own_is_taken(client: FlaskClient, headers: dict[str, str]) -> None:
    assert client.post("/play/3x3x3", data={"cell": "a1"}, headers=headers).status_code == 303


def test_links_from_other_sites_are_welcome(client: FlaskClient) -> None:
    assert client.get("/play/3x3x3", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


class Tags(HTMLParser):
    """Counts a page's tags and their attributes' names."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


NASTY = "\"><img src=x onerror=alert(1)><script>alert(1)</script>'{{7*7}}"


@pytest.mark.parametrize(
    "part", ["from", "moves", "at", "x", "o", "show", "seed", "score", "scheme", "speed", "pause", "hint"]
)
def test_whatever_a_link_holds_is_escaped(client: FlaskClient, part: str) -> None:
    for url in (f"/play/3x3x3?{urlencode({part: NASTY})}", f"/play?{urlencode({part: NASTY, 'board': NASTY})}"):
        answer = client.get(url)
        assert answer.status_code == 400
        assert "img" not in Tags(answer.text).tags
        assert "onerror" not in Tags(answer.text).attributes
        assert "alert(1)</script>" not in answer.text


def test_a_page_has_no_inline_script_style_or_handler(client: FlaskClient) -> None:
    for url in ("/", "/nowhere", "/play/3x3x3?x=easy&o=hard", "/play/3x3x3?moves=b2b2"):
        text = client.get(url).text
        found = Tags(text)
        assert "style" not in found.tags | found.attributes
        assert not [name for name in found.attributes if name.startswith(("on", "hx-on"))]
        assert text.count("<script src=") == text.count("<script")


def test_everything_a_page_loads_is_its_own(client: FlaskClient) -> None:
    assert "://" not in client.get("/").text.replace("http://localhost/", "/")


VALUES = st.one_of(
    st.text(max_size=40),
    st.from_regex(r"([a-h][1-8]){0,9}", fullmatch=True),
    st.from_regex(r"[XO.]{3}/[XO.]{3}/[XO.]{3}", fullmatch=True),
    st.sampled_from(
        ["", "0", "1", "-1", "off", "human", "3x3x3", "4x3x3", "9x9x9", "2-1-0", "patterns", "fast", *STRATEGIES]
    ),
)
NAMES = [
    "board",
    "of",
    "from",
    "moves",
    "at",
    "x",
    "o",
    "show",
    "seed",
    "score",
    "scheme",
    "speed",
    "pause",
    "hint",
    "player",
    "?",
]
PATHS = st.one_of(
    st.sampled_from(["/", "/play", "/play/3x3x3", "/play/4x3x3", "/api/v1/predict", "/api/v1/move", "/x"]),
    st.text(max_size=20).map(lambda text: "/play/" + quote(text, safe="")),
)
REQUESTS = st.fixed_dictionaries(
    {
        "path": PATHS,
        "query_string": st.dictionaries(st.sampled_from(NAMES), VALUES),
        "method": st.sampled_from(["GET", "POST", "HEAD", "PUT", "OPTIONS"]),
        "data": st.dictionaries(st.sampled_from(["cell", "next", "other"]), VALUES),
        "headers": st.sampled_from([{}, HTMX, RESTORE]),
    }
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=REQUESTS)
def test_nothing_a_visitor_sends_is_our_fault(client: FlaskClient, sent: dict[str, Any]) -> None:
    assert 200 <= client.open(**sent).status_code < 500


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(raw=st.binary(max_size=60), body=st.binary(max_size=60))
def test_raw_bytes_are_no_fault_of_ours_either(client: FlaskClient, raw: bytes, body: bytes) -> None:
    query = raw.decode("latin-1")
    for content_type in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"):
        answer = client.post("/play/3x3x3", query_string=query, data=body, content_type=content_type)
        assert 200 <= answer.status_code < 500
    assert client.get("/play/3x3x3", query_string=query).status_code < 500
