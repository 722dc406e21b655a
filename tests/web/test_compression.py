"""Compression: only for clients that accept it, only of large bodies, and without a change of content."""

import gzip
import re
from pathlib import Path

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from tests.web.conftest import HTMX
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.serving.http.answers import LARGE, ByteCache

ROOT = Path(__file__).parent.parent.parent
ASKED = {"Accept-Encoding": "gzip, deflate, br, zstd"}


@pytest.mark.parametrize("url", ["/", "/play/chess", "/static/app.css", "/static/app.js", "/api/v1/predict"])
def test_the_compressed_answer_is_the_plain_one(client: FlaskClient, url: str) -> None:
    with client.get(url) as plain, client.get(url, headers=ASKED) as packed:
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip"
        assert packed.get_etag() == (plain.get_etag()[0], True) or packed.status_code != 200
        assert gzip.decompress(packed.data) == plain.data
        assert len(packed.data) * 1.5 < len(plain.data)
        for answer in (plain, packed):
            assert "Accept-Encoding" in ", ".join(answer.headers.getlist("Vary"))
            assert answer.headers["Content-Length"] == str(len(answer.data))


@pytest.mark.parametrize("accepted", ["", "br", "identity", "gzip;q=0", "nonsense;;;"])
def test_those_who_do_not_take_gzip_get_it_plain(client: FlaskClient, accepted: str) -> None:
    assert "Content-Encoding" not in client.get("/", headers={"Accept-Encoding": accepted}).headers


def test_a_tiny_answer_stays_as_it_is(client: FlaskClient) -> None:
    assert "Content-Encoding" not in client.get("/healthz", headers=ASKED).headers


def test_only_an_address_that_changes_with_the_file_is_kept_for_a_year(client: FlaskClient) -> None:
    for url, kept in (("/static/app.css?v=1", "max-age=31536000"), ("/static/app.css", "no-cache")):
        with client.get(url) as answer:
            assert kept in answer.headers["Cache-Control"]


PAGES = [
    "/",
    "/play/3x3x3?moves=b2a1",
    "/learn/",
    "/learn/draws",
    "/api/v1/predict",
    "/api/v1/explain?from=X.O/.X./..O",
    "/lab?board=2x2x2",
    "/learn/pictures/poster-o.svg",
    "/play/3x3x3.png?moves=b2a1c1",
    "/static/app.css",
]


@pytest.mark.parametrize("url", PAGES)
@pytest.mark.parametrize("headers", [{}, ASKED, HTMX, ASKED | HTMX], ids=["plain", "gzip", "htmx", "htmx-gzip"])
def test_a_page_one_has_already_is_not_sent_again(client: FlaskClient, url: str, headers: dict[str, str]) -> None:
    with client.get(url, headers=headers) as first:
        assert first.status_code == 200
        tag, kept = first.headers["ETag"], first.headers["Cache-Control"]
    for method in ("GET", "HEAD"):
        with client.open(url, method=method, headers=headers | {"If-None-Match": tag}) as second:
            assert (second.status_code, second.data) == (304, b"")
            assert second.headers["ETag"].removeprefix("W/") == tag.removeprefix("W/")
            assert second.headers["Cache-Control"] == kept
            assert "Vary" in second.headers
            assert "Content-Encoding" not in second.headers
    with client.get(url, headers=headers | {"If-None-Match": 'W/"another"'}) as third:
        assert third.status_code == 200


def test_a_page_its_fragment_and_another_page_have_tags_of_their_own(client: FlaskClient) -> None:
    answers = (client.get("/"), client.get("/", headers=HTMX), client.get("/play/3x3x3?moves=b2a1"))
    assert len({answer.headers["ETag"] for answer in answers}) == 3


def test_the_tag_is_the_contents_and_so_the_same_in_gzip(client: FlaskClient) -> None:
    tags = {
        client.get(url, headers=each).headers["ETag"]
        for url in ("/play/3x3x3", "/play/3x3x3?moves=")
        for each in ({}, ASKED)
    }
    assert len(tags) == 1
    assert tags.pop().startswith('W/"')


