"""Classes by their forms, as browsers without JavaScript use them: the teacher, pupils, homework and tournaments."""

import json
import re
from collections.abc import Iterator
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.web.conftest import HTMX
from webapp.app import create_app
from webapp.config import AppConfig
from webapp.pages.live.file import FILE


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    made = create_app(config=AppConfig(database=f"sqlite:///{tmp_path_factory.mktemp('class') / FILE}"))
    yield made
    made.extensions["live"].store().close()


class Lesson:
    """A class, its teacher's client, and its pupils' clients."""

    def __init__(self, app: Flask, mode: str = "ask", paste: str = "X.O/.X./..O", **form: str) -> None:
        self.app, self.teacher = app, app.test_client()
        self.made = self.teacher.post("/class", data={"mode": mode, "paste": paste, **form})
        self.wall = self.made.headers["Location"]
        self.url = self.wall.removesuffix("/wall")

    def joined(self, number: int = 1, **form: str) -> list[FlaskClient]:
        pupils = [self.app.test_client() for _ in range(number)]
        for pupil in pupils:
            seat = match(r'name="seat" value="([^"]+)"', pupil.get(self.url))
            assert pupil.post(self.url, data={"do": "join", "seat": seat, **form}).status_code == 303
        return pupils

    def point(self) -> str:
        return match(r'name="at" value="([^"]+)"', self.teacher.get(self.wall))

    def do(self, name: str, **form: str) -> TestResponse:
        return self.teacher.post(self.wall, data={"do": name, "at": self.point(), **form})

    def answer(self, pupil: FlaskClient, answer: str) -> TestResponse:
        at = match(r'name="at" value="([^"]+)"', pupil.get(self.url))
        return pupil.post(self.url, data={"at": at, "cell": answer})

    @property
    def shown(self) -> str:
        return unescape(self.teacher.get(self.wall).text)


def match(pattern: str, answer: TestResponse) -> str:
    found = re.search(pattern, unescape(answer.text))
    assert found, pattern
    return found[1]


def test_a_class_answers_and_the_wall_shows_counts_then_colours_then_why(app: Flask) -> None:
    lesson = Lesson(app)
    one, two, three = lesson.joined(3)
    for pupil, square in ((one, "c2"), (two, "c2"), (three, "a2")):
        assert lesson.answer(pupil, square).status_code == 303
    assert '<b id="answered">3</b>' in lesson.shown
    assert "pressed it" not in lesson.shown
    assert "pressed it" not in three.get(lesson.url).text
    lesson.do("more")
    assert "empty, 2 pressed it" in lesson.shown
    assert "would" not in lesson.shown
    lesson.do("more")
    assert "X would lose in 1 move, 1 pressed it" in lesson.shown
    lesson.do("more")
    assert "<b>a2</b>: Loses: O fills" in lesson.shown
    assert "Right!" in one.get(lesson.url).text
    assert "Not quite." in three.get(lesson.url).text


def test_only_the_first_answer_of_a_seat_counts(app: Flask) -> None:
    lesson = Lesson(app)
    (pupil,) = lesson.joined()
    assert lesson.answer(pupil, "c2").status_code == 303
    again = pupil.post(lesson.url, data={"at": "0.0.0", "cell": "a2"})
    assert again.status_code == 409
    assert "the first answer counts" in again.text
    assert pupil.post(lesson.url, data={"at": "0.0.0", "cell": "c2"}).status_code == 303
    assert '<b id="answered">1</b>' in lesson.shown


def test_an_answer_after_the_counts_are_shown_comes_too_late(app: Flask) -> None:
    lesson = Lesson(app)
    one, two = lesson.joined(2)
    lesson.answer(one, "c2")
    lesson.do("more")
    late = two.post(lesson.url, data={"at": "0.0.0", "cell": "c2"})
    assert (late.status_code, "The class has gone on" in late.text) == (409, True)


