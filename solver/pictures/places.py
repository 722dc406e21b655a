"""The places of squares and lines in the picture of a board, in squares from the upper left corner.

The layers of a board in space stand side by side with gaps between them, in several rows if one would be too wide.
"""

from functools import lru_cache
from itertools import combinations, pairwise
from typing import Final, TypeAlias

from solver.board.rules import Bits, Cell, Rules, cells_of, ends_of

PictureRows: TypeAlias = tuple[tuple[Cell | None, ...], ...]
"""The rows of a board's picture from the top; None is a gap."""

WIDEST: Final = 11
"""The most squares beside each other in a picture of all layers in a row: three layers of 3×3."""


@lru_cache(maxsize=512)
def across(rules: Rules) -> int:
    """Return the number of layers that stand side by side: all, unless that makes the picture too wide."""
    if _extent(rules, rules.layers)[0] <= WIDEST:
        return rules.layers
    return min(range(1, rules.layers + 1), key=lambda layers: max(_extent(rules, layers)))


@lru_cache(maxsize=512)
def extent(rules: Rules) -> tuple[int, int]:
    """Return the columns and rows of the picture, gaps among them."""
    return _extent(rules, across(rules))


def _extent(rules: Rules, layers: int) -> tuple[int, int]:
    return (rules.columns + 1) * layers - 1, (rules.rows + 1) * -(-rules.layers // layers) - 1


@lru_cache(maxsize=512)
def layout_of(rules: Rules) -> PictureRows:
    """Return the rows of the picture from the top; None is a gap between layers."""
    columns, rows = extent(rules)
    cells = {place_of(cell, rules): cell for cell in range(rules.size)}
    return tuple(tuple(cells.get((column, row)) for column in range(columns)) for row in range(rows))


@lru_cache(maxsize=1 << 12)
def place_of(cell: Cell, rules: Rules) -> tuple[int, int]:
    """Return the column from the left and the row from the top, counted from 0, of a cell."""
    column, row = rules.column_row(cell)
    below, beside = divmod(rules.layer(cell), across(rules))
    return beside * (rules.columns + 1) + column, below * (rules.rows + 1) + row


def strokes(line: Bits, rules: Rules) -> tuple[tuple[Cell, Cell], ...]:
    """Return the strokes that draw a line, by their first and last cells.

    A line that leaves the board at an edge, or that is a shape, has a stroke for each two cells that touch. A cell
    that touches no other has one from itself to itself. In space so has each cell of a line through several layers,
    unless all layers stand in a row: then the line has a stroke from each cell to the next.
    """
    cells = tuple(cells_of(line))
    if rules.layer(cells[0]) != rules.layer(cells[-1]):
        return tuple(pairwise(cells)) if across(rules) == rules.layers else tuple((cell, cell) for cell in cells)
    if rules.is_straight:
        return (ends_of(line),)
    joined = tuple(pair for pair in combinations(cells, 2) if _touch(*pair, rules))
    alone = set(cells) - {cell for pair in joined for cell in pair}
    return *joined, *((cell, cell) for cell in sorted(alone))


def _touch(one: Cell, other: Cell, rules: Rules) -> bool:
    """Return whether two cells share an edge or, where rows win, a corner."""
    (column, row), (other_column, other_row) = rules.column_row(one), rules.column_row(other)
    beside, down = abs(column - other_column), abs(row - other_row)
    return beside + down == 1 if rules.shape else max(beside, down) == 1
