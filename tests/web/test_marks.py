"""Wild and vanishing games, and boards in space: pages, links and the JSON API."""

import random
from typing import Any

import pytest
from flask.testing import FlaskClient

from solver import Position
from solver.board.names import parse_rules
from webapp.pages.play.link import MOST_MOVES, Link, read_link

FULL = "b2a1a3c1b1b3"


def test_a_square_that_can_be_taken_again_has_its_outcome_in_the_picture_too(client: FlaskClient) -> None:
    assert client.get("/play/3x3x3-vanishing.svg?moves=b2a1c1a3b3c3&o=friend").text.count(">D</text>") == 5


def test_a_long_vanishing_game_forgets_its_first_moves() -> None:
    link, position, rng = Link.starting(parse_rules("3x3x3-vanishing")), Position("3x3x3-vanishing"), random.Random(7)
    for _ in range(300):
        move = rng.choice([each for each in position.legal_moves if position.after(each).result is None])
        link, position = link.playing(move), position.play(move)
        assert link.position == position
        assert len(link.game.moves) <= MOST_MOVES
        assert not read_link("3x3x3-vanishing", link.url().partition("?")[2]).problems


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


def test_copies_stand_beyond_edges_that_meet(client: FlaskClient) -> None:
    assert client.get("/play/3x3x3-torus").text.count("<rect x=") == 16
    assert client.get("/play/3x3x3-cylinder").text.count("<rect x=") == 6
    assert 'class="echoes"' not in client.get("/play/3x3x3").text


@pytest.mark.parametrize("path", ["play/3x3x3x3.svg?moves=b2.2", "play/3x3x3-wild.png?moves=Xb2", "embed/4x4x4x4"])
def test_pictures_and_frames_take_these_boards(client: FlaskClient, path: str) -> None:
    assert client.get(f"/{path}").status_code == 200
