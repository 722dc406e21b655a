"""Security headers, forms from other sites, and escaping; and no input gets a 500."""

from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solver.errors import BadOption
from solver.players import STRATEGIES
from tests.strategies import examples
from tests.web.conftest import HTMX, RESTORE
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.pages.play.link import PARTS
from webapp.serving.bridge import RefusedRequest
from webapp.serving.http.errors import REQUEST_ID
from webapp.serving.http.security import Hosts

EVERYWHERE = [
    *("/", "/play/3x3x3", "/play/chess", "/share/3x3x3", "/oembed", "/nowhere", "/healthz", "/api/v1/predict"),
    "/static/app.css",
]


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


@pytest.mark.parametrize("url", ["/", "/embed/3x3x3?o=friend", "/oembed?url=", "/api/v1/predict?board=3x3x3"])
def test_what_the_server_refuses_by_itself_carries_the_same_headers(client: FlaskClient, url: str) -> None:
    headers = RefusedRequest(503, "busy").reply({"PATH_INFO": url.partition("?")[0], REQUEST_ID: "1"}).headers
    own = {"Content-Type", "Cache-Control", "Retry-After", "X-Request-Id"}
    strict = {header for header in headers if header[0] not in own}
    assert strict <= set(client.get(url).headers.items())
    assert "Content-Security-Policy" in dict(strict)


def test_pages_may_use_no_device_and_copy_and_share_their_link(client: FlaskClient) -> None:
    policy = client.get("/").headers["Permissions-Policy"].split(", ")
    assert not [each for each in policy if each.startswith("web-share")]  # by itself it is for the page's own origin
    assert {"camera=()", "microphone=()", "geolocation=()", "payment=()", "usb=()"} <= set(policy)
    assert "clipboard-write=(self)" in policy


def test_only_an_encrypted_answer_asks_for_encryption_from_now_on(client: FlaskClient) -> None:
    assert "Strict-Transport-Security" not in client.get("/").headers
    told = client.get("/", base_url="https://localhost").headers["Strict-Transport-Security"]
    assert told == "max-age=31536000; includeSubDomains"


@pytest.mark.parametrize("url", EVERYWHERE)
def test_an_answer_carries_the_requests_id_if_there_is_one(client: FlaskClient, url: str) -> None:
    with client.get(url) as without, client.get(url, environ_base={"noughts.request_id": "ab-1"}) as answer:
        assert "X-Request-Id" not in without.headers
        assert answer.headers.getlist("X-Request-Id") == ["ab-1"]


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
        {"Origin": ""},
        {"Origin": "https://localhost"},
        {"Origin": "http://localhost:8000"},
        {"Origin": "http://localhost:many"},
        {"Origin": "http://user@localhost"},
        {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "same-origin"},
    ],
)
def test_a_form_from_another_site_is_refused(client: FlaskClient, headers: dict[str, str]) -> None:
    answer = client.post("/play/3x3x3", data={"cell": "a1"}, headers=headers)
    assert answer.status_code == 403
    assert "another site" in answer.text


def test_pages_of_other_sites_may_read_and_ask_the_api_and_nothing_else(client: FlaskClient) -> None:
    elsewhere = {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}
    for url in ("/api/v1/predict", "/api/v1/predict?board=9x9x9", "/api/v1/nothing", "/api/v1/openapi.json"):
        headers = client.get(url, headers=elsewhere).headers
        assert headers["Access-Control-Allow-Origin"] == "*"
        assert headers.getlist("Cross-Origin-Resource-Policy") == ["cross-origin"]
        assert "Access-Control-Allow-Credentials" not in headers
    assert client.post("/api/v1/predict", json={"positions": [{}]}, headers=elsewhere).status_code == 200
    for url in ("/", "/api", "/play/3x3x3", "/healthz", "/static/app.css"):
        with client.get(url, headers=elsewhere) as answer:
            assert "Access-Control-Allow-Origin" not in answer.headers
            assert answer.headers.getlist("Cross-Origin-Resource-Policy") == ["same-origin"]


