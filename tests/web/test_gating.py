"""The tasks that pages leave to the pool, and pages for which the pool is too busy."""

import re
from functools import cache
from typing import Any

import pytest
from flask.testing import FlaskClient

from solver import oracle
from solver.board.game import parse_game
from solver.board.notation import parse_rules
from solver.board.pasted import as_position
from solver.board.position import Position
from solver.oracle import LongQuestion
from solver.proofs.prediction import ProofState, ProofStatus
from solver.proofs.study import study_of
from tests.web.conftest import HTMX
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.processes.prover import TaskRunner
from webapp.serving.counts import ServerState
from webapp.serving.http.errors import Busy
from webapp.serving.pool.asking import answer_question
from webapp.serving.pool.messages import Length, Task

LARGE = Position(parse_rules("8x8x5"))
UNJUDGED = "/play/8x8x5?show=off&moves=a8h1b2&o=friend"


@cache
def tasks() -> TaskRunner:
    """Return the tasks of a process of the pool."""
    return TaskRunner(AppConfig())


class Gate:
    """A gate that does every task itself and remembers it, or refuses them all if it is `busy`."""

    def __init__(self, busy: bool = False, state: ServerState | None = None) -> None:
        self.busy, self._state = busy, state
        self.search_nodes = 400
        self.tasks: list[Task] = []
        self.looks: list[tuple[Position, bool]] = []
        self.spent: set[Position] = set()
        self.fails: Exception | None = None

    def answer(self, question: LongQuestion, long: bool = False) -> Any:
        return self.run(Task.of(answer_question, question, long=long))

    def run(self, task: Task, gone: object = None) -> Any:  # noqa: ARG002
        self.tasks.append(task)
        if self.busy:
            raise Busy(7)
        if self.fails is not None:
            raise self.fails
        return tasks().run(task)[0]

    def watch(self, position: Position, in_view: bool) -> ProofStatus:
        self.looks.append((position, in_view))
        if position in self.spent:
            return ProofStatus(ProofState.SPENT)
        return ProofStatus(ProofState.BUSY if self.busy else ProofState.PROVING)

    def release(self, position: Position) -> None:
        raise NotImplementedError

    def state(self) -> ServerState | None:
        return self._state


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def gated(gate: Gate) -> FlaskClient:
    return create_app(gate).test_client()


@pytest.mark.parametrize(
    "url",
    [
        "/learn/forks",
        "/learn/clojure?board=2x2x2",
        "/learn/pictures/reduced-corner.svg",
        "/learn/pictures/tree.dot",
        "/lab?moves=a1b2c3a3c1",
    ],
)
def test_what_takes_long_is_made_by_the_pool_and_is_the_same_page(
    client: FlaskClient, gated: FlaskClient, url: str
) -> None:
    without_times = re.compile(r"[\d.]+ (?:µs|ms|s)\b")
    made, own = gated.get(url), client.get(url)
    assert made.status_code == own.status_code == 200
    assert made.mimetype == own.mimetype
    assert without_times.sub("", made.text) == without_times.sub("", own.text)


def test_pages_of_boards_that_are_looked_up_ask_the_pool_for_nothing(gate: Gate, gated: FlaskClient) -> None:
    programs = ("/healthz", "/api/v1/predict", "/api/v1/explain", "/api/v1/review?moves=a1")
    for url in ("/", "/play/3x3x3?moves=b2a1&hint=1&line=c3", "/play/3x3x2?o=friend", "/learn/", *programs):
        assert gated.get(url).status_code == 200
    assert gated.post("/play/3x3x3", data={"cell": "b2"}).status_code == 303
    assert (gate.tasks, gate.looks) == ([], [])


@pytest.mark.parametrize(
    "url", ["/play/3x3x3?o=rules:win,block", "/play/3x3x2?o=hard", "/play/4x4x4?moves=a4b4c4d4b3a3d3c3a2b2"]
)
def test_the_chances_against_opponents_of_which_there_are_many_are_the_pools(
    gate: Gate, gated: FlaskClient, client: FlaskClient, url: str
) -> None:
    for _ in range(2):
        gated.get(f"{url}&chances=1")
    assert [task.function.__name__ for task in gate.tasks] == ["answer_question"]
    assert gated.get(f"{url}&chances=1").text == client.get(f"{url}&chances=1").text