def test_a_form_that_joins_twice_takes_one_seat(app: Flask) -> None:
    lesson, pupil = Lesson(app), app.test_client()
    seat = match(r'name="seat" value="([^"]+)"', pupil.get(lesson.url))
    for _ in range(2):
        pupil.post(lesson.url, data={"do": "join", "seat": seat, "name": "Fox"})
    assert "<b>1</b> is in" in lesson.shown


def test_whoever_comes_late_sees_the_present_question(app: Flask) -> None:
    lesson = Lesson(app, paste="/practise/set?kind=fork&count=2&seed=7b")
    lesson.do("next")
    (pupil,) = lesson.joined()
    assert match(r'name="at" value="([^"]+)"', pupil.get(lesson.url)) == "1.0.0"


def test_a_pupil_who_is_shown_out_counts_no_more_and_cannot_come_back(app: Flask) -> None:
    lesson = Lesson(app)
    (pupil,) = lesson.joined()
    lesson.answer(pupil, "c2")
    lesson.do("out-0")
    assert "<b>0</b> are in" in lesson.shown
    assert '<b id="answered">0</b>' in lesson.shown
    secret = pupil.get_cookie("seat", path=lesson.url)
    assert secret
    back = pupil.post(lesson.url, data={"do": "join", "seat": secret.value})
    assert (back.status_code, "shown this seat out" in back.text) == (409, True)


def test_nobody_is_shown_out_by_a_number_that_is_none(app: Flask) -> None:
    lesson = Lesson(app)
    lesson.joined()
    for number in ("²", "", "7"):
        assert lesson.do(f"out-{number}").status_code == 303
    assert "<b>1</b> is in" in lesson.shown


def test_a_square_counts_those_who_placed_either_mark(app: Flask) -> None:
    lesson = Lesson(app, paste="3x3x3-wild Xa1")
    one, two = lesson.joined(2)
    lesson.answer(one, "Xb2")
    lesson.answer(two, "Ob2")
    lesson.do("more")
    assert "empty, 2 pressed it" in lesson.shown
    lesson.do("end")
    assert re.search(r'class="cell heat-4"', lesson.shown)


def test_a_class_has_sixty_seats(app: Flask) -> None:
    lesson = Lesson(app)
    lesson.joined(60)
    pupil = app.test_client()
    seat = match(r'name="seat" value="([^"]+)"', pupil.get(lesson.url))
    full = pupil.post(lesson.url, data={"do": "join", "seat": seat})
    assert (full.status_code, "This class is full: 60 pupils are in." in full.text) == (409, True)
    names = re.findall(r"Show (\w+) out", lesson.shown)
    assert len(set(names)) == 60


def test_only_the_teacher_sees_and_changes_the_wall(app: Flask) -> None:
    lesson, other = Lesson(app), app.test_client()
    assert other.get(lesson.wall).status_code == 403
    assert other.post(lesson.wall, data={"do": "more", "at": "0.0.0"}).status_code == 403
    assert other.get(f"{lesson.url}/results.csv").status_code == 403


def test_the_key_opens_the_wall_on_another_device_and_is_shown_once(app: Flask) -> None:
    lesson, other = Lesson(app), app.test_client()
    key = match(r'wall#([\w-]+)"', lesson.teacher.get(lesson.wall))
    assert "wall#" not in lesson.shown
    assert other.post(lesson.wall, data={"do": "back", "key": "wrong"}).status_code == 403
    assert other.post(lesson.wall, data={"do": "back", "key": key}).status_code == 303
    assert other.get(lesson.wall).status_code == 200


def test_the_class_plays_the_most_chosen_square_and_the_computer_replies(app: Flask) -> None:
    lesson = Lesson(app, mode="computer", paste="X../.O./...", level="easy")
    assert "Nobody has pressed" in lesson.do("play").text
    one, two, three = lesson.joined(3)
    for pupil, square in ((one, "c1"), (two, "c1"), (three, "a1")):
        lesson.answer(pupil, square)
    lesson.do("play")
    assert lesson.shown.count('class="mark"') == 4
    assert 'id="sq-c1" class="sq x' in lesson.shown


