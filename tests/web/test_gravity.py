"""Pages of games in which stones fall."""

import re

import pytest
from flask.testing import FlaskClient

GAME = "/play/7x6x4-gravity?moves=d1d2"


@pytest.mark.parametrize(("pressed", "reached"), [("e1", "e1"), ("e5", "e1"), ("d6", "d3")])
def test_a_press_anywhere_in_a_column_drops_a_stone(client: FlaskClient, pressed: str, reached: str) -> None:
    answer = client.post(f"{GAME}&o=friend", data={"cell": pressed})
    assert answer.status_code == 303
    assert f"moves=d1d2{reached}" in answer.location


def test_a_press_in_a_full_column_is_refused_with_the_reason(client: FlaskClient) -> None:
    answer = client.post("/play/2x2x2-gravity?moves=a1a2&o=friend", data={"cell": "a2"})
    assert answer.status_code == 400
    assert "a2 is taken" in answer.text


def test_the_rule_stands_above_the_board_and_squares_in_the_air_say_where_a_stone_falls(client: FlaskClient) -> None:
    page = client.get(f"{GAME}&show=distance").text
    assert "Four in a row wins. Stones fall." in page
    assert "e5, empty, falls to e1" in page
    assert "7×6 gravity" in page
    assert re.search(r'id="sq-e5" class="[^"]*\bair\b', page)
    assert not re.search(r'id="sq-e1" class="[^"]*\bair\b', page)


def test_more_has_a_dial_for_falling_stones(client: FlaskClient) -> None:
    chosen = client.get("/play?columns=4&rows=4&k=3&surface=cylinder&drop=gravity&lines=misere")
    assert "/play/4x4x3-cylinder-gravity-misere" in chosen.location
    assert "Fall to the bottom" in client.get("/play/7x6x4-gravity/settings").text
