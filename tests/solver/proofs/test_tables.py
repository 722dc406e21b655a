"""Tables are made at once where that is cheap; expensive ones are made by a command, and stored."""

import logging
from pathlib import Path

import pytest
from hypothesis import given

from solver.board.game import parse_game
from solver.board.notation import parse_rules
from solver.board.outcome import DRAWN
from solver.board.position import Position
from solver.board.rules import bits_of
from solver.errors import BadRules, TooLarge
from solver.kernel.engine import KERNEL
from solver.proofs import tables
from solver.proofs.predict import AT_ONCE, IN_PASSING, known, predict
from solver.proofs.study import forget, proving, search_at_once
from solver.search import vanishing
from solver.search.budget import Budget
from solver.search.tables import seconds_of
from solver.search.vanishing import scores
from tests.marked import exhaustive
from tests.strategies import boards, examples, positions

pytestmark = pytest.mark.skipif(KERNEL == "interpreted", reason="the games are chosen by the compiled kernel's prices")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path))
    monkeypatch.setattr(tables, "_held", {})
    tables._load.cache_clear()
    forget()
    return tmp_path / "tables"


@pytest.fixture
def expensive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "SOON", 0)


def test_the_limits_of_tables_are_a_gigabyte_and_a_second_or_a_twentieth_for_pages() -> None:
    assert (tables.MOST_BYTES, tables.SOON, IN_PASSING) == (1 << 30, 1.0, 0.05)


@examples(30)
@given(positions(boards(4).filter(lambda board: 9 < board.size <= 12), max_empty=6))
def test_a_prediction_by_a_table_is_that_of_a_search(position: Position) -> None:
    prediction = predict(position)
    assert (prediction.nodes, prediction.complete) == (0, True)
    assert prediction.squares == search_at_once(position, Budget(seconds=10)).squares


def test_a_page_makes_only_tables_that_cost_it_little() -> None:
    rules = parse_rules("4x4x4")
    assert IN_PASSING < seconds_of(rules) <= tables.SOON
    assert tables.table_at_hand(rules, IN_PASSING) is None
    assert not known(Position(rules).play(2).play(9)).complete  # no other test asks about it
    assert tables.table_at_hand(parse_rules("4x3x3"), IN_PASSING) is not None


def test_what_one_answer_has_made_is_known_to_pages_too() -> None:
    for board in ("4x4x4", "4x3x3-vanishing"):
        position = Position(board).play(1).play(7)  # no other test asks about it
        assert tables.scores_at_hand(position.rules, IN_PASSING) is None
        assert predict(position) == known(position)


def test_the_oldest_of_five_tables_is_forgotten() -> None:
    rules = [parse_rules(board) for board in ("4x3x3", "3x4x3", "4x3x2", "3x4x2", "5x2x3")]
    made = [tables.table_at_hand(each) for each in rules]
    assert [tables.table_at_hand(each, seconds=0) for each in rules] == [None, *made[1:]]


def test_a_process_that_forgets_has_the_memory_of_its_tables_again() -> None:
    for board in ("4x3x3", "4x3x3-vanishing"):
        assert predict(board).complete
    forget()
    assert tables._held == {}
    assert vanishing.table.cache_info().currsize == 0


@pytest.mark.usefixtures("expensive")
def test_an_expensive_table_is_made_by_demand_only_and_then_found_by_everybody(folder: Path) -> None:
    rules = parse_rules("4x3x3")
    assert tables.table_at_hand(rules) is None
    made = tables.whole_table(rules)
    assert tables.table_at_hand(rules) is made
    tables._held.clear()
    loaded = tables.table_at_hand(rules)
    assert loaded is not None
    assert loaded is not made
    assert len(list(folder.iterdir())) == 1
    position = parse_game("4x3x3", None, "b2c2").last
    assert loaded.score(position.x, position.o) == made.score(position.x, position.o)
    assert predict(position).complete
    assert next(iter(proving(position))).complete


@pytest.mark.usefixtures("expensive")
def test_a_damaged_table_is_left_out(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    rules = parse_rules("4x3x3")
    tables.whole_table(rules)
    tables._held.clear()
    (file,) = folder.iterdir()
    content = bytearray(file.read_bytes())
    content[1000] ^= 1
    file.unlink()
    file.write_bytes(content)
    with caplog.at_level(logging.WARNING, "noughts"):
        assert tables.table_at_hand(rules) is None
    assert "damaged" in caplog.text


@pytest.mark.usefixtures("expensive")
def test_the_oldest_tables_make_room_for_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_BYTES", 200_000)
    old, new = parse_rules("4x3x3"), parse_rules("3x4x3")
    for rules in (old, new):
        tables.whole_table(rules)
    tables._held.clear()
    assert [tables.table_at_hand(rules) is None for rules in (old, new)] == [True, False]


@pytest.mark.parametrize(("board", "error"), [("6x4x4", TooLarge), ("8x8x5", TooLarge), ("4x4x3-vanishing", BadRules)])
def test_a_table_that_cannot_be_made_says_why(board: str, error: type[Exception]) -> None:
    with pytest.raises(error, match=board):
        tables.whole_table(parse_rules(board))


@pytest.mark.parametrize("board", ["5x2x2-vanishing", *exhaustive("4x3x3-vanishing", "4x3x3-vanishing-strict")])
def test_a_game_of_vanishing_stones_is_looked_up_where_its_orders_are_few(board: str) -> None:
    rules = parse_rules(board)
    for ages, score in scores(rules).items():
        position = Position(rules, bits_of(ages[::2]), bits_of(ages[1::2]), ages)
        assert tables.score_at_hand(position) == score, position
    assert predict(Position(rules)).complete


def test_a_game_of_vanishing_stones_with_many_orders_is_searched() -> None:
    assert tables.scores_at_hand(parse_rules("4x3x3-vanishing"), IN_PASSING) is None
    assert tables.scores_at_hand(parse_rules("4x4x4-vanishing")) is None


def test_stones_that_no_game_reaches_are_searched_though_there_is_a_table() -> None:
    position = Position("4x3x3", x=0b1000_0000_0001)
    assert predict(position) == search_at_once(position, AT_ONCE)


def test_a_table_tells_a_score_without_a_prediction() -> None:
    assert tables.score_at_hand(Position("3x3x3")) == DRAWN
    assert tables.score_at_hand(Position("4x3x3"), IN_PASSING) == 9993
    assert tables.score_at_hand(Position("8x8x5")) is None
