"""Pasted links, rows and moves where a page asks for a position."""

import pytest
from flask.testing import FlaskClient
from hypothesis import given

from solver.board.pasted import read_pasted
from tests.strategies import examples
from tests.web.test_link import links
from webapp.pages.play.link import Link

PASTED = (
    "https://elsewhere.example/play/3x3x3?from=X.O/.X./..O&o=friend",
    "x.o\r\n.x.\r\n..o",
    "1. a3 c3 2. b2 c1",
)
"""The position X.O/.X./..O in the forms that people paste."""


@examples(60)
@given(links())
def test_every_link_of_ours_can_be_pasted(link: Link) -> None:
    assert read_pasted(f"https://noughts.example{link.url()}") == link.game.upto(link.at)


@pytest.mark.parametrize(
    ("pasted", "link"),
    [
        (PASTED[0], "/play/3x3x3?from=X.O/.X./..O&o=easy&as=guest"),
        (PASTED[1], "/play/3x3x3?from=X.O/.X./..O&o=easy&as=guest"),
        (PASTED[2], "/play/3x3x3?moves=a3c3b2c1&o=easy&as=guest"),
        ("/play/4x3x3?moves=b2&x=hard", "/play/4x3x3?moves=b2&o=easy&as=guest"),
    ],
)
def test_the_game_pasted_takes_the_place_of_the_one_until_now_and_its_players_stay(
    client: FlaskClient, pasted: str, link: str
) -> None:
    answer = client.get("/play", query_string={"game": "3x3x3?moves=a1&at=0&o=easy", "paste": pasted})
    assert (answer.status_code, answer.location) == (303, link)


def test_rows_are_those_of_the_board_until_now(client: FlaskClient) -> None:
    answer = client.get("/play", query_string={"game": "4x3x3?o=friend", "paste": "X.../.O../...."})
    assert answer.location == "/play/4x3x3?from=X.../.O../....&o=friend&as=guest"


def test_what_cannot_be_read_keeps_the_game_and_is_said(client: FlaskClient) -> None:
    answer = client.get("/play", query_string={"game": "3x3x3?moves=b2a1&o=easy", "paste": "<hello>"})
    assert answer.status_code == 400
    assert "“&lt;hello&gt;” isn&#39;t a game. Paste a game&#39;s link" in answer.text
    assert 'action="/play/3x3x3?moves=b2a1&amp;o=easy"' in answer.text


@pytest.mark.parametrize("pasted", PASTED)
@pytest.mark.parametrize(
    "form",
    ["/lab", "/learn/explorer", "/learn/same", pytest.param("/learn/predictions", marks=pytest.mark.slow)],
)
def test_a_form_for_a_position_takes_what_is_pasted(client: FlaskClient, form: str, pasted: str) -> None:
    answer = client.get(form, query_string={"from": pasted})
    assert answer.status_code == 200
    if form == "/learn/same":
        assert 'value="X.O/.X./..O"' in answer.text
    else:
        assert 'name="from" value="X.O/.X./..O"' in answer.text or 'name="moves" value="a3c3b2c1"' in answer.text


def test_a_position_is_found_in_a_picture_by_its_link(client: FlaskClient) -> None:
    answer = client.get("/learn/pictures", query_string={"show": "reduced-corner", "find": "/play/3x3x3?moves=a3b2"})
    assert "X../.O./... is marked" in answer.text


def test_the_lab_shows_what_it_can_read_and_says_what_it_cannot(client: FlaskClient) -> None:
    answer = client.get("/lab?moves=b2b2")
    assert answer.status_code == 400
    assert "Move 2, b2, is illegal." in answer.text
    assert 'name="moves" value="b2"' in answer.text
