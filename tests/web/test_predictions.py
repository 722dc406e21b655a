"""The lesson on predictions and ties: any position of any board, square by square."""

import re

import pytest
from flask.testing import FlaskClient

from solver.board.game import parse_game
from solver.board.notation import format_outcome
from solver.players import STRATEGIES
from solver.proofs.prediction import predict
from webapp.pages.learn.search.predictions import EXAMPLES, LESSON, Rung, rising, view


def rows(client: FlaskClient, moves: str = "") -> dict[str, list[str]]:
    """The table of squares: by name, what each cell of the row says."""
    text = client.get(f"/learn/predictions?moves={moves}").text
    (table,) = re.findall(r'<table class="squares">.*?</table>', text, re.DOTALL)
    found = {}
    for name, cells in re.findall(r'<tr><th scope="row">(\w\d)</th>(.*?)</tr>', table, re.DOTALL):
        texts = (re.sub(r"<.*?>", "", cell) for cell in re.findall(r"<td.*?</td>", cells, re.DOTALL))
        found[name] = [" ".join(text.split()) for text in texts]
    return found


def test_every_open_square_has_a_row_with_its_outcome(client: FlaskClient) -> None:
    expected = predict(parse_game("3x3x3", None, "a1b1").last)
    words = [f"{outcome.letter} {outcome.words(expected.position.mover)}" for outcome in expected.squares.values()]
    assert [cells[0] for cells in rows(client, "a1b1").values()] == words


def test_the_squares_that_a_tie_break_takes_are_those_its_player_takes(client: FlaskClient) -> None:
    for moves in ("", "a1b1", "a1b2c3"):
        position = parse_game("3x3x3", None, moves).last
        for cells, cell in zip(rows(client, moves).values(), position.legal_moves, strict=True):
            for name in ("opportunities", "paths"):
                taken = cell in STRATEGIES[f"impossible-{name}"].decide(position).choices
                assert taken == (name in cells[-1])


def test_the_empty_board_shows_the_worth_of_its_squares(client: FlaskClient) -> None:
    shown = rows(client)
    won, _, lost, value = shown["b2"][4:8]
    assert (won, lost, value) == ("15,648", "5,616", "+100.500")
    assert shown["a1"][1:4] == ["7", "0", "+7"]


def test_a_larger_board_has_outcomes_and_no_tie_breaks(client: FlaskClient) -> None:
    text = client.get("/learn/predictions?board=4x3x3").text
    assert "X wins in 4 moves (7 plies)" in text
    assert "computed on boards of up to nine squares" in text


def test_a_finished_game_has_nothing_to_predict(client: FlaskClient) -> None:
    assert "X has won." in client.get("/learn/predictions?from=XXX/OO./...").text
    assert "The game is over: a draw." in client.get("/learn/predictions?from=XOX/XOO/OXX").text


@pytest.mark.parametrize("parts", EXAMPLES.values())
def test_every_example_answers(client: FlaskClient, parts: dict[str, str]) -> None:
    assert client.get("/learn/predictions", query_string=parts).status_code == 200


@pytest.mark.parametrize("parts", ["board=1x1x1", "board=8x1x1", "board=8x8x5", "board=2x2x2&moves=a1"])
def test_any_board_answers(client: FlaskClient, parts: str) -> None:
    assert client.get(f"/learn/predictions?{parts}").status_code == 200


def test_opportunities_wins_more_often_than_not_and_paths_less(client: FlaskClient) -> None:
    shown = view({}, LESSON.known({}))
    by_opportunities, by_paths = shown.tie_breaks
    assert shown.gains(by_opportunities) == (4, 1)
    assert shown.gains(by_paths) == (3, 2)
    assert "2,653,002 processes" in client.get("/learn/predictions").text


def risen(known: int) -> tuple[Rung, ...]:
    """The line after O has erred, so many plies of it valued."""
    shown = rising(parse_game("3x3x3", None, "a1b1").last, known)
    assert shown is not None
    return shown.rungs


def test_values_rise_along_best_play_each_the_one_below_seen_by_the_other_a_ply_farther() -> None:
    outcomes = [rung.outcome for rung in risen(5) if rung.outcome]
    assert [format_outcome(outcome) for outcome in outcomes] == ["W5", "L4", "W3", "L2", "W1"]
    assert [rung.known for rung in risen(2)] == [False, False, False, True, True, True]


def test_one_steps_up_and_down_and_is_asked_first(client: FlaskClient) -> None:
    text = client.get("/learn/predictions?moves=a1b1&rise=2").text
    assert "L2</b>" in text.partition('id="rising"')[2]
    assert "What is X's move c3 worth, one ply above?" in text
    for step in (1, 3):
        assert f"/learn/predictions?moves=a1b1&amp;rise={step}#rise" in text
    assert "That is the prediction" in client.get("/learn/predictions?moves=a1b1&rise=9").text
    assert 'id="rising"' not in client.get("/learn/predictions?board=4x3x3").text
