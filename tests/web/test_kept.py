"""Pages that take long are made once, whatever is wrong with the addresses they answer."""

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from solver.board.game import Game
from webapp.app import create_app
from webapp.kept import PLACE
from webapp.lab import LabView, lab_view
from webapp.learn import lessons
from webapp.learn.lesson import Query


@pytest.fixture
def client() -> FlaskClient:
    """A client of an application that has kept nothing yet."""
    return create_app().test_client()


def test_different_mistakes_cost_the_lab_one_comparison(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def counted(game: Game, depth: int) -> LabView:
        made.append(depth)
        return lab_view(game, depth)

    monkeypatch.setattr("webapp.lab.lab_view", counted)
    answers = [client.get(f"/lab?board=2x2x2&depth={wrong}") for wrong in ("x", "y", "<b>")]
    assert [answer.status_code for answer in answers] == [400, 400, 400]
    assert "“y”" in answers[1].text
    assert "&lt;b&gt;" in answers[2].text
    assert len(made) == 1


def test_different_mistakes_cost_a_lesson_one_view(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    forks, made = lessons.LESSONS["forks"], list[Query]()

    def counted(query: Query) -> object:
        found = forks.view(query)
        made.append(query)
        return found

    monkeypatch.setattr("webapp.learn.pages.LESSONS", {**lessons.LESSONS, "forks": replace(forks, view=counted)})
    answers = [client.get(f"/learn/forks?play={wrong}") for wrong in ("x", "y", "z")]
    assert [answer.status_code for answer in answers] == [400, 400, 400]
    assert "“z”" in answers[2].text
    assert "“x”" not in answers[2].text
    assert len(made) == 1


@pytest.mark.parametrize("address", ["/learn/forks", "/learn/forks?play=x", "/lab?board=2x2x2", "/lab?depth=x"])
def test_no_answer_has_the_place_for_what_was_wrong(client: FlaskClient, address: str) -> None:
    assert PLACE not in client.get(address).data
