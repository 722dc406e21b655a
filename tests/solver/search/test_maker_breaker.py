"""The weak game and its pairings: answers compared with a plain search, the table, and the cost."""

import random
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, islice
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from hypothesis import given

from solver.board.notation import parse_cell, parse_position, parse_rules
from solver.board.position import Position
from solver.board.rules import Bits, Rules, cells_of, union
from solver.kernel import engine
from solver.kernel.maker_breaker import SLOT, ProofTable
from solver.search.budget import BudgetExhausted
from solver.search.solver import ROUNDS, pairing
from solver.search.tablebase import unfinished
from tests.marked import exhaustive, slow
from tests.strategies import SMALL_DRAWN, SMALL_FAMILIES, positions

BOARDS = [
    *(Rules(columns, rows, k) for columns in range(3, 6) for rows in range(2, 6) for k in range(2, columns + 1)),
    *SMALL_FAMILIES,
    *SMALL_DRAWN,
    *map(parse_rules, ("4x4x3-torus", "5x4x4-klein", "4x4x4-projective", "5x5-elly", "5x4-mobius-tippy", "5x3-snaky")),
]
MAX_FREE = 10
KERNELS = [pytest.param(engine.kernel, id="chosen"), pytest.param(engine.interpreted(), id="interpreted")]


class Question(NamedTuple):
    """A question about the weak game. Squares that are neither Maker's nor free are Breaker's."""

    rules: Rules
    maker: Bits
    free: Bits
    maker_moves: bool


@cache
def plain_answer(question: Question) -> bool:
    """Return the answer by trying all moves."""
    rules, maker, free, maker_moves = question
    if any(line & maker == line for line in rules.lines):
        return True
    if not free:
        return False
    answers = (
        plain_answer(Question(rules, maker | (1 << cell if maker_moves else 0), free ^ 1 << cell, not maker_moves))
        for cell in cells_of(free)
    )
    return any(answers) if maker_moves else all(answers)


def questions(seed: int) -> Iterator[Question]:
    """Yield random questions, in which Maker has no line yet."""
    rng = random.Random(seed)
    while True:
        rules = rng.choice(BOARDS)
        cells = rng.sample(range(rules.size), rules.size)
        count = rng.randint(1, min(MAX_FREE, rules.size))
        free = sum(1 << cell for cell in cells[:count])
        maker = sum(1 << cell for cell in cells[count:] if rng.random() < 0.6)
        if not any(line & maker == line for line in rules.lines):
            yield Question(rules, maker, free, rng.random() < 0.5)


def new(rules: Rules, kernel: ModuleType | None = None, max_entries: int = 1 << 16) -> Any:
    searcher = (kernel or engine.interpreted()).MakerBreaker(rules, ProofTable(max_entries))
    searcher.pause_at = 1 << 62
    return searcher


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("count", [100, *slow(400), *exhaustive(20_000)])
def test_every_answer_is_that_of_trying_all_moves(kernel: ModuleType, count: int) -> None:
    searchers = {rules: new(rules, kernel) for rules in BOARDS}
    for question in islice(questions(seed=1), count):
        rules, *asked = question
        for _ in range(2):  # the second time from what is remembered
            assert searchers[rules].wins(*asked) == plain_answer(question), question


@pytest.mark.parametrize("count", [60, *slow(200), *exhaustive(5000)])
def test_makers_stones_outside_the_zone_of_a_position_that_is_held_change_nothing(count: int) -> None:
    held = 0
    for question in islice(questions(seed=2), count):
        rules, maker, free, maker_moves = question
        searcher = new(rules)
        for _ in range(2):
            if not searcher.wins(maker, free, maker_moves):
                outside = free & ~searcher.zones[0]
                assert not plain_answer(Question(rules, maker | outside, free & ~outside, maker_moves)), question
                held += 1
    assert held > count // 2


@pytest.mark.parametrize("board", ["6x6x5", *slow("7x6x5"), *exhaustive("8x5x5")])
def test_the_compiled_search_and_the_interpreted_one_look_at_the_same_cores(board: str) -> None:
    rules = parse_rules(board)
    searchers = [new(rules, kernel) for kernel in (engine.kernel, engine.interpreted())]
    answers = [(each.wins(0, rules.full, True), each.nodes) for each in searchers]
    assert answers[0] == answers[1]
    assert not answers[0][0]


@pytest.mark.parametrize("entries", [1, 1 << 11])
def test_a_table_without_room_costs_nodes_and_no_answer(entries: int) -> None:
    rules = parse_rules("7x7x5")
    small, large = new(rules, engine.kernel, entries), new(rules, engine.kernel, 1 << 18)
    assert small.wins(0, rules.full, True) == large.wins(0, rules.full, True)
    assert small.nodes > large.nodes


def test_a_table_grows_no_more_than_it_is_filled() -> None:
    rules = parse_rules("7x7x5")
    table = ProofTable(1 << 24)
    searcher = engine.kernel.MakerBreaker(rules, table)
    searcher.pause_at = 1 << 62
    searcher.wins(0, rules.full, True)
    assert searcher.nodes < len(table.words) // SLOT < 4 * searcher.nodes


