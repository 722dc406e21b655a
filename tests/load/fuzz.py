"""Malformed requests, and the check of their answers."""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlencode

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.load.links import BOARDS
from tests.load.wire import Answer


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _listed(text: str) -> tuple[str, ...]:
    """Return the texts in some lines, which have bars between them."""
    return tuple(part.strip(" ") for line in text.strip("\n").split("\n") for part in line.split(" | "))


MARKERS: Final = ("<svg/onload=1>", "\"'><svg/onload=1>", '" onload=1 x="', "' onload=1 x='")
REFLECTED: Final = (b"<svg/onload", b'" onload=1', b"' onload=1")
"""Injections into pages, and the text of each that shows it was not escaped."""

INJECTED: Final = "x-injected"
SPLIT: Final = "\r\nX-Injected: 1"
"""A header that only an injection can put into an answer."""

KNOWN: Final = _words(
    "/ /play /play/{} /play/{} /play/{} /api/v1/predict /api/v1/explain /api/v1/review /api/v1/move"
    " /api/v1/prove /api/v1/prove"
    " /learn/ /learn/{} /learn/{} /lab /practise /practise/{} /practise/daily /practise/run"
    " /practise/set /practise/sheet /learn/pictures/{}.svg /learn/pictures/{}.dot"
    " /play/{}.png /play/{}.svg /practise/{}.png /learn/{}.png /manifest.webmanifest"
    " /learn/pictures/{}.png /learn/pictures/{}.pdf /healthz /readyz /metrics"
    " /live /live/{} /live/{}/news /live/{}/qr.svg /play/{}/settings /why/{} /share/{} /embed/{} /oembed"
    " /games /prove /prove/badge.svg /prove/worker.js"
)
PATHS: Final = (*KNOWN, *KNOWN, *KNOWN, *_words("/api/v1/{} /static/{} /{} /{}/{} //{} /play//{} /play/{}/"))
"""Paths with placeholders, mostly of routes that exist."""

