"""The JSON API: the documented objects, and errors of one form."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from solver import oracle
from solver.analysis.drills import BOARDS, drills
from solver.board.notation import format_position, parse_rules
from solver.board.position import Position
from solver.cli import main
from solver.players import STRATEGIES
from tests.solver.reasons.sayings import reason_of
from tests.web.test_gating import LARGE, Gate
from webapp.api.bodies import MOST_IN_A_BATCH
from webapp.api.call import MOST_BYTES
from webapp.api.calls import MOST_DRILLS
from webapp.app import create_app
from webapp.serving.http.errors import REQUEST_ID
from webapp.serving.pool.messages import Length, Task

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
    "complete": True,
    "nodes": 0,
}


def asked(client: FlaskClient, call: str) -> Any:
    """Return the JSON that a call answers."""
    return client.get(f"/api/v1/{call}").json


def test_predict_answers_the_documented_object(client: FlaskClient) -> None:
    answer = client.get("/api/v1/predict?from=X.O/.X./..O")
    assert answer.json == EXAMPLE
    assert answer.text.index('"b3"') < answer.text.index('"a2"') < answer.text.index('"c2"')


def test_moves_are_played_from_the_position(client: FlaskClient) -> None:
    answer = asked(client, "predict?board=3x3x3&moves=b2a1")
    assert (answer["position"], answer["to_move"]) == (".../.X./O..", "X")


@pytest.mark.parametrize(
    ("call", "command"),
    [
        ("boards", "atlas"),
        ("review?moves=c1b2a1b1a3a2c3b3", "review c1b2a1b1a3a2c3b3"),
        ("drills?board=4x4x4&kind=block&seed=5&count=3", "drills 4x4x4 --kind block --seed 5 --count 3"),
    ],
)
def test_a_call_answers_the_object_that_its_command_prints(
    client: FlaskClient, capsys: pytest.CaptureFixture[str], call: str, command: str
) -> None:
    assert main([*command.split(), "--json"]) == 0
    assert asked(client, call) == json.loads(capsys.readouterr().out)


def test_boards_names_the_proof_and_the_source_of_an_outcome(client: FlaskClient) -> None:
    assert {
        "board": "6x5x4",
        "outcome": "win",
        "plies": 11,
        "proof": "search",
        "literature": {"outcome": "win", "source": "Uiterwijk, Solving strong and weak 4-in-a-row, 2019"},
    }.items() <= next(each for each in asked(client, "boards")["boards"] if each["board"] == "6x5x4").items()


def test_explain_says_why_every_square_is_what_it_is(client: FlaskClient) -> None:
    answer = asked(client, "explain?from=X.O/.X./..O")
    squares = answer.pop("squares")
    assert answer == {each: EXAMPLE[each] for each in ("board", "position", "to_move", "result", "complete")}
    outcomes = {name: {"outcome": each["outcome"], "plies": each["plies"]} for name, each in squares.items()}
    assert outcomes == EXAMPLE["squares"]
    assert all(each["verified"] and each["reason"] for each in squares.values())


def test_explain_answers_for_the_square_that_is_asked_about(client: FlaskClient) -> None:
    answer = asked(client, "explain?from=X.O/.X./..O&square=a2")
    assert answer["squares"] == {
        "a2": {
            "outcome": "loss",
            "plies": 2,
            "kind": "loses-to-line",
            "reason": reason_of("X.O/.X./..O", "a2").sentence,
            "refutation": ["c2"],
            "line_complete": True,
            "verified": True,
        }
    }


@pytest.mark.usefixtures("without_books")
def test_explain_has_nothing_to_say_of_what_is_not_proved_and_of_a_finished_game(client: FlaskClient) -> None:
    answer = asked(client, "explain?board=8x8x5&square=a1")
    square = answer["squares"]["a1"]
    assert (square["outcome"], square["kind"], square["reason"], square["refutation"], square["verified"]) == (
        "unknown",
        "unexplained",
        "",
        [],
        False,
    )
    finished = asked(client, "explain?from=XXX/OO./...")
    assert (finished["result"], finished["squares"]) == ("X", {})


def test_a_finished_game_has_a_result_its_line_and_no_squares(client: FlaskClient) -> None:
    won = asked(client, "predict?from=XXX/OO./...")
    assert (won["result"], won["line"], won["squares"], won["best"]) == ("X", ["a3", "b3", "c3"], {}, [])
    drawn = asked(client, "predict?from=XOX/XOO/OXX")
    assert drawn["result"] == "draw"
    assert "line" not in drawn


def test_two_lines_at_once_are_both_given(client: FlaskClient) -> None:
    won = asked(client, "predict?from=XXX/XOO/XOO")
    assert won["lines"] == [["a3", "b3", "c3"], ["a3", "a2", "a1"]]


@pytest.mark.usefixtures("without_books")
def test_what_is_not_proved_is_unknown_and_says_how_long_nobody_wins(client: FlaskClient) -> None:
    answer = asked(client, "predict?board=8x8x5")
    square = answer["squares"]["a1"]
    assert square == {"outcome": "unknown", "plies": None, "safe_plies": square["safe_plies"]}
    assert square["safe_plies"] >= 8
    assert answer["best"] == []
    assert answer["nodes"] > 0


def test_a_review_marks_the_move_at_which_the_game_turned(client: FlaskClient) -> None:
    answer = asked(client, "review?moves=c1b2a1b1a3a2c3b3")
    assert list(answer) == ["board", "from", "result", "complete", "turning_points", "moves"]
    assert list(answer["moves"][4]) == ["ply", "mover", "move", "before", "after", "best", "complete", "mark"]
    assert (answer["turning_points"], answer["moves"][4]["mark"]) == ([5], "draw-to-loss")


def test_a_review_begins_where_the_game_did(client: FlaskClient) -> None:
    answer = asked(client, "review?board=4x3x3&from=..../.X../....&moves=c2b3")
    assert (answer["board"], answer["from"], answer["result"]) == ("4x3x3", "..../.X../....", None)
    assert [(move["ply"], move["mover"]) for move in answer["moves"]] == [(1, "O"), (2, "X")]


def test_a_review_without_moves_is_empty(client: FlaskClient) -> None:
    assert asked(client, "review") == {
        "board": "3x3x3",
        "from": ".../.../...",
        "result": None,
        "complete": True,
        "turning_points": [],
        "moves": [],
    }


@pytest.mark.usefixtures("without_books")
def test_a_review_says_where_nothing_is_proved(client: FlaskClient) -> None:
    answer = asked(client, "review?board=8x8x5&moves=a1")
    assert answer["moves"][0]["mark"] == "unknown"
    assert answer["moves"][0]["before"] == {"outcome": "unknown", "plies": None}


@pytest.mark.parametrize("player", STRATEGIES)
def test_every_player_moves_and_says_why(client: FlaskClient, player: str) -> None:
    answer = asked(client, f"move?from=X.O/.X./..O&player={player}")
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
    answer = asked(client, "move?from=XXX/OO./...&player=easy")
    assert (answer["move"], answer["reason"], answer["choices"]) == (None, None, {})


@pytest.mark.parametrize(
    ("url", "status", "code"),
    [
        ("/api/v1/predict?board=9x9x9", 400, "bad_board"),
        ("/api/v1/predict?from=XXX/.../...", 409, "impossible_position"),
        ("/api/v1/predict?from=chess", 400, "bad_notation"),
        ("/api/v1/predict?moves=b2b2", 409, "illegal_move"),
        ("/api/v1/review?moves=b2b2", 409, "illegal_move"),
        ("/api/v1/review?board=8x8x5&moves=a1a1", 409, "illegal_move"),
        ("/api/v1/explain?board=9x9x9", 400, "bad_board"),
        ("/api/v1/explain?from=chess", 400, "bad_notation"),
        ("/api/v1/explain?moves=b2b2", 409, "illegal_move"),
        ("/api/v1/explain?square=z9", 400, "bad_notation"),
        ("/api/v1/explain?moves=b2&square=b2", 409, "illegal_move"),
        ("/api/v1/explain?from=XXX/OO./...&square=c1", 409, "illegal_move"),
        ("/api/v1/move", 400, "bad_option"),
        ("/api/v1/move?player=nobody", 400, "unknown_player"),
        ("/api/v1/move?player=minimax&board=4x4x4", 409, "unknown_player"),
        ("/api/v1/move?player=easy&seed=%00", 400, "bad_option"),
        ("/api/v1/move?player=easy&game=-1", 400, "bad_option"),
        ("/api/v1/move?player=easy&game=one", 400, "bad_option"),
        ("/api/v1/move?player=easy&game=2.5", 400, "bad_option"),
        ("/api/v1/move?player=impossible&trace=1", 409, "bad_option"),
        ("/api/v1/predict?board=3x3x8", 409, "bad_board"),
        ("/api/v1/predict?from=..../..../....", 409, "bad_notation"),
        ("/api/v1/predict?board=%203x3x3", 400, "bad_option"),
        ("/api/v1/predict?moves=b2&moves=a1", 400, "bad_option"),
        ("/api/v1/drills?board=3x3x3-misere", 409, "no_such_drill"),
        ("/api/v1/drills?kind=chess", 400, "bad_option"),
        ("/api/v1/drills?count=0", 400, "bad_option"),
        ("/api/v1/predict?position=X.O/.X./..O", 400, "bad_option"),
        ("/api/v1/nothing", 404, "not_found"),
    ],
)
def test_an_error_is_one_object_with_a_code_and_a_message(
    client: FlaskClient, url: str, status: int, code: str
) -> None:
    answer = client.get(url, environ_base={REQUEST_ID: "ab-1"})
    assert answer.status_code == status
    assert answer.json is not None
    assert answer.json["error"].keys() == {"code", "message", "request_id"}
    assert answer.json["error"]["code"] == code
    assert answer.json["error"]["message"]
    assert answer.json["error"]["request_id"] == "ab-1"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("predict?position=X.O/.X./..O", "predict has no parameter “position”: did you mean from=?"),
        ("move?strategy=hard", "move has no parameter “strategy”: did you mean player=?"),
        ("explain?cell=b2", "explain has no parameter “cell”: did you mean square=?"),
        ("review?move=b2", "review has no parameter “move”: did you mean moves=?"),
        ("predict?square=b2&zebra=1", "predict has no parameter “square”: it takes board, from, moves."),
    ],
)
def test_an_unknown_parameter_is_refused_with_the_one_meant_or_all_there_are(
    client: FlaskClient, call: str, message: str
) -> None:
    assert asked(client, call) == {"error": {"code": "bad_option", "message": message}}


def test_a_batch_takes_no_parameters_in_its_address(client: FlaskClient) -> None:
    answer = client.post("/api/v1/predict?board=4x3x3", json={"positions": [{}]})
    assert (answer.status_code, "in the body" in answer.text) == (400, True)


def test_what_is_not_there_and_what_is_not_allowed_speak_of_the_api(client: FlaskClient) -> None:
    assert asked(client, "nothing")["error"]["message"] == "There's no such call. /api lists all calls, with examples."
    refused = client.delete("/api/v1/predict").json
    assert refused is not None
    assert refused["error"]["message"] == "DELETE doesn't work here. Use GET or HEAD or OPTIONS or POST."


@pytest.mark.parametrize("url", ["/api/v1/predict", "/api/v1/predict?board=9x9x9", "/api/v1/nothing", "/healthz"])
def test_json_does_not_vary_by_the_headers_of_htmx(client: FlaskClient, url: str) -> None:
    assert client.get(url).headers.getlist("Vary") == ["Accept-Encoding"]


def test_a_wrong_method_is_an_error_object_too(client: FlaskClient) -> None:
    for url in ("/api/v1/review", "/healthz"):
        answer = client.post(url)
        assert answer.status_code == 405
        assert answer.json is not None
        assert answer.json["error"]["code"] == "method_not_allowed"


def test_the_server_says_that_it_is_well(client: FlaskClient) -> None:
    assert client.get("/healthz").json == {"status": "ok"}


def test_a_whole_number_is_one_however_json_writes_it(client: FlaskClient) -> None:
    two = asked(client, "drills?count=2")
    assert len(two["drills"]) == 2
    assert asked(client, "drills?count=2.0") == two


def test_one_may_ask_for_all_drills_of_a_board(client: FlaskClient) -> None:
    answer = asked(client, "drills")
    assert len(answer["drills"]) == len(drills(BOARDS[0])) <= MOST_DRILLS


BATCH = [
    {},
    {"from": "X.O/.X./..O"},
    {"board": "4x3x3", "moves": "b2c2", "from": ""},
    {"board": "2x2x2", "moves": "a1b1a2"},
    {"board": "9x9x9"},
    {"moves": "b2b2"},
    {"from": "chess"},
    {"from": "X.O/.X./..O"},
]


def test_a_batch_is_answered_as_each_of_its_positions_is_alone(client: FlaskClient) -> None:
    answer: Any = client.post("/api/v1/predict", json={"positions": BATCH})
    assert answer.status_code == 200
    alone = [client.get("/api/v1/predict", query_string=each).json for each in BATCH]
    assert without_nodes(answer.json["predictions"]) == without_nodes(alone)
    assert [answer["error"]["code"] for answer in alone if answer and "error" in answer] == [
        "bad_board",
        "illegal_move",
        "bad_notation",
    ]


def test_a_batch_may_have_100_positions(client: FlaskClient) -> None:
    answer: Any = client.post("/api/v1/predict", json={"positions": [{}] * 100})
    assert (answer.status_code, len(answer.json["predictions"])) == (200, 100)


def without_nodes(answers: list[Any]) -> list[dict[str, Any]]:
    """Leave out the nodes: a later question finds earlier proofs, and searches less."""
    return [{name: part for name, part in answer.items() if name != "nodes"} for answer in answers]


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        (b"", 400, "isn't JSON"),
        (b"{", 400, "isn't JSON"),
        (b"[" * 50_000, 400, "isn't JSON"),
        (b"[]", 400, "Send one object"),
        (b'{"positions": {}}', 400, "Send one object"),
        (b'{"positions": [{}], "more": 1}', 400, "Send one object"),
        (b'{"positions": []}', 400, "1 to 100 positions"),
        (b'{"positions": [' + b"{}," * MOST_IN_A_BATCH + b"{}]}", 400, "this one has 101"),
        (b'{"positions": [{}, {"board": 3}]}', 400, "Position 2 must be an object"),
        (b'{"positions": [{"position": "X.O/.X./..O"}]}', 400, "Position 1 must be an object"),
        (b'{"positions": [{"board": "\xc3\x97"}]}', 400, "Position 1 must be an object"),
        (b'{"positions": [{"moves": "' + b"a" * 500 + b'"}]}', 400, "Position 1 must be an object"),
        (b" " * (MOST_BYTES + 1), 413, "100 positions in 131,072 bytes"),
    ],
    ids=str,
)
def test_a_batch_that_cannot_be_read_is_refused_with_the_reason(
    client: FlaskClient, body: bytes, status: int, word: str
) -> None:
    answer = client.post("/api/v1/predict", data=body, content_type="application/json")
    assert answer.json is not None
    assert (answer.status_code, word in answer.json["error"]["message"]) == (status, True)


def test_a_batch_is_json_and_says_so(client: FlaskClient) -> None:
    answer = client.post("/api/v1/predict", data=b'{"positions": [{}]}', content_type="text/plain")
    assert (answer.status_code, answer.json and answer.json["error"]["code"]) == (415, "unsupported_media_type")


@pytest.mark.usefixtures("without_books")
def test_the_positions_of_a_batch_that_take_a_search_are_one_task_of_the_pool() -> None:
    gate = Gate()
    batch = [{}, {"board": "8x8x5"}, {"board": "4x3x3"}, {"board": "8x8x5"}]
    answer = create_app(gate).test_client().post("/api/v1/predict", json={"positions": batch}).json
    searched = tuple(Position(parse_rules(board)) for board in ("8x8x5", "4x3x3"))
    assert gate.tasks == [Task(Length.LONG, "answer", (oracle.PredictionsQuestion(searched),))]
    assert gate.looks == []
    assert answer is not None
    first, second, _, fourth = answer["predictions"]
    assert "pending" not in first
    assert second["pending"]["state"] == fourth["pending"]["state"] == "waiting"


def test_a_batch_that_the_pool_has_no_time_for_is_refused_as_a_whole() -> None:
    answer = create_app(Gate(busy=True)).test_client().post("/api/v1/predict", json={"positions": [{"board": "8x8x5"}]})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "7")


@pytest.mark.usefixtures("without_books")
def test_where_not_all_is_proved_the_answer_says_how_to_learn_more() -> None:
    gate = Gate()
    client = create_app(gate).test_client()
    for name, more in (("predict", ""), ("explain", "&square=a1")):
        url = f"/api/v1/{name}?board=8x8x5&from={format_position(LARGE)}{more}"
        answer = client.get(url).json
        assert answer is not None
        assert answer["pending"] == {"state": "proving", "retry_after": 2, "url": url}
    assert gate.looks == [(LARGE, True)] * 2


@pytest.mark.usefixtures("without_books")
def test_where_nobody_goes_on_proving_there_is_no_use_in_waiting(client: FlaskClient) -> None:
    answer = asked(client, "predict?board=8x8x5")
    assert (answer["pending"]["state"], answer["pending"]["retry_after"]) == ("off", None)


@pytest.mark.usefixtures("without_books")
@pytest.mark.parametrize(
    ("url", "keeping"),
    [
        ("/api/v1/predict", "public, max-age=86400"),
        ("/api/v1/predict?board=8x8x5", "no-cache"),
        ("/api/v1/explain?square=a1", "public, max-age=86400"),
        ("/api/v1/explain?board=8x8x5&square=a1", "no-cache"),
        ("/api/v1/review?moves=b2", "public, max-age=86400"),
        ("/api/v1/review?board=8x8x5&moves=a1", "no-cache"),
        ("/api/v1/move?player=easy", "no-store"),
        ("/api/v1/move?player=easy&seed=1", "public, max-age=86400"),
        ("/api/v1/drills?count=1", "public, max-age=86400"),
        ("/api/v1/openapi.json", "public, max-age=3600"),
        ("/api/v1/predict?board=9x9x9", "no-cache"),
    ],
)
def test_what_stays_the_same_may_be_kept(client: FlaskClient, url: str, keeping: str) -> None:
    assert client.get(url).headers["Cache-Control"] == keeping


def test_who_has_an_answer_is_not_sent_it_again(client: FlaskClient) -> None:
    first = client.get("/api/v1/explain?from=X.O/.X./..O")
    again = client.get("/api/v1/explain?from=X.O/.X./..O", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["Cache-Control"] == first.headers["Cache-Control"]
    assert client.get("/api/v1/explain", headers={"If-None-Match": first.headers["ETag"]}).status_code == 200