def test_of_a_reason_that_one_points_at_nothing_else_is_computed(gate: Gate, gated: FlaskClient) -> None:
    assert gated.get("/why/5x4x4?moves=b2c2b3c3&line=b1&o=hard").status_code == 200
    assert {task.function.__name__ for task in gate.tasks} <= {"answer_question"}


def test_a_review_of_a_larger_board_is_the_pools(gate: Gate, gated: FlaskClient, client: FlaskClient) -> None:
    url = "/api/v1/review?board=5x4x4&moves=b2c2b3c3b1b4c1a3"
    assert gated.get(url).json == client.get(url).json
    assert [(task.length, task.arguments[0]) for task in gate.tasks] == [(Length.LONG, "/api/v1/review")]


def test_of_a_game_to_review_the_pool_proves_the_last_position_that_is_open(gate: Gate, gated: FlaskClient) -> None:
    page = gated.get(f"{UNJUDGED}&review=1").text
    assert gate.looks == [(LARGE.after(0).after(63), True)]
    assert "1 of 3 moves judged. The server is still proving." in page
    assert re.search(r'class="poll" hx-get="[^"]*" hx-trigger="load delay:2000ms, again"', page)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("&review=1&prove=0", "Proving is stopped."),
        ("&at=0&review=1&prove=0", "Proving is stopped."),
        ("", ""),
    ],
)
def test_a_game_is_not_proved_where_nobody_asks_for_it(gate: Gate, gated: FlaskClient, url: str, said: str) -> None:
    page = gated.get(UNJUDGED + url).text
    assert gate.looks == []
    assert said in page
    assert 'class="poll" hx-get="/play' not in page


def test_a_position_on_which_the_pool_has_spent_its_time_holds_up_no_review(gate: Gate, gated: FlaskClient) -> None:
    early, late = LARGE.after(0), LARGE.after(0).after(63)
    gate.spent = {late}
    assert "1 of 3 moves judged. The server is still proving." in gated.get(f"{UNJUDGED}&review=1").text
    assert [position for position, _ in gate.looks] == [late, early]
    gate.spent = {late, early}
    page = gated.get(f"{UNJUDGED}&review=1").text
    assert "The server stopped after two minutes." in page
    assert 'class="poll" hx-get="/play' not in page


def test_a_review_says_that_the_pool_is_busy(gated: FlaskClient, gate: Gate) -> None:
    gate.busy = True
    assert "1 of 3 moves judged. The server is busy" in gated.get(f"{UNJUDGED}&review=1").text


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("/learn/nothing", 404),
        ("/learn/pictures/mona-lisa.svg", 404),
        ("/learn/pictures/poster-x.gif", 404),
        ("/learn/pictures/tree.svg?board=8x8x5&depth=3&children=all", 400),
        ("/learn/pictures/tree.dot?board=8x8x5&depth=3&children=all", 400),
        ("/api/v1/review?board=5x4x4&moves=b2b2", 409),
        (f"/learn/clojure?x={'a' * 3000}", 414),
    ],
)
def test_what_is_refused_costs_the_pool_nothing(gate: Gate, gated: FlaskClient, url: str, status: int) -> None:
    assert gated.get(url).status_code == status
    assert gate.tasks == []


def test_a_decision_that_takes_a_search_is_the_pools_and_kept_for_the_pages_that_explain_it(
    gate: Gate, gated: FlaskClient
) -> None:
    game = parse_game("5x5x4", None, "a1b2c3")
    moved = gated.post("/play/5x5x4?o=alphabeta-3&moves=a1b2", data={"cell": "c3"})
    assert gated.get(moved.location).status_code == 200
    assert gate.tasks == [Task.of(answer_question, oracle.DecisionQuestion(game.last, "alphabeta-3"))]


