"""What `str` and `repr` show: a drawing or words, and an expression that rebuilds the value."""

import pytest

from solver import (
    BadNotation,
    BadRules,
    Bounds,
    Game,
    IllegalMove,
    NoughtsError,
    Outcome,
    Position,
    Rules,
    Value,
    parse_game,
    parse_position,
    predict,
    solve,
)
from solver.search.tablebase import positions
from tests.strategies import TIC_TAC_TOE

NAMES = {each.__name__: each for each in (Bounds, Outcome, Rules, Value, parse_game, parse_position)}
VALUES = [
    Rules(5, 4, 4),
    Rules(3, 3, 3, (0b111,)),
    Position("4x3x3", 0b1, 0b10),
    parse_position("X.O/.X./..O"),
    parse_game("4x3x3", "X.../.O../....", "b1"),
    Game.starting("3x3x3").play("b2"),
    Bounds(-5, 0),
    Outcome(Value.WIN, 3),
    Outcome(Value.UNKNOWN, None, Bounds(lower=0)),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_what_repr_shows_rebuilds_the_value(value: object) -> None:
    assert eval(repr(value), NAMES) == value  # noqa: S307 - our own text


def test_every_position_of_the_usual_board_is_rebuilt() -> None:
    assert all(eval(repr(position), NAMES) == position for position in positions(TIC_TAC_TOE))  # noqa: S307


def test_a_proved_outcome_shows_no_bounds() -> None:
    assert repr(predict("X.O/.X./..O").outcome) == "Outcome(Value.DRAW, 5)"


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Outcome(Value.LOSS, 1), "loss in 1 ply"),
        (Outcome.of_bounds(Bounds(9_993, 9_997), 9), "win in at most 7 plies"),
        (Outcome(Value.UNKNOWN, None, Bounds(lower=0)), "not proved, but at least a draw"),
        (Bounds(), "loss in 0 plies to win in 1 ply"),
        (Bounds(0, 0), "draw"),
    ],
)
def test_outcomes_are_said_in_words(outcome: Outcome | Bounds, words: str) -> None:
    assert str(outcome) == words


def test_a_solution_is_drawn_with_its_best_line() -> None:
    assert str(solve("X.O/.X./..O")).splitlines() == [
        " X L2  O",
        "L2  X  D",
        "L2 L2  O",
        "X to move: draw in 5 plies. Best: c2. Best line: c2, a2, b1, b3, a1.",
    ]


def test_a_finished_game_is_drawn_with_its_result() -> None:
    assert str(predict("XXX/OO./...")).splitlines()[-1] == "The game is over: X has won."


def test_a_prediction_names_what_is_known() -> None:
    assert repr(predict("X.O/.X./..O")) == "<Prediction of X.O/.X./..O on 3x3x3: b3 L2, a2 L2, c2 D, a1 L2, b1 L2>"


@pytest.mark.parametrize("text", ["X.O/.X./..O", "3x3x3 X.O/.X./..O", "a3 c3 b2 c1", "/play/3x3x3?moves=a3c3b2c1"])
def test_predict_takes_any_text_of_a_position(text: str) -> None:
    assert predict(text) == predict(parse_position("X.O/.X./..O"))


@pytest.mark.parametrize("name", ["c2", "6", "2,3"])
def test_a_square_can_be_played_by_its_name(name: str) -> None:
    assert Position("3x3x3").play(name) == Position(TIC_TAC_TOE).play(5)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: predict("hello"), BadNotation),
        (lambda: predict(""), BadNotation),
        (lambda: solve("9x9x9"), BadRules),
        (lambda: Position("X.O/.X./..O"), BadRules),
        (lambda: Position("3x3x3").play("d4"), BadNotation),
        (lambda: Game.starting("3x3").play("b2"), BadRules),
        (lambda: parse_position("X../.../...", "4x4"), BadRules),
    ],
)
def test_bad_text_raises_an_error_of_the_project(call: object, error: type[NoughtsError]) -> None:
    with pytest.raises(error):
        call()  # type: ignore[operator]


def test_an_illegal_move_names_its_square() -> None:
    with pytest.raises(IllegalMove, match="b2 is taken: X stands there"):
        Game.starting("3x3x3").play("b2").play("b2")