def test_a_browser_that_asks_first_is_told_what_other_sites_may_send_and_remembers_it(client: FlaskClient) -> None:
    asked = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    headers = client.options("/api/v1/predict", headers=asked).headers
    assert set(headers["Access-Control-Allow-Methods"].split(", ")) == {"GET", "HEAD", "OPTIONS", "POST"}
    assert headers["Access-Control-Allow-Headers"] == "Content-Type, If-None-Match"
    assert headers["Access-Control-Max-Age"] == "86400"
    assert "POST" not in client.options("/api/v1/review", headers=asked).headers["Access-Control-Allow-Methods"]
    assert "Access-Control-Allow-Methods" not in client.options("/play/3x3x3", headers=asked).headers


def test_without_a_usable_host_nothing_is_answered(client: FlaskClient) -> None:
    for headers in ({"Host": "my_host"}, {"Host": "<script>"}, {"Host": "my_host", "Origin": "null"}):
        assert client.post("/play/3x3x3", data={"cell": "a1"}, headers=headers).status_code == 400
        assert client.get("/play/3x3x3", headers=headers).status_code == 400


def test_a_form_must_say_how_long_it_is(client: FlaskClient) -> None:
    answer = client.post("/play/3x3x3", data={"cell": "a1"}, headers={"Transfer-Encoding": "chunked"})
    assert answer.status_code == 411


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://LOCALHOST:80"},
    ],
)
def test_a_form_of_our_own_is_taken(client: FlaskClient, headers: dict[str, str]) -> None:
    assert client.post("/play/3x3x3", data={"cell": "a1"}, headers=headers).status_code == 303


@pytest.mark.parametrize(
    ("base", "origin", "status"),
    [
        ("https://localhost", "https://localhost:443", 303),
        ("https://localhost", "http://localhost", 403),
        ("http://[::1]:8000", "http://[::1]:8000", 303),
        ("http://[::1]:8000", "http://[::1]", 403),
        ("http://localhost:443", "https://localhost", 403),
    ],
)
def test_an_origin_is_a_scheme_a_host_and_a_port(client: FlaskClient, base: str, origin: str, status: int) -> None:
    answer = client.post("/play/3x3x3", base_url=base, data={"cell": "a1"}, headers={"Origin": origin})
    assert answer.status_code == status


FORWARDED = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "play.example", "X-Forwarded-For": "203.0.113.9"}


def test_nobody_is_believed_to_be_a_proxy_unless_the_server_was_told_so(client: FlaskClient) -> None:
    plain = client.get("/share/3x3x3?moves=b2a1", headers=FORWARDED)
    assert "Strict-Transport-Security" not in plain.headers
    assert 'value="http://localhost/play/3x3x3?moves=b2a1&amp;as=guest"' in plain.text
    proxied = create_app(config=AppConfig(proxies=1)).test_client().get("/share/3x3x3?moves=b2a1", headers=FORWARDED)
    assert "Strict-Transport-Security" in proxied.headers
    assert 'value="https://play.example/play/3x3x3?moves=b2a1&amp;as=guest"' in proxied.text


@pytest.mark.parametrize("scheme", ["javascript", "ftp", "HTTPS ", "<script>"])
def test_a_scheme_that_no_page_comes_by_is_refused_and_not_shown(scheme: str) -> None:
    client = create_app(config=AppConfig(proxies=1)).test_client()
    for url in ("/", "/learn", "/play/3x3x3?moves=b2a1", "/nowhere", "/healthz"):
        answer = client.get(url, headers={"X-Forwarded-Proto": scheme})
        assert answer.status_code == 400
        assert scheme not in answer.text + str(answer.location)


@pytest.mark.parametrize(
    ("host", "taken"),
    [
        ("play.example", True),
        ("PLAY.Example:8000", True),
        ("example.org", True),
        ("a.b.example.org", True),
        ("[::1]:8000", True),
        ("office.test:8443", True),
        ("bücher.example".encode("idna").decode(), True),
        ("office.test", False),
        ("notexample.org", False),
        ("elsewhere.play.example", False),
        ("play.example.elsewhere", False),
        ("localhost", False),
        ("127.0.0.1", False),
    ],
)
def test_only_hosts_that_are_named_are_answered_for(host: str, taken: bool) -> None:
    allowed = (" play.example", ".Example.org", "[::1]", "office.test:8443", "bücher.example", "")
    client = create_app(config=AppConfig(allowed_hosts=allowed)).test_client()
    for url, status in (("/", 200), ("/static/app.css", 200), ("/nowhere", 404), ("/api/v1/predict", 200)):
        with client.get(url, headers={"Host": host}) as answer:
            assert answer.status_code == (status if taken else 400)
            assert taken or "--allowed-hosts" in answer.get_data(as_text=True)
            assert taken or host not in answer.get_data(as_text=True)
    assert client.get("/healthz", headers={"Host": host}).status_code == 200


