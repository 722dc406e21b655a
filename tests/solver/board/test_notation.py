"""Parsers and formatters of boards, cells, moves and positions."""

import re
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solver.board.game import read_game
from solver.board.notation import (
    BOARD_PATTERN,
    MAX_BOARD_LENGTH,
    PLAYABLE_PATTERN,
    format_cell,
    format_moves,
    format_position,
    nearest_rules,
    parse_cell,
    parse_position,
    parse_rules,
    quoted,
    split_moves,
)
from solver.board.position import Position
from solver.board.rules import Rules
from solver.errors import BadNotation, BadRules, IllegalMove, NoughtsError
from tests.strategies import TIC_TAC_TOE, boards, positions


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


def test_moves_may_be_digits_or_rows_and_columns() -> None:
    for text in ("b2a3c1", "5 1 9", "519", "2,2 1,1 3,3"):
        assert read_game(Position(TIC_TAC_TOE), text).whole().moves == (4, 0, 8)


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
