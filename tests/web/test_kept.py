"""What is kept of pages, and what never is."""

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from solver.board.game import Game
from solver.board.position import Position
from solver.proofs.prediction import Prediction
from solver.proofs.study import search_at_once
from solver.search.budget import Budget
from webapp.app import create_app
from webapp.pages.lab import LabView, lab_view
from webapp.pages.learn import course
from webapp.pages.learn.lesson import Predictions
from webapp.pages.learn.lessons import LESSONS
from webapp.ui.address import Query
from webapp.ui.previews import PROBLEMS, SETTINGS


@pytest.fixture
def client() -> FlaskClient:
    """Return a client of an application that has kept no page yet."""
    return create_app().test_client()


def test_different_mistakes_cost_the_lab_one_comparison(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def counted(game: Game, depth: int, prediction: Prediction) -> LabView:
        made.append(depth)
        return lab_view(game, depth, prediction)

    monkeypatch.setattr("webapp.pages.lab.lab_view", counted)
    answers = [client.get(f"/lab?board=2x2x2&depth={wrong}") for wrong in ("x", "y", "<b>")]
    assert [answer.status_code for answer in answers] == [400, 400, 400]
    assert "“y”" in answers[1].text
    assert "&lt;b&gt;" in answers[2].text
    assert len(made) == 1


def made_by(name: str, monkeypatch: pytest.MonkeyPatch) -> list[Query]:
    """Return a list that gets the query of each view of a lesson."""
    lesson, made = LESSONS[name], list[Query]()

    def counted(query: Query, *known: Predictions) -> object:
        found = lesson.view(query, *known)
        made.append(query)
        return found

    changed = {**course.EVERY_PAGE, name: replace(lesson, view=counted)}
    monkeypatch.setattr("webapp.pages.learn.routes.EVERY_PAGE", changed)
    return made


def test_different_mistakes_cost_a_lesson_one_view(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    made = made_by("search", monkeypatch)
    answers = [client.get(f"/learn/search?from={wrong}") for wrong in ("x", "y", "z")]
    assert [answer.status_code for answer in answers] == [400, 400, 400]
    assert "“z”" in answers[2].text
    assert "“x”" not in answers[2].text
    assert len(made) == 1


def test_different_settings_cost_the_explorer_one_view(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    made = made_by("explorer", monkeypatch)
    for score in ("1-0-0", "2-0-0", "2-1-0"):
        assert f"score={score}" in client.get(f"/learn/explorer?x=human&o=hard&score={score}").text
    assert "score=" not in client.get("/learn/explorer").text
    assert len(made) == 1


@pytest.mark.parametrize(
    "address",
    [
        "/learn/forks",
        "/learn/search?from=x",
        "/learn/explorer",
        "/learn/explorer?moves=b2&x=human",
        "/learn/explorer?moves=x",
        "/lab?board=2x2x2",
        "/lab?board=2x2x2&x=human",
        "/lab?board=2x2x2&depth=x",
    ],
)
def test_no_answer_has_the_places_for_what_an_address_says(client: FlaskClient, address: str) -> None:
    data = client.get(address).data
    assert not [place for place in (PROBLEMS, SETTINGS, b"carried=") if place in data]


@pytest.mark.parametrize(
    ("address", "moves"),
    [
        pytest.param("/lab?board=5x5x4&depth=1", [0], marks=pytest.mark.slow),
        ("/learn/explorer?board=5x5x4", [0]),
    ],
)
def test_what_is_known_of_a_position_is_looked_up_once_a_page(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, address: str, moves: list[int]
) -> None:
    asked: list[Position] = []

    def counted(position: Position, budget: Budget) -> Prediction:
        asked.append(position)
        return search_at_once(position, budget)

    monkeypatch.setattr("solver.proofs.study.search_at_once", counted)
    assert client.get(address).status_code == 200
    assert sorted(position.rules.size - position.plies_left for position in asked) == moves