def test_a_line_of_best_play_and_its_reason_are_the_pools(gate: Gate, gated: FlaskClient) -> None:
    assert "Shown: 5 of 5, X" in gated.get("/play/4x4x3?line=b3").text
    assert [task.function.__name__ for task in gate.tasks] == ["answer_question"]


def test_reasons_of_larger_boards_are_the_pools_and_the_same(
    client: FlaskClient, gate: Gate, gated: FlaskClient
) -> None:
    url = "/api/v1/explain?board=4x4x3&moves=b2c3"
    assert gated.get(url).json == client.get(url).json
    assert gated.get(f"{url}&square=b3").json is not None
    assert [task.length for task in gate.tasks] == [Length.LONG, Length.SHORT]


@pytest.mark.usefixtures("without_books")
def test_squares_that_take_a_search_are_the_pools_and_waited_for(gate: Gate, gated: FlaskClient) -> None:
    gate.search_nodes = 100
    assert gated.get("/play/8x8x5").status_code == 200
    assert gated.get("/api/v1/predict?board=8x8x5").status_code == 200
    assert gate.looks == [(LARGE, True)] * 2
    assert study_of(LARGE).nodes <= 100 * 2


def test_a_drill_of_which_little_is_proved_is_proved_aside(gate: Gate, gated: FlaskClient) -> None:
    start = "6x6x4: .OX.../.OX.../....X./.....O/O..O../..X..X"
    gated.get("/practise/6x6x4-.OX..._.OX..._....X._.....O_O..O.._..X..X-keep")
    assert gate.looks == [(as_position(start), False)]


def test_only_the_position_of_a_page_is_in_view_and_not_the_one_that_an_opponent_decides_in(
    gate: Gate, gated: FlaskClient
) -> None:
    before, after = LARGE.play(0), LARGE.play(0).play(63)
    gate.search_nodes = 0
    gated.post("/play/8x8x5?o=impossible", data={"cell": "a8"})
    gated.get("/play/8x8x5?o=impossible&moves=a8h1")
    assert gate.looks == [(before, False), (after, True), (before, False)]


@pytest.mark.parametrize("url", ["/learn/forks", "/lab", "/play/4x4x3?line=b3", "/learn/pictures/tree.svg"])
def test_a_full_gate_answers_503_with_a_page_that_tries_again_by_itself(url: str) -> None:
    answer = create_app(Gate(busy=True)).test_client().get(url)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "7"
    assert '<meta http-equiv="refresh" content="7">' in answer.text


def test_a_full_gate_answers_a_move_with_a_fragment_and_programs_with_an_object() -> None:
    client, url = create_app(Gate(busy=True)).test_client(), "/play/5x5x4?o=alphabeta-3"
    moved = client.post(url, data={"cell": "c3"}, headers=HTMX)
    assert (moved.status_code, f'href="{url}"' in moved.text, "<html" in moved.text) == (503, True, False)
    told = client.get("/api/v1/move?board=5x5x4&player=alphabeta-3")
    assert (told.status_code, told.get_json()["error"]["code"], told.get_json()["error"]["retry_after"]) == (
        503,
        "busy",
        7,
    )


@pytest.mark.usefixtures("without_books")
def test_a_busy_pool_leaves_a_large_boards_page_with_what_is_known() -> None:
    text = create_app(Gate(busy=True)).test_client().get("/play/8x8x5").text
    assert "The server is busy with other positions" in text


@pytest.mark.usefixtures("without_books")
def test_a_decision_with_a_seed_is_the_pools_and_one_without_is_made_by_what_is_proved(
    gate: Gate, gated: FlaskClient
) -> None:
    url = "/api/v1/move?board=5x4x4&moves=a1e4b3&player=impossible"
    position = parse_game("5x4x4", None, "a1e4b3").last
    gate.search_nodes = 0
    assert gated.get(url).status_code == 200
    assert (gate.tasks, gate.looks) == ([], [(position, False)])
    assert gated.get(f"{url}&seed=1").status_code == 200
    question = oracle.DecisionQuestion(position, "impossible", seeded=True)
    assert gate.tasks == [Task.of(answer_question, question)]
