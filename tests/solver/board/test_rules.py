"""The rules: lines, symmetries and the boards that are refused."""

import pytest
from hypothesis import given

from solver.board.notation import parse_position, parse_rules
from solver.board.outcome import Value
from solver.board.position import Position
from solver.board.rules import Bits, Rules, cells_of, mapped, rules_of
from solver.proofs.file import key_of
from solver.proofs.predict import predict
from tests.strategies import boards


@given(boards())
def test_a_cell_knows_exactly_the_lines_that_hold_it(rules: Rules) -> None:
    for cell in range(rules.size):
        assert set(rules.lines_through[cell]) == {line for line in rules.lines if cell in cells_of(line)}


TOP_ROW, LEFT_COLUMN = 0b111, 0b001_001_001
TOP_ROW_ONLY = Rules(3, 3, 3, winning=(TOP_ROW,))
SOME_LINES = [(), (TOP_ROW,), (LEFT_COLUMN,), (TOP_ROW, LEFT_COLUMN), (0b001_010_100, 0b100_010_001)]


def test_rules_with_given_lines_have_no_others() -> None:
    assert TOP_ROW_ONLY.lines == (TOP_ROW,)
    assert TOP_ROW_ONLY.threats(0b011_011, 0) == 0b100


@pytest.mark.parametrize(("lines", "count"), [*zip(SOME_LINES, (8, 2, 2, 2, 8), strict=True)])
def test_the_symmetries_of_given_lines_map_them_onto_themselves(lines: tuple[Bits, ...], count: int) -> None:
    rules = Rules(3, 3, 3, lines)
    assert len(rules.symmetries) == len(rules.images) == count
    assert all({mapped(line, symmetry) for line in lines} == set(lines) for symmetry in rules.symmetries)


def test_rules_with_other_lines_have_another_spelling() -> None:
    """Proofs are filed under this text."""
    assert len({str(Rules(3, 3, 3, lines)) for lines in (None, *SOME_LINES)}) == 1 + len(SOME_LINES)
    assert parse_rules(str(TOP_ROW_ONLY)) == TOP_ROW_ONLY
    assert key_of(Position(TOP_ROW_ONLY)) != key_of(Position(rules_of(3, 3, 3)))


def test_a_game_with_other_lines_is_predicted_by_these_lines() -> None:
    with_two = parse_position("XX./OO./...", TOP_ROW_ONLY)
    assert predict(with_two).best == (2,)
    assert predict(with_two.transformed(Rules(3, 3, 3).symmetries[1])).best == (0,)
    on_its_side = Position(TOP_ROW_ONLY, x=LEFT_COLUMN & ~1, o=0b010_010_000)
    assert {each.value for each in predict(on_its_side).squares.values()} == {Value.DRAW}
