"""Gravity: stones fall to the lowest empty cell of a column, as in Connect Four."""

import pytest

from solver import parse_position, predict
from solver.board.names import parse_rules
from solver.board.notation import format_position
from solver.board.position import Position
from solver.errors import IllegalMove
from solver.kernel import engine
from solver.search.budget import UNLIMITED, Budget, Meter
from solver.search.exact import at_first, narrowing, narrowing_together
from solver.search.fold import reached
from solver.search.solver import Solver
from tests.solver.stored_proofs import opened


def test_symmetries_keep_the_bottom_down() -> None:
    for symmetry in parse_rules("4x3x3-cylinder-gravity").symmetries:
        assert [image // 4 for image in symmetry] == [cell // 4 for cell in range(12)]


def test_a_stone_goes_to_the_lowest_empty_cell_of_its_column() -> None:
    position = Position("3x3x3-gravity").play("b1")
    assert position.legal_moves == (4, 6, 8)
    with pytest.raises(IllegalMove, match="b3 is in the air: a stone in its column falls to b2"):
        position.play("b3")
    assert position.rules.landing(1, position.empty) == 4


@pytest.mark.parametrize("text", [".../.../OX.", "X../O../X..", "O../X../XOX", ".../OX./OX."])
def test_positions_that_falling_stones_can_reach_are_taken(text: str) -> None:
    assert format_position(parse_position(text, "3x3x3-gravity")) == text


@pytest.mark.skipif(engine.KERNEL == "interpreted", reason="too many nodes for the interpreter")
@pytest.mark.parametrize(
    ("board", "outcome"), [("5x4x4", "draw"), ("5x5x4", "draw"), ("6x4x4", "O wins in 12 moves (24 plies)")]
)
def test_boards_for_four_in_a_row_have_their_published_outcome(board: str, outcome: str) -> None:
    """Source: Tromp, "John's Connect Four Playground", for the winners."""
    position = Position(f"{board}-gravity")
    solver, known = Solver(position.rules), {position: at_first(position)}
    known |= narrowing(solver, known, Meter(UNLIMITED))
    assert known[position].score == (0 if outcome == "draw" else -9976)


@pytest.mark.skipif(engine.KERNEL == "interpreted", reason="too many nodes for the interpreter")
def test_threads_that_share_a_table_prove_what_one_proves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.search.exact.ALONE", 0)
    known = opened(Position("5x5x4-gravity"))
    first, *others = Solver(parse_rules("5x5x4-gravity")).team(3)
    together = known | dict(narrowing_together((first, *others), known, Meter(UNLIMITED)))
    assert all(solver.nodes for solver in others)
    assert together == known | dict(narrowing(Solver(first.rules), known, Meter(UNLIMITED)))


def test_who_must_play_below_a_threat_in_the_end_loses_without_a_search() -> None:
    position = parse_position("..X..../O.X...O/X.X...X/O.O...O/X.O.XOO/O.XOXXX", "7x6x4-gravity")
    solver = Solver(position.rules)
    assert solver.decided(position, position.plies_left - 1, Meter(UNLIMITED))
    assert solver.nodes == 1


def test_what_the_budget_does_not_reach_stays_unproved() -> None:
    prediction = predict(Position("7x6x5-gravity"), budget=Budget(nodes=1000))
    assert set(prediction.squares) == set(range(35, 42))
    assert all(each.plies is None for each in prediction.squares.values())


@pytest.mark.parametrize(("board", "count"), [("3x4x4", 6_000), ("4x3x4", 12_031)])
def test_turns_reach_as_many_positions_as_are_published(board: str, count: int) -> None:
    """Source: Tromp, "John's Connect Four Playground"."""
    start = Position(f"{board}-gravity")
    assert len(reached(start, Position.successors)) == count
