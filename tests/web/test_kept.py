"""What is kept of pages, in this process and in the folder of figures, and what never is."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from solver.articles import rulebooks
from solver.articles.claims import CLAIMS
from solver.board.game import Game
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE
from solver.players.handbook import SEVEN_RULES, SHORT_RULEBOOK
from solver.proofs.prediction import Prediction
from solver.proofs.study import search_at_once
from solver.search.budget import Budget
from tests.web.test_gating import Gate
from webapp.app import create_app
from webapp.pages.lab import LabView, lab_view
from webapp.pages.learn import figures, lessons
from webapp.pages.learn.figures import Figure, Keeper, keeper, of_plain, to_plain
from webapp.pages.learn.lesson import Predictions
from webapp.pages.learn.lessons import LESSONS, claims, crosstable, rulebook, trial
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
    lesson, made = lessons.LESSONS[name], list[Query]()
    tab = lesson.tabs[name]

    def counted(query: Query, *known: Predictions) -> object:
        found = tab.view(query, *known)
        made.append(query)
        return found

    changed = {**lessons.LESSONS, name: replace(lesson, tabs={name: replace(tab, view=counted)})}
    monkeypatch.setattr("webapp.pages.learn.routes.LESSONS", changed)
    return made


def test_different_mistakes_cost_a_lesson_one_view(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    made = made_by("forks", monkeypatch)
    answers = [client.get(f"/learn/forks?play={wrong}") for wrong in ("x", "y", "z")]
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
        "/learn/forks?play=x",
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
        pytest.param("/lab?board=4x3x3&depth=1", [0], marks=pytest.mark.slow),
        ("/learn/explorer?board=4x3x3", [0]),
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


FEW = "/learn/claims?about=search"
"""A page with only a few claims."""


def counted() -> Figure[int]:
    """Return a figure whose value is the number of times that it was computed."""
    times = count(1)

    def computed() -> int:
        return next(times)

    return Figure(computed)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give this installation a cache folder for one test."""
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path))
    keeper.cache_clear()
    yield tmp_path
    keeper.cache_clear()


def test_a_figure_is_computed_once_for_all_processes(tmp_path: Path) -> None:
    figure = counted()
    assert [Keeper(tmp_path).value(figure) for _ in range(3)] == [1, 1, 1]


def test_without_a_folder_a_process_remembers_for_itself() -> None:
    figure, kept = counted(), Keeper(None)
    assert [kept.value(figure), kept.value(figure), Keeper(None).value(figure)] == [1, 1, 2]


@pytest.mark.parametrize("damage", [lambda _: "", lambda text: text[:-1] + "7", lambda text: text[:-1]])
def test_a_damaged_file_is_computed_again(tmp_path: Path, damage: Any) -> None:
    figure = counted()
    Keeper(tmp_path).value(figure)
    (file,) = tmp_path.rglob("*.json")
    file.write_text(damage(file.read_text("utf-8")), "utf-8")
    assert [Keeper(tmp_path).value(figure) for _ in range(2)] == [2, 2]


def test_a_folder_that_cannot_be_written_costs_no_figure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    assert Keeper(tmp_path / "file").value(counted()) == 1


def test_no_figure_survives_a_change_of_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figure = counted()
    for number, code in enumerate(["a", "b", "c", "d", "e"], 1):
        monkeypatch.setattr(figures, "code_digest", lambda code=code: code)
        assert Keeper(tmp_path).value(figure) == number
    assert sorted(each.name for each in tmp_path.iterdir()) == ["b", "c", "d", "e"]


def test_work_goes_on_figure_by_figure_for_a_moment_and_counts() -> None:
    some, kept = [Figure(abs, (number,)) for number in range(3)], Keeper(None)
    assert kept.work(some, 0).done == 0
    assert [kept.work(some, 1e-9).done for _ in range(3)] == [1, 2, 3]
    assert kept.work(some, 0).complete


@pytest.mark.parametrize(
    "figure",
    [
        *(Figure(trial.try_opponent, (name, mark, TIC_TAC_TOE)) for name in ("hard", "impossible") for mark in Mark),
        *rulebook._figures({}).each[-4:],
        Figure(rulebooks.mending, (SEVEN_RULES,)),
        Figure(crosstable.everyone),
        Figure(rulebooks.proof, (SHORT_RULEBOOK,)),
        Figure(rulebooks.shortest, rulebook.SOUGHT[-1]),
        *(Figure(claims.computation, (name,)) for name in ("clojure.forced", "pyfl.win-first")),
    ],
    ids=lambda figure: figure.name,
)
def test_what_pages_keep_is_read_back_as_it_was(figure: Figure[Any]) -> None:
    found = figure.compute(*figure.arguments)
    plain = json.loads(json.dumps(to_plain(found)))
    assert to_plain(of_plain(figure.kind, plain)) == plain
    assert of_plain(figure.kind, plain) == found or "rules:" in str(plain)  # players of lists are made anew


def test_a_page_says_how_far_its_figures_are_until_all_are_there(folder: Path) -> None:
    client: FlaskClient = create_app(Gate()).test_client()
    first = client.get(FEW)
    total = len(claims.CLAIMS_OF["search"])
    assert (first.status_code, f"<b>0 of {total}</b> claims checked" in first.text) == (202, True)
    assert "ETag" not in first.headers
    (url,) = set(re.findall(r'hx-get="([^"]*)"', first.text))
    said = []
    while (answer := client.get(url.replace("&amp;", "&"))).status_code == 202:
        said.append(int(re.findall(r"<b>(\d+) of", answer.text)[0]))
    assert said == sorted(said)
    assert (answer.status_code, answer.headers["Location"]) == (303, FEW)
    assert client.get(FEW).status_code == 200
    assert len(list(folder.rglob("*.json"))) == total < len(CLAIMS)


@pytest.mark.parametrize(
    ("name", "tab"),
    [(name, key) for name, lesson in LESSONS.items() for key, tab in lesson.tabs.items() if tab.figures],
)
@pytest.mark.usefixtures("folder")
def test_a_lesson_asks_its_first_question_before_its_figures_are_there(name: str, tab: str) -> None:
    gate = Gate()
    see = "" if tab == name else f"see={tab}&amp;"
    first = create_app(gate).test_client().get(f"/learn/{name}?see={tab}")
    assert (first.status_code, 'class="question"' in first.text) == (202, True)
    quiz, attempt = re.findall(rf'href="/learn/{name}\?{see}([a-z]+)=([a-z0-9]+)#', first.text)[0]
    tried = create_app(gate).test_client().get(f"/learn/{name}?see={tab}&{quiz}={attempt}")
    assert (tried.status_code, re.search(r'class="(yes|no)" role="status"', tried.text) is not None) == (202, True)


def test_a_page_whose_figures_are_kept_is_there_at_once(folder: Path) -> None:  # noqa: ARG001
    for claim in claims.CLAIMS_OF["search"]:
        keeper().value(Figure(claims.computation, (claim.id,)))
    keeper.cache_clear()
    assert create_app(Gate()).test_client().get(FEW).status_code == 200


def test_where_nothing_can_be_kept_the_page_itself_computes() -> None:
    assert create_app(Gate()).test_client().get(FEW).status_code == 200
