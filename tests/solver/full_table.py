"""The scores of all positions of a board, computed back from the full boards: a reference for searches.

A board is a number in base 3 with one digit for each cell: 0 for empty, 1 for X, 2 for O. All successors of a position
with n stones have n + 1 stones.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.board.outcome import DRAWN, LOST, WIN, Score
from solver.board.position import Position
from solver.board.rules import Rules
from solver.board.symmetries import Permutation

MAX_CELLS = 16
"""The cells of the largest board: 3¹⁶ is 43 million, and each further cell triples that."""

BitsArray: TypeAlias = NDArray[np.uint16]
"""Arrays of sets of cells, each like `solver.board.rules.Bits`."""


@dataclass(frozen=True, slots=True)
class FullTable:
    """The score for the mover of every position that play from the empty board reaches, by its number."""

    rules: Rules
    scores: NDArray[np.int16]

    def score(self, position: Position) -> Score:
        """Return the score of a reachable position for its mover."""
        return int(self.scores[_in_base_3(position.x) + 2 * _in_base_3(position.o)])


def full_table(rules: Rules) -> FullTable:
    """Return the table of a board of up to 16 cells."""
    if rules.size > MAX_CELLS:
        raise ValueError(f"A full table holds boards of up to {MAX_CELLS} cells, not {rules.size}.")
    x, o = _boards(rules.size)
    occupied = x | o
    stones = np.bitwise_count(occupied)
    stones[~_by_turns(x, o)] = rules.size + 1
    won = holds_line(rules, np.arange(1 << rules.size, dtype=np.uint16))
    scores = np.full(3**rules.size, DRAWN, dtype=np.int16)
    for count in range(rules.size, -1, -1):
        boards = np.flatnonzero(stones == count)
        digit, other = (1, o) if count % 2 == 0 else (2, x)
        lost = won[other[boards]]
        scores[boards[lost]] = LOST
        if count < rules.size:
            boards = boards[~lost]
            scores[boards] = _after_best_move(scores, boards, occupied[boards], rules.size, digit)
    return FullTable(rules, scores)


def classes(rules: Rules) -> Iterator[Position]:
    """Yield every position without a line on a board of up to 16 cells, one of each symmetry class."""
    x, o = _boards(rules.size)
    won = holds_line(rules, np.arange(1 << rules.size, dtype=np.uint16))
    kept = _by_turns(x, o) & ~won[x] & ~won[o]
    numbers = np.arange(3**rules.size, dtype=np.int32)
    for symmetry in rules.symmetries:
        kept &= numbers <= _images(symmetry)
    for stones in zip(x[kept].tolist(), o[kept].tolist(), strict=True):
        yield Position(rules, *stones)


def holds_line(rules: Rules, stones: BitsArray) -> NDArray[np.bool_]:
    """Return which of the sets of cells contain a whole line."""
    held = np.zeros(stones.shape, dtype=np.bool_)
    for line in rules.lines:
        held |= stones & line == line
    return held


def _after_best_move(
    scores: NDArray[np.int16], boards: NDArray[np.intp], occupied: BitsArray, size: int, digit: int
) -> NDArray[np.int16]:
    """Return the scores of unfinished boards from those of their successors; `digit` stands for the mover's stones."""
    least = np.full(boards.shape, WIN, dtype=np.int16)  # for the opponent, who moves next
    for cell in range(size):
        free = np.flatnonzero(occupied >> cell & 1 == 0)
        least[free] = np.minimum(least[free], scores[boards[free] + digit * 3**cell])
    return np.sign(least) - least  # negated, and a win or loss one ply farther away


def _boards(size: int) -> tuple[BitsArray, BitsArray]:
    """Return the X and the O of every board, by its number."""
    x = o = np.zeros(1, dtype=np.uint16)
    for cell in range(size):
        stone = np.uint16(1 << cell)
        x, o = np.concatenate((x, x | stone, x)), np.concatenate((o, o, o | stone))
    return x, o


def _by_turns(x: BitsArray, o: BitsArray) -> NDArray[np.bool_]:
    """Return where there are as many X as O or one more."""
    more: NDArray[np.bool_] = np.bitwise_count(x) - np.bitwise_count(o) <= 1  # unsigned, so -1 is > 1 too
    return more


def _images(symmetry: Permutation) -> NDArray[np.int32]:
    """Return the number of every board's image, by its own number."""
    images = np.zeros(1, dtype=np.int32)
    for target in symmetry:
        digit = np.int32(3**target)
        images = np.concatenate((images, images + digit, images + 2 * digit))
    return images


def _in_base_3(bits: int) -> int:
    return int(f"{bits:b}", 3)