LESSONS: Final = _words(
    "predictions explorer forks openings clojure draws scala pyfl-program workshop search crosstable pictures census"
    " erlang three tree certain rules"
)
PARTS: Final = _words(
    "board from moves at x o show seed score scheme speed pause hint prove line step of columns rows k player game"
    " depth children open find strategy side stage opening minimax play download cell next"
    " kind level count day right row missed hints tried answers says chances as review learn tell begins"
    " opponent mark bot example paste name do key seen colours code rules mend did did-guess ask view"
)
NASTY: Final = (
    *(*MARKERS, SPLIT, "\0", "9" * 400, "\u202e\u0660\u0661", "a" * 3000, "x" * 40 + "\n"),
    *_words(
        "../../../../etc/passwd ..%2f..%2fetc%2fpasswd %00 % %zz %ff%fe {{7*7}} ${7*7} '-- -1 1e309 NaN 0x10 ; &&=="
    ),
)
USUAL: Final = _words(
    "3x3x3 3x3x3 3x3x3 3x3x2 4x3x3 4x4x4 8x8x5 2x2x2 1x1x1 b2 b2a1 b2a1c3 X.O/.X./..O XX./.../..O a1 c3 9 3 1 0 human"
    " friend hard easy medium impossible minimax off colours distance slow fast auto all X O distinct forced edge"
    " corner centre games 1-0-2 guest coach join back keep claim-X seat-X draw me run set"
)
HEADERS: Final = _words(
    "HX-Request HX-Request-Type HX-Current-URL HX-Target HX-Boosted Origin Referer Sec-Fetch-Site Sec-Fetch-Mode Cookie"
    " Content-Type Accept Accept-Encoding Accept-Language If-None-Match If-Modified-Since Range X-Forwarded-For"
    " X-Forwarded-Proto X-Forwarded-Host X-Forwarded-Prefix X-Request-ID User-Agent Authorization Upgrade Expect"
    " Forwarded"
)
VALUES: Final = (
    *MARKERS,
    *_listed("""
        true | partial | same-origin | cross-site | none | null | https://evil.example | http://localhost | * | gzip
        application/x-www-form-urlencoded | multipart/form-data; boundary=x | application/json | text/html; charset=x
        gzip;q=0 | br, *;q=0.1 | identity;q=0 | bytes=0-1 | bytes=9-1 | W/"x" | javascript | https | a=b | websocket
        100-continue | Thu, 01 Jan 1970 00:00:00 GMT | 127.0.0.1, 10.0.0.1"""),
    *("z" * 2000, "", "é\xff"),
)
HOSTS: Final = ("localhost", "127.0.0.1", "localhost:99999", "evil.example", "a b", "<svg/onload=1>", "", "[::1", "x,y")
METHODS: Final = (*["GET"] * 16, *["POST"] * 6, "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "FOO")

_text = st.one_of(st.sampled_from(NASTY), st.text(max_size=12))
_value = st.one_of(st.sampled_from(USUAL), st.sampled_from(USUAL), _text)
_place = st.one_of(st.just("3x3x3"), st.just("3x3x3"), st.sampled_from((*["3x3x3"] * 40, *BOARDS)), _value)
_pairs = st.lists(st.tuples(st.one_of(st.sampled_from(PARTS), st.sampled_from(PARTS), _text), _value), max_size=5)
_rows = st.one_of(st.sampled_from(("X../.../...", ".../.X./...", ".../.../...", "../..")), _value)
_json = st.one_of(
    st.fixed_dictionaries(
        {"moves": st.dictionaries(_rows, _value, max_size=6)},
        optional={"board": _place, "side": st.sampled_from(("X", "O", "both", ""))},
    ),
    st.fixed_dictionaries(
        {"positions": st.lists(st.dictionaries(st.sampled_from(PARTS), _value, max_size=3), max_size=3)}
    ),
    st.recursive(st.one_of(st.none(), st.integers(), _text), lambda part: st.lists(part, max_size=3), max_leaves=4),
)
_headers = st.lists(st.tuples(st.sampled_from(HEADERS), st.sampled_from(VALUES)), max_size=4)


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it goes over the wire; `headless` if its answer has no body."""

    data: bytes
    headless: bool = False


@st.composite
def requests(draw: Callable[[SearchStrategy[object]], object]) -> Request:
    """Return complete requests with anything in their parts. A server can tell where each ends."""
    method = str(draw(st.sampled_from(METHODS)))
    path = str(draw(st.sampled_from(PATHS)))
    while "{}" in path:
        part = st.sampled_from(LESSONS) if path.startswith("/learn/{}") and draw(st.integers(0, 3)) else _place
        path = path.replace("{}", quote(str(draw(part)), safe="/%" if draw(st.booleans()) else ""), 1)
    pairs, form, headers = draw(_pairs), draw(_pairs) if method != "GET" else [], draw(_headers)
    assert isinstance(pairs, list)
    assert isinstance(form, list)
    assert isinstance(headers, list)
    body = urlencode(form).encode() if draw(st.booleans()) else repr(form).encode()
    if method == "GET":
        body = b""
    in_json = method == "POST" and path.startswith("/api/v1/p") and bool(draw(st.integers(0, 4)))
    if in_json:
        body = json.dumps(draw(_json)).encode()
    host = "localhost" if draw(st.integers(0, 7)) else str(draw(st.sampled_from(HOSTS)))
    fields = [("Host", host), *headers, ("Content-Length", str(len(body)))]
    if in_json:
        fields.append(("Content-Type", "application/json"))
        pairs = pairs if draw(st.booleans()) else []
    elif method == "POST" and draw(st.booleans()):
        fields.append(("Content-Type", "application/x-www-form-urlencoded"))
    target = path + (f"?{urlencode(pairs)}" if pairs else "")
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return Request(f"{method} {target} HTTP/1.1\r\n{head}\r\n".encode("utf-8", "replace") + body, method == "HEAD")


LINES: Final = tuple(
    line.encode("latin-1")
    for line in (
        *_listed("""
            GET / HTTP/1.1 | GET / HTTP/1.0 | GET / HTTP/0.9 | GET / | GET | GET  /  HTTP/1.1 | get / HTTP/1.1
            GET / HTTP/2.0 | GET / HTTP/9.9 | GET / HTTP/1.1 x | GET / http/1.1 | GET * HTTP/1.1 | OPTIONS * HTTP/1.1
            GET http://evil.example/ HTTP/1.1 | GET https://localhost/play/3x3x3 HTTP/1.1 | GET //evil.example HTTP/1.1
            CONNECT evil.example:443 HTTP/1.1 | GET evil HTTP/1.1 | GET /<svg/onload=1> HTTP/1.1 | GET ?x HTTP/1.1
            GET /?<svg/onload=1> HTTP/1.1 | GET /play/<svg/onload=1>?x=<svg/onload=1> HTTP/1.1 | GET /#x HTTP/1.1
            GET /%00 HTTP/1.1 | GET /%zz HTTP/1.1 | POST /play/3x3x3 HTTP/1.1 | POST / HTTP/1.1 | PRI * HTTP/2.0
            <svg/onload=1> / HTTP/1.1 | GET / <svg/onload=1> | GET /healthz HTTP/1.1 | HEAD / HTTP/1.1
            GET /play/3x3x3?moves=b2 HTTP/1.1"""),
        *("", " ", "GET /\0 HTTP/1.1", "\0\0\0\0", "GET /\xff\xfe HTTP/1.1"),
        *("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", f"{'A' * 5000} / HTTP/1.1"),
        *(f"GET /{'a' * 9000} HTTP/1.1", f"GET /{'a' * 70000} HTTP/1.1"),
    )
)
"""First lines of requests, hardly any of them valid."""

FIELDS: Final = tuple(
    field.encode("latin-1")
    for field in (
        *_listed("""
            Host: localhost | Host: localhost | Host: localhost | Host: <svg/onload=1> | Host: | Host: a, b
            Content-Length: 0 | Content-Length: 5 | Content-Length: 6 | Content-Length: -1 | Content-Length: +5
            Content-Length: 5, 5 | Content-Length: 5, 6 | Content-Length: 0x5 | Content-Length: 99999999999999999999
            Content-Length: | Content-Length : 5 | Transfer-Encoding: chunked | Transfer-Encoding: x
            Transfer-Encoding: gzip, chunked | Transfer-Encoding: chunked, identity | Connection: close
            Connection: keep-alive | Connection: upgrade, http2-settings | Upgrade: h2c | Upgrade: websocket
            Expect: 100-continue | Expect: x | no colon | : no name | X Y: z | Origin: <svg/onload=1>
            HX-Current-URL: <svg/onload=1> | X-Forwarded-Host: <svg/onload=1> | Cookie: <svg/onload=1>
            X-Request-ID: <svg/onload=1> | Content-Type: multipart/form-data
            HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"""),
        *("Host: \0", "Content-Length: \xb2", "transfer-encoding:\tchunked", " folded", "\tfolded", "X: \0", "X\0: y"),
        *("X: \x7f\x01", f"X: {'y' * 9000}", f"X: {'y' * 70000}", f"{'X' * 9000}: y", "X:\ry", "X:\ny"),
        "\r\n".join(f"X-{number}: y" for number in range(500)),
    )
)
BODIES: Final = (
    *(b"", b"", b"", b"cell=", b"cell=a1", b"5\r\ncell=\r\n0\r\n\r\n", b"5\r\ncell=\r\n", b"-5\r\ncell=\r\n0\r\n\r\n"),
    *(b"ffffffffffffffffff\r\nx", b"5;x=y\r\ncell=\r\n0\r\nX: y\r\n\r\n", b"5\ncell=\n0\n\n", b"zz\r\n"),
    *(b"0\r\n\r\nGET / HTTP/1.1\r\n\r\n", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 5, b"<svg/onload=1>"),
    *(b"\0" * 100, bytes(range(256)), b"x" * 20000),
)
ENDS: Final = (*[b"\r\n"] * 20, b"\n", b"\r", b"\r\n\r\n", b"\0")


_line = st.one_of(st.just(LINES[0]), st.just(b"POST /play/3x3x3 HTTP/1.1"), st.sampled_from(LINES))


@st.composite
def bytes_on_the_wire(draw: Callable[[SearchStrategy[object]], object]) -> bytes:
    """Return bytes that are no valid request, or more than one."""

    def some(of: SearchStrategy[bytes]) -> bytes:
        found = draw(of)
        assert isinstance(found, bytes)
        return found

    data = b""
    for _ in range(1 if draw(st.integers(0, 3)) else 3):
        end = some(st.sampled_from(ENDS))
        fields = draw(st.lists(st.sampled_from(FIELDS), max_size=5))
        assert isinstance(fields, list)
        data += end.join([some(_line), *fields, b"", some(st.sampled_from(BODIES))])
    return data + (b"" if draw(st.integers(0, 9)) else some(st.binary(max_size=50)))


def faults(answer: Answer) -> list[str]:
    """Return the faults of an answer to any request."""
    found = []
    if answer.status >= 500 and answer.status != 503:
        found.append(f"status {answer.status}")
    if INJECTED in answer.headers:
        found.append("a header that the client made")
    body = gzip.decompress(answer.body) if answer.headers.get("content-encoding") == "gzip" else answer.body
    if answer.is_html and any(each in body for each in REFLECTED):
        found.append("a marker that is not escaped")
    return found
