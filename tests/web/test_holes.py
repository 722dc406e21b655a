"""Pages of games with holes in the board, and with lines that somebody draws."""

import re

import pytest
from flask.testing import FlaskClient

LESSON = "/learn/shapes"


def spots(html: str) -> dict[str, str]:
    """Return where each square of the board with holes leads."""
    found = re.findall(r'<a id="h([a-h][1-8])" class="spot" href="([^"]+)"', html)
    return {name: url.replace("&amp;", "&") for name, url in found}


def test_the_api_takes_holes_and_drawn_lines(client: FlaskClient) -> None:
    answer = client.get("/api/v1/predict?board=3x3x3-holesb2&from=X../.%23O/...").get_json()
    assert answer["position"] == "X../.#O/..."
    assert "b2" not in answer["squares"]
    assert client.get("/api/v1/predict?board=3x3x3-linesa1b1c1").get_json()["board"] == "3x3x3-linesa1b1c1"
    refused = client.get("/api/v1/predict?board=3x3x3-linesa1b1a1")
    assert refused.status_code // 100 == 4
    assert "The drawn line a1b1 has 2 different squares, not 3." in refused.text


@pytest.mark.parametrize("end", ["png", "svg"])
def test_a_picture_leaves_the_holes_out(client: FlaskClient, end: str) -> None:
    with_hole, whole = (client.get(f"/play/{board}.{end}") for board in ("3x3x3-holesb2", "3x3x3"))
    assert with_hole.status_code == whole.status_code
    assert with_hole.data != whole.data


def test_pressing_a_square_makes_a_hole_and_pressing_it_again_fills_it(client: FlaskClient) -> None:
    page = client.get(f"{LESSON}?board=3x3x3").text
    holed = client.get(spots(page)["b2"]).text
    assert "b2 is missing." in holed
    assert 'href="/play/3x3x3-holesb2"' in holed
    assert "board=3x3x3&make=holes" in spots(holed)["b2"]


def test_a_square_without_which_no_line_is_left_cannot_be_removed(client: FlaskClient) -> None:
    offered = spots(client.get(f"{LESSON}?board=3x3x3-holesb2c1").text)  # the top row and the left column are left
    assert "a1" in offered
    assert "a3" not in offered


def test_squares_pressed_one_after_the_other_draw_a_line_and_once_more_remove_it(client: FlaskClient) -> None:
    url = f"{LESSON}?board=3x3x3&make=lines"
    for cell in ("a1", "b1", "c2"):
        url = spots(client.get(url).text)[cell]
    page = client.get(url).text
    assert "1 line counts: c2–a1–b1." in page
    assert 'href="/play/3x3x3-linesa1b1c2"' in page
    for cell in ("c2", "b1", "a1"):
        url = spots(client.get(url).text)[cell]
    assert 'href="/play/3x3x3"' in client.get(url).text
