"""All lessons: every address answers, and the message for a bad part."""

import re
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from solver.articles.claims import CLAIMS, Verdict, found
from webapp.pages.learn.lesson import Lesson, source_of
from webapp.pages.learn.lessons import GROUPS, LESSONS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_has_a_page_that_names_all_lessons(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/learn/{name}?unknown=part")
    assert answer.status_code == 200
    for lesson in LESSONS.values():
        assert f'href="/learn/{lesson.name}"' in answer.text


def test_the_contents_show_each_lesson_with_its_track_picture_level_and_minutes(client: FlaskClient) -> None:
    text = client.get("/learn/").text
    for track, lessons in GROUPS.items():
        shown = text.partition(f">{track}</h2>")[2].partition("</section>")[0]
        cards = re.findall(r"<li data-lesson.*?</li>", shown, re.DOTALL)
        for lesson, card in zip(lessons, cards, strict=True):
            assert f'data-lesson="{lesson.name}"' in card
            assert {lesson.title, lesson.summary, lesson.level} <= set(re.split(r"<[^>]*>|\n| · ", card))
            assert 1 <= lesson.minutes <= 20
            assert f"{lesson.minutes} minute" in card
            assert re.search(r"<svg.*?<(rect|circle|path|text)", card, re.DOTALL)


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_each_lesson_names_its_articles_and_shows_code_that_is_installed(client: FlaskClient, lesson: Lesson) -> None:
    text = unescape(client.get(f"/learn/{lesson.name}").text)
    assert lesson.articles
    assert all(article.title in text and f"by {article.author}" in text for article in lesson.articles)
    assert lesson.sources
    for source in lesson.sources:
        assert source.text in text
        installed = (ROOT / source.file).read_text().splitlines()[source.line - 1 :]
        assert [line.strip() for line in source.text.splitlines()] == [
            line.strip() for line in installed[: len(source.text.splitlines())]
        ]


def test_an_unknown_lesson_is_no_page(client: FlaskClient) -> None:
    assert client.get("/learn/no-such-lesson").status_code == 404


@pytest.mark.parametrize("name", [lesson.name for lesson in LESSONS.values() if lesson.parts])
def test_no_lesson_breaks_on_a_bad_part(client: FlaskClient, name: str) -> None:
    for part in set(LESSONS[name].parts) - {"find"}:  # what is looked for may be nowhere, and the page says so
        answer = client.get(f"/learn/{name}", query_string={part: "<no such thing>"})
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text


def test_the_page_of_claims_shows_each(client: FlaskClient) -> None:
    text = client.get("/learn/claims").text
    assert all(f'id="{name}"' in text for name in CLAIMS)


def test_claims_that_are_not_simply_confirmed_come_first_each_with_a_board_and_its_code(client: FlaskClient) -> None:
    text = client.get("/learn/claims").text
    told, _, confirmed = text.partition("<h2>Confirmed</h2>")
    for name in CLAIMS:
        claimed = found(name)
        story = told.partition(f'id="{name}"')[2].partition("</section>")[0]
        assert bool(story) == (claimed.verdict is not Verdict.CONFIRMED)
        if story:
            assert '<svg class="mini' in story
            assert source_of(claimed.claim.compute).text in unescape(story)
    assert "<details open>" not in confirmed
