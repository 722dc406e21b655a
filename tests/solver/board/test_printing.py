"""What `str` and `repr` show: a drawing or words, and an expression that rebuilds the value."""

import pytest

from solver import (
    Bounds,
    Game,
    Outcome,
    Position,
    Rules,
    Value,
    parse_game,
    parse_position,
    predict,
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


@pytest.mark.parametrize("text", ["X.O/.X./..O", "3x3x3 X.O/.X./..O", "a3 c3 b2 c1", "/play/3x3x3?moves=a3c3b2c1"])
def test_predict_takes_any_text_of_a_position(text: str) -> None:
    assert predict(text) == predict(parse_position("X.O/.X./..O"))


@pytest.mark.parametrize("name", ["c2", "6", "2,3"])
def test_a_square_can_be_played_by_its_name(name: str) -> None:
    assert Position("3x3x3").play(name) == Position(TIC_TAC_TOE).play(5)
