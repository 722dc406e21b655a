"""Games by their names: wherever a board is read, in any spelling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.names import parse_rules
from solver.board.shelf import LONGEST_NAME, SHELF, board_called, fold


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.name)
def test_each_game_of_the_shelf_is_found_by_its_names_however_they_are_written(game: object) -> None:
    assert parse_rules(game.board) == parse_rules(game.name)  # type: ignore[attr-defined]
    for name in (game.name, *game.also):  # type: ignore[attr-defined]
        for text in (name.upper(), f" {name} ", fold(name), name.replace(" ", "-"), name.replace("-", " ")):
            assert board_called(text) == game.board  # type: ignore[attr-defined]


def test_names_are_of_different_boards_and_no_name_is_a_board() -> None:
    assert len({game.board for game in SHELF}) == len({fold(game.name) for game in SHELF}) == len(SHELF)
    assert all(board_called(game.board) is None for game in SHELF)


@given(st.text(max_size=LONGEST_NAME + 5))
def test_any_text_is_a_name_or_none(text: str) -> None:
    board = board_called(text)
    assert board is None or str(parse_rules(board)) == board
