"""Clauses that say who wins by a line: misère, where completing one loses, and notakto, where both place X."""

import pytest

from solver import parse_game, predict
from solver.analysis.trial import loses, wins
from solver.board.names import parse_rules
from solver.board.outcome import Value
from solver.board.position import Mark, Position, Result
from solver.errors import BadRules
from solver.kernel import engine
from solver.search.budget import Budget, BudgetExhausted, Meter
from solver.search.exact import at_first, narrowing
from solver.search.solver import Solver


def test_a_line_loses_in_misere() -> None:
    game = parse_game("3x3x3-misere", None, "a1a2b1b2c1")
    assert game.last.result is Result.O
    assert predict(game.last).outcome.value is Value.WIN


def test_both_place_x_in_notakto_and_a_line_loses() -> None:
    game = parse_game("3x3x3-notakto", None, "a1b1c1")
    assert str(game.last) == "...\n...\nXXX"
    assert [position.mover for position in game.positions] == [Mark.X, Mark.O, Mark.X, Mark.O]
    assert game.last.result is Result.O


def test_only_the_centre_wins_notakto_and_draws_misere() -> None:
    assert [predict(f"3x3x3-{clause}").best for clause in ("misere", "notakto")] == [(4,), (4,)]


def test_what_the_budget_does_not_reach_stays_unproved() -> None:
    position = Position("6x6x4-misere")
    known = {position: at_first(position)} | dict(
        narrowing(Solver(position.rules), {position: at_first(position)}, Meter(Budget(nodes=2000)))
    )
    assert known[position].score is None
    with pytest.raises(BudgetExhausted):
        Solver(position.rules).decided(position, 20, Meter(Budget(nodes=2000)))


@pytest.mark.parametrize("board", ["3x3x3-misere", "3x3x3-notakto"])
def test_the_kernel_refuses_what_it_cannot_answer(board: str) -> None:
    with pytest.raises(BadRules, match="a stone never harms"):
        engine.check_answerable(parse_rules(board))


@pytest.mark.parametrize("board", ["4x3x3-misere", "4x3x3-notakto"])
def test_a_trial_asks_who_wins_on_larger_boards_too(board: str) -> None:
    start = Position(board)
    for position in (start, *start.successors(), start.play("b2").play("c2")):
        value = predict(position, Budget(seconds=60)).outcome.value
        assert (wins(position), loses(position)) == (value is Value.WIN, value is Value.LOSS)
