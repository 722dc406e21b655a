"""Tables of all positions agree with the rules, in every family of games."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.board.notation import parse_rules
from solver.board.rules import Drop, Goal, Marking, Rules, rules_of
from solver.errors import BadRules
from solver.kernel import engine
from solver.search import tables
from solver.search.minimax import minimax
from tests.marked import exhaustive, sampled
from tests.strategies import (
    SMALL_BOARDS,
    SMALL_DRAWN,
    SMALL_FAMILIES,
    boards,
    drawn_games,
    examples,
    families,
    positions,
    scores_by_the_rules,
)

CLAUSES = [
    (drop, goal, marks)
    for drop in Drop
    for goal in Goal
    for marks in (Marking.OWN, Marking.WILD, Marking.NOTAKTO)
    if (goal, marks) != (Goal.MISERE, Marking.NOTAKTO)
]
"""The clauses of games in which stones stay."""


def with_clauses(rules: Rules, drop: Drop, goal: Goal, marks: Marking) -> Rules:
    return rules_of(
        rules.columns, rules.rows, rules.k, rules.surface, rules.shape, drop, goal, marks, rules.holes, rules.winning
    )


def made(rules: Rules) -> "engine.kernel.Tablebase":
    return tables.make(rules, memoryview(bytearray(tables.bytes_of(rules))))


@pytest.mark.parametrize("rules", [*sampled(SMALL_BOARDS + SMALL_FAMILIES + SMALL_DRAWN, 9)], ids=str)
def test_every_position_of_a_small_board_has_the_score_that_the_rules_give(rules: Rules) -> None:
    table = made(rules)
    for position, score in scores_by_the_rules(rules).items():
        assert table.score(position.x, position.o) == score, position


@pytest.mark.parametrize("clauses", CLAUSES, ids="-".join)
@pytest.mark.parametrize("board", ["3x2x2", "2x3x3", *exhaustive("3x3x3", "4x2x2", "2x4x3", "3x3x2")])
def test_every_clause_counts(board: str, clauses: tuple[Drop, Goal, Marking]) -> None:
    rules = with_clauses(parse_rules(board), *clauses)
    table = made(rules)
    for position, score in scores_by_the_rules(rules).items():
        assert table.score(position.x, position.o) == score, position


@pytest.mark.parametrize(
    "board", ["3x3x3", "3x2x2-gravity", "3x2x3-cylinder-gravity", "2x2x2-wild", "3x2x2-notakto", "3x3x3-holesb2"]
)
def test_stones_that_no_game_reaches_have_no_score(board: str) -> None:
    rules = parse_rules(board)
    table, reached = made(rules), {(each.x, each.o) for each in scores_by_the_rules(rules)}
    for x in range(1 << rules.size):
        for o in range(1 << rules.size):
            if not x & o and not (x | o) & ~rules.full and (x, o) not in reached:
                with pytest.raises(ValueError, match="No game reaches"):
                    table.score(x, o)


@examples(60)
@given(st.data())
def test_late_positions_of_larger_boards_have_the_score_of_minimax(data: st.DataObject) -> None:
    some = boards(5).filter(lambda each: 9 < each.size <= 14) | families(12) | drawn_games()
    board, clauses = data.draw(some), data.draw(st.sampled_from(CLAUSES))
    try:
        rules = with_clauses(board, *clauses)
    except BadRules:  # clauses that exclude each other
        rules = board
    position = data.draw(positions(st.just(rules), max_empty=5 if rules.is_wild else 7))
    assert made(rules).score(position.x, position.o) == minimax(position).score


@pytest.mark.skipif(engine.KERNEL == "interpreted", reason="no kernel is compiled here")
@pytest.mark.parametrize("board", ["3x3x3-gravity", "3x2x2-wild", "3x3x3-holesb2", "3x3x3-misere"])
def test_the_interpreted_kernel_makes_the_same_table(board: str) -> None:
    rules = parse_rules(board)
    memories = [memoryview(bytearray(tables.bytes_of(rules))) for _ in range(2)]
    tables.make(rules, memories[0])
    other = engine.interpreted().Tablebase(rules, memories[1].cast("b"), tables.ways_to_mark(rules))
    tables.fill(other, range(rules.squares + 1), map)
    assert memories[0] == memories[1]


def test_the_bytes_and_seconds_of_a_table_follow_from_its_squares() -> None:
    boards = {"3x3x3": 6_046, "4x3x3": 143_365, "4x4x4": 10_165_779, "4x4x4-wild": 3**16, "4x4x3-notakto": 2**16}
    assert {board: tables.bytes_of(parse_rules(board)) for board in boards} == boards
    assert tables.SECONDS_A_BYTE == {"compiled": 3e-8, "interpreted": 3e-6}


def test_threads_that_share_the_work_make_the_same_table(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = parse_rules("3x3x3")
    alone, shared = (memoryview(bytearray(tables.bytes_of(rules))) for _ in range(2))
    tables.make(rules, alone)
    monkeypatch.setattr(tables, "SHARED", 0)
    assert tables.make(rules, shared).score(0, 0) == tables.small(rules).score(0, 0)
    assert alone == shared
