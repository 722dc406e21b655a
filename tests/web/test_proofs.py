"""Pages of boards whose squares take time to prove."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from flask.testing import FlaskClient

from solver.board.notation import format_cell, parse_rules
from solver.board.outcome import DRAWN, WIN, Bounds
from solver.board.position import Position
from solver.oracle import LongQuestion
from solver.proofs.prediction import ProofState, ProofStatus
from solver.proofs.study import study_of
from tests.web.conftest import HTMX
from tests.web.test_gating import tasks
from webapp.app import create_app
from webapp.serving.pool.messages import Task

pytestmark = pytest.mark.usefixtures("without_books")

BIG = "/play/8x8x5"
START = Position(parse_rules("8x8x5"))


class Pool:
    """A gate that gives one answer and remembers its questions. Asking it makes `found` known."""

    search_nodes = 400

    def __init__(self, status: ProofStatus, found: Mapping[Position, Bounds] | None = None) -> None:
        self.status, self.found = status, found or {}
        self.asked: list[tuple[str, Position]] = []

    def watch(self, position: Position, in_view: bool) -> ProofStatus:  # noqa: ARG002
        self.asked.append(("watch", position))
        study_of(position).learn(self.found)
        return self.status

    def release(self, position: Position) -> None:
        self.asked.append(("release", position))

    def answer(self, question: LongQuestion, long: bool = False) -> Any:  # noqa: ARG002
        return question.answer()[0]

    def run(self, task: Task, gone: object = None) -> Any:  # noqa: ARG002
        return tasks().run(task)[0]

    def state(self) -> None:
        """Return no state of the server."""


def shown(pool: Pool, url: str = BIG) -> str:
    return create_app(pool).test_client().get(url).text


def test_a_page_says_how_many_squares_are_proved_and_goes_on_asking() -> None:
    text = shown(Pool(ProofStatus(ProofState.PROVING)))
    assert '<progress id="proved" max="64" value="0" aria-label="Squares proved">' in text
    assert "0 of 64 squares proved." in text
    assert f'class="poll" hx-get="{BIG}" hx-trigger="load delay:800ms, again" hx-sync="#game:abort"' in text


def test_without_scripts_a_link_asks_again() -> None:
    assert f'<noscript><a id="refresh" href="{BIG}">Refresh</a></noscript>' in shown(
        Pool(ProofStatus(ProofState.PROVING))
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "words", "asks_again"),
    [
        (ProofStatus(ProofState.WAITING, 3), "Waiting for 3 other positions.", True),
        (ProofStatus(ProofState.WAITING, 1), "Waiting for 1 other position.", True),
        (ProofStatus(ProofState.WAITING, 0), "Proving goes on in a moment.", True),
        (ProofStatus(ProofState.PROVING), "The server is still proving.", True),
        (ProofStatus(ProofState.SPENT), "The server stopped after two minutes", False),
        (ProofStatus(ProofState.BUSY), "The server is busy", True),
        (ProofStatus(ProofState.OFF), "This server proves nothing in the background", False),
    ],
)
def test_a_page_says_what_becomes_of_the_rest(status: ProofStatus, words: str, asks_again: bool) -> None:
    text = shown(Pool(status))
    assert words in text
    assert ('hx-trigger="load' in text) == asks_again


def test_squares_that_were_proved_meanwhile_are_coloured_and_the_others_are_not() -> None:
    cell = 27
    representative = next(orbit[0] for orbit in START.orbits() if cell in orbit)
    found = {START.after(representative): Bounds(DRAWN, DRAWN)}
    text = shown(Pool(ProofStatus(ProofState.PROVING), found))
    name = format_cell(cell, START.rules)
    assert re.search(rf'id="sq-{name}" class="sq draw" aria-label="{name}, empty, X would draw"', text)
    assert "4 of 64 squares proved." in text
    assert 'id="sq-a1" class="sq unknown' in text


def test_a_proved_bound_is_said_and_drawn_but_not_coloured() -> None:
    start = START.play(0).play(63)
    found = {start.after(1): Bounds(2 - WIN, DRAWN), start.after(2): Bounds(9 - WIN + 1, 20 - WIN)}
    text = shown(Pool(ProofStatus(ProofState.PROVING), found), f"{BIG}?moves=a8h1")
    assert re.search(
        r'id="sq-b8" class="sq unknown guess-\d" aria-label="b8, empty, not proved yet, but at least a draw\b', text
    )
    assert "<b>?</b><i>≥D</i>" in text
    assert re.search(r'id="sq-c8" class="sq win" aria-label="c8, empty, X would win in at most \d+ moves', text)
    assert '<b>W</b><i class="long">≤11</i>' in text


def test_proving_can_be_stopped_and_goes_on_when_asked() -> None:
    pool = Pool(ProofStatus(ProofState.PROVING))
    assert f'<a id="prove" class="plain" href="{BIG}?prove=0" tabindex="0">Stop proving</a>' in shown(pool)
    text = shown(pool, f"{BIG}?prove=0")
    assert [what for what, _ in pool.asked] == ["watch", "release"]
    assert "Proving is stopped." in text
    assert f'href="{BIG}" tabindex="0">Go on proving</a>' in text
    assert 'hx-trigger="load' not in text  # the page asks for no news


def test_nothing_is_proved_that_is_not_shown() -> None:
    pool = Pool(ProofStatus(ProofState.PROVING))
    text = shown(pool, f"{BIG}?show=off")
    assert pool.asked == []
    assert 'id="proving"' not in text


def test_a_fragment_shows_the_progress_too() -> None:
    client = create_app(Pool(ProofStatus(ProofState.PROVING))).test_client()
    assert 'id="proving"' in client.get(BIG, headers=HTMX).text


def test_an_application_without_a_gate_proves_nothing_in_the_background() -> None:
    assert "This server proves nothing" in create_app().test_client().get(BIG).text


def test_a_line_ends_where_its_outcome_says(client: FlaskClient) -> None:
    for cell in ("a4", "b2", "d1"):
        text = client.get(f"/play/4x4x3?line={cell}&show=distance").text
        predicted: Any = client.get("/api/v1/predict?board=4x4x3").json
        shown_of = re.search(r"Shown: (\d+) of (\d+), ", text)
        assert shown_of
        assert int(shown_of[2]) == predicted["squares"][cell]["plies"]


def test_the_line_of_an_unproved_square_says_so() -> None:
    assert '<p id="reason">Not proved, but nobody wins within ' in shown(
        Pool(ProofStatus(ProofState.OFF)), f"{BIG}?line=a1"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("url", "drawn"),
    [
        ("/learn/explorer?", "draw in 64 plies"),
        ("/lab?depth=1&", "draw in 64 plies"),
    ],
)
def test_a_page_that_is_kept_is_made_anew_once_more_is_proved(client: FlaskClient, url: str, drawn: str) -> None:
    study = study_of(START)
    url += "board=8x8x5"
    assert drawn not in client.get(url).text
    assert client.get(url).data == client.get(url).data
    study.learn(dict.fromkeys(study.bounds, Bounds(DRAWN, DRAWN)))
    assert drawn in client.get(url).text
