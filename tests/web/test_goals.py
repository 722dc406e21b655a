"""Games in which a line loses: the pages say so, and what does not hold there is absent or refused."""

import re

import pytest
from flask.testing import FlaskClient

from solver.board.names import parse_rules
from solver.players import playing_on


def test_notakto_speaks_of_the_first_and_the_second_player(client: FlaskClient) -> None:
    begun = client.get("/play/3x3x3-notakto?moves=a1&o=friend&line=b2").text
    assert "The second player to move" in begun
    assert '<p id="reason">The second player must complete a line on move 3.</p>' in begun
    assert "b2, centre, empty, the first player would win in" in client.get("/play/3x3x3-notakto").text
    ended = client.get("/play/3x3x3-notakto?moves=a1b1c1&o=friend&review=1").text
    assert "The second player wins" in ended
    assert '<svg class="strikes x"' in ended
    assert "c1 was the first player&#39;s mistake" in ended
    assert not re.search(r"[XO] (wins|to move|played|completed)", begun + ended)


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


@pytest.mark.parametrize(
    "path", ["/learn/explorer?board=", "/learn/census?board=", "/learn/generic?minimax=", "/lab?moves=b2a1c1a3&board="]
)
def test_pages_about_lines_that_win_refuse_the_game(client: FlaskClient, path: str) -> None:
    response = client.get(f"{path}3x3x3-misere")
    assert response.status_code == 400
    assert "a line of your own mark wins" in response.text


def test_the_api_answers_for_who_is_about_to_move(client: FlaskClient) -> None:
    found = client.get("/api/v1/predict?board=3x3x3-notakto&moves=a1b1").get_json()
    assert found["to_move"] == "X"
    assert found["squares"]["c1"] == {"outcome": "loss", "plies": 1}


def test_the_api_gives_best_play_without_a_reason(client: FlaskClient) -> None:
    square = client.get("/api/v1/explain?board=3x3x3-misere&moves=b2&square=a1").get_json()["squares"]["a1"]
    assert not square["verified"]
    assert square["refutation"]
