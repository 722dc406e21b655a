"""Predictions and outcomes."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.notation import format_cell, parse_position, parse_rules
from solver.board.outcome import DRAWN, WIN, Bounds, Outcome, Value, to_parent
from solver.board.position import Position, Result
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction, best_of
from solver.proofs.store import Store
from solver.proofs.study import Study
from solver.search.budget import Budget
from solver.search.minimax import minimax
from solver.search.solver import shared_solver
from tests.strategies import TIC_TAC_TOE, UNKNOWN, boards, examples, minimax_score, positions, reachable


def seen(prediction: Prediction) -> dict[str, tuple[str, int | None]]:
    rules = prediction.position.rules
    return {format_cell(cell, rules): (str(it.value), it.plies) for cell, it in prediction.squares.items()}


def test_only_the_open_squares_of_every_position_are_predicted_and_as_minimax_does() -> None:
    for position in reachable(TIC_TAC_TOE):
        squares = predict(position).squares
        assert tuple(squares) == position.legal_moves
        for cell, outcome in squares.items():
            score = to_parent(minimax_score(position.play(cell)))
            assert outcome == Outcome.of_score(score, position.plies_left)


def test_a_finished_game_has_no_squares() -> None:
    prediction = predict(parse_position("XXX/OO./...", TIC_TAC_TOE))
    assert not prediction.squares
    assert prediction.best == ()


@examples(40)
@given(positions(boards(max_side=6), max_empty=7), st.integers(0, 40))
def test_what_is_predicted_on_larger_boards_is_true(position: Position, nodes: int) -> None:
    for cell, outcome in predict(position, Budget(nodes)).squares.items():
        score = to_parent(minimax(position.play(cell)).score)
        assert outcome.ranks.lower <= score <= outcome.ranks.upper
        if outcome.plies is not None:
            assert outcome == Outcome.of_score(score, position.plies_left)


@examples(40)
@given(positions(boards(max_side=5), max_empty=7))
def test_a_mirrored_or_turned_position_gets_the_mirrored_answer(position: Position) -> None:
    squares = predict(position, Budget()).squares
    assert all(outcome.plies is not None for outcome in squares.values())
    for symmetry in position.rules.symmetries:
        image = predict(position.transformed(symmetry), Budget()).squares
        assert {symmetry[cell]: outcome for cell, outcome in squares.items()} == image


@examples(40)
@given(positions(boards(max_side=5), max_empty=7))
def test_the_outcome_of_a_position_is_that_of_its_best_squares(position: Position) -> None:
    if position.result is None:
        prediction = predict(position, Budget())
        assert prediction.outcome == Outcome.of_score(minimax(position).score, position.plies_left)
        assert {prediction.squares[cell] for cell in prediction.best} == {prediction.outcome}


def test_what_the_budget_leaves_unproved_is_unknown_and_nothing_is_best() -> None:
    prediction = predict(Position(parse_rules("8x6x4")), Budget(nodes=100))
    assert {outcome.value for outcome in prediction.squares.values()} == {Value.UNKNOWN}
    assert (prediction.best, prediction.proved, prediction.nodes) == ((), 0, 100)


def test_a_win_at_once_is_best_although_other_squares_are_not_proved() -> None:
    rules = parse_rules("7x7x5")
    text = "XXXX.../OOOO.../......./......./......./......./......."
    prediction = predict(parse_position(text, rules), Budget(nodes=2000))
    assert seen(prediction)["e7"] == ("win", 1)
    assert [format_cell(cell, rules) for cell in prediction.best] == ["e7"]


def test_no_square_is_best_while_an_unproved_one_might_beat_it() -> None:
    win, draw, loss = Outcome(Value.WIN, 3), Outcome(Value.DRAW, 5), Outcome(Value.LOSS, 2)
    no_win, no_quick_win = (Outcome(Value.UNKNOWN, None, Bounds(upper=upper)) for upper in (DRAWN, WIN - 3))
    won_in_time = Outcome(Value.WIN, None, Bounds(WIN - 9, WIN - 3))
    assert best_of({0: win, 1: no_quick_win, 2: draw}) == (0,)
    assert best_of({0: win, 1: UNKNOWN, 2: draw}) == ()
    assert best_of({0: draw, 1: no_win}) == (0,)
    assert best_of({0: win, 1: won_in_time}) == (0,)
    assert best_of({0: draw, 1: won_in_time}) == ()
    assert best_of({0: draw, 1: UNKNOWN}) == ()
    assert best_of({0: loss, 1: UNKNOWN}) == ()
    assert best_of({0: draw, 1: loss, 2: draw}) == (0, 2)


def test_outcomes_are_ordered_from_the_quickest_win_to_the_quickest_loss() -> None:
    best_first = [(Value.WIN, 1), (Value.WIN, 3), (Value.DRAW, 5), (Value.LOSS, 4), (Value.LOSS, 2)]
    ranks = [Outcome(value, plies).rank for value, plies in best_first]
    assert ranks == sorted(ranks, reverse=True)
    assert len(set(ranks)) == len(ranks)


def test_an_unknown_outcome_has_no_rank() -> None:
    with pytest.raises(ValueError, match="no rank"):
        assert UNKNOWN.rank


def test_a_prediction_is_made_again_only_when_more_is_known() -> None:
    study = Study(Position(parse_rules("8x8x5")))
    first = study.prediction()
    assert study.prediction() is first
    study.learn(study.bounds)
    assert study.prediction() is first
    (after, (cell, *_)), *_ = study.orbits.items()
    study.learn({after: Bounds(DRAWN, DRAWN)})
    assert study.prediction().squares[cell] == Outcome(Value.DRAW, 64)


def test_a_line_of_best_play_ends_with_the_game_or_its_budget() -> None:
    position = Position(parse_rules("4x4x4"))
    study, draws = Study(position), Outcome(Value.DRAW, 16)
    shared_solver.cache_clear()
    assert len(study.best_play(5, draws, Budget(nodes=0))) < 16
    line = study.best_play(5, draws, Budget())
    for cell in line:
        position = position.play(cell)
    assert (len(line), position.result) == (16, Result.DRAW)


def test_no_move_is_better_than_what_the_store_knows_of_the_position(tmp_path: Path) -> None:
    drawn = parse_position("..../..../..../....", parse_rules("4x4x4"))
    with Store(tmp_path / "cache.sqlite") as store:
        store.keep({drawn: Bounds(upper=DRAWN)})
        study = Study(drawn)
        first, *_ = study.bounds
        study.learn({first: Bounds(upper=DRAWN)})
        study.look_up(store)
    assert {bounds.to_parent().upper for bounds in study.bounds.values()} == {DRAWN}
    assert study.bounds[first].score == DRAWN
