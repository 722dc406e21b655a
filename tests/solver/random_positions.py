"""Many different positions of a board at once, reached by random play."""

import numpy as np
from numpy.typing import NDArray

from solver.board.position import Position
from solver.board.rules import Permutation, Rules
from tests.solver.full_table import MAX_CELLS, BitsArray, holds_line

EMPTY_FIRST = ((0, 0), (1, 0))
"""The padding in front of every row: an empty board, or a game that is on."""


def random_positions(rules: Rules, count: int, seed: int) -> list[Position]:
    """Return `count` positions of a board of up to 16 cells, of different symmetry classes, finished games included.

    They are chosen from the positions of half as many random games, all classes with the same probability. Raises
    ValueError if the games reach fewer classes.
    """
    random = np.random.default_rng(seed)
    x, o = _reached(rules, _cells_in_order(random, games=count // 2, size=rules.size))
    _, met = np.unique(_class_numbers(rules, x, o), return_index=True)
    chosen = random.choice(met, count, replace=False)
    return [Position(rules, *stones) for stones in zip(x[chosen].tolist(), o[chosen].tolist(), strict=True)]


def _cells_in_order(random: np.random.Generator, games: int, size: int) -> NDArray[np.uint16]:
    """Return a row for each game: its cells in the order of play."""
    return random.permuted(np.tile(np.arange(size, dtype=np.uint16), (games, 1)), axis=1)


def _reached(rules: Rules, cells: NDArray[np.uint16]) -> tuple[BitsArray, BitsArray]:
    """Return the X and the O of every position of the games, which end with a line."""
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
    """Return a number that two positions share if a symmetry turns them into each other."""
    stones: NDArray[np.uint32] = np.left_shift(o, MAX_CELLS, dtype=np.uint32) | x
    least: NDArray[np.uint32] = np.minimum.reduce([_mapped(stones, symmetry) for symmetry in rules.symmetries])
    return least


def _mapped(stones: NDArray[np.uint32], symmetry: Permutation) -> NDArray[np.uint32]:
    image = np.zeros_like(stones)
    for cell, target in enumerate(symmetry):
        image |= (stones >> cell & (1 << MAX_CELLS | 1)) << target
    return image
