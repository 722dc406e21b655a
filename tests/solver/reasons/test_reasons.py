"""Why squares of small boards are what they are: every one has a reason, and every word of it is true."""

import re
from dataclasses import replace
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.notation import parse_cell, parse_position, parse_rules
from solver.board.outcome import Outcome, Value
from solver.board.position import Position
from solver.board.rules import Cell, Rules
from solver.proofs.prediction import Prediction, predict
from solver.reasons import Reason, ReasonKind, explain, reasons
from solver.reasons.explaining import guarded, text
from solver.reasons.winning import Elsewhere, GivesWinAway
from solver.search.budget import Budget
from solver.search.tablebase import unfinished
from tests.solver.reasons.sayings import is_true, score, square
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
    """The reasons of every square of every unfinished position of 3×3, or of each ninth."""
    return {
        (position, cell): reason
        for position in unfinished(TIC_TAC_TOE)[:: request.param]
        for cell, reason in reasons(position, predict(position)).items()
    }


def test_every_square_of_every_unfinished_position_has_a_reason(explained: Explained) -> None:
    assert len({position for position, _ in explained}) in (4520, 503)
    assert [place for place, reason in explained.items() if not reason.verified] == []


def test_all_that_is_said_is_true(explained: Explained) -> None:
    said = {(*place, reason.text.partition(": ")[2]) for place, reason in explained.items()}
    assert [each for each in said if not is_true(*each)] == []


def test_a_reason_begins_with_the_outcome(explained: Explained) -> None:
    for (position, cell), reason in explained.items():
        value, verdict = square(position, cell), reason.text.partition(": ")[0]
        moves = (reason.outcome.plies or 0) + 1 >> 1
        assert verdict == ("Draws" if not value else "Loses" if value < 0 else "Wins" + f" in {moves}" * (moves > 1))


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


@pytest.mark.parametrize("rules", SMALL_BOARDS, ids=str)
def test_every_square_of_a_small_empty_board_has_a_true_reason(rules: Rules) -> None:
    position = Position(rules)
    for cell, reason in reasons(position, predict(position)).items():
        assert reason.verified
        assert is_true(position, cell, reason.text.partition(": ")[2]), reason.text


TOLD = """
XX./OO./... c3 completes-line
    Wins: completes a3–c3.
X.O/.../X.O a2 completes-line
    Wins: completes a1–a3.
XX./.O./..O a2 makes-two-threats
    Wins in 2: threatens c3 and a1 at once. Slower than c3, which wins at once.
XO./.../... b2 forces-two-threats
    Wins in 3: threatens c1, so O must answer there; then a2 threatens c2 and a1 at once.
.../X.O/.XO c3 prepares-two-threats
    Wins in 3: prepares b3, which would threaten a3 and b2 at once. O could only try a3, b3 or b2, but then X
    wins by b2, a1 or a3.
X.O/.X./..O a2 loses-to-line
    Loses: O plays c2 and c1–c3 is full.
O.O/XX./.X. a1 cannot-block-both
    Loses: X threatens b3 and c2, and O can block only one of them. Only b3 wins.
X../.../... b3 loses-to-forcing
    Loses: X plays a1 and O must answer a2; then c1 threatens b2 and b1 at once.
.../X.O/.X. c1 loses-to-preparing
    Loses: X blocks on c3 and prepares b3, which would threaten a3 and b2 at once. O could only try a3, b3 or
    b2, but then X wins by b2, a1 or a3.
OX./.../..X c3 loses-race
    Loses: O could force a win by a1 if it moved again, but X is faster: X plays b1, threatening b2 and a1 at once.
X.O/.X./..O c2 blocks
    Draws: the only square that does not lose: it blocks c1–c3. O has to reply a2; after any other square X wins.
X../.../... b2 only-move
    Draws: the only square that does not lose: it stops X's c3, which would force O to b3 and win by threats.
X../.O./..X b3 gains-time
    Draws: threatens b1, so X must answer there and cannot play a1, which would threaten a2 and b1 at once.
O../.X./... a1 pairing
    Draws: O gets no line: X answers b3 with c3, c2 with c1, and the other way round. O has to reply c3; after any
    other square X wins.
XOX/.../O.. b2 misses-win
    Draws: only c1 wins. O has to reply c1; after any other square X wins.
.../.../... a1 replies
    Draws: O has to reply b2; after any other square X wins. By symmetry as good as a3.
XOX/OOX/.XO a1 fills-board
    Draws: fills the board, and nobody has a line.
"""
"""Squares of positions, with the kind of the reason and its text."""


