"""Holes in the board, and lines that somebody draws."""

import pytest
from hypothesis import given

from solver import explain, parse_game, parse_position, predict
from solver.board.notation import format_position, parse_rules
from solver.board.position import Position
from solver.board.rules import Rules, rules_of
from solver.errors import BadRules, IllegalMove
from solver.search.tablebase import look_up
from tests.strategies import drawn_games, reachable
from tests.strategies import positions as drawn_positions

RING = parse_rules("3x3x3-holesb2")
EVERY_LINE = "3x3x3-linesa1a2a3a1b1c1a1b2c3a2b2c2a3b2c1a3b3c3b1b2b3c1c2c3"


def test_the_eight_lines_drawn_one_by_one_are_tic_tac_toe() -> None:
    drawn = parse_rules(EVERY_LINE)
    assert {*drawn.lines} == {*Rules(3, 3, 3).lines}
    for position in reachable(Rules(3, 3, 3))[::9]:
        assert look_up(Position(drawn, position.x, position.o)) == look_up(position)


def test_lines_keep_clear_of_holes_and_so_do_stones() -> None:
    assert (RING.size, RING.squares, len(RING.lines)) == (9, 8, 4)
    assert Position(RING).plies_left == len(Position(RING).legal_moves) == 8
    assert RING.lines_through[4] == ()
    with pytest.raises(IllegalMove, match="b2 is a hole"):
        Position(RING).play("b2")


def test_more_lines_than_a_search_can_number_are_refused() -> None:
    pairs = tuple(1 << one | 1 << other for one in range(24) for other in range(one))
    with pytest.raises(BadRules, match="276 lines are drawn, and 256 at most"):
        rules_of(5, 5, 2, winning=pairs)


def test_a_hole_is_a_cross_hatch_in_the_text_of_a_position() -> None:
    position = parse_position("X../.#O/...", RING)
    assert format_position(position) == "X../.#O/..."
    assert parse_position("X...#O...", RING) == position
    assert str(predict(position)).splitlines()[1].split()[1] == "#"


def test_the_board_is_full_once_every_square_but_the_holes_is_taken() -> None:
    game = parse_game(RING, None, "a1c1b1a2c2b3a3c3")
    assert str(game.last.result) == "draw"


@given(drawn_positions(drawn_games(), max_empty=6))
def test_reasons_hold_for_holes_and_drawn_lines(position: Position) -> None:
    assert all(explain(position, cell).verified for cell in position.legal_moves)
