"""The places of squares and lines in pictures of boards in space."""

from solver.board.notation import parse_rules
from solver.board.rules import bits_of
from solver.pictures.places import across, extent, layout_of, strokes

CUBE, QUBIC = parse_rules("3x3x3x3"), parse_rules("4x4x4x4")


def test_layers_stand_side_by_side_in_pictures() -> None:
    assert (extent(CUBE), across(CUBE)) == ((11, 3), 3)
    assert (extent(QUBIC), across(QUBIC)) == ((9, 9), 2)
    assert [row[3] for row in layout_of(CUBE)] == [None] * 3
    cells = [cell for row in layout_of(QUBIC) for cell in row if cell is not None]
    assert sorted(cells) == list(range(64))


def test_a_line_is_drawn_from_cell_to_cell() -> None:
    line = bits_of((0, 13, 26))
    assert strokes(line, CUBE) == ((0, 13), (13, 26))
