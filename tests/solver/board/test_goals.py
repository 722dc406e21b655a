"""Clauses that say who wins by a line: misère, where completing one loses, and notakto, where both place X."""

import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import parse_game, predict
from solver.analysis.trial import loses, wins
from solver.board.names import parse_rules
from solver.board.outcome import DRAWN, LOST, WIN, Score, Value, to_parent
from solver.board.position import Mark, Position, Result
from solver.board.rules import Goal, Marking, Rules
from solver.errors import BadRules
from solver.kernel import engine
from solver.reasons import explain
from solver.search.budget import UNLIMITED, Budget, BudgetExhausted, Meter
from solver.search.exact import at_first, narrowing
from solver.search.minimax import minimax
from solver.search.solver import Solver, principal_variation
from solver.search.tablebase import look_up, positions
from tests.marked import exhaustive, sampled
from tests.strategies import SMALL_BOARDS, SMALL_DRAWN, SMALL_FAMILIES, examples
from tests.strategies import positions as drawn

MISERE, NOTAKTO = (Goal.MISERE, Marking.OWN), (Goal.COMPLETE, Marking.NOTAKTO)


def turned(rules: Rules, goal: Goal, marks: Marking) -> Rules:
    """Return the same board with another goal or other marks."""
    return replace(rules, goal=goal, marks=marks)


LINES = [each for each in (*SMALL_BOARDS, *SMALL_FAMILIES, *SMALL_DRAWN) if len(str(each)) < 50]
GAMES = [turned(rules, *clauses) for rules in LINES for clauses in (MISERE, NOTAKTO)]
SMALL = [rules for rules in GAMES if rules.size <= 8]
NINE = [rules for rules in GAMES if rules.size == 9 and rules.columns == 3 and rules.k == 3]


def test_a_name_and_a_pickle_give_the_same_game() -> None:
    for rules in GAMES:
        assert parse_rules(str(rules)) == rules == eval(repr(rules))  # noqa: S307 - a repr is code
        assert pickle.loads(pickle.dumps(rules)) == rules  # noqa: S301 - of our own
        assert not rules.is_standard


def test_a_line_loses_in_misere() -> None:
    game = parse_game("3x3x3-misere", None, "a1a2b1b2c1")
    assert game.last.result is Result.O
    assert predict(game.last).outcome.value is Value.WIN


def test_both_place_x_in_notakto_and_a_line_loses() -> None:
    game = parse_game("3x3x3-notakto", None, "a1b1c1")
    assert str(game.last) == "...\n...\nXXX"
    assert [position.mover for position in game.positions] == [Mark.X, Mark.O, Mark.X, Mark.O]
    assert game.last.result is Result.O


@pytest.mark.parametrize("rules", [*sampled(SMALL, 12), *NINE[2:4], *exhaustive(*NINE[:2], *NINE[4:])], ids=str)
def test_every_position_of_a_small_board_has_its_minimax_score(rules: Rules) -> None:
    known: dict[Position, Score] = {}
    for position in positions(rules):
        result = position.result
        if result is None:
            known[position] = max(to_parent(known[after]) for after in position.successors())
        else:
            known[position] = DRAWN if result is Result.DRAW else WIN if str(result) == position.mover else LOST
        assert look_up(position) == known[position], repr(position)


@examples(40)
@given(st.data())
def test_the_search_agrees_with_plain_minimax(data: st.DataObject) -> None:
    boards = st.sampled_from([parse_rules(text) for text in ("4x3x3", "4x4x4", "4x4x3-torus", "5x4x4", "4x3-elly")])
    rules = boards.flatmap(lambda each: st.sampled_from([turned(each, *MISERE), turned(each, *NOTAKTO)]))
    position = data.draw(drawn(rules, max_empty=7))
    solver, known = Solver(position.rules), {position: at_first(position)}
    known |= narrowing(solver, known, Meter(UNLIMITED))
    score = minimax(position).score
    assert known[position].score == score
    line = principal_variation(solver.decided, position, score, Meter(UNLIMITED))
    for cell in line:
        position = position.play(cell)
    assert position.result is not None
    assert len(line) == (WIN - abs(score) if score else len(line))


@pytest.mark.parametrize(
    ("board", "outcome"),
    [
        ("3x3x3-misere", "draw in 9 plies"),
        ("3x3x3-notakto", "win in 6 plies"),
        ("4x4x4-notakto", "loss in 13 plies"),
        ("4x4x4-misere", "draw in 16 plies"),
    ],
)
def test_known_games_have_their_outcomes(board: str, outcome: str) -> None:
    position = Position(board)
    assert str(predict(position, Budget(seconds=60)).outcome) == outcome


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


@pytest.mark.parametrize("board", ["3x3x3-misere", "4x4x3-notakto"])
def test_there_is_best_play_in_place_of_a_reason(board: str) -> None:
    position = Position(board)
    reason = explain(position, 0, predict(position, Budget(seconds=30)))
    assert not reason.verified
    assert reason.refutation


@pytest.mark.parametrize("board", ["4x3x3-misere", "4x3x3-notakto"])
def test_a_trial_asks_who_wins_on_larger_boards_too(board: str) -> None:
    start = Position(board)
    for position in (start, *start.successors(), start.play("b2").play("c2")):
        value = predict(position, Budget(seconds=60)).outcome.value
        assert (wins(position), loses(position)) == (value is Value.WIN, value is Value.LOSS)
