"""What a link shows where it is pasted: its picture."""

import re
from io import BytesIO
from struct import unpack

import pytest
from flask.testing import FlaskClient
from PIL import Image, ImageChops, ImageStat

from solver.board.position import Mark
from solver.pictures.board import MARKS
from solver.pictures.mosaic import Mosaic
from solver.pictures.png import png
from solver.pictures.svg import BLUE, VERMILION

PICTURES = (
    "/play/3x3x3.png",
    "/play/3x3x3.png?moves=b2a1c1",
    "/play/3x3x3.png?moves=b2b1a3c2c1&o=friend",
    "/play/1x8x3.png?moves=a4&show=off",
    "/play/8x8x5.png?moves=d4d5e5e4f6f5g7g6c3&o=friend",
)


def svg(client: FlaskClient, query: str) -> str:
    answer = client.get(f"/play/{query}")
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    return answer.text


def lines(picture: str) -> set[str]:
    """The lines of text of a picture."""
    return {re.sub("<.*?>", "", each) for each in re.findall(r"<text .*?</text>", picture)}


@pytest.mark.parametrize("address", PICTURES)
def test_a_picture_is_a_png_of_1200_by_630_pixels(client: FlaskClient, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    assert answer.data.startswith(b"\x89PNG\r\n\x1a\n")
    assert unpack(">II", answer.data[16:24]) == (1200, 630)


def test_as_png_a_picture_looks_as_it_does_as_svg(client: FlaskClient) -> None:
    query = "moves=b2a1c1"
    quick = Image.open(BytesIO(client.get(f"/play/3x3x3.png?{query}").data)).convert("RGB")
    thorough = Image.open(BytesIO(png(svg(client, f"3x3x3.svg?{query}"), 1200))).convert("RGB")
    assert max(ImageStat.Stat(ImageChops.difference(quick, thorough)).mean) < 2


def test_a_picture_says_whose_turn_it_is_and_marks_the_last_move(client: FlaskClient) -> None:
    text = svg(client, "4x3x3.svg?moves=b2a1&o=friend&show=off")
    assert {"X to move", "4×3, three in a row", "Last move: a1"} <= lines(text)
    assert lines(svg(client, "4x3x3.svg?o=friend&show=off")) == {"noughts×", "X to move", "4×3, three in a row"}


def test_the_picture_of_a_game_that_is_over_says_who_won_and_strikes_the_line(client: FlaskClient) -> None:
    text = svg(client, "3x3x3.svg?moves=b2b1a3c2c1&o=friend")
    strokes = re.findall(r'<path d="M[^"]*" stroke="(#\w+)"', text)
    assert strokes == [MARKS[Mark.X]] * 2
    assert "X wins" in lines(text)


@pytest.mark.parametrize("show", ["show=off", "show=coach", "learn=1", "show=off&hint=1"])
def test_the_picture_of_a_link_without_colours_has_none(client: FlaskClient, show: str) -> None:
    for moves in ("", "b2a1", "b2a1c1"):
        text = svg(client, f"3x3x3.svg?moves={moves}&{show}")
        assert not [line for line in lines(text) if re.match(r"[WDL?]\d*$|Perfect|Each", line)]
        assert not {BLUE, VERMILION} & set(re.findall(r"#\w{6}", text))
    assert {"D", "L", "in 1", "Perfect play: a draw"} <= lines(svg(client, "3x3x3.svg?moves=b2a1c1"))


def test_a_picture_proves_nothing_and_says_so(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.proofs.study.proving", None)
    monkeypatch.setattr("solver.proofs.study.proved_at_once", None)
    text = svg(client, "7x6x5.svg?moves=a1g6b2&o=friend")
    assert text.count(">?<") == 39 + 1
    assert "Perfect play: not proved" in lines(text)


def test_a_picture_may_be_shown_by_any_site_and_kept_a_while(client: FlaskClient) -> None:
    settled, open_to_more = client.get(PICTURES[1]), client.get("/play/7x6x5.png?moves=a1g6b2&o=friend")
    assert settled.headers.getlist("Cross-Origin-Resource-Policy") == ["cross-origin"]
    assert settled.headers["Cache-Control"] == "public, max-age=86400"
    assert open_to_more.headers["Cache-Control"] == "public, max-age=60"


def test_a_picture_is_drawn_once(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get(PICTURES[1])
    monkeypatch.setattr(Mosaic, "png", None)
    assert client.get(PICTURES[1]).data == first.data
    again = client.get(PICTURES[1], headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    "address", ["chess.png", "9x9x5.svg", "3x3x3.png?moves=b2b2", "3x3x3.svg?show=all", f"3x3x3.png?moves={'a' * 999}"]
)
def test_a_bad_link_has_no_picture_but_a_sentence_that_says_why(client: FlaskClient, address: str) -> None:
    answer = client.get(f"/play/{address}")
    assert (answer.status_code, answer.mimetype) == (400, "text/plain")
    assert re.fullmatch(r".{20,}\.\n", answer.text)