def test_the_first_move_against_the_computer_waits_for_the_class_and_the_next_ones_have_a_limit(app: Flask) -> None:
    lesson = Lesson(app, mode="computer", level="easy", paste="3x3x3")
    (pupil,) = lesson.joined()
    assert "data-left" not in lesson.shown
    lesson.answer(pupil, "b2")
    lesson.do("play")
    assert re.search(r'data-left="(29|30)"', lesson.shown)


def test_a_game_that_the_teacher_ended_goes_no_further(app: Flask) -> None:
    lesson = Lesson(app, mode="computer", level="easy", paste="3x3x3")
    (pupil,) = lesson.joined()
    lesson.answer(pupil, "b2")
    point = lesson.point()
    lesson.do("end")
    lesson.teacher.post(lesson.wall, data={"do": "play", "at": point})
    assert 'class="mark"' not in lesson.shown


def test_a_game_against_the_computer_ends_with_its_last_position(app: Flask) -> None:
    lesson = Lesson(app, mode="computer", paste="XX./OO./...", level="easy")
    (pupil,) = lesson.joined()
    lesson.answer(pupil, "c3")
    lesson.do("play")
    assert "X wins." in lesson.shown
    assert "That's all" in pupil.get(lesson.url).text


def test_in_a_tournament_everyone_gets_a_game_and_the_table_counts_its_end(app: Flask) -> None:
    lesson = Lesson(app, mode="tournament", paste="")
    pupils = lesson.joined(3)
    assert "needs two pupils" not in lesson.do("round").text
    games: dict[str, int] = {}
    for pupil in pupils:
        lead = pupil.post(lesson.url, data={"do": "play"})
        if lead.status_code == 303:
            games[lead.headers["Location"]] = games.get(lead.headers["Location"], 0) + 1
            page = pupil.get(lead.headers["Location"]).text
            assert "You play" in page
            if "You play X" in page:
                pupil.post(lead.headers["Location"], data={"cell": "b2"})
                pupil.post(lead.headers["Location"], data={"do": "resign"})
        else:
            assert "You rest in this round" in lead.text
    assert list(games.values()) == [2]
    assert "0 – 1" in lesson.shown
    assert re.search(r"<td>1</td><td><b>1</b></td>", lesson.shown)


def test_homework_is_done_at_an_own_pace_and_its_teacher_sees_what_went_wrong(app: Flask) -> None:
    lesson = Lesson(app, mode="homework", paste="/practise/set?kind=win-now&count=2&seed=7b")
    (pupil,) = lesson.joined(name="Mia")
    for at in range(2):
        page = pupil.get(f"{lesson.url}?at={at}")
        squares = re.findall(r'name="cell" value="(\w\d)"', page.text)
        pupil.post(lesson.url, data={"at": str(at), "cell": squares[0]})
        assert re.search("Right!|Not quite.", pupil.get(f"{lesson.url}?at={at}").text)
    rows = lesson.teacher.get(f"{lesson.url}/results.csv").text.splitlines()
    assert rows[0].startswith("name,right,1: ")
    assert rows[1].startswith("Mia,")
    assert "right at the first try" in lesson.shown


def test_homework_goes_on_where_it_was_left_and_tells_its_end(app: Flask) -> None:
    lesson = Lesson(app, mode="homework", paste="/practise/set?kind=win-now&count=2&seed=7b")
    (pupil,) = lesson.joined(name="Mia")
    assert "Question 1 of 2" in pupil.get(lesson.url).text
    lesson.answer(pupil, match(r'name="cell" value="(\w\d)"', pupil.get(lesson.url)))
    page = pupil.get(lesson.url)
    assert "Question 2 of 2" in page.text
    assert "All done!" not in page.text
    lesson.answer(pupil, match(r'name="cell" value="(\w\d)"', page))
    right = lesson.teacher.get(f"{lesson.url}/results.csv").text.splitlines()[1].split(",")[1]
    assert f"<b>All done!</b> {right} of 2 right" in pupil.get(lesson.url).text


