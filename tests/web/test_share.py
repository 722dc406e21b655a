"""What is shared of a game: its link, its code, its picture, and the frame that other sites show."""

import re
from html import unescape
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import zxingcpp
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image
from resvg_py import svg_to_bytes

from solver.board.pasted import read_pasted
from tests.web.conftest import HTMX
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.pages.play.link import read_link

LONG = "8x8x5?from=" + "/".join(["XOXOXOX.", "OXOXOXO.", *["........"] * 6]) + "&moves=h8h7&o=friend&seed=7b"
GAMES = ["3x3x3", "3x3x3?moves=b2a1c3&at=2&o=friend&show=off", "4x3x3?from=X.../.O../....&moves=a1b1&o=friend", LONG]
GAMES += ["7x6x4-gravity?moves=4453"]


def fields(text: str) -> dict[str, str]:
    """Return the texts to copy, by the ids of their fields."""
    return {name: unescape(value) for name, value in re.findall(r'<input id="share-(\w+)"[^>]* value="([^"]*)"', text)}


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_is_handed_on_leads_to_the_game(client: FlaskClient, game: str) -> None:
    board, _, query = game.partition("?")
    link = read_link(board, query).link
    copied = fields(client.get(f"/share/{game}").text)
    assert copied.pop("link") == f"http://localhost{link.having(guest=True).url()}"
    assert read_pasted(copied.pop("rows"), link.rules).last == link.position
    if columns := copied.pop("columns", ""):
        assert columns == "4453"
        assert read_pasted(columns, link.rules) == link.game
    for pasted in (link.url(), *copied.values()):
        assert read_pasted(pasted) == link.game.upto(link.at)
    assert "share-code" in client.get(f"/share/{game}").text


@pytest.mark.parametrize("game", GAMES)
def test_the_qr_code_is_the_link(client: FlaskClient, game: str) -> None:
    board, _, query = game.partition("?")
    drawn = client.get(f"/share/{board}/qr.svg?{query}")
    assert drawn.mimetype == "image/svg+xml"
    picture = Image.open(BytesIO(svg_to_bytes(svg_string=drawn.text, width=600)))
    (code,) = zxingcpp.read_barcodes(picture)
    assert code.text == f"http://localhost{read_link(board, query).link.url()}"


def test_the_panel_of_the_play_page_is_the_same_as_a_part(client: FlaskClient) -> None:
    page, part = (client.get("/share/3x3x3?moves=b2", headers=headers).text for headers in ({}, HTMX))
    assert "<h1>Share this game</h1>" in page
    assert "<h1" not in part
    assert fields(part) == fields(page)
    shared = re.search(
        r'href="(/share/3x3x3\?moves=b2)" hx-boost="false"', client.get("/play/3x3x3/settings?moves=b2").text
    )
    assert shared is not None


def test_a_server_that_may_not_name_itself_has_no_code_to_scan_or_to_frame_and_links_all_the_same() -> None:
    unnamed = create_app(config=AppConfig(allowed_hosts=())).test_client()
    text = unnamed.get("/share/3x3x3?moves=b2", base_url="http://anything.example").text
    assert fields(text) == {"link": "/play/3x3x3?moves=b2&as=guest", "moves": "b2", "rows": ".../.X./..."}
    assert "anything" not in text
    assert "qr.svg" not in text
    assert unnamed.get("/share/3x3x3/qr.svg?moves=b2", base_url="http://anything.example").status_code == 404


def test_a_play_page_says_where_it_is_described(client: FlaskClient) -> None:
    found = re.search(r'type="application/json\+oembed" href="([^"]*)"', client.get("/play/3x3x3?moves=b2a1").text)
    assert found is not None
    address = unescape(found[1])
    assert parse_qs(urlsplit(address).query)["url"] == ["http://localhost/play/3x3x3?moves=b2a1"]
    assert client.get(address).json["type"] == "rich"  # type: ignore[index]


