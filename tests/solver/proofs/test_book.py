"""Books: `noughts book` builds them, and the shipped ones contain what the solver proves."""

import random
from pathlib import Path

import pytest

from solver.board.notation import format_outcomes, parse_rules
from solver.board.outcome import LOST, Bounds, Value, to_parent
from solver.board.position import Position
from solver.errors import BadOption
from solver.kernel.engine import KERNEL
from solver.proofs import file
from solver.proofs.file import openings
from solver.proofs.predict import predict
from solver.proofs.store import BOOKS, Store, shipped_books
from solver.search.budget import Budget, Meter
from solver.search.exact import at_first, narrowing, prove_score
from solver.search.solver import Solver
from tests.marked import exhaustive
from tests.solver.conftest import Run
from tests.solver.stored_proofs import rows

SAMPLES = [8, *exhaustive(200)] if KERNEL == "compiled" else [4]
"""The number of positions of a shipped book that are proved again."""

REACH = Budget(nodes=20_000 if KERNEL == "compiled" else 3_000)
"""The budget of each proof. Positions that take more are left out."""

OUT_OF_REACH = {"7x6x4-gravity", "8x7x5", "8x8x5"}
"""Books without a position that is proved within that budget: to make them takes minutes."""


def test_a_book_holds_the_score_of_every_position_with_few_stones(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    printed = f"{path}: 37 positions of 4x4x4 with up to 2 stones.\n"
    assert run("book", "4x4x4", "--stones", "2", "--output", str(path)) == (0, printed, "")
    rules = parse_rules("4x4x4")
    two_stones = {Position(rules).after(x).after(o) for x in range(16) for o in range(16) if x != o}
    expected = [Position(rules), *map(Position(rules).after, range(16)), *two_stones]
    with Store(None, [path]) as store:
        known = store.bounds_of(expected)
    assert known == {position: prove_score(position).bounds for position in expected}
    assert len(rows(path)) == 37


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_same_book_has_the_same_bytes_however_many_build_it(run: Run, tmp_path: Path, jobs: str) -> None:
    first, again = tmp_path / "first.sqlite", tmp_path / "again.sqlite"
    assert run("book", "4x4x3", "--stones", "2", "--output", str(first))[0] == 0
    assert run("book", "4x4x3", "--stones", "2", "--output", str(again), "--jobs", jobs)[0] == 0
    assert first.read_bytes() == again.read_bytes()


@pytest.mark.parametrize("board", ["4x4x4", "4x4x3", "5x2x2", "1x1x1"])
def test_the_openings_are_the_unfinished_positions_that_play_reaches(board: str) -> None:
    rules = parse_rules(board)
    layer, reached = {Position(rules)}, {Position(rules)}
    for _ in range(min(3, rules.size)):
        layer = {position.after(cell).canonical() for position in layer for cell in position.legal_moves}
        reached |= {position for position in layer if position.result is None}
    assert len(openings(rules, min(3, rules.size))) == len(reached)
    assert set(openings(rules, min(3, rules.size))) == reached


@pytest.mark.parametrize("board", ["4x4x4", "4x4x3", "5x5x2"])
def test_a_book_has_room_for_so_many_positions_and_no_more(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    count = len(openings(parse_rules(board), 3))
    monkeypatch.setattr(file, "MAX_OPENINGS", count)
    assert len(openings(parse_rules(board), 3)) == count
    monkeypatch.setattr(file, "MAX_OPENINGS", count - 1)
    with pytest.raises(BadOption, match="Take 2 stones at most"):
        openings(parse_rules(board), 3)


WITHOUT_PLIES = {"4x4x4x4"}
"""The book of a certificate by threats, which says who wins and not when."""


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(BOOKS.glob("*.sqlite")), ids=lambda path: path.stem)
@pytest.mark.parametrize("count", SAMPLES)
def test_a_shipped_book_holds_what_the_solver_proves(path: Path, count: int) -> None:
    written = sorted(rows(path), key=lambda row: (row[1], row[2]))
    chosen = random.Random(1).sample(written, min(count, len(written)))
    proved = 0
    for board, x, o, *limits in chosen:
        position, bounds = Position.checked(parse_rules(board), x % (1 << 64), o % (1 << 64)), Bounds(*limits)
        assert position == position.canonical()
        known = {position: at_first(position)}
        known |= narrowing(Solver(position.rules, max_entries=1 << 16), known, Meter(REACH))
        proved += known[position].score is not None
        if path.stem in WITHOUT_PLIES:
            both = bounds.narrowed(known[position])
            assert both.lower <= both.upper, position
            continue
        if known[position].score is not None:
            assert bounds == known[position], position
        assert known[position].lower <= bounds.lower <= bounds.upper <= known[position].upper, position
    assert proved > 0 or path.stem in OUT_OF_REACH | WITHOUT_PLIES


@pytest.mark.parametrize(
    ("board", "stones"),
    [
        *(("8x8x4", 0), ("8x7x5", 0), ("8x8x5", 0), ("7x7x5", 1), ("7x6x4-gravity", 2)),
        pytest.param("7x7x5", 2, marks=pytest.mark.slow),
        pytest.param("7x6x4-gravity", 4, marks=pytest.mark.slow),
    ],
)
def test_the_books_answer_the_openings_that_take_longest_at_once(board: str, stones: int) -> None:
    for position in openings(parse_rules(board), stones):
        prediction = predict(position, Budget(nodes=1))
        assert (prediction.complete, prediction.nodes) == (True, 0)


def test_the_book_of_connect_four_gives_each_first_column_its_published_outcome() -> None:
    """Source: Allis, "A knowledge-based approach of Connect-Four", 1988, for who wins."""
    squares = predict(Position("7x6x4-gravity"), Budget(nodes=1)).squares
    published = {35: "L40", 36: "L42", 37: "D", 38: "W41", 39: "D", 40: "L42", 41: "L40"}
    assert {cell: format_outcomes([outcome]) for cell, outcome in squares.items()} == published


@pytest.mark.slow
def test_the_book_of_connect_four_holds_all_openings_with_six_stones() -> None:
    """Each with fewer is worth as much as its best move; some of six are proved anew."""
    rules = parse_rules("7x6x4-gravity")
    known = shipped_books().bounds_of(openings(rules, 6))
    six = [position for position in known if rules.size - position.plies_left == 6]
    assert all(bounds.closed for bounds in known.values())
    for position in known.keys() - set(six):
        moves = map(position.after, position.legal_moves)
        scores = [LOST if after.result else known[after.canonical()].lower for after in moves]
        assert known[position].lower == max(map(to_parent, scores))
    if KERNEL == "compiled":
        for position in random.Random(1).sample(six, 2):
            assert prove_score(position).bounds == known[position]


def test_the_book_of_qubic_says_which_first_moves_win() -> None:
    squares = predict(Position("4x4x4x4"), Budget(nodes=1)).squares
    won = [cell for cell, outcome in squares.items() if outcome.value is Value.WIN]
    lines = {cell: len(Position("4x4x4x4").rules.lines_through[cell]) for cell in squares}
    assert won == [cell for cell in squares if lines[cell] == 7]
    assert {squares[cell].number for cell in won} == {"≤63"}