def test_the_wall_of_homework_has_the_link_to_send(app: Flask) -> None:
    lesson = Lesson(app, mode="homework", paste="kind:fork")
    assert f"http://localhost{lesson.url}</b>" in lesson.shown


def test_the_wall_tells_the_number_of_the_question(app: Flask) -> None:
    lesson = Lesson(app, paste="/practise/set?kind=fork&count=2&seed=7b")
    lesson.do("next")
    assert "Question 2 of 2." in lesson.shown


def test_where_stones_fall_a_pupil_sees_the_counts_as_bars(app: Flask) -> None:
    lesson = Lesson(app, paste="4x4x3-gravity")
    (pupil,) = lesson.joined()
    lesson.answer(pupil, "b1")
    lesson.do("more")
    assert 'class="bars"' in pupil.get(lesson.url).text


def test_a_game_of_a_tournament_leads_back_to_the_class(app: Flask) -> None:
    lesson = Lesson(app, mode="tournament", paste="")
    one, _ = lesson.joined(2)
    lesson.do("round")
    game = one.post(lesson.url, data={"do": "play"}).headers["Location"]
    assert f'href="{lesson.url}">◀ Back to the class' in one.get(game).text
    assert "Back to the class" not in one.get(game.partition("?")[0]).text
    assert "Back to the class" not in one.get(game.partition("?")[0] + "?of=//evil").text


def test_the_end_of_a_tournament_is_told_to_all(app: Flask) -> None:
    lesson = Lesson(app, mode="tournament", paste="")
    one, _ = lesson.joined(2)
    lesson.do("round")
    lesson.do("end")
    assert "The tournament is over" in lesson.shown
    assert "That's all" in unescape(one.get(lesson.url).text)


def test_a_form_that_is_refused_keeps_what_was_chosen(client: FlaskClient) -> None:
    form = {"mode": "computer", "paste": "hello there", "level": "easy", "ask": "kind:fork"}
    page = client.post("/class", data=form).text
    assert all(f'value="{form[name]}" selected' in page for name in ("mode", "level", "ask"))
    assert 'value="hello there"' in page


def test_what_went_wrong_becomes_homework(app: Flask) -> None:
    lesson = Lesson(app)
    (pupil,) = lesson.joined()
    lesson.answer(pupil, "a2")
    lesson.do("end")
    made = lesson.do("again")
    assert made.status_code == 303
    assert "Homework" in lesson.teacher.get(made.headers["Location"]).text
    lesson = Lesson(app)
    lesson.do("end")
    assert "nothing to practise" in lesson.do("again").text


def test_a_deleted_class_is_gone_at_once(app: Flask) -> None:
    lesson = Lesson(app)
    (pupil,) = lesson.joined()
    assert lesson.do("delete").status_code == 303
    assert pupil.get(lesson.url).status_code == 404
    assert lesson.teacher.get(lesson.wall).status_code == 404


def test_pupils_hear_of_a_new_stage_and_the_wall_of_each_answer(app: Flask) -> None:
    lesson = Lesson(app)
    (pupil,) = lesson.joined()

    def tags() -> tuple[str, str]:
        wall = lesson.teacher.get(f"{lesson.wall}/news?once=1").text
        return pupil.get(f"{lesson.url}/news?once=1").text, wall

    before = tags()
    lesson.answer(pupil, "c2")
    after = tags()
    assert before[0] == after[0]
    assert before[1] != after[1]
    lesson.do("more")
    assert tags()[0] != after[0]


def test_a_code_leads_to_its_class_and_a_wrong_one_is_told(app: Flask) -> None:
    lesson, client = Lesson(app), app.test_client()
    code = lesson.url.removeprefix("/class/")
    assert client.get(f"/class?code={code.lower()}").headers["Location"] == lesson.url
    assert client.get("/class?code=AEIOU").status_code == 400
    assert client.get("/class/BBBBB").status_code == 404
    assert client.get("/class/nothing").status_code in (303, 404)


