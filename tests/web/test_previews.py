"""The preview of a pasted link, which is its picture and its tags, and the manifest to install the page."""

import json
import re
from colorsys import rgb_to_hls
from dataclasses import replace
from html import unescape
from io import BytesIO
from struct import unpack
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from PIL import Image, ImageChops, ImageStat

from solver.analysis.drills import drill_of
from solver.board.position import Mark
from solver.pictures.card import FAINT, mix
from solver.pictures.files import render
from solver.pictures.mosaic import Mosaic
from solver.pictures.svg import GREY, LOSS, MARKS, WIN
from tests.strategies import examples
from tests.test_words import ROOT
from tests.web.test_link import links
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.pages.play.link import Link
from webapp.pages.practise.routes import card
from webapp.processes.prover import TaskRunner
from webapp.serving.pool.asking import make_page
from webapp.serving.pool.messages import Task
from webapp.ui.previews import PLACEHOLDER

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
    """Return the lines of text of a picture."""
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
    thorough = Image.open(BytesIO(render(svg(client, f"3x3x3.svg?{query}"), 1200))).convert("RGB")
    assert max(ImageStat.Stat(ImageChops.difference(quick, thorough)).mean) < 2


def test_a_picture_says_whose_turn_it_is_and_marks_the_last_move(client: FlaskClient) -> None:
    text = svg(client, "4x3x3.svg?moves=b2a1&o=friend&show=off")
    assert {"X to move", "4×3, three in a row", "Last move: a1"} <= lines(text)
    assert lines(svg(client, "4x3x3.svg?o=friend&show=off")) == {"noughts×", "X to move", "4×3, three in a row"}


def test_the_stone_that_leaves_next_is_faint(client: FlaskClient) -> None:
    faint = mix(MARKS[Mark.X], FAINT)
    assert faint in svg(client, "3x3x3-vanishing.svg?moves=b2a1c3a3a2c2&o=friend&show=off")
    assert faint not in svg(client, "3x3x3-vanishing.svg?moves=b2a1c3a3a2&o=friend&show=off")


def test_the_picture_of_a_game_that_is_over_says_who_won_and_strikes_the_line_and_tells_of_a_review(
    client: FlaskClient,
) -> None:
    text = svg(client, "3x3x3.svg?moves=b2b1a3c2c1&o=friend")
    strokes = re.findall(r'<path d="M[^"]*" stroke="(#\w+)"', text)
    assert strokes == [MARKS[Mark.X]] * 2
    assert "X wins" in lines(text)
    review = svg(client, "3x3x3.svg?moves=b2b1a3c2c1&o=friend&review=1")
    assert lines(review) - lines(text) == {"With a review of every move"}


@pytest.mark.parametrize("show", ["show=off", "show=coach", "show=off&hint=1"])
def test_the_picture_of_a_link_without_colours_has_none(client: FlaskClient, show: str) -> None:
    for moves in ("", "b2a1", "b2a1c1"):
        text = svg(client, f"3x3x3.svg?moves={moves}&{show}")
        assert not [line for line in lines(text) if re.match(r"[WDL?]\d*$|Perfect|Each", line)]
        assert not {WIN, LOSS} & set(re.findall(r"#\w{6}", text))
    assert {"D", "L", "in 1", "Perfect play: a draw"} <= lines(svg(client, "3x3x3.svg?moves=b2a1c1"))


@examples(20)
@given(link=links())
def test_every_link_has_a_picture_with_outcomes_only_if_its_page_shows_them(app: Flask, link: Link) -> None:
    path, question, query = link.url().partition("?")
    text = svg(app.test_client(), f"{path.removeprefix('/play/')}.svg{question}{query}")
    told = [line for line in lines(text) if re.match(r"[WDL?]([≤≥]?\w*)?$|Perfect|Each", line)]
    assert bool(told) == (link.shows_outcomes and link.position.result is None)
    assert len(text) < 60_000


