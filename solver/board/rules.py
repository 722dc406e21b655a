"""The rules of an m,n,k-game: its board, its winning lines, its symmetries.

Cells are numbered in reading order from the top left, and cell `i` is bit `1 << i` of a bitboard. On 3×3:

    row 3   0 1 2
    row 2   3 4 5
    row 1   6 7 8
            a b c
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import takewhile
from typing import Final, TypeAlias

from solver.errors import BadRules

Cell: TypeAlias = int
"""A cell's number in reading order, 0 at the top left."""

Pairs: TypeAlias = tuple[tuple[Cell, Cell], ...]
"""Disjoint pairs of cells."""

Bits: TypeAlias = int
"""A set of cells, with one bit for each cell."""

Permutation: TypeAlias = tuple[Cell, ...]
"""A symmetry of the board, which moves cell `i` to cell `permutation[i]`."""

Direction: TypeAlias = tuple[int, int]
"""The direction of a line: its columns to the right and its rows down at each step."""

DIRECTIONS: Final[tuple[Direction, ...]] = ((1, 0), (0, 1), (1, 1), (-1, 1))
"""The directions of lines. The opposite directions would give the same lines from their other ends."""

MAX_SIDE = 8


def cells_of(bits: Bits) -> Iterator[Cell]:
    """Yield the cells of a set, in reading order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def ends_of(bits: Bits) -> tuple[Cell, Cell]:
    """Return the first and the last cell of a set, in reading order."""
    return (bits & -bits).bit_length() - 1, bits.bit_length() - 1


def union(sets: Iterable[Bits]) -> Bits:
    """Return the cells that are in any of the sets."""
    bits = 0
    for each in sets:
        bits |= each
    return bits


def bits_of(cells: Iterable[Cell]) -> Bits:
    """Return these cells as a set."""
    return union(1 << cell for cell in cells)


def mapped(bits: Bits, symmetry: Permutation) -> Bits:
    """Return the image of a set of cells under a symmetry."""
    return bits_of(symmetry[cell] for cell in cells_of(bits))


def image(bits: Bits, table: tuple[tuple[Bits, ...], ...]) -> Bits:
    """Return the image of a set of cells by one of the tables in `Rules.images`, which is faster than `mapped`."""
    found = 0
    for part in table:
        found |= part[bits & 255]
        bits >>= 8
    return found


@dataclass(frozen=True)
class Rules:
    """`k` in a row wins on a board of `columns` × `rows`; X moves first.

    If `winning` is given, only its lines win: some readings of the game miss a few lines. Raises BadRules unless both
    sides are 1 to 8 and 1 ≤ k ≤ the longer side.

    >>> rules = Rules(4, 3, 3)
    >>> str(rules), rules.size, len(rules.lines), len(rules.symmetries)
    ('4x3x3', 12, 14, 4)
    """

    columns: int
    rows: int
    k: int
    winning: tuple[Bits, ...] | None = None

    def __post_init__(self) -> None:
        if not (1 <= self.columns <= MAX_SIDE and 1 <= self.rows <= MAX_SIDE):
            raise BadRules(
                f"A board has 1 to {MAX_SIDE} columns and 1 to {MAX_SIDE} rows, not {self.columns}×{self.rows}."
            )
        if not 1 <= self.k <= max(self.columns, self.rows):
            raise BadRules(
                f"On a {self.columns}×{self.rows} board 1 to {max(self.columns, self.rows)} in a row can win,"
                f" not {self.k}."
            )

    def __reduce__(self) -> "tuple[Callable[..., Rules], tuple[object, ...]]":
        # Lines and symmetries are not pickled: the process that loads the rules computes them once.
        if self.winning is None:
            return rules_of, (self.columns, self.rows, self.k)
        return Rules, (self.columns, self.rows, self.k, self.winning)

    def __repr__(self) -> str:
        lines = "" if self.winning is None else f", {self.winning}"
        return f"Rules({self.columns}, {self.rows}, {self.k}{lines})"

    def __str__(self) -> str:
        # Proofs are filed under this text, so rules with other lines must have another text.
        board = f"{self.columns}x{self.rows}x{self.k}"
        return board if self.winning is None else f"{board}-lines{''.join(f'-{line:x}' for line in self.winning)}"

    @cached_property
    def size(self) -> int:
        """The number of cells."""
        return self.columns * self.rows

    @cached_property
    def full(self) -> Bits:
        """All cells."""
        return (1 << self.size) - 1

    @cached_property
    def lines(self) -> tuple[Bits, ...]:
        """Every winning line, as a set of k cells: rows first, then columns, then diagonals; each line once."""
        if self.winning is not None:
            return self.winning
        runs = (self.run(cell, direction) for direction in DIRECTIONS for cell in range(self.size))
        return tuple(dict.fromkeys(bits_of(run) for run in runs if len(run) == self.k))

    @cached_property
    def lines_through(self) -> tuple[tuple[Bits, ...], ...]:
        """The winning lines through each cell."""
        return tuple(tuple(line for line in self.lines if line >> cell & 1) for cell in range(self.size))

    @cached_property
    def symmetries(self) -> tuple[Permutation, ...]:
        """The rotations and reflections that map the board and its lines onto themselves, the identity first."""
        columns, rows = range(self.columns), range(self.rows)
        grids = [
            [self.cell(column, row) for row in vertical for column in horizontal]
            for vertical in (rows, rows[::-1])
            for horizontal in (columns, columns[::-1])
        ]
        if self.columns == self.rows:
            transposed = [self.cell(row, column) for row in rows for column in columns]
            grids += [[transposed[cell] for cell in grid] for grid in grids]
        permutations = dict.fromkeys(map(tuple, grids))
        if self.winning is None:
            return tuple(permutations)
        lines = set(self.winning)
        return tuple(each for each in permutations if {mapped(line, each) for line in lines} == lines)

    @cached_property
    def images(self) -> tuple[tuple[tuple[Bits, ...], ...], ...]:
        """Tables for `image`, one for each symmetry.

        A table gives the images of all sets of cells, for eight cells at a time.
        """
        return _images_of(self.size, self.symmetries)

    def cell(self, column: int, row: int) -> Cell:
        """Return the cell in a column from the left and a row from the top, both counted from 0."""
        return row * self.columns + column

    def column_row(self, cell: Cell) -> tuple[int, int]:
        """Return a cell's column from the left and row from the top, both counted from 0."""
        row, column = divmod(cell, self.columns)
        return column, row

    def run(self, start: Cell, direction: Direction) -> tuple[Cell, ...]:
        """Return the k cells from `start` on, or fewer if the board ends before."""
        (column, row), (right, down) = self.column_row(start), direction
        places = ((column + right * step, row + down * step) for step in range(self.k))
        on_board = takewhile(lambda place: 0 <= place[0] < self.columns and 0 <= place[1] < self.rows, places)
        return tuple(self.cell(*place) for place in on_board)

    def completing(self, own: Bits, other: Bits) -> Bits:
        """Return the empty cells where one more stone of the player who holds `own` completes a line."""
        found = 0
        for line in self.lines:
            if not line & other:
                missing = line & ~own
                if not missing & (missing - 1):
                    found |= missing
        return found


@lru_cache(maxsize=512)  # more than there are boards
def rules_of(columns: int, rows: int, k: int) -> Rules:
    """Return the rules of a board: the same object each time, so its lines are computed once. Raises BadRules."""
    return Rules(columns, rows, k)


@cache
def _images_of(size: int, symmetries: tuple[Permutation, ...]) -> tuple[tuple[tuple[Bits, ...], ...], ...]:
    """Return `Rules.images`. Boards of the same size share them, because they take much memory."""
    full = (1 << size) - 1
    return tuple(
        tuple(tuple(mapped(byte << start & full, symmetry) for byte in range(256)) for start in range(0, size, 8))
        for symmetry in symmetries
    )


TIC_TAC_TOE: Final = rules_of(3, 3, 3)
"""The usual board."""

DEFAULT_BOARD: Final = str(TIC_TAC_TOE)
"""The name of the board that is played by default."""
