"""Games as people paste them: everything that is printed can be read, in the spellings that people use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.game import Game, parse_game
from solver.board.notation import format_cell, format_position, parse_position
from solver.board.pasted import format_game, read_fields, read_pasted
from solver.board.position import Position
from solver.board.rules import Rules
from solver.errors import BadNotation, NoughtsError
from tests.strategies import TIC_TAC_TOE, examples, positions

CORNER = Game.starting(Position(TIC_TAC_TOE)).play(6).play(4).play(2)
"""The game a1, b2, c3."""

SHOWN = parse_position("X.O/.X./..O")


@st.composite
def games(draw: st.DrawFn, rules: st.SearchStrategy[Rules] | None = None) -> Game:
    """Draw a game from any position."""
    game = Game.starting(draw(positions(rules)))
    for _ in range(draw(st.integers(0, 12))):
        if game.last.legal_moves:
            game = game.play(draw(st.sampled_from(game.last.legal_moves)))
    return game


@examples(60)
@given(games())
def test_a_game_reads_back_as_it_is_printed_whatever_board_is_meant(game: Game) -> None:
    assert read_pasted(format_game(game)) == game


@examples(60)
@given(positions(), st.sampled_from("._-"), st.sampled_from(["/", "\n", " / ", "\r\n", "/\n"]), st.booleans())
def test_a_position_reads_back_in_lines_and_in_other_letters(
    position: Position, empty: str, between: str, small: bool
) -> None:
    text = format_position(position).replace(".", empty).replace("/", between)
    assert read_pasted(text.lower() if small else text, position.rules).last == position


@examples(60)
@given(
    games(st.builds(Rules, st.just(4), st.just(4), st.just(3))), st.sampled_from(["", " ", ",", ", ", ";", "\n", " – "])
)
def test_moves_read_back_with_anything_between_them(game: Game, between: str) -> None:
    rules = game.last.rules
    moves = between.join(format_cell(cell, rules) for cell in game.moves)
    assert read_fields("4x4x3", format_position(game.positions[0]), moves) == game


@examples(100)
@given(st.text("xXoO./_- ab12,", max_size=12), st.text("ab123, ", max_size=8))
def test_all_that_the_parsers_of_links_accept_means_the_same_when_pasted(start: str, moves: str) -> None:
    try:
        game = parse_game("3x3x3", start or None, moves)
    except NoughtsError:
        return
    assert read_fields("3x3x3", start, moves) == game


def test_a_text_of_up_to_2000_characters_is_read() -> None:
    assert read_pasted("b2".rjust(2000)).moves == (4,)
    with pytest.raises(BadNotation, match="too long"):
        read_pasted("b2".rjust(2001))


@examples(200)
@given(st.text(max_size=40) | st.text("/?=&x3.:-htps play", max_size=40))
def test_any_other_text_is_refused_in_a_sentence(text: str) -> None:
    said = "."
    try:
        read_pasted(text)
    except NoughtsError as refused:
        said = str(refused)
    assert said.endswith(".")
