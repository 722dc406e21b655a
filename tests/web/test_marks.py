"""Wild and vanishing games, and boards in space: pages, links and the JSON API."""

import random
from typing import Any

import pytest
from flask.testing import FlaskClient

from solver import Position
from solver.board.names import parse_rules
from webapp.pages.play.link import MOST_MOVES, Link, read_link

FULL = "b2a1a3c1b1b3"


@pytest.mark.parametrize(
    ("board", "rule"),
    [
        ("3x3x3-wild", "Three in a row wins. Each move places X or O, as you like."),
        (
            "3x3x3-vanishing",
            "Three in a row wins. Each player has 3 stones at most: place one more, and your oldest leaves.",
        ),
        ("3x3x3x3", "Three in a row wins. Lines run through the layers too; layer 1 is the lowest."),
    ],
)
def test_the_rule_stands_above_the_board(client: FlaskClient, board: str, rule: str) -> None:
    assert f"<h1>{rule}</h1>" in client.get(f"/play/{board}").text


def test_a_press_places_the_chosen_mark(client: FlaskClient) -> None:
    page = client.get("/play/3x3x3-wild?moves=Xb2Oa1&place=O&o=friend").text
    assert (
        'id="place-o" class="button" href="/play/3x3x3-wild?moves=Xb2Oa1&amp;o=friend&amp;place=O" aria-current="true"'
        in page
    )
    assert 'data-mover="O"' in page
    moved = client.post("/play/3x3x3-wild?moves=Xb2Oa1&place=O&o=friend", data={"cell": "c3"})
    assert moved.headers["Location"] == "/play/3x3x3-wild?moves=Xb2Oa1Oc3&o=friend&place=O"


def test_the_squares_of_a_wild_game_show_the_outcome_of_the_chosen_mark(client: FlaskClient) -> None:
    shown = {mark: client.get(f"/play/3x3x3-wild?moves=Xb2Oa1&place={mark}&o=friend").text for mark in "XO"}
    assert "c3, top right, empty, X would draw" in shown["X"]
    assert "c3, top right, empty, X would win in 2 moves" in shown["O"]


def test_a_hint_for_the_other_mark_outlines_no_square_of_the_chosen_one(client: FlaskClient) -> None:
    asked = "/play/3x3x3-wild?moves=Xa1Oc2&o=friend&hint=1"
    assert "Best for X: Ob3 (a win in 2). Choose “Place O” first." in client.get(asked).text
    assert ", best move" not in client.get(asked).text
    assert "X would win in 2 moves (3 plies), best move" in client.get(f"{asked}&place=O").text


def test_squares_that_win_in_an_unknown_number_of_moves_are_counted_and_hinted_at(client: FlaskClient) -> None:
    page = client.get("/play/4x4x4x4?o=friend&hint=1").text
    assert "16 squares win. The quickest win isn&#39;t proved yet." in page
    assert page.count(", best move") == 16


def test_a_square_that_can_be_taken_again_has_its_outcome_in_the_picture_too(client: FlaskClient) -> None:
    assert client.get("/play/3x3x3-vanishing.svg?moves=b2a1c1a3b3c3&o=friend").text.count(">D</text>") == 5


def test_the_number_of_squares_of_a_shape_is_no_number_in_a_row(client: FlaskClient) -> None:
    settings = client.get("/play/3x3-tippy/settings").text
    assert 'name="k" min="1" max="8" required value="3"' in settings
    assert 'href="/live?board=3x3-tippy"' in settings


def test_a_wild_move_can_name_its_mark(client: FlaskClient) -> None:
    moved = client.post("/play/3x3x3-wild?o=friend", data={"cell": "Ob2"})
    assert moved.headers["Location"] == "/play/3x3x3-wild?moves=Ob2&o=friend"


def test_a_link_without_marks_says_what_is_missing(client: FlaskClient) -> None:
    refused = client.get("/play/3x3x3-wild?moves=b2")
    assert refused.status_code == 400
    assert "Say which one: Xb2 or Ob2." in refused.text


def test_the_oldest_stone_says_that_it_leaves_next(client: FlaskClient) -> None:
    page = client.get(f"/play/3x3x3-vanishing?moves={FULL}&o=friend").text
    again = "leaves next, or take its square again, X would draw without end"
    assert f'aria-label="b2, centre, X, {again}" name="cell" value="b2"' in page
    strict = client.get(f"/play/3x3x3-vanishing-strict?moves={FULL}&o=friend").text
    assert 'aria-label="b2, centre, X, leaves next" type="button" aria-disabled="true"' in strict


@pytest.mark.parametrize(
    ("board", "draw", "goes"),
    [
        ("3x3x3-vanishing", "play goes on for ever,", "a draw goes on for ever."),
        ("3x2x3-vanishing-strict", "it's a draw,", "a draw goes on to the full board."),
        ("3x3x3", "it's a draw,", "a draw goes on to the full board."),
    ],
)
def test_the_page_says_how_long_a_draw_lasts(client: FlaskClient, board: str, draw: str, goes: str) -> None:
    page = client.get(f"/play/{board}?o=friend").text
    assert f'<b class="key draw">D</b> {draw}</span>' in page
    assert goes in page


def test_a_vanishing_game_takes_no_position_to_start_from(client: FlaskClient) -> None:
    refused = client.get("/play/3x3x3-vanishing?from=X../.../...")
    assert refused.status_code == 400
    assert "Give the moves of the game instead." in refused.text


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


def test_a_line_in_space_is_drawn_through_the_layers(client: FlaskClient) -> None:
    page = client.get("/play/3x3x3x3?moves=b2.2a1.1a3.3c1.2b3.2b1.2c1.1&o=friend").text
    assert "Three in a row from a3.3 to c1.1." in page
    assert '<line x1="2.5" y1="2.5" x2="5.5" y2="1.5"/><line x1="5.5" y1="1.5" x2="8.5" y2="0.5"/>' in page


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


@pytest.mark.parametrize(
    ("chosen", "board"),
    [
        ("columns=3&rows=3&layers=3&k=3", "3x3x3x3"),
        ("columns=3&rows=3&layers=1&k=3&marks=wild&lines=misere", "3x3x3-misere-wild"),
        ("columns=3&rows=3&k=3&marks=vanishing-strict&surface=torus", "3x3x3-torus-vanishing-strict"),
        ("columns=3&rows=3&k=3&marks=notakto", "3x3x3-notakto"),
    ],
)
def test_clauses_are_turned_under_more(client: FlaskClient, chosen: str, board: str) -> None:
    assert client.get(f"/play?{chosen}").headers["Location"].startswith(f"/play/{board}")
    page = client.get(f"/play/{board}/settings").text
    assert "selected" in page


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