def test_a_line_left_without_a_pair_has_its_turn_earlier_in_another_round(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, kernel = parse_rules("8x6x5"), engine.interpreted()
    often, once = new(rules, kernel), new(rules, kernel)
    assert not often.wins(1, rules.full ^ 1, False)
    monkeypatch.setattr(sys.modules[kernel.MakerBreaker.__module__], "ROUNDS", 1)
    assert not once.wins(1, rules.full ^ 1, False)
    assert 2 * often.nodes < once.nodes


def test_what_was_found_before_a_pause_ended_the_search_is_not_searched_again() -> None:
    rules = parse_rules("7x7x5")
    whole, parts = new(rules, engine.kernel), new(rules, engine.kernel)
    whole.wins(0, rules.full, True)

    def stop() -> int:
        raise BudgetExhausted

    parts.on_pause, ended = stop, False
    while not ended:
        parts.pause_at = parts.nodes + 2000
        try:
            parts.wins(0, rules.full, True)
            ended = True
        except BudgetExhausted:
            pass
    assert parts.nodes < 2 * whole.nodes


def test_what_is_remembered_is_there_for_others_who_share_the_table() -> None:
    rules, table = parse_rules("7x6x5"), ProofTable(1 << 16)
    one, other = (engine.kernel.MakerBreaker(rules, table) for _ in range(2))
    one.pause_at = other.pause_at = 1 << 62
    assert one.wins(0, rules.full, True) == other.wins(0, rules.full, True)
    assert one.nodes > 100 * other.nodes


@pytest.mark.parametrize(("board", "most"), [("7x7x5", 10_000), ("8x6x5", 10_000)])
def test_no_first_move_makes_a_line_on_these_boards(board: str, most: int) -> None:
    rules = parse_rules(board)
    searcher = new(rules, engine.kernel, 1 << 18)
    assert not searcher.wins(0, rules.full, True)
    assert searcher.nodes < most


@pytest.mark.parametrize(("board", "stones"), [("3x3x3", ""), ("5x5x4", "b3,c3"), ("7x7x5", "c4,d4,e4")])
def test_maker_completes_a_line_that_breaker_can_only_prevent(board: str, stones: str) -> None:
    rules = parse_rules(board)
    maker = union(1 << parse_cell(stone, rules) for stone in stones.split(",") if stone)
    assert new(rules).wins(maker, rules.full & ~maker, True)


def test_two_lines_that_miss_the_same_two_squares_are_one_threat() -> None:
    rules = parse_rules("3x4x3")
    maker = union(1 << parse_cell(stone, rules) for stone in ("c4", "c3", "c1"))
    free = rules.full & ~maker & ~union(1 << parse_cell(stone, rules) for stone in ("b3", "c2"))
    assert not new(rules).wins(maker, free, False)


def lines_against(position: Position) -> Iterator[tuple[Bits, ...]]:
    """Return the open squares of the lines that each player can still complete."""
    for own, other in ((position.x, position.o), (position.o, position.x)):
        yield tuple(line & ~own for line in position.rules.lines if not line & other)


def has_pairing(lines: Sequence[Bits]) -> bool:
    """Return whether there is a pairing, by trying all."""
    if not lines:
        return True
    pairs = (1 << low | 1 << high for low, high in combinations(cells_of(min(lines, key=int.bit_count)), 2))
    return any(has_pairing([line & ~pair for line in lines if line & pair != pair]) for pair in pairs)


@given(positions())
def test_pairs_are_disjoint_and_each_line_holds_one(position: Position) -> None:
    for lines in lines_against(position):
        pairs = pairing(lines) or ()
        squares = [cell for pair in pairs for cell in pair]
        assert len(set(squares)) == len(squares)
        assert not pairs or all(any(line >> low & line >> high & 1 for low, high in pairs) for line in lines)


@pytest.mark.parametrize("board", ["3x3x3", "4x2x3"])
def test_where_trying_all_finds_a_pairing_one_is_found(board: str) -> None:
    for position in unfinished(parse_rules(board)):
        for lines in lines_against(position):
            assert (pairing(lines) is not None) == has_pairing(lines)


def test_lines_with_a_square_each_or_too_few_in_all_have_no_pairing() -> None:
    assert pairing([0b1]) is None
    assert pairing([0b011, 0b110]) is None


def test_no_lines_need_no_pairs() -> None:
    assert pairing([]) == ()


def test_a_line_that_got_no_pair_has_its_turn_earlier(monkeypatch: pytest.MonkeyPatch) -> None:
    lines, _ = lines_against(parse_position("....X/...../.O.../...O./....X", parse_rules("5x5x4")))
    assert pairing(lines) is not None
    monkeypatch.setattr("solver.search.solver.ROUNDS", 1)
    assert pairing(lines) is None


@given(positions())
def test_the_interpreted_search_finds_the_same_pairs(position: Position) -> None:
    for lines in lines_against(position):
        found = engine.interpreted().Pairings(lines).search(ROUNDS)
        assert found == engine.kernel.Pairings(lines).search(ROUNDS)
