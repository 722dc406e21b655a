"""The ways to share a game: link, QR code, picture, text, and code that frames it."""

import re
from html import unescape
from io import BytesIO
from urllib.parse import parse_qs, urlsplit

import pytest
import zxingcpp
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
