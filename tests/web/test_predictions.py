"""The lesson on predictions and ties: any position of any board, square by square."""

import pytest
from flask.testing import FlaskClient

from solver.board.game import parse_game
from solver.proofs.prediction import predict
from solver.strategies import STRATEGIES
from webapp.learn.predictions import EXAMPLES, view


def test_every_open_square_has_a_row_with_its_outcome() -> None:
    shown = view({"moves": "a1b1"})
    expected = predict(parse_game("3x3x3", None, "a1b1").last)
    words = [outcome.words(expected.position.mover) for outcome in expected.squares.values()]
    assert [row.outcome for row in shown.rows] == words


def test_the_squares_that_a_tie_break_takes_are_those_its_player_takes() -> None:
    for moves in ("", "a1b1", "a1b2c3"):
        shown = view({"moves": moves})
        position = parse_game("3x3x3", None, moves).last
        for row, cell in zip(shown.rows, position.legal_moves, strict=True):
            for name in ("opportunities", "paths"):
                taken = cell in STRATEGIES[f"impossible-{name}"].decide(position).choices
                assert taken == (name in row.taken_by)


def test_the_empty_board_shows_the_worth_of_its_squares() -> None:
    row = {row.name: row for row in view({}).rows}
    assert (row["b2"].won, row["b2"].lost, row["b2"].paths) == ("15,648", "5,616", "+100.500")
    assert (row["a1"].letting_win, row["a1"].letting_lose, row["a1"].opportunities) == ("7", "0", "+7")


def test_a_larger_board_has_outcomes_and_no_tie_breaks(client: FlaskClient) -> None:
    text = client.get("/learn/predictions?board=4x3x3").text
    assert "X wins in 4 moves (7 plies)" in text
    assert "computed on boards of up to nine squares" in text


def test_a_finished_game_has_nothing_to_predict(client: FlaskClient) -> None:
    assert "X has won." in client.get("/learn/predictions?from=XXX/OO./...").text
    assert "The game is over: a draw." in client.get("/learn/predictions?from=XOX/XOO/OXX").text


@pytest.mark.parametrize("parts", EXAMPLES.values())
def test_every_example_answers(client: FlaskClient, parts: str) -> None:
    assert client.get(f"/learn/predictions?{parts}").status_code == 200


@pytest.mark.parametrize("parts", ["board=1x1x1", "board=8x1x1", "board=8x8x5", "board=2x2x2&moves=a1"])
def test_any_board_answers(client: FlaskClient, parts: str) -> None:
    assert client.get(f"/learn/predictions?{parts}").status_code == 200


def test_opportunities_wins_more_often_than_not_and_paths_less(client: FlaskClient) -> None:
    by_opportunities, by_paths = view({}).tie_breaks
    assert (by_opportunities.more_often, by_opportunities.less_often) == (4, 1)
    assert (by_paths.more_often, by_paths.less_often) == (3, 2)
    assert "2,653,002 processes" in client.get("/learn/predictions").text
