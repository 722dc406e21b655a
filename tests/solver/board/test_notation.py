"""How boards, cells, moves and positions are written and read: names, pasted games, and what repr shows."""

import re
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solver import predict
from solver.board.game import Game, parse_game, read_game
from solver.board.names import parse_rules
from solver.board.notation import (
    BOARD_PATTERN,
    MAX_BOARD_LENGTH,
    PLAYABLE_PATTERN,
    format_cell,
    format_columns,
    format_moves,
    format_position,
    nearest_rules,
    parse_cell,
    parse_position,
    quoted,
    split_moves,
)
from solver.board.outcome import Bounds, Outcome, Value
from solver.board.pasted import format_game, read_fields, read_pasted
from solver.board.position import Position
from solver.board.rules import Rules
from solver.board.shelf import LONGEST_NAME, SHELF, board_called, fold
from solver.errors import BadNotation, BadRules, IllegalMove, NoughtsError
from tests.strategies import TIC_TAC_TOE, boards, examples, positions, reachable


@example("1x1-domino-flat-vanishing-strict-vanishing-strict")
@given(st.from_regex(PLAYABLE_PATTERN, fullmatch=True))
def test_every_board_that_can_be_played_fits_the_fields_for_boards(text: str) -> None:
    assert re.fullmatch(BOARD_PATTERN, text)
    with suppress(BadRules):
        assert len(str(parse_rules(text))) <= MAX_BOARD_LENGTH


@given(boards())
def test_a_cell_reads_back_as_written_and_as_row_and_column(rules: Rules) -> None:
    for cell in range(rules.size):
        column, row = rules.column_row(cell)
        assert parse_cell(format_cell(cell, rules), rules) == cell
        assert parse_cell(f"{row + 1},{column + 1}", rules) == cell


def test_a1_is_at_the_bottom_left_and_digits_read_from_the_top() -> None:
    names = [format_cell(cell, TIC_TAC_TOE) for cell in range(9)]
    assert names == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]
    assert [parse_cell(str(digit), TIC_TAC_TOE) for digit in range(1, 10)] == list(range(9))


@given(positions())
def test_a_position_reads_back_as_written_with_and_without_slashes(it: Position) -> None:
    assert parse_position(format_position(it), it.rules) == it
    # without slashes too, as the article on Haskell writes it: XX......O
    assert parse_position(format_position(it).replace("/", ""), it.rules) == it


@given(boards(), st.data())
def test_moves_read_back_as_written(rules: Rules, data: st.DataObject) -> None:
    moves = tuple(data.draw(st.permutations(range(rules.size))))
    for text in (format_moves(moves, rules), " ".join(format_cell(cell, rules) for cell in moves)):
        assert tuple(parse_cell(word, rules) for word in split_moves(text, rules)) == moves


CONNECT_FOUR = parse_rules("connect four")


@examples(40)
@given(st.lists(st.sampled_from("1234567"), max_size=45))
def test_columns_name_the_squares_where_stones_fall_and_read_back_as_written(columns: list[str]) -> None:
    game = read_game(Position(CONNECT_FOUR), "".join(columns)).game
    assert "".join(columns).startswith(game.columns)
    assert parse_game(CONNECT_FOUR, None, game.columns) == parse_game(
        CONNECT_FOUR, None, format_moves(game.moves, game.last.rules)
    )
    assert read_pasted(f"connect four {game.columns}") == game


def test_a_link_of_a_site_that_solves_connect_four_is_read() -> None:
    assert read_pasted("https://connect4.example/?pos=4453").columns == "4453"


def test_a_digit_is_a_column_and_a_number_a_cell() -> None:
    assert Position(CONNECT_FOUR).play("4") == Position(CONNECT_FOUR).play("d1") == Position(CONNECT_FOUR).play(38)
    assert Position("3x3x3-gravity").play("2") == Position("3x3x3-gravity").play("b1")
    assert Position(TIC_TAC_TOE).play("2") == Position(TIC_TAC_TOE).play("b3")


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("4444444", "Move 7, 4, is illegal. Column 4 is full."),
        ("48", "There is no column “8”: they go from 1 at the left to 7."),
        ("40", "There is no column “0”: they go from 1 at the left to 7."),
    ],
)
def test_a_column_that_takes_no_stone_is_refused_with_the_reason(moves: str, said: str) -> None:
    with pytest.raises(NoughtsError) as refused:
        parse_game(CONNECT_FOUR, None, moves)
    assert str(refused.value) == said


def test_columns_are_written_only_where_stones_fall() -> None:
    with pytest.raises(BadRules, match="where stones don't fall"):
        format_columns((4,), "3x3x3")


def test_a_game_is_read_up_to_its_first_illegal_move() -> None:
    reading = read_game(Position(TIC_TAC_TOE), "b2a1b2c3")
    assert format_moves(reading.game.moves, TIC_TAC_TOE) == "b2a1"
    assert isinstance(reading.problem, IllegalMove)
    assert str(reading.problem) == "Move 3, b2, is illegal. b2 is taken: X stands there."


def test_a_game_is_read_up_to_its_first_word_that_is_no_square() -> None:
    reading = read_game(Position(TIC_TAC_TOE), "b2a1!c3")
    assert format_moves(reading.game.moves, TIC_TAC_TOE) == "b2a1"
    with pytest.raises(BadNotation, match="“!c3”"):
        reading.whole()


@given(st.text(max_size=30))
def test_any_text_is_parsed_or_refused_with_a_message_of_one_line(text: str) -> None:
    for read in (parse_rules, lambda t: parse_cell(t, TIC_TAC_TOE), lambda t: parse_position(t, TIC_TAC_TOE)):
        message = "read"
        try:
            read(text)
        except NoughtsError as error:
            message = str(error)
        assert message
        assert "\n" not in message
    nearest_rules(text)
    read_game(Position(TIC_TAC_TOE), text)


def test_a_quotation_is_printable_and_short() -> None:
    assert quoted("a\nb\x00") == "“a�b�”"
    assert len(quoted("x" * 1000)) == 42


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
def test_a_position_reads_back_in_lines_and_letters(position: Position, empty: str, between: str, small: bool) -> None:
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
    assert all(eval(repr(position), NAMES) == position for position in reachable(TIC_TAC_TOE))  # noqa: S307


@pytest.mark.parametrize("text", ["X.O/.X./..O", "3x3x3 X.O/.X./..O", "a3 c3 b2 c1", "/play/3x3x3?moves=a3c3b2c1"])
def test_predict_takes_any_text_of_a_position(text: str) -> None:
    assert predict(text) == predict(parse_position("X.O/.X./..O"))


@pytest.mark.parametrize("name", ["c2", "6", "2,3"])
def test_a_square_can_be_played_by_its_name(name: str) -> None:
    assert Position("3x3x3").play(name) == Position(TIC_TAC_TOE).play(5)
