"""The lessons: every address answers, and a bad part of one says what was wrong."""

import pytest
from flask.testing import FlaskClient

from solver.theory.claims import CLAIMS
from webapp.learn.lessons import LESSONS


@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_has_a_page_that_names_all_lessons(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/learn/{name}?unknown=part")
    assert answer.status_code == 200
    for lesson in LESSONS.values():
        assert f'href="/learn/{lesson.name}"' in answer.text


def test_the_contents_name_every_lesson(client: FlaskClient) -> None:
    text = client.get("/learn/").text
    assert all(lesson.summary in text for lesson in LESSONS.values())


def test_an_unknown_lesson_is_no_page(client: FlaskClient) -> None:
    assert client.get("/learn/no-such-lesson").status_code == 404


@pytest.mark.parametrize("name", [lesson.name for lesson in LESSONS.values() if lesson.parts])
def test_no_lesson_breaks_on_a_bad_part(client: FlaskClient, name: str) -> None:
    for part in LESSONS[name].parts:
        answer = client.get(f"/learn/{name}", query_string={part: "<no such thing>"})
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text


def test_the_page_of_claims_shows_each(client: FlaskClient) -> None:
    text = client.get("/learn/claims").text
    assert all(f'id="{name}"' in text for name in CLAIMS)
