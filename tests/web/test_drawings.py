"""The addresses of pictures."""

import subprocess
import sys
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from solver.pictures.gallery import FORMATS, picture_named
from webapp.pages.learn.routes import TYPES


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


@pytest.mark.parametrize("path", ["mona-lisa.svg", "forced.gif", "forced", "poster-x.dot", "TREE.svg"])
def test_what_is_no_picture_is_not_found(client: FlaskClient, path: str) -> None:
    assert client.get(f"/learn/pictures/{path}").status_code == 404


@pytest.mark.parametrize(
    "query",
    ["from=nonsense", "moves=z9", "board=chess", "depth=9", "children=some", "board=8x8x4&depth=2&children=all"],
)
def test_a_tree_that_cannot_be_drawn_says_why(client: FlaskClient, query: str) -> None:
    answer = client.get(f"/learn/pictures/tree.svg?{query}")
    assert answer.status_code == 400
    assert answer.mimetype == "text/plain"
    assert len(answer.text) > 20


def test_a_picture_one_has_already_is_not_sent_again(client: FlaskClient) -> None:
    first = client.get("/learn/pictures/poster-o.svg", headers={"Accept-Encoding": "gzip"})
    assert first.headers["Content-Encoding"] == "gzip"
    again = client.get("/learn/pictures/poster-o.svg", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_a_picture_is_drawn_once(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    client.get("/learn/pictures/forced-centre.svg")
    monkeypatch.setattr("solver.pictures.drawing.laid_out", None)
    assert client.get("/learn/pictures/forced-centre.svg").status_code == 200


def test_neither_the_game_nor_the_command_line_loads_the_libraries_of_pictures() -> None:
    code = (
        "import sys; from webapp.app import create_app; create_app().test_client().get('/');"
        "from solver.cli import main; main(['predict']);"
        "sys.exit(bool({'PIL', 'reportlab', 'resvg_py'} & set(sys.modules)))"
    )
    root = Path(__file__).parent.parent.parent
    assert subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, check=False).returncode == 0
