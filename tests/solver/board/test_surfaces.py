"""Lines on surfaces, held against a second construction that walks over the board from square to square."""

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from solver.board.families import ANIMALS, JOINS, Join, Place, Shape, Surface, in_a_row, lines_of
from solver.board.game import parse_game
from solver.board.position import Position, Result
from solver.board.rules import bits_of, mapped, rules_of
from solver.proofs.predict import predict
from solver.search.budget import UNLIMITED
from tests.marked import sampled

SIZES = [(1, 4), (3, 2), (3, 3), (4, 3), (3, 4), (4, 4), (5, 4), (6, 6)]
SHAPES = {**ANIMALS, **{name: Shape(name) for name in ("zbad", "zpp", "zba", "zjb", "zbcaf")}}
FIGURES = {
    **{name: shape.figures for name, shape in SHAPES.items()},
    **{f"{k} in a row": in_a_row(k) for k in range(1, 6)},
}

Walker = tuple[Place, Place, Place]
"""A square of the board, and where the walker's right and down point on the board."""

FACINGS: list[tuple[Place, Place]] = [
    facing
    for right, down in product((1, -1), repeat=2)
    for facing in (((right, 0), (0, down)), ((0, right), (down, 0)))
]


def step(walker: Walker, way: Place, columns: int, rows: int, surface: Surface) -> Walker | None:
    """Return the walker one square on; None beyond an open edge."""
    (column, row), right, down = walker
    beside, above = JOINS[surface]
    column, row = column + way[0], row + way[1]
    if not 0 <= column < columns:
        if beside is Join.OPEN:
            return None
        column %= columns
        if beside is Join.TWISTED:
            row, right, down = rows - 1 - row, (right[0], -right[1]), (down[0], -down[1])
    if not 0 <= row < rows:
        if above is Join.OPEN:
            return None
        row %= rows
        if above is Join.TWISTED:
            column, right, down = columns - 1 - column, (-right[0], right[1]), (-down[0], down[1])
    return (column, row), right, down


def walk(start: Walker, offset: Place, board: tuple[int, int, Surface], *, down_first: bool = False) -> Place | None:
    """Return the square where a walk ends that goes so many squares to the walker's right, then down."""
    walker: Walker | None = start
    for axis in (1, 0) if down_first else (0, 1):
        for _ in range(abs(offset[axis])):
            if walker is None:
                return None
            ahead, sign = walker[1 + axis], 1 if offset[axis] > 0 else -1
            walker = step(walker, (sign * ahead[0], sign * ahead[1]), *board)
    return walker and walker[0]


def starts(columns: int, rows: int) -> Iterator[Walker]:
    return (((column, row), *facing) for column in range(columns) for row in range(rows) for facing in FACINGS)


def squares_of(name: str) -> list[list[Place]]:
    """Return the squares of a shape, or of a row to the side and a diagonal one."""
    if name in SHAPES:
        drawn = SHAPES[name].drawn.split("/")
        return [[(column, row) for row, marks in enumerate(drawn) for column, mark in enumerate(marks) if mark == "X"]]
    k = int(name[0])
    return [[(at, 0) for at in range(k)], [(at, at) for at in range(k)]]


def walked_lines(board: tuple[int, int, Surface], name: str) -> set[int]:
    """Return the lines: whichever square one begins at and faces anywhere, one walks to all the others."""
    found = set()
    for squares, start in product(squares_of(name), starts(*board[:2])):
        for left, top in squares:
            places = {walk(start, (column - left, row - top), board) for column, row in squares}
            if None not in places and len(places) == len(squares):
                found.add(bits_of(row * board[0] + column for column, row in filter(None, places)))
    return found


def symmetries(columns: int, rows: int, surface: Surface) -> Iterator[tuple[int, ...]]:
    """Yield motions of a surface that generate all of them."""

    def permutation(move: Callable[[int, int], Place]) -> tuple[int, ...]:
        places = (move(column, row) for row in range(rows) for column in range(columns))
        return tuple(row % rows * columns + column % columns for column, row in places)

    beside, above = JOINS[surface]
    yield permutation(lambda column, row: (columns - 1 - column, row))
    yield permutation(lambda column, row: (column, rows - 1 - row))
    if columns == rows and beside is above:
        yield permutation(lambda column, row: (row, column))
    if beside is Join.PLAIN:
        yield permutation(lambda column, row: (column + 1, row))
    if beside is Join.TWISTED and above is not Join.TWISTED:  # a strip with a twist has no first column
        yield permutation(lambda column, row: (column + 1, row if column + 1 < columns else rows - 1 - row))
    if above is Join.PLAIN and beside is Join.PLAIN:
        yield permutation(lambda column, row: (column, row + 1))
    if above is Join.PLAIN and beside is Join.TWISTED and rows % 2 == 0:  # halfway round the mirror lies where it lay
        yield permutation(lambda column, row: (column, row + rows // 2))


@pytest.mark.parametrize("name", sampled(FIGURES, 9))
@pytest.mark.parametrize("surface", Surface)
def test_the_lines_are_all_that_one_can_walk_over_the_edges_that_meet(surface: Surface, name: str) -> None:
    for size in SIZES:
        lines = lines_of(*size, surface, FIGURES[name])
        assert len({*lines}) == len(lines)
        assert {*lines} == walked_lines((*size, surface), name), size


@pytest.mark.parametrize("surface", Surface)
def test_every_motion_of_a_surface_carries_its_lines_into_themselves(surface: Surface) -> None:
    for size, figures in product([*SIZES, (8, 7), (7, 8), (8, 8)], FIGURES.values()):
        lines = {*lines_of(*size, surface, figures)}
        for symmetry in symmetries(*size, surface):
            assert {mapped(line, symmetry) for line in lines} == lines, (size, symmetry)


@pytest.mark.parametrize("surface", [each for each in Surface if each is not Surface.FLAT])
@pytest.mark.parametrize("size", [(4, 4), (5, 4), (4, 5), (6, 4), (6, 6)])
def test_a_game_knows_every_motion_of_its_surface(size: tuple[int, int], surface: Surface) -> None:
    rules = rules_of(*size, 3, surface)
    assert {*symmetries(*size, surface)} <= {*rules.symmetries}
    for each in rules.symmetries:
        assert {tuple(each[to] for to in other) for other in rules.symmetries[:9]} <= {*rules.symmetries}


@pytest.mark.parametrize("surface", Surface)
@pytest.mark.parametrize("size", SIZES)
def test_edges_may_be_crossed_in_any_order(size: tuple[int, int], surface: Surface) -> None:
    board = (*size, surface)
    for start, offset in product(starts(*size), product((-2, -1, 1, 2), (-2, -1, 1, 2))):
        assert walk(start, offset, board) == walk(start, offset, board, down_first=True)
    for column, row, right, down in product(range(size[0]), range(size[1]), (-9, -4, 0, 3, 8), (-7, -1, 0, 2, 6)):
        walked = walk(((column, row), (1, 0), (0, 1)), (right, down), board)
        assert surface.fold((column + right, row + down), *size) == walked


def test_an_el_across_a_twisted_edge_wins_whichever_way_it_lies() -> None:
    assert parse_game("4x4-klein-el", None, "a1b4a2c4d3").last.result is Result.X


@pytest.mark.parametrize(("board", "lines"), [("3x3-mobius-elly", 30), ("3x3-mobius-knobby", 18)])
def test_x_wins_on_a_mobius_strip(board: str, lines: int) -> None:
    position = Position(board)
    assert len(position.rules.lines) == lines
    assert predict(position, UNLIMITED).outcome.words(position.mover) == "X wins in 5 moves (9 plies)"
