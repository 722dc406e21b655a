"""The JSON API: its answers as `answers.txt` has them, and what they have in common."""

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
from tests.web.answers import answered, entries
from tests.web.test_gating import LARGE, Gate, tasks
from webapp.api.call import MOST_BYTES, MOST_IN_A_BATCH
from webapp.api.calls import MOST_DRILLS
from webapp.app import create_app
from webapp.serving.http.errors import REQUEST_ID
from webapp.serving.pool.asking import answer_question, make_page
from webapp.serving.pool.messages import Task


def asked(client: FlaskClient, call: str) -> Any:
    """Return the JSON that a call answers."""
    return client.get(f"/api/v1/{call}").json


@pytest.mark.parametrize(("question", "answer"), entries(), ids=[question[:60] for question, _ in entries()])
def test_an_answer_is_what_it_was(client: FlaskClient, question: str, answer: str) -> None:
    assert answered(client, question) == answer


@pytest.mark.parametrize(
    ("call", "command"),
    [
        ("boards", "atlas"),
        ("review?moves=c1b2a1b1a3a2c3b3", "review c1b2a1b1a3a2c3b3"),
        ("drills?board=4x4x4&kind=block&seed=5&count=3", "drills 4x4x4 --kind block --seed 5 --count 3"),
        ("predict?from=Misère", "predict Misère"),
        ("predict?board=3x3x3-gravity&moves=2213", "predict --board 3x3x3-gravity --moves 2213"),
        ("explain?board=3x3x3-gravity&moves=22&square=3", "why --board 3x3x3-gravity --moves 22 3x3x3-gravity 3"),
        ("move?board=3x3x3-gravity&moves=22&player=easy&seed=1", "move 3x3x3-gravity easy --moves 22 --seed 1"),
        ("review?board=4x4x3-gravity&moves=22331", "review 22331 --board 4x4x3-gravity"),
    ],
)
def test_a_call_answers_the_object_that_its_command_prints(
    client: FlaskClient, capsys: pytest.CaptureFixture[str], call: str, command: str
) -> None:
    assert main([*command.split(), "--json"]) == 0
    assert asked(client, call) == json.loads(capsys.readouterr().out)


def test_answers_where_stones_fall_have_columns_too(client: FlaskClient) -> None:
    assert asked(client, "review?board=4x4x3-gravity&moves=a1b1d1")["columns"] == "124"
    assert asked(client, "move?board=1x3x2-gravity&player=easy")["column"] == 1
    assert "columns" not in asked(client, "review?moves=a1b1")


def test_a_position_names_one_board(client: FlaskClient) -> None:
    assert asked(client, "predict?board=misere&from=misere")["board"] == "3x3x3-misere"
    error = asked(client, "predict?board=qubic&from=misere")["error"]
    assert error["message"] == "The position is on 3x3x3-misere, and board=4x4x4x4. Leave one of them out."


@pytest.mark.usefixtures("without_books")
def test_explain_has_nothing_to_say_of_what_is_not_proved(client: FlaskClient) -> None:
    answer = asked(client, "explain?board=8x8x5&square=a1")
    square = answer["squares"]["a1"]
    assert (square["outcome"], square["kind"], square["reason"], square["refutation"], square["verified"]) == (
        "unknown",
        "unexplained",
        "",
        [],
        False,
    )


@pytest.mark.usefixtures("without_books")
def test_what_is_not_proved_is_unknown_and_says_how_long_nobody_wins(client: FlaskClient) -> None:
    answer = asked(client, "predict?board=8x8x5")
    square = answer["squares"]["a1"]
    assert square == {"outcome": "unknown", "plies": None, "safe_plies": square["safe_plies"]}
    assert square["safe_plies"] >= 8
    assert answer["best"] == []
    assert answer["nodes"] > 0


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


def test_each_game_of_a_seeded_series_has_its_own_chances_as_on_the_page(client: FlaskClient) -> None:
    for games in range(5):
        moved = client.get(f"/api/v1/move?player=easy&seed=3&game={games}").json
        shown = client.post(f"/play/3x3x3?x=easy&o=friend&seed=3&score={games}-0-0", data={"next": "step"}).location
        assert moved is not None
        assert f"moves={moved['move']}&" in shown


