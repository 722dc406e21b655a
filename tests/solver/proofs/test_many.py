"""The outcomes of many positions at once are those of single predictions, in arrays without copies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import BadNotation, Outcomes, Value, parse_rules, predict, predict_many
from solver.board.position import Position
from solver.board.rules import bits_of
from solver.proofs.many import UNPROVED
from solver.search.budget import Budget
from tests.strategies import boards, examples, families, positions

VALUES = {Value.WIN: 1, Value.DRAW: 0, Value.LOSS: -1, Value.UNKNOWN: UNPROVED}

OTHERS = [
    "3x3x3-misere",
    "3x3x3-wild",
    "3x3x3-notakto",
    "4x3x3-gravity",
    "3x3x3-vanishing",
    "4x3x3-holesb2",
    "4x2x3-wild",
]


def assert_predicted(position: Position, outcomes: Outcomes, place: int) -> None:
    prediction = predict(position)
    plies, cells = prediction.outcome.plies, {move % position.rules.size for move in prediction.best}
    found = outcomes.values[place], outcomes.plies[place], outcomes.best[place]
    assert found == (VALUES[prediction.outcome.value], -1 if plies is None else plies, bits_of(cells)), position


@examples(60)
@given(st.lists(positions(boards(3) | families(12) | st.sampled_from([*map(parse_rules, OTHERS)])), max_size=4))
def test_they_are_the_outcomes_of_single_predictions(chosen: list[Position]) -> None:
    outcomes = predict_many(chosen)
    assert len(outcomes) == len(chosen)
    for place, position in enumerate(chosen):
        assert_predicted(position, outcomes, place)


def test_arrays_of_numpy_share_their_memory() -> None:
    outcomes = predict_many(["X.O/.X./..O", "4x3x3"])
    for numbers, kind in ((outcomes.values, np.int8), (outcomes.plies, np.int16), (outcomes.best, np.uint64)):
        shared = np.asarray(numbers)
        assert shared.dtype == kind
        assert shared.__array_interface__["data"][0] == numbers.buffer_info()[0]


def test_what_is_not_proved_and_what_has_no_end_say_so() -> None:
    outcomes = predict_many(["8x8x6-torus", "3x3x3-vanishing"], Budget(nodes=1))
    assert (outcomes.values[0], outcomes.plies[0], outcomes.best[0]) == (UNPROVED, -1, 0)
    assert (outcomes.values[1], outcomes.plies[1]) == (0, -1)  # a draw without end


def test_a_text_that_is_no_position_is_refused() -> None:
    with pytest.raises(BadNotation):
        predict_many(["4x3x3", "hello"])
