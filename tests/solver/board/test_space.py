"""Boards in space: layers of squares, with lines through them."""

import pytest

from solver import Position, parse_game, parse_position, predict
from solver.board.families import lines_in_space
from solver.board.notation import format_cell, format_line, format_position, parse_cell, parse_rules
from solver.board.rules import bits_of
from solver.errors import BadNotation, IllegalMove

CUBE, QUBIC = parse_rules("3x3x3x3"), parse_rules("4x4x4x4")


def test_one_layer_is_a_flat_board() -> None:
    assert parse_rules("4x3x1x3") == parse_rules("4x3x3")
    assert {*lines_in_space((4, 3, 1), 3)} == {*parse_rules("4x3x3").lines}


def test_a_cell_is_named_by_letter_number_and_layer() -> None:
    assert [format_cell(cell, CUBE) for cell in (0, 13, 26)] == ["a3.1", "b2.2", "c1.3"]
    assert all(parse_cell(format_cell(cell, QUBIC), QUBIC) == cell for cell in range(64))
    assert format_line(bits_of((0, 13, 26)), CUBE) == "a3.1–c1.3"


def test_layers_are_written_from_the_bottom() -> None:
    position = Position(CUBE).play("b2.2").play("a1.1")
    assert format_position(position) == ".../.../O..|.../.X./...|.../.../..."
    assert str(position) == "...\n...\nO..\n\n...\n.X.\n...\n\n...\n...\n..."
    assert parse_position(format_position(position), CUBE) == position == eval(repr(position))  # noqa: S307
    with pytest.raises(BadNotation, match="3 layers from the bottom up"):
        parse_position(".../.../O..|.../.X./...", CUBE)


def test_a_line_through_all_layers_wins() -> None:
    game = parse_game("3x3x3x3", None, "b2.2a1.1a3.3c1.2b3.2b1.2c1.1")
    assert game.last.winning_lines == (bits_of(parse_cell(each, CUBE) for each in ("c1.1", "b2.2", "a3.3")),)
    with pytest.raises(IllegalMove, match="The game is over"):
        game.play("a1.3")


def test_the_cube_of_three_is_won_in_four_moves_from_its_centre() -> None:
    assert predict(Position(CUBE)).best == (parse_cell("b2.2", CUBE),)
