"""Reasons on small boards: every square has one, and every word of it is true."""

import random
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.notation import parse_cell, parse_position, parse_rules
from solver.board.outcome import DRAWN, Outcome, Value
from solver.board.position import Position
from solver.board.rules import Cell, Rules
from solver.errors import IllegalMove
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction
from solver.reasons import Reason, ReasonKind, explain
from solver.reasons.explaining import text, without_hints
from solver.reasons.winning import Elsewhere, GivesWinAway
from solver.search.budget import Budget
from solver.search.tablebase import unfinished
from tests.benchmarks import explaining
from tests.benchmarks.proving import random_position
from tests.marked import sampled
from tests.solver.reasons.sayings import FALSE, STRAYING, agrees, all_reasons, is_true, reason_of, score, square
from tests.strategies import SMALL_BOARDS, TIC_TAC_TOE, UNKNOWN, positions

OF_WINS = {
    ReasonKind.COMPLETES_LINE,
    ReasonKind.MAKES_TWO_THREATS,
    ReasonKind.FORCES_TWO_THREATS,
    ReasonKind.PREPARES_TWO_THREATS,
}
OF_LOSSES = {
    ReasonKind.LOSES_TO_LINE,
    ReasonKind.CANNOT_BLOCK_BOTH,
    ReasonKind.LOSES_TO_TWO_THREATS,
    ReasonKind.LOSES_TO_FORCING,
    ReasonKind.LOSES_TO_PREPARING,
    ReasonKind.LOSES_RACE,
}


Explained: TypeAlias = dict[tuple[Position, Cell], Reason]
"""The reason of each square of a position."""


@pytest.fixture(scope="module", params=[9, pytest.param(1, marks=pytest.mark.slow)])
def explained(request: pytest.FixtureRequest) -> Explained:
    """Return the reasons of every square of every unfinished position of 3×3, or of every ninth one."""
    return {
        (position, cell): reason
        for position in unfinished(TIC_TAC_TOE)[:: request.param]
        for cell, reason in all_reasons(predict(position)).items()
    }


def test_every_square_of_every_unfinished_position_has_a_reason(explained: Explained) -> None:
    assert len({position for position, _ in explained}) in (4520, 503)
    assert [place for place, reason in explained.items() if not reason.verified] == []


def test_every_reason_is_true(explained: Explained) -> None:
    said = {(*place, reason.clause) for place, reason in explained.items()}
    assert [each for each in said if not is_true(*each)] == []


def test_a_reason_begins_with_the_outcome(explained: Explained) -> None:
    for (position, cell), reason in explained.items():
        value, verdict = square(position, cell), reason.text.partition(": ")[0]
        moves = (reason.outcome.plies or 0) + 1 >> 1
        missed = ", but misses a win" if score(position) > DRAWN else ""
        assert verdict == (
            f"Draws{missed}" if not value else "Loses" if value < 0 else "Wins" + f" in {moves}" * (moves > 1)
        )


def test_a_reason_has_one_colon_and_short_sentences(explained: Explained) -> None:
    texts = {reason.text for reason in explained.values()}
    assert {text.count(":") for text in texts} == {1}
    assert max(len(sentence.split()) for text in texts for sentence in text.split(". ")) <= 22


def test_the_kind_goes_with_the_outcome(explained: Explained) -> None:
    for reason in explained.values():
        assert (reason.kind in OF_WINS) == (reason.outcome.value is Value.WIN)
        assert (reason.kind in OF_LOSSES) == (reason.outcome.value is Value.LOSS)


def test_the_refutation_is_best_play_to_the_end(explained: Explained) -> None:
    for (position, cell), reason in explained.items():
        after = position.after(cell)
        assert len(reason.refutation) + 1 == reason.outcome.plies
        for move in reason.refutation:
            assert square(after, move) == score(after)
            after = after.play(move)
        assert after.result is not None


def test_the_refutation_does_move_by_move_what_the_text_tells(explained: Explained) -> None:
    told = {(*place, reason.clause, reason.refutation) for place, reason in explained.items()}
    assert [each for each in told if not agrees(*each)] == []


@pytest.mark.parametrize(("position", "cell", "line"), STRAYING)
def test_a_line_that_strays_from_its_text_is_found(position: str, cell: str, line: tuple[str, ...]) -> None:
    where = parse_position(position)
    square, *onward = (parse_cell(each, where.rules) for each in (cell, *line))
    assert not agrees(where, square, reason_of(position, cell).clause, tuple(onward))


@pytest.mark.parametrize("rules", sampled(SMALL_BOARDS, 5), ids=str)
def test_every_square_of_a_small_empty_board_has_a_true_reason(rules: Rules) -> None:
    position = Position(rules)
    for cell, reason in all_reasons(predict(position)).items():
        assert reason.verified
        assert is_true(position, cell, reason.clause), reason.text


def test_nothing_is_left_of_a_reason_that_only_names_a_better_square() -> None:
    where, outcome = parse_position("XX./OO./..."), Outcome(Value.LOSS, 2)
    for ground in (GivesWinAway((2,)), Elsewhere((2,))):
        assert text(where, outcome, [ground])
        assert without_hints(where, outcome, [ground]) == ""


def test_an_unproved_square_has_no_reason_and_takes_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(parse_rules("8x8x5"))
    monkeypatch.setattr("solver.reasons.explaining.Solver", None)
    reason = explain(position, 0, Prediction(position, {0: UNKNOWN}, 0))
    assert (reason.kind, reason.text, reason.sentence, reason.refutation) == (ReasonKind.UNEXPLAINED, "", "", ())
    assert not reason.verified


def test_a_cell_that_is_not_open_has_no_outcome_to_explain() -> None:
    position = parse_position("X.O/.X./..O")
    with pytest.raises(IllegalMove, match="a3 is taken"):
        explain(position, 0, predict(position))


@pytest.mark.parametrize(("position", "cell", "text"), FALSE)
def test_false_sentences_are_found_false(position: str, cell: str, text: str) -> None:
    assert not is_true(parse_position(position), parse_cell(cell, TIC_TAC_TOE), text)


LARGER = [parse_rules(each) for each in ("4x3x3", "5x3x3", "4x4x3", "4x4x4", "5x4x4")]


@given(positions(st.sampled_from(LARGER), max_empty=9))
def test_reasons_on_larger_boards_are_true_and_refutations_are_best_play_as_far_as_they_go(position: Position) -> None:
    for cell, reason in all_reasons(predict(position, Budget(nodes=20_000))).items():
        if reason.verified:
            assert is_true(position, cell, reason.clause), reason.text
            assert agrees(position, cell, reason.clause, reason.refutation), reason
        after = position.after(cell)
        for move in reason.refutation:
            assert square(after, move) == score(after)
            after = after.play(move)


@given(positions(st.sampled_from(LARGER), max_empty=12))
def test_a_reason_depends_only_on_the_position_and_its_prediction(position: Position) -> None:
    prediction = predict(position, Budget(nodes=20_000))
    assert all_reasons(prediction) == all_reasons(prediction)


BOARDS = ("4x4x4", "5x4x4", "5x5x4", "6x6x4", "6x6x5")


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
def test_nearly_every_won_or_lost_square_has_a_reason(board: str) -> None:
    sample = explaining.sampled(parse_rules(board), 40)
    assert sample.rate({ReasonKind.UNEXPLAINED}) >= 0.95
    assert sample.rate(explaining.COMPARED) >= 0.9


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