def test_an_error_has_the_id_of_its_request(client: FlaskClient) -> None:
    for call in ("predict?board=9x9x9", "predict?moves=b2b2", "nothing"):
        answer = client.get(f"/api/v1/{call}", environ_base={REQUEST_ID: "ab-1"}).json
        assert answer is not None
        assert answer["error"].keys() == {"code", "message", "request_id"}
        assert answer["error"]["request_id"] == "ab-1"


@pytest.mark.parametrize("url", ["/api/v1/predict", "/api/v1/predict?board=9x9x9", "/api/v1/nothing", "/healthz"])
def test_json_does_not_vary_by_the_headers_of_htmx(client: FlaskClient, url: str) -> None:
    assert client.get(url).headers.getlist("Vary") == ["Accept-Encoding"]


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
    ("call", "body", "status", "words"),
    [
        ("predict", b"", 400, "isn't JSON"),
        ("predict", b"[" * 50_000, 400, "isn't JSON"),
        ("predict", b'{"positions": [' + b"{}," * MOST_IN_A_BATCH + b"{}]}", 400, "length <= 100 - at `$.positions`"),
        ("predict", b'{"positions": [{"moves": "' + b"a" * 500 + b'"}]}', 400, "at `$.positions[0].moves`"),
        ("predict", b" " * (MOST_BYTES + 1), 413, "100 positions in 131,072 bytes"),
        ("prove", b"", 400, "isn't JSON"),
        ("prove", b'{"moves": {}, "side": "' + b"a" * 9_999 + b'"}', 400, "Invalid enum value …. Send an"),
        ("prove", b"[" * 50_000, 400, "isn't JSON"),
        ("prove", b'{"moves": {"X../.../...": "' + b"a" * 41 + b'"}}', 400, "isn't a position with its move"),
        ("prove", b" " * (MOST_BYTES + 1), 413, "at most 131,072 bytes"),
    ],
    ids=str,
)
def test_a_body_that_cannot_be_read_is_refused_with_the_reason(
    client: FlaskClient, call: str, body: bytes, status: int, words: str
) -> None:
    answer = client.post(f"/api/v1/{call}", data=body, content_type="application/json")
    assert (answer.status_code, words in answer.get_json()["error"]["message"]) == (status, True)


def test_a_batch_is_json_and_says_so(client: FlaskClient) -> None:
    answer = client.post("/api/v1/predict", data=b'{"positions": [{}]}', content_type="text/plain")
    assert (answer.status_code, answer.json and answer.json["error"]["code"]) == (415, "unsupported_media_type")


@pytest.mark.usefixtures("without_books")
def test_the_positions_of_a_batch_that_take_a_search_are_one_task_of_the_pool() -> None:
    gate = Gate()
    batch = [{}, {"board": "8x8x5"}, {"board": "5x5x4"}, {"board": "8x8x5"}]
    answer = create_app(gate).test_client().post("/api/v1/predict", json={"positions": batch}).json
    searched = tuple(Position(parse_rules(board)) for board in ("8x8x5", "5x5x4"))
    assert gate.tasks == [Task.of(answer_question, oracle.PredictionsQuestion(searched), long=True)]
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
    url = "/api/v1/predict?board=4x4x4-vanishing&moves=b2a1"
    batch: Any = client.post(
        "/api/v1/predict", json={"positions": [{"board": "4x4x4-vanishing", "moves": "b2a1"}]}
    ).json
    for answer in (asked(client, url.removeprefix("/api/v1/")), batch["predictions"][0]):
        assert answer["pending"] == {"state": "off", "retry_after": None, "url": url}


@pytest.mark.usefixtures("without_books")
@pytest.mark.parametrize(
    ("url", "keeping"),
    [
        ("/api/v1/predict?board=8x8x5", "no-cache"),
        ("/api/v1/explain?board=8x8x5&square=a1", "no-cache"),
        ("/api/v1/review?board=8x8x5&moves=a1", "no-cache"),
        ("/api/v1/move?player=easy", "no-store"),
        ("/api/v1/openapi.json", "public, max-age=3600"),
    ],
)
def test_what_stays_the_same_may_be_kept(client: FlaskClient, url: str, keeping: str) -> None:
    assert client.get(url).headers["Cache-Control"] == keeping


@pytest.mark.usefixtures("without_books")
@pytest.mark.parametrize(("query", "kept"), [("moves=b2", True), ("board=8x8x5&moves=a1", False)])
def test_the_pool_keeps_only_reviews_in_which_all_is_proved(query: str, kept: bool) -> None:
    assert tasks().run(Task.of(make_page, "/api/v1/review", query, long=True))[1] is kept
