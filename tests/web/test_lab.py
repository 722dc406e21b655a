"""The lab: solvers side by side on the position of a link, and the messages for bad links."""

import re

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from solver.articles.compare import compare_solvers, players_by_rules
from solver.board.notation import parse_position
from solver.board.outcome import Grade
from solver.board.position import Position
from solver.players import STRATEGIES
from solver.proofs.predict import predict
from solver.search.minimax import alphabeta, minimax
from tests.strategies import TIC_TAC_TOE, positions
from tests.web.test_pages import page

CENTRE = ".../.X./..."
"""A position in which only the corners draw for O: the seven rules play an edge, their article's program a corner."""


OPEN = positions(st.just(TIC_TAC_TOE), max_empty=6).filter(lambda position: position.result is None)


def shown(text: str, board: str = "3x3x3") -> str:
    return f"/lab?board={board}&from={text}"


@given(OPEN)
def test_minimax_alpha_beta_to_the_end_and_the_exact_solver_agree_with_the_predictions(position: Position) -> None:
    found = compare_solvers(predict(position), 9)
    expected = dict(found.prediction.squares)
    assert found.minimax.outcomes == found.alphabeta.outcomes == found.exact.outcomes == expected
    assert found.minimax.nodes == minimax(position).nodes


@given(OPEN)
def test_alpha_beta_has_a_full_window_for_each_square_and_says_what_one_over_the_root_costs(position: Position) -> None:
    found = compare_solvers(predict(position), 9).alphabeta
    below = [alphabeta(position.after(cell), position.plies_left).nodes for cell in position.legal_moves]
    assert found.nodes == 1 + sum(below)
    assert found.one_window == alphabeta(position, position.plies_left).nodes <= found.nodes


@given(OPEN, st.integers(1, 5))
def test_alpha_beta_says_no_more_than_it_has_seen(position: Position, depth: int) -> None:
    found = compare_solvers(predict(position), depth).alphabeta
    assert found.outcomes is not None
    assert found.depth == min(depth, position.plies_left)
    for cell, outcome in predict(position).squares.items():
        seen = found.outcomes[cell]
        assert seen == outcome if outcome.plies is not None and outcome.plies <= depth else seen.plies is None


@given(OPEN)
def test_a_departure_is_every_choice_that_is_worse_than_the_best(position: Position) -> None:
    squares = predict(position).squares
    top = max(outcome.rank for outcome in squares.values())
    for player in compare_solvers(predict(position), 1).heuristics:
        worse = {cell for cell in player.decision.choices if squares[cell].rank < top}
        assert {departure.cell for departure in player.departures} == worse
        assert player.decision == player.strategy.decide(position)


def test_the_players_by_rules_are_read_from_the_registry() -> None:
    names = {strategy.name for strategy in players_by_rules(Position(TIC_TAC_TOE))}
    assert {"seven-rules", "pyfl-program"} <= names
    assert not {"hard", "minimax", "impossible", "alphabeta-1"} & names
    assert names <= STRATEGIES.keys()


@pytest.mark.slow
def test_a_search_that_would_take_too_long_is_not_run(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.articles.compare.MAX_ALPHABETA", 2_000)
    text = client.get("/lab?board=4x3x3&depth=8").text
    assert "not run: it would visit 276,911,233 nodes" in text
    assert "which needs more than 2,000 nodes" in text


def test_a_choice_that_gives_a_draw_away_is_graded() -> None:
    departures = [
        (player.strategy.name, departure)
        for player in compare_solvers(predict(parse_position(CENTRE, TIC_TAC_TOE)), 7).heuristics
        for departure in player.departures
    ]
    assert {name for name, _ in departures if name in ("seven-rules", "pyfl-program")} == {"seven-rules"}
    assert all(departure.grade is Grade.DRAW_TO_LOSS for _, departure in departures)


def test_a_finished_game_is_not_compared() -> None:
    with pytest.raises(ValueError, match="finished"):
        compare_solvers(predict(parse_position("XXX/OO./...", TIC_TAC_TOE)), 3)


def test_the_lab_opens_on_a_question_about_a_position_in_which_solvers_differ(client: FlaskClient) -> None:
    asked, told = (" ".join(client.get(path).text.split()) for path in ("/lab", "/lab?moves=a2c1"))
    assert "Where would you play? 4 of the 5 players by rules go wrong here." in asked
    assert "Best for X: a1" in told
    for words in ("Best for X", 'id="found" open>'):
        assert (words in asked, words in told) == (False, True)


def test_every_page_leads_to_the_lab(client: FlaskClient) -> None:
    for path in ("/", "/learn/", "/learn/search"):
        assert "/lab" in page(client, path).links


def test_on_a_large_board_what_is_not_proved_is_a_question_mark(client: FlaskClient) -> None:
    text = client.get("/lab?board=8x8x5&depth=1").text
    assert re.search(r'<th scope="row">a8</th><td[^>]*></td><td[^>]*>\?', text)
    assert "? isn't proved" in text
