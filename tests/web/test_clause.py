"""The lesson on one clause: rules turned one by one, and the game of numbers played both ways at once."""

import re
from itertools import combinations

import pytest
from flask.testing import FlaskClient

from solver import predict
from solver.atlas.games import game_named
from solver.board.notation import parse_rules
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, cells_of
from webapp.pages.learn.lessons.clause import FIFTEEN, MAGIC, RULES

LESSON = "/learn/clause"


def test_three_numbers_make_fifteen_exactly_where_three_squares_are_a_line() -> None:
    lines = {frozenset(MAGIC[cell] for cell in cells_of(line)) for line in TIC_TAC_TOE.lines}
    assert {frozenset(each) for each in combinations(range(1, 10), 3) if sum(each) == FIFTEEN} == lines


@pytest.mark.parametrize("name", RULES)
def test_each_rule_has_a_board_to_play_on(client: FlaskClient, name: str) -> None:
    assert predict(Position(parse_rules(name))).outcome.is_exact
    assert f'href="/play/{name}"' in client.get(LESSON).text
    assert client.get(f"/play/{name}").status_code == 200


@pytest.mark.parametrize(
    ("board", "outcome"),
    [("3x3x3-torus-notakto", "L"), ("6x4x4-gravity", "L"), ("7x6x4-gravity", "W"), ("4x3x3-wild", "L")],
)
def test_what_the_lesson_says_of_other_rules_is_true(board: str, outcome: str) -> None:
    assert game_named(board).outcome.letter == outcome


def test_a_number_and_its_square_lead_to_the_same_game(client: FlaskClient) -> None:
    page = client.get(LESSON).text
    taken = re.search(r'id="take5" class="button" href="([^"]+)"', page)
    pressed = re.search(r'id="nb2" class="spot" href="([^"]+)"', page)
    assert taken
    assert pressed
    assert taken[1] == pressed[1]
    assert "Your numbers: 5. Take one more." in client.get(taken[1]).text


@pytest.mark.slow
def test_the_computer_never_loses_at_numbers(client: FlaskClient) -> None:
    seen, left = set(), [LESSON]
    while left:
        page = client.get(left.pop()).text
        assert "you win!" not in page
        for url in re.findall(r'id="take\d" class="button" href="([^"#]+)', page):
            if url not in seen:
                seen.add(url)
                left.append(url)
    assert len(seen) > 50


@pytest.mark.parametrize("moves", ["b2b2", "zz", "a9", "b2" * 40])
def test_an_odd_game_shows_the_lesson_with_a_word(client: FlaskClient, moves: str) -> None:
    assert 'id="numbers"' in client.get(f"{LESSON}?moves={moves}").text
