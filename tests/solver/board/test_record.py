"""Records of games: what is written reads back, in every game, and what other programs write is understood."""

from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.game import Game, parse_game
from solver.board.names import parse_rules
from solver.board.pasted import read_pasted
from solver.board.position import Position, Result
from solver.board.record import OWN, RESULTS, GameRecord, parse_record, parse_records
from solver.board.rules import Rules
from solver.board.shelf import SHELF
from solver.errors import NoughtsError
from tests.solver.board.test_notation import games
from tests.strategies import boards, examples

NAMED = st.sampled_from([parse_rules(game.board) for game in SHELF])
NAMES = st.from_regex(r"[A-Z][A-Za-z0-9_]{0,9}", fullmatch=True).filter(lambda name: name not in OWN)
VALUES = st.text(max_size=30).filter(str.isprintable)
COMMENTS = st.text(st.characters(exclude_characters="}", exclude_categories=["Cs"]), max_size=120)


@st.composite
def records(draw: st.DrawFn, rules: st.SearchStrategy[Rules]) -> GameRecord:
    """Draw a record of a game from the empty board or, where rows tell a position, from any one."""
    board = draw(rules)
    game = Game.starting(Position(board)) if board.vanishes else draw(games(st.just(board)))
    for _ in range(draw(st.integers(0, 12))):
        if game.last.legal_moves:
            game = game.play(draw(st.sampled_from(game.last.legal_moves)))
    comments = draw(st.dictionaries(st.integers(0, len(game.moves)), COMMENTS, max_size=4))
    headers = draw(st.dictionaries(NAMES, VALUES, max_size=4))
    return GameRecord(game, headers, comments, None if game.last.result else draw(st.sampled_from([None, *Result])))


@examples(100)
@given(records(NAMED | boards()))
def test_a_record_reads_back_as_written_in_every_game(record: GameRecord) -> None:
    assert parse_record(str(record)) == record
    assert max(map(len, str(record).rpartition("\n\n")[2].splitlines())) <= 200


@examples(30)
@given(st.lists(records(NAMED), max_size=4))
def test_records_in_one_text_read_back_one_by_one(several: list[GameRecord]) -> None:
    assert [*parse_records("\n\n".join(map(str, several)))] == several


@examples(30)
@given(records(NAMED))
def test_a_record_can_be_pasted(record: GameRecord) -> None:
    if len(str(record)) <= 2000:
        assert read_pasted(str(record)) == record.game


def test_a_game_that_starts_with_stones_that_vanish_reads_back() -> None:
    start = parse_game("3x3x3-vanishing", None, "b2a1c3a3b1b3a2").last
    record = GameRecord(Game.starting(start).play(start.legal_moves[0]))
    assert parse_record(str(record)) == record


WRITTEN_ELSEWHERE = """
[Event "Club"]\r
[Board "connect four"]
[X "A \\"quoted\\" name"]

; a comment of the rest of the line
1. d1 $1 d2! (1... e1 {a variation (too)} 2. e2) 2.4 {and
this}3 {too}  0-1
"""


def test_what_other_programs_write_is_understood() -> None:
    record = parse_record(WRITTEN_ELSEWHERE)
    assert (record.game.columns, record.result) == ("4443", Result.O)
    assert dict(record.headers) == {"Event": "Club", "X": 'A "quoted" name'}
    assert dict(record.comments) == {0: "a comment of the rest of the line", 3: "and this", 4: "too"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[Board "chess"] 1. e4 *', "“chess” isn't a board."),
        ("1. b2 b2 *", "Move 2, b2, is illegal. b2 is taken: X stands there."),
        ("1. b2 <a1> *", "The record can't be read from “<a1> *” on."),
        ('[Result "X"] 1. b2', "“X” is no result: write 1-0, 0-1, 1/2-1/2, *."),
        ("1. a1 b1 a2 b2 a3 0-1", "The result is 0-1, but the game ended with 1-0."),
        ('[From "XO"] b2', "“XO” isn't a position on 3x3x3"),
        ("1. b2 {open", "The record can't be read from “{open” on."),
    ],
)
def test_a_bad_record_is_refused_with_the_reason(text: str, said: str) -> None:
    with pytest.raises(NoughtsError) as refused:
        parse_record(text)
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize(
    "record",
    [
        partial(GameRecord, headers={"Board": "3x3x3"}),
        partial(GameRecord, headers={"two words": ""}),
        partial(GameRecord, headers={"X": "two\nlines"}),
        partial(GameRecord, comments={0: "}"}),
        partial(GameRecord, comments={1: "after the end"}),
    ],
)
def test_nothing_is_written_that_would_not_read_back(record: partial[GameRecord]) -> None:
    with pytest.raises(NoughtsError):
        record(Game.starting("3x3x3"))


@given(st.text(max_size=60) | st.text('[]{}();.123*-/ "ab\\\nXBoard', max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(NoughtsError):
        assert all(record.result in RESULTS for record in parse_records(text))
