"""The grades of moves, which follow from two outcomes."""

from hypothesis import given
from hypothesis import strategies as st

from solver.board.outcome import Grade, Outcome, Value, graded
from solver.board.position import Position
from solver.proofs.predict import predict
from tests.strategies import SMALL_BOARDS, positions

WON_SOON, WON_LATE = Outcome(Value.WIN, 3), Outcome(Value.WIN, 5)
LOST_SOON, LOST_LATE = Outcome(Value.LOSS, 2), Outcome(Value.LOSS, 4)


@given(positions(st.sampled_from(SMALL_BOARDS), max_empty=6))
def test_the_grade_is_best_exactly_on_the_best_squares_and_a_mistake_where_the_value_falls(position: Position) -> None:
    prediction = predict(position)
    for cell, outcome in prediction.squares.items():
        grade = graded(prediction.outcome, outcome)
        assert (grade is Grade.BEST) == (cell in prediction.best)
        assert grade.is_mistake == (outcome.value is not prediction.outcome.value)