@pytest.mark.parametrize("told", re.split(r"\n(?! )", TOLD.strip()), ids=lambda told: " ".join(told.split()[:3]))
def test_a_player_is_told(told: str) -> None:
    position, cell, kind, *words = told.split()
    where = parse_position(position)
    reason = explain(where, parse_cell(cell, where.rules), predict(where))
    assert (str(reason.kind), reason.text) == (kind, " ".join(words))


@pytest.mark.parametrize(
    ("position", "cell", "said"),
    [
        ("XX./.O./..O", "a2", "Wins in 2: threatens c3 and a1 at once."),
        ("O.O/XX./.X.", "a1", "Loses: X threatens b3 and c2, and O can block only one of them."),
        ("OX./.../..X", "c3", "Loses: X plays b1, threatening b2 and a1 at once."),
    ],
)
def test_whoever_still_looks_for_a_better_square_is_not_told_which(position: str, cell: str, said: str) -> None:
    where = parse_position(position)
    reason = explain(where, parse_cell(cell, where.rules), predict(where))
    assert reason.discreet == replace(reason, text=said)


def test_nothing_is_left_of_a_reason_that_only_names_a_better_square() -> None:
    where, outcome = parse_position("XX./OO./..."), Outcome(Value.LOSS, 2)
    for ground in (GivesWinAway((2,)), Elsewhere((2,))):
        assert text(where, outcome, [ground])
        assert guarded(where, outcome, [ground]) == ""


def test_a_square_of_which_nothing_is_proved_has_no_reason() -> None:
    position = Position(parse_rules("8x8x5"))
    reason = explain(position, 0, Prediction(position, {0: UNKNOWN}, 0))
    assert (reason.kind, reason.text, reason.sentence, reason.refutation) == (ReasonKind.UNEXPLAINED, "", "", ())
    assert not reason.verified


def test_a_cell_that_is_not_open_has_no_outcome_to_explain() -> None:
    position = parse_position("X.O/.X./..O")
    with pytest.raises(KeyError):
        explain(position, 0, predict(position))


@pytest.mark.parametrize(
    ("position", "cell", "said"),
    [
        ("X.O/.X./..O", "a2", "O plays b1 and c1–c3 is full."),
        ("X.O/.X./..O", "a2", "O plays c2 and a1–c1 is full."),
        ("X.O/.X./..O", "a2", "X plays c2 and c1–c3 is full."),
        ("X.O/.X./..O", "a2", "O plays c2 and c1–c3 is full. Every square loses."),
        ("X.O/.X./..O", "c2", "the only square that does not lose: it blocks a1–c1."),
        (".../.../...", "a1", "O has to reply b3; after any other square X wins."),
        (".../.../...", "a1", "O has to reply b2; after any other square O wins."),
        ("O../.XO/..X", "b3", "only a1 wins."),
        ("X.O/.X./..O", "a2", "O is stronger."),
        ("X.O/.X./..O", "a2", ""),
    ],
)
def test_what_is_false_is_read_as_false(position: str, cell: str, said: str) -> None:
    where = parse_position(position)
    assert not is_true(where, parse_cell(cell, where.rules), said)


LARGER = [parse_rules(each) for each in ("4x3x3", "5x3x3", "4x4x3", "4x4x4", "5x4x4")]


@given(positions(st.sampled_from(LARGER), max_empty=9))
def test_what_is_said_of_larger_boards_is_true_as_well(position: Position) -> None:
    for cell, reason in reasons(position, predict(position, Budget(nodes=20_000))).items():
        if reason.verified:
            assert is_true(position, cell, reason.text.partition(": ")[2]), reason.text


@given(positions(st.sampled_from(LARGER), max_empty=9))
def test_as_far_as_a_refutation_of_a_larger_board_goes_it_is_best_play(position: Position) -> None:
    for cell, reason in reasons(position, predict(position, Budget(nodes=20_000))).items():
        after = position.after(cell)
        for move in reason.refutation:
            assert square(after, move) == score(after)
            after = after.play(move)


@given(positions(st.sampled_from(LARGER), max_empty=12))
def test_a_reason_depends_on_the_position_and_what_is_proved_alone(position: Position) -> None:
    prediction = predict(position, Budget(nodes=20_000))
    assert reasons(position, prediction) == reasons(position, prediction)
