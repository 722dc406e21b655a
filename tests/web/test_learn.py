"""All lessons: every address answers, bad parts get a message, and links lead from page to page."""

import re
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from markupsafe import escape

from solver.analysis.drills import LISTED
from solver.articles.claims import CLAIMS
from solver.articles.claims.claim import Verdict
from solver.articles.figures import finding_of
from tests.web.test_pages import page
from webapp.pages.learn.article import ARTICLE_PAGES, PART, PLACES
from webapp.pages.learn.content import lesson_url
from webapp.pages.learn.course import LIBRARY, PAGES, UNITS, lesson_on, page_after
from webapp.pages.learn.lesson import MOVED_LESSONS, Lesson, source_of
from webapp.pages.learn.lessons import LESSONS

ROOT = Path(__file__).parents[2]


def test_the_path_leads_teachers_to_each_unit_on_paper_and_on_the_wall(client: FlaskClient) -> None:
    shown = client.get("/learn/").text
    for unit in UNITS:
        for view in ("sheet", "wall"):
            assert f'href="/learn/{unit.name}?view={view}"' in shown
            assert client.get(f"/learn/{unit.name}?view={view}").status_code == 200
    assert "For the teacher" in client.get("/learn/matchboxes?view=sheet").text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("trial?strategy=hard&side=O&x=human", "workshop?strategy=hard&side=O&x=human"),
        ("rulebook?player=pyfl-literal&at=1", "workshop?player=pyfl-literal&at=1"),
        ("clause?shape=b4c4", "shapes?shape=b4c4"),
        ("alphabeta?step=3", "stepper?step=3"),
        ("pipeline?step=3", "haskell?step=3#pipeline"),
        ("walks", "clojure#walks"),
        ("walks.png", "clojure.png"),
        ("predictions?moves=a1", "erlang?moves=a1#nine"),
        ("generic?pair=person-person", "scala?pair=person-person#driver"),
        ("reduced", "clojure?part=2#best"),
        ("census?board=2x2x2", "clojure?board=2x2x2#bound"),
        ("beaten?moves=a3", "clojure?part=2&moves=a3#draw"),
    ],
)
def test_old_addresses_lead_to_where_their_matter_is_now(client: FlaskClient, old: str, new: str) -> None:
    answer = client.get(f"/learn/{old}")
    assert (answer.status_code, answer.headers["Location"]) == (308, f"/learn/{new}")
    assert client.get(f"/learn/{new}").status_code in (200, 303)


@pytest.mark.parametrize("moved", MOVED_LESSONS.values(), ids=MOVED_LESSONS)
def test_where_a_lesson_has_moved_to_there_is_its_matter(client: FlaskClient, moved: dict[str, str]) -> None:
    if moved["to"] in ARTICLE_PAGES:
        assert moved["anchor"] in page(client, lesson_url(moved["to"], {PART: moved.get("part")})).elements
        return
    lesson = LESSONS[moved["to"]]
    assert moved.get("anchor", "rest") in page(client, f"/learn/{lesson.name}").elements


def test_one_can_read_all_lessons_by_going_to_the_next() -> None:
    assert [page_after(name) for name in PAGES] == [*[*PAGES.values()][1:], None]


def test_the_contents_show_the_units_as_a_path_and_the_library(client: FlaskClient) -> None:
    text = client.get("/learn/").text
    assert re.findall(r'<li data-unit="(\w+)"', text) == [unit.name for unit in UNITS]
    assert re.findall(r'<li data-lesson="([\w-]+)"', text) == [lesson.name for lesson in LIBRARY]
    assert len(UNITS) == 12
    assert re.findall(r'<li data-article="(\w+)"', text) == [*ARTICLE_PAGES]
    cards = re.findall(r"<li data-.*?</li>", text, re.DOTALL)
    for each, card in zip((*UNITS, *ARTICLE_PAGES.values(), *LIBRARY), cards, strict=True):
        assert f"{each.title}</b>" in card
        assert f"<span>{escape(each.content.get('question', each.summary))}</span>" in card
        assert f'href="/learn/{each.name}"' in card
        if each not in LIBRARY:
            assert 1 <= each.minutes <= 20
            assert f"{each.minutes} minute" in card
            assert re.search(r"<svg.*?<(rect|circle|path|text)", card, re.DOTALL)


