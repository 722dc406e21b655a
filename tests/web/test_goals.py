"""Games in which a line loses: the pages say so, and what does not hold there is absent or refused."""

import re

import pytest
from flask.testing import FlaskClient

from solver.board.names import parse_rules
from solver.players import playing_on


@pytest.mark.parametrize(
    ("game", "asks"),
    [
        ("3x3x3?moves=b2a1", "Point at a square to see why."),
        ("3x3x3-misere?moves=b2a1", "Point at a square to see what happens next."),
        ("3x3x3?moves=b2a1&show=off", ""),
        ("8x8x5?moves=d4a1&prove=0", ""),
    ],
)
def test_pointing_at_squares_is_offered_only_where_they_have_something_to_tell(
    client: FlaskClient, game: str, asks: str
) -> None:
    shown = re.findall(r'<span class="if-mouse scripted">(Point at a square[^<]*)', client.get(f"/play/{game}").text)
    assert shown == ([asks] if asks else [])


def test_no_player_by_rules_of_thumb_plays() -> None:
    kinds = {each.kind for each in playing_on(parse_rules("3x3x3-misere")) if each.name != "easy"}
    assert kinds == {"perfect", "search"}


def test_the_api_answers_for_who_is_about_to_move(client: FlaskClient) -> None:
    found = client.get("/api/v1/predict?board=3x3x3-notakto&moves=a1b1").get_json()
    assert found["to_move"] == "X"
    assert found["squares"]["c1"] == {"outcome": "loss", "plies": 1}


def test_the_api_gives_best_play_without_a_reason(client: FlaskClient) -> None:
    square = client.get("/api/v1/explain?board=3x3x3-misere&moves=b2&square=a1").get_json()["squares"]["a1"]
    assert not square["verified"]
    assert square["refutation"]
