"""Pairings: all that are found are valid, and hardly any is missed."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given

from solver.board.notation import parse_position, parse_rules
from solver.board.position import Position
from solver.board.rules import Bits, cells_of
from solver.kernel import engine
from solver.search.solver import ROUNDS, pairing
from solver.search.tablebase import unfinished
from tests.strategies import positions


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
