"""Many different positions of a board at once, as random play reaches them."""

import numpy as np
from numpy.typing import NDArray

from solver.board.position import Position
from solver.board.rules import Permutation, Rules
from tests.solver.full_table import MAX_CELLS, BitsArray, holds_line

EMPTY_FIRST = ((0, 0), (1, 0))
"""To pad every row in front: with the empty board, or with a game that is not over."""


def random_positions(rules: Rules, count: int, seed: int) -> list[Position]:
    """`count` positions of a board of up to 16 cells, no two of them alike under a symmetry, finished games included.

    Half as many random games are played. Every class of positions that they reach is as likely as another to be among
    the `count`, and is shown as one of the games met it. Raises ValueError if the games reach fewer.
    """
    random = np.random.default_rng(seed)
    x, o = _reached(rules, _cells_in_order(random, games=count // 2, size=rules.size))
    _, met = np.unique(_class_numbers(rules, x, o), return_index=True)
    chosen = random.choice(met, count, replace=False)
    return [Position(rules, *stones) for stones in zip(x[chosen].tolist(), o[chosen].tolist(), strict=True)]


def _cells_in_order(random: np.random.Generator, games: int, size: int) -> NDArray[np.uint16]:
    """A row for each game: the cells in the order in which they are played."""
    return random.permuted(np.tile(np.arange(size, dtype=np.uint16), (games, 1)), axis=1)


def _reached(rules: Rules, cells: NDArray[np.uint16]) -> tuple[BitsArray, BitsArray]:
    """The X and the O of every position of the games, each played until somebody has a line."""
    stones = np.left_shift(np.uint16(1), cells)
    first_to_move = np.arange(rules.size) % 2 == 0
    x, o = (
        np.pad(np.bitwise_or.accumulate(np.where(played, stones, np.uint16(0)), axis=1), EMPTY_FIRST)
        for played in (first_to_move, ~first_to_move)
    )
    over = holds_line(rules, x) | holds_line(rules, o)
    reached = ~np.pad(over[:, :-1], EMPTY_FIRST)  # where the position before was not over
    return x[reached], o[reached]


def _class_numbers(rules: Rules, x: BitsArray, o: BitsArray) -> NDArray[np.uint32]:
    """The same number for positions that a symmetry turns into each other, and for no others."""
    stones: NDArray[np.uint32] = np.left_shift(o, MAX_CELLS, dtype=np.uint32) | x
    least: NDArray[np.uint32] = np.minimum.reduce([_mapped(stones, symmetry) for symmetry in rules.symmetries])
    return least


def _mapped(stones: NDArray[np.uint32], symmetry: Permutation) -> NDArray[np.uint32]:
    image = np.zeros_like(stones)
    for cell, target in enumerate(symmetry):
        image |= (stones >> cell & (1 << MAX_CELLS | 1)) << target
    return image