def test_after_many_wrong_codes_an_address_waits_but_those_with_a_seat_go_on(app: Flask) -> None:
    lesson = Lesson(app)
    (pupil,) = lesson.joined()
    stranger = app.test_client()
    answers = [stranger.get("/class/BBBBB", environ_base={"REMOTE_ADDR": "192.0.2.77"}).status_code for _ in range(70)]
    assert answers[:60] == [404] * 60
    assert answers[-1] == 429
    assert stranger.get(lesson.url, environ_base={"REMOTE_ADDR": "192.0.2.77"}).status_code == 429
    stranger.set_cookie("seat", "s" * 32, path=lesson.url)
    assert stranger.get(lesson.url, environ_base={"REMOTE_ADDR": "192.0.2.77"}).status_code == 429
    assert pupil.get(lesson.url, environ_base={"REMOTE_ADDR": "192.0.2.77"}).status_code == 200


def test_an_address_has_at_most_thirty_classes_at_a_time(app: Flask) -> None:
    client = app.test_client()
    made = [client.post("/class", environ_base={"REMOTE_ADDR": "198.51.100.9"}).status_code for _ in range(31)]
    assert made == [303] * 30 + [503]


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"mode": "dance"}, "Choose what the class does"),
        ({"paste": "hello there"}, "isn't a game"),
        ({"mode": "computer", "level": "nobody"}, "Choose a level"),
        ({"mode": "computer", "paste": "/practise/set?kind=fork&seed=7b"}, "choose a board"),
    ],
)
def test_a_class_that_cannot_be_made_says_why(client: FlaskClient, form: dict[str, str], message: str) -> None:
    answer = client.post("/class", data=form)
    assert answer.status_code == 400
    assert message in unescape(answer.text)


def test_a_question_in_a_frame_reports_its_answer_and_sets_nothing(client: FlaskClient) -> None:
    page = client.get("/embed/ask?paste=X.O/.X./..O")
    assert "frame-ancestors *" in page.headers["Content-Security-Policy"]
    answered = client.get("/embed/ask?paste=X.O/.X./..O&at=0&score=0&cell=c2")
    report = json.loads(match(r'data-report="(.*?)"\s*>', answered))
    assert report == {
        "source": "noughts",
        "type": "answer",
        "task": "play/3x3x3?from=X.O/.X./..O",
        "answer": "c2",
        "right": True,
        "number": 1,
        "of": 1,
        "score": 1,
    }
    statement = json.loads(match(r"(?s)<textarea[^>]*>(.*?)</textarea>", answered))
    assert statement["result"] == {"response": "c2", "success": True}
    assert "Set-Cookie" not in answered.headers


def test_in_a_frame_either_mark_is_placed_where_the_rules_allow_it(client: FlaskClient) -> None:
    assert 'name="mark" value="O"' in client.get("/embed/ask?paste=3x3x3-wild").text
    answered = client.get("/embed/ask?paste=3x3x3-wild&cell=b2&mark=O")
    assert json.loads(match(r'data-report="(.*?)"\s*>', answered))["answer"] == "Ob2"


def test_a_set_in_a_frame_goes_on_and_counts(client: FlaskClient) -> None:
    first = client.get("/embed/ask?paste=unit:three")
    assert "1 of " in first.text
    square = match(r'name="cell" value="(\w\d)"', first)
    answered = client.get(f"/embed/ask?paste=unit:three&cell={square}")
    onward = match(r'id="next" class="button main" href="([^"]+)"', answered)
    assert "2 of " in client.get(onward).text


def test_the_wall_is_never_framed(app: Flask) -> None:
    lesson = Lesson(app)
    assert "frame-ancestors 'none'" in lesson.teacher.get(lesson.wall).headers["Content-Security-Policy"]


def test_for_htmx_only_the_part_is_sent(app: Flask) -> None:
    lesson = Lesson(app)
    part = lesson.teacher.get(lesson.wall, headers=HTMX).text
    assert part.startswith("<title>Ask the class")
    assert "<html" not in part
