"""The lesson on the size of the game tree: one guesses its nodes, and sees the second moves merge.

A flow and tables show the nodes at five stages. Two walks count them: a pure one, and one that changes a shared table.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import starmap
from typing import Final, NamedTuple

from solver.articles.census import (
    Stage,
    census,
    depth_first,
    distinct_upper_bound,
)
from solver.board.rules import TIC_TAC_TOE, Cell
from webapp.pages.learn.content import Facts, read_content
from webapp.pages.learn.lesson import Lesson

NEXT, BLOCK = 3.5, 11.5
"""The distances from one board after two moves to the next, and from one block of boards to the next, in squares."""

CUTS: Final[Mapping[str, str]] = read_content("census")["cuts"]
"""The change that each stage makes to the stage before it, in words."""


class Second(NamedTuple):
    """A board after two moves, at its place in a picture of 9 by 9 boards.

    X's square is the block of the picture, and O's square is the place in the block.
    """

    x: Cell
    o: Cell

    @property
    def place(self) -> tuple[float, float]:
        """The left and top edge of the board, in squares."""
        (column, row), (x, y) = map(TIC_TAC_TOE.column_row, self)
        return column * BLOCK + x * NEXT, row * BLOCK + y * NEXT


@dataclass(frozen=True, slots=True)
class Merging:
    """A step of the picture in which the boards after two moves merge; `boards` has an entry for each of them."""

    title: str
    words: str
    boards: tuple[Second, ...]

    @property
    def left(self) -> int:
        """The number of different boards."""
        return len(set(self.boards))


@cache
def merging() -> tuple[Merging, ...]:
    """Return the boards after two moves: as they are, with X's square turned onto three, and with O's mirrored too."""
    pairs = ((x, o) for x in range(TIC_TAC_TOE.size) for o in range(TIC_TAC_TOE.size))
    images = {(x, o): [Second(each[x], each[o]) for each in TIC_TAC_TOE.symmetries] for x, o in pairs if x != o}
    opened = (next(each for each in alike if each.x == min(alike).x) for alike in images.values())
    replies = Counter(x for x, _ in sorted({min(alike) for alike in images.values()}))
    corner, edge, centre = replies.values()
    return (
        Merging("All", "A block for each move of X, a board for each reply of O.", tuple(starmap(Second, images))),
        Merging("Turned", "Every X turns to one corner, to one edge or stays in the centre.", tuple(opened)),
        Merging(
            "Mirrored",
            f"{corner} replies to a corner, {edge} to an edge and {centre} to the centre differ.",
            tuple(map(min, images.values())),
        ),
    )


def count_seconds() -> Facts:
    """Count the boards after two moves, before any of them merge."""
    return Facts.of(truth=merging()[0].left)


def count_distinct() -> Facts:
    """Count the boards after two moves up to symmetry."""
    every, openings, left = (step.left for step in merging())
    return Facts.of(truth=left, every=every, openings=openings, left=left)


def count_nodes(name: str = "upper-bound") -> Facts:
    """Count the nodes of a stage of the census, and those of the stage before and of the first and the last one."""
    stages = [*Stage]
    nodes = [census(TIC_TAC_TOE, stage).nodes for stage in stages]
    number = stages.index(Stage(name))
    factor = nodes[number - 1] / nodes[number]
    return Facts.of(
        truth=nodes[number],
        cut=CUTS.get(stages[number]),
        before=nodes[number - 1],
        factor=f"{factor:.{0 if factor >= 10 else 1}f}",
        first=nodes[0],
        last=nodes[-1],
    )


LESSON = Lesson.of(
    "census",
    code=(distinct_upper_bound, depth_first),
    view=lambda _: merging(),
    facts={"seconds": count_seconds, "distinct": count_distinct, "nodes": count_nodes},
)
