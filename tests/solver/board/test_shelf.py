"""Games by their names: wherever a board is read, in any spelling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.names import parse_rules
from solver.board.notation import format_moves
from solver.board.pasted import read_pasted
from solver.board.shelf import LONGEST_NAME, SHELF, board_called, fold
from solver.errors import BadNotation, BadRules


@pytest.mark.parametrize("game", SHELF, ids=lambda game: game.name)
def test_each_game_of_the_shelf_is_found_by_its_names_however_they_are_written(game: object) -> None:
    assert parse_rules(game.board) == parse_rules(game.name)  # type: ignore[attr-defined]
    for name in (game.name, *game.also):  # type: ignore[attr-defined]
        for text in (name.upper(), f" {name} ", fold(name), name.replace(" ", "-"), name.replace("-", " ")):
            assert board_called(text) == game.board  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("mise\u0300re", "3x3x3-misere"),
        ("MÖBIUS", "3x3x3-mobius"),
        ("connect-four", "7x6x4-gravity"),
        ("3D", "3x3x3x3"),
        ("animals", "5x5-tippy"),
        ("el", "5x5-el"),
    ],
)
def test_accents_case_hyphens_and_the_other_animals_are_understood(text: str, board: str) -> None:
    assert str(parse_rules(text)) == board


def test_names_are_of_different_boards_and_no_name_is_a_board() -> None:
    assert len({game.board for game in SHELF}) == len({fold(game.name) for game in SHELF}) == len(SHELF)
    assert all(board_called(game.board) is None for game in SHELF)


@pytest.mark.parametrize(
    ("text", "meant"),
    [("conect four", " Did you mean Connect Four?"), ("qubik", " Did you mean Qubic?"), ("chess", "")],
)
def test_an_unknown_name_is_refused_with_the_names_like_it(text: str, meant: str) -> None:
    with pytest.raises(BadRules) as refused:
        parse_rules(text)
    assert str(refused.value).startswith(f"“{text}” isn't a board.{meant} Write columns")
    with pytest.raises(BadNotation) as refused_too:
        read_pasted(text)
    assert str(refused_too.value).startswith(f"“{text}” isn't a game.{meant} Paste")


@pytest.mark.parametrize(
    ("text", "board", "moves"),
    [
        ("Connect Four", "7x6x4-gravity", ""),
        ("connect four: d1 d2", "7x6x4-gravity", "d1d2"),
        ("Qubic a1.1", "4x4x4x4", "a1.1"),
        ("wild Xb2 Oa1", "3x3x3-wild", "Xb2Oa1"),
        ("torus\nX../.../... b2", "3x3x3-torus", "b2"),
    ],
)
def test_a_pasted_game_can_begin_with_a_name(text: str, board: str, moves: str) -> None:
    game = read_pasted(text)
    assert (str(game.last.rules), format_moves(game.moves, board)) == (board, moves)


@given(st.text(max_size=LONGEST_NAME + 5))
def test_any_text_is_a_name_or_none(text: str) -> None:
    board = board_called(text)
    assert board is None or str(parse_rules(board)) == board
