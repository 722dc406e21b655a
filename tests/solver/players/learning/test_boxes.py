"""The matchboxes: as many as Michie's, and one for each position in which X has a choice."""

import pytest

from solver.board.position import Mark
from solver.board.rules import TIC_TAC_TOE, cells_of
from solver.players.learning.boxes import boxes, has_box, opened
from tests.strategies import reachable


def test_there_are_304_boxes() -> None:
    assert [sum(box.turn == turn for box in boxes()) for turn in (1, 2, 3, 4)] == [1, 12, 108, 183]
    assert [box.number for box in boxes()] == list(range(1, 305))


@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.slow)])
def test_every_position_in_which_x_has_a_choice_has_a_box_for_its_distinct_squares(step: int) -> None:
    faced = [each for each in reachable(TIC_TAC_TOE) if each.legal_moves and each.mover is Mark.X and has_box(each)]
    for position in faced[::step]:
        box, cells = opened(position)
        assert box.position == position.canonical()
        assert len(cells) == len(box.squares)
        for square, cell in zip(box.squares, cells, strict=True):
            assert box.position.after(square).canonical() == position.after(cell).canonical()
        every = {position.after(cell).canonical() for cell in cells_of(position.empty)}
        assert len(every) == len(cells)


def test_of_squares_that_a_symmetry_exchanges_only_one_has_beads() -> None:
    empty, *_, last = boxes()
    assert empty.squares == (0, 1, 4)
    assert all(len(box.squares) == len(box.position.orbits()) for box in boxes())
    assert last.position.plies_left == 3
