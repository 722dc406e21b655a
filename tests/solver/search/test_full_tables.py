"""Exact scores of four by four, position by position, against a full table that shares no code with the searches."""

from collections.abc import Iterator
from itertools import islice

import pytest

from solver.board.notation import parse_rules
from solver.board.outcome import DRAWN, WIN, to_parent
from solver.board.position import Position
from solver.board.rules import Rules
from solver.kernel.engine import KERNEL
from solver.search.budget import UNLIMITED, Meter
from solver.search.exact import prove_moves, prove_score
from solver.search.solver import Solver
from solver.search.tablebase import look_up, positions
from tests.marked import exhaustive
from tests.solver.full_table import FullTable, classes, full_table

EMPTY_BOARD = {"4x4x3": WIN - 5, "4x4x4": DRAWN}
"""The score of the empty board: Uiterwijk and van den Herik, "The advantage of the initiative", 2000, for the values;
five plies are the fewest that put three X on a board."""

CLASSES = {"4x4x3": 434_209, "4x4x4": 1_135_902}
"""Positions without a line, one of each symmetry class."""

SOLVED = [800, *exhaustive(50_000)]
"""The number of positions of a board that are each solved by a new solver."""

MOVES_PROVED = [150, *exhaustive(3_000)]
"""The number of positions of which every move is proved."""


def sample(rules: Rules, count: int) -> Iterator[Position]:
    """Yield at least `count` positions without a line, of different symmetry classes."""
    return islice(classes(rules), 0, None, CLASSES[str(rules)] // count)


@pytest.fixture(scope="module", params=[*exhaustive("4x4x3"), "4x4x4"])
def full(request: pytest.FixtureRequest) -> FullTable:
    return full_table(parse_rules(request.param))


@pytest.mark.slow
@pytest.mark.parametrize("board", ["3x3x3", "4x3x3", *exhaustive("3x4x3")])
def test_the_full_table_agrees_with_the_table_of_reachable_positions(board: str) -> None:
    rules = parse_rules(board)
    full = full_table(rules)
    for position in positions(rules):
        assert full.score(position) == look_up(position), position


@pytest.mark.slow
def test_the_full_table_has_the_published_value_of_the_empty_board(full: FullTable) -> None:
    assert full.score(Position(full.rules)) == EMPTY_BOARD[str(full.rules)]


@pytest.mark.exhaustive
@pytest.mark.skipif(KERNEL != "compiled", reason="takes the interpreter minutes; the sample below is for it too")
def test_every_position_is_decided_within_as_many_plies_as_the_full_table_says_and_no_fewer(full: FullTable) -> None:
    solver, meter, count = Solver(full.rules), Meter(UNLIMITED), 0
    for position in classes(full.rules):
        score, left = full.score(position), position.plies_left
        first = left + 1 if score == DRAWN else WIN - abs(score)
        assert score == DRAWN or solver.decided(position, first, meter), position
        # An odd number asks for a win and an even one for a loss; an answer holds for all fewer plies of its kind.
        assert not any(solver.decided(position, plies, meter) for plies in range(max(1, first - 2), first)), position
        count += 1
    assert count == CLASSES[str(full.rules)]


@pytest.mark.slow
@pytest.mark.parametrize("count", SOLVED)
def test_solving_agrees_with_the_full_table(full: FullTable, count: int) -> None:
    for position in sample(full.rules, count):
        assert prove_score(position).score == full.score(position), position


@pytest.mark.slow
@pytest.mark.parametrize("count", MOVES_PROVED)
def test_proving_all_moves_agrees_with_the_full_table(full: FullTable, count: int) -> None:
    for position in sample(full.rules, count):
        scores = {cell: to_parent(full.score(position.after(cell))) for cell in position.legal_moves}
        assert prove_moves(position, position.legal_moves).scores == scores, position
