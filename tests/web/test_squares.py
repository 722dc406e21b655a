"""Open squares beside their outcomes: chances against the opponent, and guesses on larger boards."""

import re
from fractions import Fraction

import pytest
from flask.testing import FlaskClient

from solver.board.notation import parse_cell
from tests.strategies import TIC_TAC_TOE
from webapp.pages.play.game import snapshot
from webapp.pages.play.link import read_link


def test_the_chance_of_winning_against_the_computer_is_exact() -> None:
    shown = snapshot(read_link("3x3x3", "chances=1&o=seven-rules").link)
    assert shown.chances[parse_cell("b2", TIC_TAC_TOE)] == Fraction(1)


def test_what_is_not_proved_is_drawn_as_a_guess_and_said_to_be_open(client: FlaskClient) -> None:
    shown = snapshot(read_link("8x8x5", "").link)
    assert shown.prediction is not None
    assert {f"guess-{round(4 * share)}" for share in shown.prediction.estimates.values()} == set(
        re.findall(r"guess-\d", client.get("/play/8x8x5").text)
    )


def test_guesses_are_hidden_with_the_outcomes(client: FlaskClient) -> None:
    assert "guess-" not in client.get("/play/8x8x5?show=off").text


@pytest.mark.parametrize("board", ["4x4x3", "8x8x5"])
def test_the_coach_lets_pass_what_is_not_proved_to_give_something_away(client: FlaskClient, board: str) -> None:
    link = f"/play/{board}?o=friend&show=coach"
    assert "tried" not in str(client.post(link, data={"cell": "a1"}).location)


def test_the_coach_asks_on_a_larger_board_too(client: FlaskClient) -> None:
    link = "/play/4x4x4?from=XXX./OO../O.../....&o=friend&show=coach"
    asked = client.post(link, data={"cell": "a1"})
    assert str(asked.location).endswith("tried=a1")
    assert "a1 gives your" in client.get(str(asked.location)).text
    assert "gave a win away" in client.get(client.post(link, data={"cell": "a1", "sure": "1"}).location).text