def test_a_picture_proves_nothing_and_says_so(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.proofs.study.proving", None)
    monkeypatch.setattr("solver.proofs.study.search_at_once", None)
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


NAMES = {
    "description",
    "canonical",
    *(f"twitter:{name}" for name in ("card", "title", "description", "image", "image:alt")),
    *(f"og:{name}" for name in ("title", "description", "type", "site_name", "url", "image")),
    *(f"og:image:{name}" for name in ("width", "height", "alt")),
}
TAG = re.compile(r"<(?:meta|link)\s([^>]*)>")
LINKS = (
    "/",
    "/play/3x3x3?moves=b2a1c1",
    "/play/3x3x3?moves=b2b1a3c2c1&o=friend&review=1",
    "/play/8x8x5?moves=d4d5&o=friend&show=off",
    "/practise",
    "/practise/daily",
    "/practise/3x3x3-X.O_.X._..O-block",
    "/practise/set?seed=7b&count=3",
    "/learn/openings",
    "/learn/explorer?moves=b2a1",
    "/learn/",
    "/lab?moves=b2a1c3",
)


def tags(page: str) -> dict[str, str]:
    """Return the tags in the head of a page by name or property, and check that none is there twice."""
    found: dict[str, str] = {}
    for text in TAG.findall(page.partition("</head>")[0]):
        attributes = {name: unescape(value) for name, value in re.findall(r'(\w+)="([^"]*)"', text)}
        for kind in ("name", "property", "rel"):
            if (name := attributes.get(kind)) in NAMES:
                assert name not in found
                found[name] = attributes.get("content") or attributes["href"]
    return found


@pytest.mark.parametrize("address", LINKS)
def test_a_link_tells_of_itself_and_its_picture_is_there(client: FlaskClient, address: str) -> None:
    told = tags(client.get(address).text)
    assert told.keys() == NAMES
    assert told["description"] == told["og:description"] == told["twitter:description"]
    assert told["canonical"] == told["og:url"]
    assert client.get(told["og:url"]).status_code == 200
    assert told["og:image"].startswith("http://localhost/")
    assert urlsplit(told["og:image"]).path.endswith(".png")
    answer = client.get(told["og:image"])
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    size = (int(told["og:image:width"]), int(told["og:image:height"]))
    assert unpack(">II", answer.data[16:24]) == size == (1200, 630)


@pytest.mark.parametrize("page", ["share", "embed"])
def test_other_pages_of_a_game_name_its_own_as_the_one_to_find(client: FlaskClient, page: str) -> None:
    own, other = (tags(client.get(f"/{each}/3x3x3?moves=b2a1").text) for each in ("play", page))
    assert {name: other[name] for name in NAMES} == {name: own[name] for name in NAMES}


def test_a_host_that_anybody_can_have_made_up_is_in_no_tag() -> None:
    unknown = create_app(config=AppConfig(allowed_hosts=())).test_client()
    known = create_app(config=AppConfig(allowed_hosts=("play.example",))).test_client()
    for address in (LINKS[1], LINKS[6], LINKS[8]):
        told = tags(unknown.get(address, base_url="http://made-up.example").text)
        assert NAMES - told.keys() >= {"canonical", "og:url", "og:image"}
        told = tags(known.get(address, base_url="https://play.example").text)
        assert told["og:image"].startswith("https://play.example/")


def test_a_page_that_the_pool_makes_leaves_the_host_to_whoever_was_asked() -> None:
    (made, *_), _ = TaskRunner(AppConfig()).run(Task.of(make_page, "/learn/openings", ""))
    assert made.count(PLACEHOLDER) == 1
    assert b"og:url" not in made


@pytest.mark.parametrize("drill", ["3x3x3-X.O_.X._..O-block", "3x3x3-..X_.O._X..-evaluate"])
def test_what_is_told_of_a_drill_is_the_same_whatever_is_right_and_whatever_was_answered(
    client: FlaskClient, drill: str
) -> None:
    address = f"/practise/{drill}"
    told = tags(client.get(address).text)
    for asked in ("tried=c2", "tried=b3", "tried=draw", "tried=x2", "answers=1", "hints=2", "missed=1"):
        assert tags(client.get(f"{address}?{asked}").text) == told
    known = drill_of(drill)
    assert card(replace(known, answers=())) == card(known)
    assert client.get(f"{address}.png").data == client.get(f"{address}.png?answers=1").data


def test_the_page_can_be_installed(client: FlaskClient) -> None:
    start = client.get("/")
    assert 'rel="manifest" href="/manifest.webmanifest"' in start.text
    assert "manifest-src 'self'" in start.headers["Content-Security-Policy"]
    manifest = client.get("/manifest.webmanifest")
    assert manifest.mimetype == "application/manifest+json"
    told = json.loads(manifest.text)
    assert client.get(told["start_url"]).status_code == 200
    assert {icon.get("purpose", "any") for icon in told["icons"]} == {"any", "maskable"}
    sizes = {icon["src"]: icon["sizes"] for icon in told["icons"]} | {"/apple-touch-icon.png": "180x180"}
    for address, size in sizes.items():
        answer = client.get(address)
        assert (answer.status_code, answer.mimetype) == (200, "image/png")
        assert "{}x{}".format(*unpack(">II", answer.data[16:24])) == size


def colours(name: str) -> list[str]:
    """Return the colours of a token in the style sheet: in the light theme, and in the dark one."""
    return re.findall(rf"--{name}: (#[0-9a-f]{{6}})", (ROOT / "static" / "app.css").read_text(encoding="utf-8"))


def test_marks_and_outcomes_have_one_colour_each_on_pages_and_in_pictures() -> None:
    told = {"win": WIN, "draw": GREY, "loss": LOSS, "x": MARKS[Mark.X], "o": MARKS[Mark.O]}
    assert {name: colours(name)[0] for name in told} == told
    assert len({*told.values()}) == len(told)


def test_nothing_but_a_loss_is_orange() -> None:
    for path in (*ROOT.glob("static/*.css"), *ROOT.glob("static/*.js"), *ROOT.glob("solver/pictures/*.py")):
        for line in path.read_text(encoding="utf-8").splitlines():
            for colour in re.findall(r"#([0-9a-f]{6})\b", line):
                hue, light, full = rgb_to_hls(*(part / 255 for part in bytes.fromhex(colour)))
                is_orange = 15 < 360 * hue < 42 and full > 0.5 and 0.25 < light < 0.8
                assert not is_orange or f"#{colour}" in colours("loss"), (path.name, line)
