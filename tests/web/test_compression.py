"""Compression: for those who take it, of what is worth it, and the same content."""

import gzip

import pytest
from flask.testing import FlaskClient

ASKED = {"Accept-Encoding": "gzip, deflate, br, zstd"}


@pytest.mark.parametrize("url", ["/", "/play/chess", "/static/app.css", "/static/app.js", "/api/v1/predict"])
def test_the_compressed_answer_is_the_plain_one(client: FlaskClient, url: str) -> None:
    with client.get(url) as plain, client.get(url, headers=ASKED) as packed:
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip"
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


def test_a_file_one_has_already_is_not_sent_again(client: FlaskClient) -> None:
    with client.get("/static/app.css", headers=ASKED) as first:
        tag = first.headers["ETag"]
    with client.get("/static/app.css", headers=ASKED | {"If-None-Match": tag}) as second:
        assert second.status_code == 304
        assert second.data == b""
