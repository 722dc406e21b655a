"""Reasons on larger boards: nearly every won or lost square has one, and best play ends as the outcome says."""

import random

import pytest

from solver.board.notation import parse_rules
from solver.board.outcome import Value
from solver.proofs.predict import predict
from solver.reasons import ReasonKind
from solver.search.budget import Budget
from tests.benchmarks.explaining import COMPARED, sampled
from tests.benchmarks.proving import random_position
from tests.solver.reasons.sayings import all_reasons

BOARDS = ("4x4x4", "5x4x4", "5x5x4", "6x6x4", "6x6x5")


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
def test_nearly_every_won_or_lost_square_has_a_reason(board: str) -> None:
    sample = sampled(parse_rules(board), 40)
    assert sample.rate({ReasonKind.UNEXPLAINED}) >= 0.95
    assert sample.rate(COMPARED) >= 0.9


@pytest.mark.parametrize("board", BOARDS)
def test_a_whole_line_of_play_ends_as_the_outcome_says(board: str) -> None:
    rules, rng = parse_rules(board), random.Random(board)
    for _ in range(3):
        position = random_position(rules, rng.randrange(rules.size // 2, rules.size), rng)
        for cell, reason in all_reasons(predict(position, Budget(nodes=2000))).items():
            line, after = reason.refutation, position.after(cell)
            for move in line:
                after = after.play(move)
            if reason.outcome.plies is not None and len(line) + 1 == reason.outcome.plies:
                winner = {Value.WIN: position.mover, Value.LOSS: position.mover.other}.get(reason.outcome.value)
                assert after.result == (winner or "draw")
            else:
                assert after.result is None
