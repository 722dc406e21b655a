"""Games as people paste them: everything that is printed can be read, in the spellings that people use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.game import Game, parse_game
from solver.board.notation import format_cell, format_moves, format_position, parse_position, parse_rules
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


@pytest.mark.parametrize(
    "text",
    [
        "a1b2c3",
        "a1 b2 c3",
        "A1, B2, C3",
        "1. a1 b2 2. c3",
        "1.a1 b2?? 2.c3!",
        "1. a1\n1... b2\n2. c3",
        "7 5 3",
        "3,1 2,2 1,3",
        "a1-b2-c3",
        "3x3x3: a1 b2 c3",
        "/play/3x3x3?moves=a1b2c3&o=friend",
        "https://noughts.example/play/3x3x3?moves=a1b2c3",
        "http://127.0.0.1:8000/embed/3x3x3?moves=a1b2c3#board",
        "Look at this: https://noughts.example/share/3x3x3?moves=a1b2c3, I win",
        '<iframe src="https://noughts.example/embed/3x3x3?moves=a1b2c3&amp;o=friend" width="320"></iframe>',
        "https://noughts.example/learn/explorer?moves=a1b2c3",
        "noughts.example/lab?board=3x3x3&moves=a1b2c3",
        "3x3x3?moves=a1b2c3",
        "/play/3x3x3.png?moves=a1b2c3",
        "/play/3x3x3?moves=a1b2c3a2&at=3",
    ],
)
def test_a_game_is_read_as_people_write_it(text: str) -> None:
    assert read_pasted(text) == CORNER


@pytest.mark.parametrize(
    "text",
    [
        "X.O/.X./..O",
        "x.o/.x./..o",
        "X.O\n.X.\n..O\n",
        "X . O\n. X .\n. . O",
        "X.O .X. ..O",
        "X_O/_X_/__O",
        "x-o-x---o",
        "3x3x3 X.O/.X./..O",
        "/play/3x3x3?from=X.O/.X./..O",
        "https://noughts.example/play/3x3x3?from=X.O%2F.X.%2F..O&show=off",
        "https://noughts.example/practise/3x3x3-X.O_.X._..O-block?tried=c2",
    ],
)
def test_a_position_is_read_as_people_write_it(text: str) -> None:
    assert read_pasted(text) == Game.starting(SHOWN)


def test_rows_may_be_followed_by_moves() -> None:
    assert format_moves(read_pasted("X.O/.X./..O c2 a2").moves, TIC_TAC_TOE) == "c2a2"


def test_a_board_alone_is_its_empty_position() -> None:
    assert read_pasted("5x4x4") == Game.starting(Position(parse_rules("5x4x4")))


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