def test_a_host_that_is_answered_for_is_shown() -> None:
    client = create_app(config=AppConfig(allowed_hosts=("play.example", ".example.org"))).test_client()
    for base in ("https://play.example", "http://www.example.org:8000"):
        assert f'value="{base}/play/3x3x3?as=guest"' in client.get("/share/3x3x3", base_url=base).text
    assert client.get("/play/3x3x3", base_url="https://elsewhere.example").status_code == 400


@pytest.mark.parametrize("entry", ["https://play.example", "*", "a b", "play.example:http", ".", "x/y"])
def test_what_is_no_host_cannot_be_answered_for(entry: str) -> None:
    with pytest.raises(BadOption, match="is not a host name"):
        Hosts([entry])


def test_a_number_without_brackets_is_a_host_too() -> None:
    assert Hosts(["::1"]).answers("[::1]:8000", "http")


def test_where_a_redirect_leads_depends_on_no_host(client: FlaskClient) -> None:
    headers = {"Host": "elsewhere.example"}
    for url, location in (
        ("/learn", "/learn/"),
        ("/learn?a=b&c=%2F", "/learn/?a=b&c=%2F"),
        ("/play?board=4x4x4", "/play/4x4x4"),
    ):
        assert client.get(url, headers=headers).headers["Location"] == location
    moved = client.post("/play/3x3x3", data={"cell": "a3"}, headers=headers)
    assert moved.headers["Location"] == "/play/3x3x3?moves=a3b2"


def test_links_from_other_sites_are_welcome(client: FlaskClient) -> None:
    assert client.get("/play/3x3x3", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


class Tags(HTMLParser):
    """Count a page's tags and their attributes' names."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


NAMES = [part.name for part in PARTS]
NASTY = "\"><img src=x onerror=alert(1)><script>alert(1)</script>'{{7*7}}"


@pytest.mark.parametrize("part", [name for name in NAMES if name != "step"])  # without a line, it says nothing
def test_whatever_a_link_holds_is_escaped(client: FlaskClient, part: str) -> None:
    for url in (f"/play/3x3x3?{urlencode({part: NASTY})}", f"/play?{urlencode({part: NASTY, 'board': NASTY})}"):
        answer = client.get(url)
        # A broken dare is ignored, since the game is whole without it.
        assert answer.status_code == (200 if part == "dare" and "board=" not in url else 400)
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
PATHS = st.one_of(
    st.sampled_from(
        [
            "/",
            "/play",
            "/play/3x3x3",
            "/play/3x3x3/settings",
            "/why/3x3x3",
            "/play/4x3x3",
            "/api/v1/predict",
            "/api/v1/move",
            "/x",
        ]
    ),
    st.text(max_size=20).map(lambda text: "/play/" + quote(text, safe="")),
)
REQUESTS = st.fixed_dictionaries(
    {
        "path": PATHS,
        "query_string": st.dictionaries(st.sampled_from([*NAMES, "board", "of", "player", "?"]), VALUES),
        "method": st.sampled_from(["GET", "POST", "HEAD", "PUT", "OPTIONS"]),
        "data": st.dictionaries(st.sampled_from(["cell", "next", "other"]), VALUES),
        "headers": st.sampled_from([{}, HTMX, RESTORE]),
    }
)


@settings(examples(200), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=REQUESTS)
def test_nothing_a_visitor_sends_is_our_fault(client: FlaskClient, sent: dict[str, Any]) -> None:
    assert 200 <= client.open(**sent).status_code < 500


@settings(examples(100), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(raw=st.binary(max_size=60), body=st.binary(max_size=60))
def test_raw_bytes_are_no_fault_of_ours_either(client: FlaskClient, raw: bytes, body: bytes) -> None:
    query = raw.decode("latin-1")
    for content_type in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"):
        answer = client.post("/play/3x3x3", query_string=query, data=body, content_type=content_type)
        assert 200 <= answer.status_code < 500
    assert client.get("/play/3x3x3", query_string=query).status_code < 500
