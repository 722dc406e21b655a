"""Lessons in which one draws and chooses: shapes, holes, lines, and what a line does."""

import re
from itertools import combinations

import pytest
from flask.testing import FlaskClient

from solver.board.families import ANIMALS
from solver.board.notation import parse_rules
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, cells_of
from solver.catalogue.games import game_named
from solver.proofs.predict import predict
from tests.marked import sampled
from webapp.pages.learn.facts.proofs import FIFTEEN, MAGIC, RULES

LESSON = "/learn/shapes"


def hrefs(html: str, of: str = "p") -> dict[str, str]:
    """Return where each square of the paper ("p") or of the board with holes ("h") leads."""
    found = re.findall(rf'<a id="{of}([a-h][1-8])" class="spot" href="([^"]+)"', html)
    return {name: url.replace("&amp;", "&") for name, url in found}


@pytest.mark.parametrize("name", sampled(ANIMALS, 4))
def test_a_known_shape_is_recognised_when_it_is_drawn(client: FlaskClient, name: str) -> None:
    url = re.search(rf'class="button" href="([^"]+)"[^>]*>{name.capitalize()}<', client.get(LESSON).text)
    assert url
    assert f"{name.capitalize()} on a board of each size." in client.get(url[1].replace("&amp;", "&")).text


def test_pressing_a_square_adds_it_and_pressing_it_again_takes_it_away(client: FlaskClient) -> None:
    drawn = client.get(f"{LESSON}?shape=b4").text
    added = hrefs(drawn)["c4"]
    assert "shape=b4c4" in added
    assert "shape=b4#" in hrefs(client.get(added).text)["c4"]
    assert "shape=none" in hrefs(drawn)["b4"]


def test_each_board_says_who_wins_and_leads_to_a_game_there(client: FlaskClient) -> None:
    page = client.get(f"{LESSON}?shape=b4c4c3").text
    for side in (3, 4, 5, 6):
        name = f"{side}x{side}-el"
        words = predict(Position(parse_rules(name))).outcome.words(Position(parse_rules(name)).mover)
        assert f"<b>{side}×{side}</b>: {words}" in page
        assert f'href="/play/{name}"' in page
    assert client.get("/play/6x6-el").status_code == 200


def test_a_shape_of_ones_own_has_a_link_that_can_be_played(client: FlaskClient) -> None:
    page = client.get(f"{LESSON}?shape=b4d4b3c3d3").text
    (url,) = set(re.findall(r'href="(/play/5x5-z[a-p]+)"', page))
    assert "This shape wins" in client.get(url).text


def test_pressing_a_square_makes_a_hole_and_pressing_it_again_fills_it(client: FlaskClient) -> None:
    page = client.get(f"{LESSON}?board=3x3x3").text
    holed = client.get(hrefs(page, "h")["b2"]).text
    assert "b2 is missing." in holed
    assert 'href="/play/3x3x3-holesb2"' in holed
    assert "board=3x3x3&make=holes" in hrefs(holed, "h")["b2"]


def test_a_square_without_which_no_line_is_left_cannot_be_removed(client: FlaskClient) -> None:
    offered = hrefs(client.get(f"{LESSON}?board=3x3x3-holesb2c1").text, "h")  # the top row and the left column are left
    assert "a1" in offered
    assert "a3" not in offered


def test_squares_pressed_one_after_the_other_draw_a_line_and_once_more_remove_it(client: FlaskClient) -> None:
    url = f"{LESSON}?board=3x3x3&make=lines"
    for cell in ("a1", "b1", "c2"):
        url = hrefs(client.get(url).text, "h")[cell]
    page = client.get(url).text
    assert "1 line counts: c2–a1–b1." in page
    assert 'href="/play/3x3x3-linesa1b1c2"' in page
    for cell in ("c2", "b1", "a1"):
        url = hrefs(client.get(url).text, "h")[cell]
    assert 'href="/play/3x3x3"' in client.get(url).text


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
