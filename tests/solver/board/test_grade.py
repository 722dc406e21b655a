"""The grades of moves, which follow from two outcomes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.outcome import DRAWN, WIN, Bounds, Grade, Outcome, Value, graded
from solver.board.position import Position
from solver.proofs.predict import predict
from tests.strategies import SMALL_BOARDS, UNKNOWN, positions

DRAW = Outcome(Value.DRAW, 9)
WON_SOON, WON_LATE = Outcome(Value.WIN, 3), Outcome(Value.WIN, 5)
LOST_SOON, LOST_LATE = Outcome(Value.LOSS, 2), Outcome(Value.LOSS, 4)


def won_within(plies: int) -> Outcome:
    """Return a win that is proved to take at most `plies`, and no more."""
    return Outcome.of_bounds(Bounds(WIN - plies, WIN - 1), 64)


AT_LEAST_A_DRAW = Outcome.of_bounds(Bounds(DRAWN, WIN - 1), 64)


@pytest.mark.parametrize(
    ("before", "after", "grade", "word"),
    [
        (WON_SOON, WON_SOON, Grade.BEST, "best"),
        (WON_SOON, WON_LATE, Grade.SLOWER, "slower"),
        (WON_SOON, DRAW, Grade.WIN_TO_DRAW, "mistake"),
        (WON_SOON, LOST_LATE, Grade.WIN_TO_LOSS, "mistake"),
        (DRAW, DRAW, Grade.BEST, "best"),
        (DRAW, LOST_LATE, Grade.DRAW_TO_LOSS, "mistake"),
        (LOST_LATE, LOST_LATE, Grade.BEST, "best"),
        (LOST_LATE, LOST_SOON, Grade.SOONER, "lost sooner"),
        (UNKNOWN, UNKNOWN, Grade.UNKNOWN, "unknown"),
        (AT_LEAST_A_DRAW, LOST_SOON, Grade.UNKNOWN, "unknown"),
        (won_within(9), DRAW, Grade.WIN_TO_DRAW, "mistake"),
        (won_within(9), LOST_SOON, Grade.WIN_TO_LOSS, "mistake"),
        (won_within(9), won_within(9), Grade.UNKNOWN, "unknown"),
        (WON_SOON, won_within(9), Grade.UNKNOWN, "unknown"),
        (won_within(3), WON_LATE, Grade.SLOWER, "slower"),
    ],
)
def test_every_grade_and_its_word(before: Outcome, after: Outcome, grade: Grade, word: str) -> None:
    assert graded(before, after) is grade
    assert grade.word == word
    assert grade.is_mistake == (word == "mistake")


@given(positions(st.sampled_from(SMALL_BOARDS), max_empty=6))
def test_the_grade_is_best_exactly_on_the_best_squares_and_a_mistake_where_the_value_falls(position: Position) -> None:
    prediction = predict(position)
    for cell, outcome in prediction.squares.items():
        grade = graded(prediction.outcome, outcome)
        assert (grade is Grade.BEST) == (cell in prediction.best)
        assert grade.is_mistake == (outcome.value is not prediction.outcome.value)
