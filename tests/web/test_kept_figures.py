"""Slow figures: computed once for an installed version, kept in files, forgotten, and waited for with progress."""

import json
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from solver.articles import rulebooks
from solver.articles.claims import CLAIMS
from solver.board.position import Mark
from solver.board.rules import TIC_TAC_TOE
from solver.players.handbook import SEVEN_RULES, SHORT_RULEBOOK
from tests.web.test_gating import Gate
from webapp.app import create_app
from webapp.pages.learn import figures
from webapp.pages.learn.figures import Figure, Keeper, keeper, of_plain, to_plain
from webapp.pages.learn.lessons import LESSONS, claims, crosstable, rulebook, trial

FEW = "/learn/claims?about=generic"
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
    total = len(claims.CLAIMS_OF["generic"])
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
    for claim in claims.CLAIMS_OF["generic"]:
        keeper().value(Figure(claims.computation, (claim.id,)))
    keeper.cache_clear()
    assert create_app(Gate()).test_client().get(FEW).status_code == 200


def test_where_nothing_can_be_kept_the_page_itself_computes() -> None:
    assert create_app(Gate()).test_client().get(FEW).status_code == 200
