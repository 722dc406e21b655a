"""The lesson with the pictures of the tree, and the addresses of pictures."""

import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient

from solver.board.notation import format_position, parse_position
from solver.board.position import Position
from solver.pictures.gallery import FORMATS, picture_named
from tests.strategies import TIC_TAC_TOE
from webapp.pages.learn.routes import TYPES


class Boards(HTMLParser):
    """The links of a page's boards, by their labels."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: dict[str, dict[str, str]] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "a" and "node" in found.get("class", "").split():
            self.links[found["aria-label"]] = found

    def classed(self, name: str) -> set[str]:
        return {said.split(",")[0] for said, each in self.links.items() if name in each["class"].split()}


def boards(client: FlaskClient, query: str) -> Boards:
    return Boards(client.get(f"/learn/pictures?{query}").text)


def test_every_board_of_a_picture_leads_to_a_game_from_there(client: FlaskClient) -> None:
    found = boards(client, "show=reduced-corner").links
    drawing = picture_named("reduced-corner").drawing
    assert drawing is not None
    played = {parse_qs(urlsplit(each["href"]).query)["from"][0] for each in found.values()}
    assert played == set(map(format_position, drawing.graph.nodes))


@pytest.mark.parametrize("text", ["X../.OX/...", "X...OX...", "a3b2c2", "b2c2", "X../.O./.X."])
def test_a_position_is_found_by_itself_by_moves_or_by_an_image_of_it(client: FlaskClient, text: str) -> None:
    found = boards(client, f"show=reduced-corner&find={text}")
    assert found.classed("found") == {"X../.OX/..."}
    assert found.classed("above") == {"X../.../...", "X../.O./...", "X../.OX/..."}


def opening(found: Boards) -> Iterator[dict[str, str]]:
    return (each for each in found.links.values() if "data-opens" in each)


def test_a_board_opens_what_follows_it_and_shuts_it_again(client: FlaskClient) -> None:
    first = boards(client, "")
    assert len(first.links) == 1 + 3
    corner = next(each for each in opening(first) if each["data-opens"] == "a3")
    opened = Boards(client.get(corner["href"]).text)
    assert len(opened.links) == 1 + 3 + 5
    again = next(each for each in opening(opened) if each["data-opens"] == "a3")
    assert "Close" in again["aria-label"]
    assert set(Boards(client.get(again["href"]).text).links) == set(first.links)


def test_what_is_opened_is_in_the_files_too(client: FlaskClient) -> None:
    text = client.get("/learn/pictures?open=b2.b2a3").text
    assert 'href="/learn/pictures/tree.svg?depth=1&amp;children=distinct&amp;open=b2.b2a3&amp;download=1"' in text
    assert 'href="/learn/pictures/tree.dot?depth=1' in text
    svg = client.get("/learn/pictures/tree.svg?depth=1&children=distinct&open=b2.b2a3").text
    children = {after.canonical() for after in map(Position(TIC_TAC_TOE).play, range(9))}
    below = parse_position("O../.X./...", TIC_TAC_TOE)
    expected = len(children) + 1 + 2 + len(below.orbits())
    assert svg.count("<title>") == 1 + expected


@pytest.mark.parametrize("kind", FORMATS)
def test_a_picture_has_its_type(client: FlaskClient, kind: str) -> None:
    answer = client.get(f"/learn/pictures/reduced-centre.{kind}")
    assert answer.status_code == 200
    assert answer.mimetype == TYPES[kind]
    content = FORMATS[kind](picture_named("reduced-centre"))
    assert answer.data == (content.encode() if isinstance(content, str) else content)
    assert "Content-Disposition" not in answer.headers


def test_a_download_has_a_name(client: FlaskClient) -> None:
    answer = client.get("/learn/pictures/reduced-corner.svg?download=1")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="reduced-corner.svg"'


def test_a_picture_is_drawn_once(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    client.get("/learn/pictures/forced-centre.svg")
    monkeypatch.setattr("solver.pictures.drawing.lay_out", None)
    assert client.get("/learn/pictures/forced-centre.svg").status_code == 200


def test_neither_the_game_nor_the_command_line_loads_the_libraries_of_pictures() -> None:
    code = (
        "import sys; from webapp.app import create_app; create_app().test_client().get('/');"
        "from solver.cli import main; main(['predict']);"
        "sys.exit(bool({'PIL', 'reportlab', 'resvg_py'} & set(sys.modules)))"
    )
    root = Path(__file__).parent.parent.parent
    assert subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, check=False).returncode == 0