FRAMED = {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost", "Sec-Fetch-Dest": "iframe"}
"""The headers of a request that our page makes from inside a frame."""


def test_of_all_addresses_only_the_small_board_and_questions_may_be_framed(app: Flask, client: FlaskClient) -> None:
    rules = [rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    asked = {re.sub("<[^>]*>", "3x3x3", rule) for rule in rules}
    framed = set()
    for path in asked:
        with client.options(path) as answer:  # answers without making the page, with the headers of all
            if "X-Frame-Options" not in answer.headers:
                framed.add(path)
            else:
                assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert framed == {"/embed/3x3x3", "/embed/ask"}


@pytest.mark.parametrize("path", ["/embed", "/embed/", "/embed/3x3x3/", "/embed/3x3x3/more", "/oembedded", "/oembed/"])
def test_what_only_begins_as_their_addresses_is_neither_framed_nor_read(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (308, 404)
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_the_small_board_may_be_framed_by_anyone_and_is_as_strict_otherwise(client: FlaskClient) -> None:
    headers = client.get("/embed/3x3x3").headers
    ours = client.get("/play/3x3x3").headers["Content-Security-Policy"]
    assert headers["Content-Security-Policy"] == ours.replace("frame-ancestors 'none'", "frame-ancestors *")
    assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert headers["Cross-Origin-Embedder-Policy"] == "require-corp"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Set-Cookie" not in headers


def test_a_move_in_a_frame_leads_to_the_next_frame(client: FlaskClient) -> None:
    plain = client.post("/embed/3x3x3?o=friend", data={"cell": "b2"}, headers=FRAMED)
    assert (plain.status_code, plain.location) == (303, "/embed/3x3x3?moves=b2&o=friend")
    swapped = client.post("/embed/3x3x3?o=friend", data={"cell": "b2"}, headers=FRAMED | HTMX)
    assert swapped.headers["HX-Replace-Url"] == plain.location
    assert 'action="/embed/3x3x3?moves=b2&amp;o=friend"' in swapped.text


def test_another_site_cannot_move_in_a_frame(client: FlaskClient) -> None:
    assert client.post("/embed/3x3x3", data={"cell": "b2"}, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_a_frame_leads_nowhere_but_to_the_whole_page(client: FlaskClient) -> None:
    text = client.get("/embed/4x3x3?moves=b2a1&o=friend").text
    addresses = set(map(unescape, re.findall(r'(?:href|action|hx-get)="(/[^"]*)"', text)))
    assert {each for each in addresses if not each.startswith(("/embed/4x3x3", "/static/"))} == {
        "/play/4x3x3?moves=b2a1&o=friend"
    }


def oembed(client: FlaskClient, **asked: Any) -> dict[str, Any]:
    answer = client.get("/oembed", query_string=asked)
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    found: dict[str, Any] = answer.json or {}
    return found


@pytest.mark.parametrize("place", ["play", "embed"])
def test_a_game_is_described_as_oembed_has_it(client: FlaskClient, place: str) -> None:
    found = oembed(client, url=f"http://localhost/{place}/4x3x3?moves=b2a1&o=friend")
    assert (found["version"], found["type"]) == ("1.0", "rich")
    assert found["title"] == "4×3, three in a row wins. X to move."
    assert client.get(found["thumbnail_url"]).mimetype == "image/png"
    (source,) = re.findall(r'<iframe src="([^"]*)"', found["html"])
    board, _, query = unescape(source).removeprefix("http://localhost/embed/").partition("?")
    assert read_link(board, query).link.url() == "/play/4x3x3?moves=b2a1&o=friend"


def test_a_server_that_may_not_name_itself_describes_nothing() -> None:
    unnamed = create_app(config=AppConfig(allowed_hosts=())).test_client()
    url = "http://anything.example/play/3x3x3"
    assert unnamed.get("/oembed", query_string={"url": url}, base_url="http://anything.example").status_code == 404
    assert "oembed" not in unnamed.get("/play/3x3x3", base_url="http://anything.example").text
