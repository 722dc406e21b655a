"""Learners: a table with a row for each box, and rules that draw by rows and change them after a game.

Learners play X. Nothing here is kept between calls: what one has learnt is its table, and a game gives a new one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from solver.board.position import Result

Row: TypeAlias = tuple[float, ...]
"""A number for each square of a box, in the order of its squares: beads, which are whole numbers, or values."""

Memory: TypeAlias = tuple[Row, ...]
"""The row of each box, in the order of the boxes."""


@dataclass(frozen=True, slots=True)
class Learner:
    """A way to learn. Chances are given by whole numbers, one a square, to which they are proportional.

    Where all of these are 0 the learner resigns.
    """

    name: str
    title: str
    idea: str
    """How it learns, in a sentence."""
    start: Memory
    """What it begins with."""
    tries: Callable[[Row], Sequence[int]]
    """The chances by which it draws while it learns."""
    plays: Callable[[Row], Sequence[int]]
    """The chances by which it draws in an exam, and in earnest."""
    learns: Callable[[Sequence[Row], Sequence[int], Result], Sequence[Row]]
    """The new rows of the boxes that were opened in a game, in their order, by which square was drawn from each."""


def replaced(row: Row, place: int, number: float) -> Row:
    """The row with another number in one place."""
    return (*row[:place], number, *row[place + 1 :])