@pytest.mark.parametrize("url", ["/healthz", "/nowhere", "/play/chess", "/api/v1/predict?board=chess", "/learn"])
def test_only_what_was_found_has_a_tag_and_not_how_the_server_fares(client: FlaskClient, url: str) -> None:
    assert "ETag" not in client.get(url, headers={"If-None-Match": "*"}).headers


def test_a_move_is_answered_without_a_tag(client: FlaskClient) -> None:
    answer = client.post("/play/3x3x3", data={"cell": "a3"}, headers=HTMX | ASKED | {"If-None-Match": "*"})
    assert answer.status_code == 200
    assert "ETag" not in answer.headers


def answering(body: bytes) -> Flask:
    """Return the application with one more page that has this content."""
    app = create_app()
    app.add_url_rule("/large", view_func=lambda: Response(body, mimetype="text/html"))
    return app


@pytest.mark.parametrize(("size", "packed"), [(199, False), (200, True)])
def test_a_body_is_compressed_from_200_bytes_on(size: int, packed: bool) -> None:
    answer = answering(b"x" * size).test_client().get("/large", headers=ASKED)
    assert ("Content-Encoding" in answer.headers) is packed


@pytest.mark.parametrize(("length", "packed"), [(256, True), (257, False)])
def test_a_list_of_encodings_is_read_up_to_256_characters(client: FlaskClient, length: int, packed: bool) -> None:
    accepted = "gzip,".ljust(length, "x")
    assert ("Content-Encoding" in client.get("/", headers={"Accept-Encoding": accepted}).headers) is packed


def test_a_large_answer_is_compressed_and_tagged_and_kept_only_if_it_fits() -> None:
    plain = b"".join(b"%x," % (number * 7919 % 100_003) for number in range(400_000))
    assert len(plain) > LARGE
    app = answering(plain)
    for limit, kept in ((AppConfig().cache_bytes, 1), (LARGE, 0)):
        cache = app.extensions["cache"] = ByteCache(limit)
        answer = app.test_client().get("/large", headers=ASKED)
        assert gzip.decompress(answer.data) == plain
        assert "ETag" in answer.headers
        assert len(cache) == kept


@pytest.mark.parametrize("name", ["app.css", "app.js", "learn.css", "learn.js"])
def test_our_styles_and_scripts_go_out_without_comments_and_indents_and_with_all_else(
    client: FlaskClient, name: str
) -> None:
    source = [line.strip() for line in (ROOT / "static" / name).read_text(encoding="utf-8").splitlines()]
    sent = client.get(f"/static/{name}").text
    assert not re.search(r"/\*|^\s|^//", sent, re.MULTILINE)
    left_out = set(source) - set(sent.splitlines()) - {""}
    assert all(line.startswith(("//", "/*")) or "*/" in line for line in left_out)
    assert set(sent.splitlines()) <= {*source, *(line.partition(" /*")[0] for line in left_out)}


def test_no_text_in_a_script_goes_over_lines_whose_indents_it_would_lose() -> None:
    for path in (ROOT / "static").glob("*.js"):
        assert all(line.count("`") % 2 == 0 for line in path.read_text(encoding="utf-8").splitlines()), path.name


def test_what_is_not_ours_goes_out_to_the_byte(client: FlaskClient) -> None:
    for path in (ROOT / "static" / "vendor").glob("*.js"):
        with client.get(f"/static/vendor/{path.name}") as answer:
            assert answer.get_data() == path.read_bytes()


def test_a_part_of_a_file_goes_out_as_it_is(client: FlaskClient) -> None:
    (path,) = (ROOT / "static" / "vendor").glob("*.js")
    with client.get(f"/static/vendor/{path.name}", headers=ASKED | {"Range": "bytes=100-999"}) as answer:
        assert answer.status_code == 206
        assert answer.get_data() == path.read_bytes()[100:1000]
