"""How a line is found from a stone and a direction."""

from hypothesis import given

from solver.articles.generic import line_check
from solver.board.notation import format_cells, parse_position
from solver.board.position import Mark, Position
from solver.board.rules import union
from tests.strategies import examples, positions


@examples(100)
@given(positions())
def test_a_line_is_found_exactly_where_a_player_has_one(position: Position) -> None:
    for mark in Mark:
        runs = line_check(position, mark)
        assert any(run.is_line for run in runs) is bool(position.lines_of(mark))
        for run in runs:
            assert run.start == run.stones[0]
            assert all(position.mark_at(cell) is mark for cell in run.stones)
            assert run.stopped_by is None or position.mark_at(run.stopped_by) is not mark
            assert run.is_line is (union(1 << cell for cell in run.stones) in position.lines_of(mark))


def test_the_check_stops_at_the_first_line() -> None:
    # the end of the game in the log of the Scala article
    end = parse_position("XOX/OO./XOX")
    runs = line_check(end, Mark.O)
    assert [run.is_line for run in runs] == [False] * (len(runs) - 1) + [True]
    assert format_cells(runs[-1].stones, end.rules) == "b3, b2, b1"
