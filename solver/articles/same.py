"""When two boards are the same: the orders of moves that lead to one position, and the images of a position."""

from collections.abc import Iterator
from itertools import permutations
from typing import Final

from solver.board.position import Position
from solver.board.rules import Cell, Permutation, Rules, cells_of
from solver.errors import BadOption, TooLarge

MAX_STONES: Final = 6
"""The most stones of a position whose orders are listed: there are 36 of six."""

_NAMES: Final = {
    ((1, 0), (0, 1)): "as it is",
    ((0, 1), (-1, 0)): "turned a quarter to the right",
    ((-1, 0), (0, -1)): "turned half round",
    ((0, -1), (1, 0)): "turned a quarter to the left",
    ((-1, 0), (0, 1)): "mirrored left to right",
    ((1, 0), (0, -1)): "mirrored top to bottom",
    ((0, 1), (1, 0)): "mirrored on the diagonal from the top left",
    ((0, -1), (-1, 0)): "mirrored on the diagonal from the top right",
}
"""The symmetries of a square by where a step to the right and a step down lead."""


def orders(position: Position) -> tuple[tuple[Cell, ...], ...]:
    """Every order of moves from the empty board that leads to a position and does not end before, in reading order.

    Raises TooLarge beyond six stones.
    """
    if position.rules.size - position.plies_left > MAX_STONES:
        raise TooLarge(f"Orders of moves are listed for up to {MAX_STONES} stones.")
    return tuple(_orders(position))


def _orders(position: Position) -> Iterator[tuple[Cell, ...]]:
    for xs in permutations(cells_of(position.x)):
        for os in permutations(cells_of(position.o)):
            moves = tuple((os if ply % 2 else xs)[ply // 2] for ply in range(len(xs) + len(os)))
            at = Position(position.rules)
            for move in moves:
                if at.result is not None:
                    break
                at = at.after(move)
            else:
                yield moves


def symmetry_name(rules: Rules, symmetry: Permutation) -> str:
    """What a symmetry of a square board does to it, in words. Raises BadOption for a board that is no square."""
    if rules.columns != rules.rows or rules.columns == 1:
        raise BadOption(f"The symmetries of {rules} have no names here: only those of squares do.")
    corner, right, below = (rules.column_row(symmetry[rules.cell(*place)]) for place in ((0, 0), (1, 0), (0, 1)))
    return _NAMES[_step(corner, right), _step(corner, below)]


def _step(start: tuple[int, int], end: tuple[int, int]) -> tuple[int, int]:
    return end[0] - start[0], end[1] - start[1]
