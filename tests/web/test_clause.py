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
from webapp.pages.learn.game.clause import FIFTEEN, MAGIC, RULES

LESSON = "/learn/clause"


def test_three_numbers_make_fifteen_exactly_where_three_squares_are_a_line() -> None:
    lines = {frozenset(MAGIC[cell] for cell in cells_of(line)) for line in TIC_TAC_TOE.lines}
    assert {frozenset(each) for each in combinations(range(1, 10), 3) if sum(each) == FIFTEEN} == lines


@pytest.mark.parametrize("name", RULES)
def test_each_rule_has_a_board_to_play_on(client: FlaskClient, name: str) -> None:
    assert predict(Position(parse_rules(name))).outcome.is_exact
    assert f'href="/play/{name}"' in client.get(LESSON).text
    assert client.get(f"/play/{name}").status_code == 200


def test_notakto_on_a_torus_is_won_by_whoever_is_second(client: FlaskClient) -> None:
    assert predict(Position(parse_rules("3x3x3-torus-notakto"))).outcome.letter == "L"
    assert "notakto on a torus is won by whoever is second" in client.get(LESSON).text


def test_where_stones_fall_whoever_is_second_can_win(client: FlaskClient) -> None:
    assert [game_named(f"{size}-gravity").outcome.letter for size in ("6x4x4", "7x6x4")] == ["L", "W"]
    page = " ".join(client.get(LESSON).text.split())
    assert 'href="/play/6x4x4-gravity">gravity</a> is won by whoever is second, and on 7×6, Connect Four, by' in page


def test_where_marks_are_wild_whoever_is_second_can_win(client: FlaskClient) -> None:
    assert game_named("4x3x3-wild").outcome.letter == "L"
    assert "on 4×3 squares whoever is second wins" in " ".join(client.get(LESSON).text.split())


def test_a_number_and_its_square_lead_to_the_same_game(client: FlaskClient) -> None:
    page = client.get(LESSON).text
    taken = re.search(r'id="take5" class="button" href="([^"]+)"', page)
    pressed = re.search(r'id="nb2" class="spot" href="([^"]+)"', page)
    assert taken
    assert pressed
    assert taken[1] == pressed[1]
    assert "Your numbers: 5. Take one more." in client.get(taken[1]).text


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("a3b2b3a1c3", "2 + 7 + 6 = 15: you win!"),
        ("b3b2a2a3c1c3a1", "Your numbers: 4, 7, 8, 9. Take one more."),
        ("b3a3a2b2b1c1", "2 + 5 + 8 = 15: the computer wins."),
        ("b2a1c3a3a2c2b3b1c1", "All nine numbers are taken, and nobody has three that make 15: a draw."),
    ],
)
def test_the_game_of_numbers_says_how_it_stands(client: FlaskClient, moves: str, words: str) -> None:
    assert words in client.get(f"{LESSON}?moves={moves}").text


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
