"""The page of the PyFL program: what is edited is proved or beaten, and no text is lost."""

import re
from html import unescape
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from solver.articles.claims import pyfl
from solver.articles.figures import figures
from solver.articles.pyfl.player import PLAYER
from solver.articles.pyfl.syntax import MAX_BYTES
from solver.board.position import Mark
from solver.errors import BadOption
from tests.figures import lost_by
from tests.marked import slow
from tests.strategies import examples
from webapp.pages.learn.facts.pyfl import PROGRAMS
from webapp.pages.learn.lessons.program import ProgramView, code_of, program_of, url_of, view

PATH = "/learn/pyfl-program"


def shown(app: Flask, text: str) -> ProgramView:
    with app.test_request_context():
        return view({"code": code_of(text)})


@pytest.mark.parametrize(
    ("title", "lost"),
    [
        ("The article's program", [8, 192]),
        ("It never blocks", [96, 1136]),
        ("It wins before it blocks", [0, 16]),
        ("Nobody beats it", [0, 0]),
    ],
)
def test_an_edit_is_proved_or_beaten(app: Flask, title: str, lost: list[int]) -> None:
    stage = shown(app, PROGRAMS[title]).stage
    assert stage
    assert [tried.counts.lost for tried in stage.trials] == lost
    assert stage.unbeatable == (sum(lost) == 0)


def test_the_programs_differ_as_their_titles_say() -> None:
    assert len({*PROGRAMS.values()}) == len(PROGRAMS)
    assert PROGRAMS["The article's program"] == PLAYER.strip()
    assert pyfl.trial_of(pyfl.WIN_FIRST, Mark.O).counts.lost == 16


def test_the_game_begins_at_the_mistake_with_what_the_operators_found(client: FlaskClient) -> None:
    text = unescape(client.get(PATH).text)
    assert "“sideOpen” decides, and plays any of b3, a2, b1. a2 is the mistake." in text
    assert "those c in sides = [2 4 8]" in text


def test_one_plays_on_with_any_square(client: FlaskClient) -> None:
    places = re.findall(r'id="place-\w+" href="([^"]*)"', client.get(f"{PATH}?side=O&at=0").text)
    assert len(places) == 9
    answer = client.get(unescape(places[0]))
    assert answer.status_code == 200
    assert 'board(5) == "."</b> <span>true' in unescape(answer.text)


def edit(client: FlaskClient, text: str) -> str:
    """Send the form without scripts, and return the page that it leads to."""
    answer = client.post(PATH, data={"program": text.replace("\n", "\r\n")})
    assert answer.status_code == 303
    return unescape(client.get(urlsplit(answer.headers["Location"])._replace(fragment="").geturl()).text)


def test_a_mistake_keeps_the_text_and_names_its_line(client: FlaskClient) -> None:
    wrong = PLAYER.replace("cornerOpen       then", "cornerOpen")
    text = edit(client, wrong)
    assert 'role="alert">Line 16: “then” should be here, not “outputln”.</p>' in text
    assert '<pre><code>cornerOpen outputln("corner")            && corner</code></pre>' in text
    assert f">\n{wrong.strip()}</textarea>" in text
    assert 'id="stage"' not in text


def test_a_move_that_fails_in_some_position_is_told_with_it(client: FlaskClient) -> None:
    assert "Line 9: 5 is no open cell in" in edit(client, PLAYER.replace('board(5) == "."', "true"))


def test_a_program_that_does_not_play_says_its_value(client: FlaskClient) -> None:
    text = edit(client, PROGRAMS["Only streams"])
    assert "<pre>1 1 2 3 5 8 13 21 34 55 89 144 </pre>" in text
    assert "Its result is <strong>144</strong>." in text


def test_a_text_that_is_too_long_is_refused_with_its_bytes(client: FlaskClient) -> None:
    assert "A program has 6,000 bytes at most." in edit(client, "x" * 2 * MAX_BYTES)


def test_a_program_that_fits_in_no_link_is_shown_again(client: FlaskClient) -> None:
    text = "result = 1; // " + "".join(f"{number * number:x} " for number in range(2000, 3000))
    answer = client.post(PATH, data={"program": text})
    assert (answer.status_code, f">\n{text.strip()}</textarea>" in answer.text) == (400, True)
    assert "too long for a link" in answer.text


def test_the_examples_of_the_language_have_their_values(client: FlaskClient) -> None:
    values = dict(re.findall(r"<td>([^<]*)</td><td><code>.*?</code></td><td><code>(.*?)</code>", client.get(PATH).text))
    assert values["The elements that fit"] == "[3 2]"
    assert values["A stream goes on from its value before"] == "64"
    assert values["A lazy tuple: nobody asks for the error"] == "fine"


@examples(50)
@given(st.text(max_size=200) | st.sampled_from([*PROGRAMS.values()]))
def test_a_link_holds_the_whole_program(text: str) -> None:
    text = text.encode(errors="replace").decode()
    assert program_of(code_of(text)) == text


@pytest.mark.parametrize("code", ["x", "€", code_of(PLAYER)[:9], "A" * 99])
def test_a_broken_link_is_refused(code: str) -> None:
    with pytest.raises(BadOption, match="This link is broken"):
        program_of(code)


def test_an_edit_makes_the_link_little_longer() -> None:
    assert len(url_of(PROGRAMS["Nobody beats it"])) < 300


@pytest.mark.parametrize("title", ["It never blocks", *slow(*sorted(figures().programs.keys() - {"It never blocks"}))])
def test_the_games_that_a_program_loses_are_shipped_as_they_are_played(title: str) -> None:
    assert figures().programs[title] == lost_by(title)
