"""The lesson on which one draws a winning shape and sees who wins on which board."""

import re

import pytest
from flask.testing import FlaskClient

from solver.board.families import ANIMALS
from solver.board.notation import parse_rules
from solver.board.position import Position
from solver.proofs.predict import predict
from tests.marked import sampled

LESSON = "/learn/shapes"


def hrefs(html: str) -> dict[str, str]:
    """Return where each square of the paper leads."""
    found = re.findall(r'<a id="p([a-e][1-5])" class="spot" href="([^"]+)"', html)
    return {name: url.replace("&amp;", "&") for name, url in found}


@pytest.mark.parametrize("name", sampled(ANIMALS, 4))
def test_a_known_shape_is_recognised_when_it_is_drawn(client: FlaskClient, name: str) -> None:
    url = re.search(rf'class="button" href="([^"]+)"[^>]*>{name.capitalize()}<', client.get(LESSON).text)
    assert url
    assert f"{name.capitalize()} on a board of each size." in client.get(url[1].replace("&amp;", "&")).text


def test_pressing_a_square_adds_it_and_pressing_it_again_takes_it_away(client: FlaskClient) -> None:
    drawn = client.get(f"{LESSON}?shape=b4").text
    added = hrefs(drawn)["c4"]
    assert "shape=b4c4" in added
    assert "shape=b4#" in hrefs(client.get(added).text)["c4"]
    assert "shape=none" in hrefs(drawn)["b4"]


def test_each_board_says_who_wins_and_leads_to_a_game_there(client: FlaskClient) -> None:
    page = client.get(f"{LESSON}?shape=b4c4c3").text
    for side in (3, 4, 5, 6):
        name = f"{side}x{side}-el"
        words = predict(Position(parse_rules(name))).outcome.words(Position(parse_rules(name)).mover)
        assert f"<b>{side}×{side}</b>: {words}" in page
        assert f'href="/play/{name}"' in page
    assert client.get("/play/6x6-el").status_code == 200


def test_a_shape_of_ones_own_has_a_link_that_can_be_played(client: FlaskClient) -> None:
    page = client.get(f"{LESSON}?shape=b4d4b3c3d3").text
    (url,) = set(re.findall(r'href="(/play/5x5-z[a-p]+)"', page))
    assert "This shape wins" in client.get(url).text
