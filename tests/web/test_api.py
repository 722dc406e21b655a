"""The JSON API: the documented objects, and errors of one form."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from solver.cli import main
from solver.strategies import STRATEGIES

EXAMPLE: dict[str, Any] = {
    "board": "3x3x3",
    "position": "X.O/.X./..O",
    "to_move": "X",
    "result": None,
    "squares": {
        "b3": {"outcome": "loss", "plies": 2},
        "a2": {"outcome": "loss", "plies": 2},
        "c2": {"outcome": "draw", "plies": 5},
        "a1": {"outcome": "loss", "plies": 2},
        "b1": {"outcome": "loss", "plies": 2},
    },
    "best": ["c2"],
    "nodes": 0,
}


def test_predict_answers_the_documented_object(client: FlaskClient) -> None:
    answer = client.get("/api/v1/predict?from=X.O/.X./..O")
    assert answer.json == EXAMPLE
    assert answer.text.index('"b3"') < answer.text.index('"a2"') < answer.text.index('"c2"')


def test_moves_are_played_from_the_position(client: FlaskClient) -> None:
    answer = client.get("/api/v1/predict?board=3x3x3&moves=b2a1")
    assert answer.json is not None
    assert (answer.json["position"], answer.json["to_move"]) == (".../.X./O..", "X")


def test_boards_answers_what_the_command_prints(client: FlaskClient, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["atlas", "--json"]) == 0
    answer = client.get("/api/v1/boards").json
    assert answer == json.loads(capsys.readouterr().out)
    assert answer is not None
    assert {
        "board": "6x5x4",
        "outcome": "win",
        "plies": 11,
        "proof": "search",
        "literature": {"outcome": "win", "source": "Uiterwijk, Solving strong and weak 4-in-a-row, 2019"},
    }.items() <= next(each for each in answer["boards"] if each["board"] == "6x5x4").items()


def test_explain_says_why_every_square_is_what_it_is(client: FlaskClient) -> None:
    answer = client.get("/api/v1/explain?from=X.O/.X./..O").json
    assert answer is not None
    squares = answer.pop("squares")
    assert answer == {each: EXAMPLE[each] for each in ("board", "position", "to_move", "result")}
    outcomes = {name: {"outcome": each["outcome"], "plies": each["plies"]} for name, each in squares.items()}
    assert outcomes == EXAMPLE["squares"]
    assert all(each["verified"] and each["reason"] for each in squares.values())


def test_explain_answers_for_the_square_that_is_asked_about(client: FlaskClient) -> None:
    answer = client.get("/api/v1/explain?from=X.O/.X./..O&square=a2").json
    assert answer is not None
    assert answer["squares"] == {
        "a2": {
            "outcome": "loss",
            "plies": 2,
            "kind": "loses-to-line",
            "reason": "O plays c2 and c1–c3 is full.",
            "refutation": ["c2"],
            "verified": True,
        }
    }


def test_explain_has_nothing_to_say_of_what_is_not_proved_and_of_a_finished_game(client: FlaskClient) -> None:
    answer = client.get("/api/v1/explain?board=8x8x5&square=a1").json
    assert answer is not None
    square = answer["squares"]["a1"]
    assert (square["outcome"], square["kind"], square["reason"], square["refutation"], square["verified"]) == (
        "unknown",
        "unexplained",
        "",
        [],
        False,
    )
    finished = client.get("/api/v1/explain?from=XXX/OO./...").json
    assert finished is not None
    assert (finished["result"], finished["squares"]) == ("X", {})


def test_a_finished_game_has_a_result_its_line_and_no_squares(client: FlaskClient) -> None:
    won = client.get("/api/v1/predict?from=XXX/OO./...").json
    assert won is not None
    assert (won["result"], won["line"], won["squares"], won["best"]) == ("X", ["a3", "b3", "c3"], {}, [])
    drawn = client.get("/api/v1/predict?from=XOX/XOO/OXX").json
    assert drawn is not None
    assert drawn["result"] == "draw"
    assert "line" not in drawn


def test_two_lines_at_once_are_both_given(client: FlaskClient) -> None:
    won = client.get("/api/v1/predict?from=XXX/XOO/XOO").json
    assert won is not None
    assert won["lines"] == [["a3", "b3", "c3"], ["a3", "a2", "a1"]]


def test_what_is_not_proved_is_unknown_and_says_how_long_nobody_wins(client: FlaskClient) -> None:
    answer = client.get("/api/v1/predict?board=8x8x5").json
    assert answer is not None
    square = answer["squares"]["a1"]
    assert square == {"outcome": "unknown", "plies": None, "safe_plies": square["safe_plies"]}
    assert square["safe_plies"] >= 8
    assert answer["best"] == []
    assert answer["nodes"] > 0


def test_review_answers_the_object_of_the_command(client: FlaskClient, capsys: pytest.CaptureFixture[str]) -> None:
    answer = client.get("/api/v1/review?moves=c1b2a1b1a3a2c3b3")
    assert main(["review", "c1b2a1b1a3a2c3b3", "--json"]) == 0
    assert answer.json == json.loads(capsys.readouterr().out)
    assert answer.json is not None
    assert list(answer.json) == ["board", "from", "result", "turning_points", "moves"]
    assert list(answer.json["moves"][4]) == ["ply", "mover", "move", "before", "after", "best", "mark"]
    assert (answer.json["turning_points"], answer.json["moves"][4]["mark"]) == ([5], "draw-to-loss")


def test_a_review_begins_where_the_game_did(client: FlaskClient) -> None:
    answer = client.get("/api/v1/review?board=4x3x3&from=..../.X../....&moves=c2b3").json
    assert answer is not None
    assert (answer["board"], answer["from"], answer["result"]) == ("4x3x3", "..../.X../....", None)
    assert [(move["ply"], move["mover"]) for move in answer["moves"]] == [(1, "O"), (2, "X")]


def test_a_review_without_moves_is_empty(client: FlaskClient) -> None:
    assert client.get("/api/v1/review").json == {
        "board": "3x3x3",
        "from": ".../.../...",
        "result": None,
        "turning_points": [],
        "moves": [],
    }


def test_a_review_says_where_nothing_is_proved(client: FlaskClient) -> None:
    answer = client.get("/api/v1/review?board=8x8x5&moves=a1").json
    assert answer is not None
    assert answer["moves"][0]["mark"] == "unknown"
    assert answer["moves"][0]["before"] == {"outcome": "unknown", "plies": None}


@pytest.mark.parametrize("player", STRATEGIES)
def test_every_player_moves_and_says_why(client: FlaskClient, player: str) -> None:
    answer = client.get(f"/api/v1/move?from=X.O/.X./..O&player={player}").json
    assert answer is not None
    assert answer["player"] == player
    assert answer["move"] in answer["choices"]
    assert answer["reason"]


def test_a_move_with_a_seed_is_repeated(client: FlaskClient) -> None:
    moves = {client.get("/api/v1/move?player=easy&seed=3").text for _ in range(5)}
    assert len(moves) == 1


def test_each_game_of_a_seeded_series_has_its_own_chances_as_on_the_page(client: FlaskClient) -> None:
    for games in range(5):
        moved = client.get(f"/api/v1/move?player=easy&seed=3&game={games}").json
        shown = client.post(f"/play/3x3x3?x=easy&o=friend&seed=3&score={games}-0-0", data={"next": "step"}).location
        assert moved is not None
        assert f"moves={moved['move']}&" in shown


def test_there_is_no_move_in_a_finished_game(client: FlaskClient) -> None:
    answer = client.get("/api/v1/move?from=XXX/OO./...&player=easy").json
    assert answer is not None
    assert (answer["move"], answer["reason"], answer["choices"]) == (None, None, {})


@pytest.mark.parametrize(
    ("url", "status", "code"),
    [
        ("/api/v1/predict?board=9x9x9", 400, "bad_board"),
        ("/api/v1/predict?from=XXX/.../...", 400, "impossible_position"),
        ("/api/v1/predict?from=chess", 400, "bad_notation"),
        ("/api/v1/predict?moves=b2b2", 400, "illegal_move"),
        ("/api/v1/review?moves=b2b2", 400, "illegal_move"),
        ("/api/v1/review?board=8x8x5&moves=a1a1", 400, "illegal_move"),
        ("/api/v1/explain?board=9x9x9", 400, "bad_board"),
        ("/api/v1/explain?from=chess", 400, "bad_notation"),
        ("/api/v1/explain?moves=b2b2", 400, "illegal_move"),
        ("/api/v1/explain?square=z9", 400, "bad_notation"),
        ("/api/v1/explain?moves=b2&square=b2", 400, "illegal_move"),
        ("/api/v1/explain?from=XXX/OO./...&square=c1", 400, "illegal_move"),
        ("/api/v1/move", 400, "bad_option"),
        ("/api/v1/move?player=nobody", 400, "unknown_player"),
        ("/api/v1/move?player=minimax&board=4x4x4", 400, "unknown_player"),
        ("/api/v1/move?player=easy&seed=%00", 400, "bad_option"),
        ("/api/v1/move?player=easy&game=-1", 400, "bad_option"),
        ("/api/v1/nothing", 404, "not_found"),
    ],
)
def test_an_error_is_one_object_with_a_code_and_a_message(
    client: FlaskClient, url: str, status: int, code: str
) -> None:
    answer = client.get(url)
    assert answer.status_code == status
    assert answer.json is not None
    assert answer.json["error"]["code"] == code
    assert answer.json["error"]["message"]


def test_a_wrong_method_is_an_error_object_too(client: FlaskClient) -> None:
    for url in ("/api/v1/predict", "/healthz"):
        answer = client.post(url)
        assert answer.status_code == 405
        assert answer.json is not None
        assert answer.json["error"]["code"] == "method_not_allowed"


def test_the_server_says_that_it_is_well(client: FlaskClient) -> None:
    assert client.get("/healthz").json == {"status": "ok"}