def test_every_unit_asks_something_and_every_listed_kind_of_drill_has_a_lesson() -> None:
    assert all(unit.asks for unit in UNITS)
    assert all(lesson_on(kind) for kind in LISTED)


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_each_lesson_names_all_others_its_articles_and_its_code(client: FlaskClient, lesson: Lesson) -> None:
    answer = client.get(f"/learn/{lesson.name}?unknown=part")
    assert answer.status_code == 200
    text = unescape(answer.text)
    assert all(f'href="/learn/{name}"' in text for name in PAGES)
    following = page_after(lesson.name)
    assert following is None or f'<b>Next:</b> <a href="/learn/{following.name}">' in text
    assert lesson.articles
    assert all(article.title in text and f"by {article.author}" in text for article in lesson.articles)
    assert lesson.sources
    for source in lesson.sources:
        assert source.text in text
        installed = (ROOT / source.file).read_text().splitlines()[source.line - 1 :]
        assert [line.strip() for line in source.text.splitlines()] == [
            line.strip() for line in installed[: len(source.text.splitlines())]
        ]


@pytest.mark.parametrize("address", ["search?depth=10", "menace?box=305"])
def test_below_a_mistake_in_an_address_stands_the_lesson(client: FlaskClient, address: str) -> None:
    _, _, lesson = client.get(f"/learn/{address}").text.partition('role="alert">')[2].partition("</p>\n")
    assert lesson in client.get(f"/learn/{address.partition('?')[0]}").text


@pytest.mark.parametrize("name", LESSONS)
def test_no_lesson_breaks_on_a_bad_part(client: FlaskClient, name: str) -> None:
    for part in set(LESSONS[name].parts) - {"find"}:  # what is looked for may be nowhere; the page says so
        answer = client.get(f"/learn/{name}", query_string={part: "<no such thing>"})
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text


def test_the_table_of_claims_begins_with_those_not_confirmed_and_the_code_that_computes_them(
    client: FlaskClient,
) -> None:
    rows = unescape(client.get("/learn/claims").text).split('<tr id="')[1:]
    told = {name: row for row in rows for name in [row.partition('"')[0]]}
    assert [*told] == [name for name in CLAIMS if finding_of(name).verdict is not Verdict.CONFIRMED]
    for name, row in told.items():
        assert finding_of(name).computation.explanation in row
        assert source_of(CLAIMS[name].check).text in row


def test_claims_lead_to_their_places_on_the_page_of_their_article(client: FlaskClient) -> None:
    shown = page(client, "/learn/claims?article=haskell")
    own = {name for name in CLAIMS if name.startswith("haskell.")}
    assert shown.elements.keys() & CLAIMS == own
    assert {PLACES[name] for name in own} <= set(shown.links)


def test_a_lesson_leads_to_the_article_and_to_the_claim_that_it_speaks_of(client: FlaskClient) -> None:
    assert {"/learn/haskell", "/learn/haskell#haskell.values-after-corner"} <= set(page(client, "/learn/search").links)


@pytest.mark.parametrize(
    ("asked", "every"),
    [
        ("verdict=all", {*CLAIMS}),
        ("article=scala", {name for name in CLAIMS if name.startswith("scala.")}),
    ],
)
def test_links_choose_claims_by_article_and_verdict(client: FlaskClient, asked: str, every: set[str]) -> None:
    whole = page(client, f"/learn/claims?{asked}")
    assert whole.elements.keys() & CLAIMS == every
    by_verdict = [link for verdict in Verdict for link in whole.links if link.endswith(f"verdict={verdict}")]
    chosen = [page(client, link).elements.keys() & CLAIMS for link in by_verdict]
    assert set.union(*chosen) == every
    assert sum(map(len, chosen)) == len(every)
