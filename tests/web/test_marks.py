"""Wild and vanishing games, and boards in space: pages, links and the JSON API."""

import random
from typing import Any

import pytest
from flask.testing import FlaskClient

from solver import Position
from solver.board.names import parse_rules
from webapp.pages.play.link import MOST_MOVES, Link, read_link

FULL = "b2a1a3c1b1b3"


def test_a_press_places_the_chosen_mark(client: FlaskClient) -> None:
    page = client.get("/play/3x3x3-wild?moves=Xb2Oa1&place=O&o=friend").text
    assert (
        'id="place-o" class="button" href="/play/3x3x3-wild?moves=Xb2Oa1&amp;o=friend&amp;place=O" aria-current="true"'
        in page
    )
    assert 'data-mover="O"' in page
    moved = client.post("/play/3x3x3-wild?moves=Xb2Oa1&place=O&o=friend", data={"cell": "c3"})
    assert moved.headers["Location"] == "/play/3x3x3-wild?moves=Xb2Oa1Oc3&o=friend&place=O"


def test_a_square_that_can_be_taken_again_has_its_outcome_in_the_picture_too(client: FlaskClient) -> None:
    assert client.get("/play/3x3x3-vanishing.svg?moves=b2a1c1a3b3c3&o=friend").text.count(">D</text>") == 5


def test_a_wild_move_can_name_its_mark(client: FlaskClient) -> None:
    moved = client.post("/play/3x3x3-wild?o=friend", data={"cell": "Ob2"})
    assert moved.headers["Location"] == "/play/3x3x3-wild?moves=Ob2&o=friend"


def test_a_long_vanishing_game_forgets_its_first_moves() -> None:
    link, position, rng = Link.starting(parse_rules("3x3x3-vanishing")), Position("3x3x3-vanishing"), random.Random(7)
    for _ in range(300):
        move = rng.choice([each for each in position.legal_moves if position.after(each).result is None])
        link, position = link.playing(move), position.play(move)
        assert link.position == position
        assert len(link.game.moves) <= MOST_MOVES
        assert not read_link("3x3x3-vanishing", link.url().partition("?")[2]).problems


def test_a_board_in_space_has_its_layers_side_by_side(client: FlaskClient) -> None:
    page = client.get("/play/3x3x3x3?moves=b2.2").text
    assert 'class="c11 r3"' in page
    assert 'id="sq-b2.2"' in page
    assert page.count('class="hole"') == 6
    assert page.count(">layer 2</span>") == 1


def test_the_api_answers_for_every_clause(client: FlaskClient) -> None:
    def asked(path: str) -> Any:
        return client.get(f"/api/v1/{path}").json

    wild = asked("predict?board=3x3x3-wild&moves=Xb2Oa1")
    assert wild["best"] == ["Oc3"]
    assert wild["squares"]["Xc3"] == {"outcome": "draw", "plies": 7}
    endless = asked(f"predict?board=3x3x3-vanishing&moves={FULL}")
    assert endless["squares"]["c3"] == {"outcome": "draw", "plies": None}
    space = asked("predict?board=3x3x3x3&from=.../.../...|.../.X./...|.../.../O..")
    assert space["position"] == ".../.../...|.../.X./...|.../.../O.."
    assert {each["outcome"] for each in space["squares"].values()} <= {"win", "unknown"}
    assert client.get("/api/v1/predict?board=3x3x3-vanishing&from=X../.../...").status_code == 409
    assert asked("explain?board=3x3x3-wild&moves=Xb2&square=Oa1")["squares"]["Oa1"]["plies"] == 4
    assert asked("review?board=3x3x3-wild&moves=Xb2Oa1Xa3")["moves"][2]["mark"] == "win-to-loss"
    assert asked("boards?board=3x3x3-wild")["boards"][0]["plies"] == 7


def test_games_by_other_rules_are_listed_a_family_at_a_time(client: FlaskClient) -> None:
    page = client.get("/learn/boards?rules=misere-wild").text
    assert '<option value="misere-wild" selected>' in page
    assert '<a href="/play/3x3x3-misere-wild">' in page
    assert client.get("/learn/boards?rules=chess").status_code == 400


def test_copies_stand_beyond_edges_that_meet(client: FlaskClient) -> None:
    assert client.get("/play/3x3x3-torus").text.count("<rect x=") == 16
    assert client.get("/play/3x3x3-cylinder").text.count("<rect x=") == 6
    assert 'class="echoes"' not in client.get("/play/3x3x3").text


@pytest.mark.parametrize("path", ["play/3x3x3x3.svg?moves=b2.2", "play/3x3x3-wild.png?moves=Xb2", "embed/4x4x4x4"])
def test_pictures_and_frames_take_these_boards(client: FlaskClient, path: str) -> None:
    assert client.get(f"/{path}").status_code == 200
