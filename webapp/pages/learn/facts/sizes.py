"""Facts on the size of the game tree: how it grows, which boards after two moves are one, and what one leaves out."""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import starmap
from math import log, perm
from typing import Final, NamedTuple

from solver.articles.census import Stage, census
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell
from webapp.pages.learn.content import Facts, FactsOf, NamedFigure
from webapp.pages.learn.facts.tree import CUTS

NEXT, BLOCK = 3.5, 11.5
"""The distances from one board after two moves to the next, and from one block of boards to the next, in squares."""


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


def count_boards_after(plies: int) -> Facts:
    """Count the ways to make the first moves."""
    return Facts.of(truth=perm(TIC_TAC_TOE.size, plies))


def count_distinct_after(plies: int) -> Facts:
    """Count the boards after the first moves up to symmetry."""
    boards = {Position(TIC_TAC_TOE)}
    for _ in range(plies):
        boards = {after.canonical() for board in boards for after in board.successors()}
    return Facts.of(truth=len(boards), every=perm(TIC_TAC_TOE.size, plies))


def count_nodes(name: str) -> Facts:
    """Count the nodes of a stage of the census, and those of the stage before."""
    stages = [*Stage]
    number = stages.index(Stage(name))
    before, nodes = (census(TIC_TAC_TOE, stages[each]).nodes for each in (number - 1, number))
    factor = before / nodes
    return Facts.of(
        truth=nodes, cut=CUTS.get(stages[number]), before=before, factor=f"{factor:.{0 if factor >= 10 else 1}f}"
    )


def count_sizes() -> Facts:
    """Count the nodes of the first and the last stage, and the boards after two moves."""
    first, *_, last = (census(TIC_TAC_TOE, stage).nodes for stage in Stage)
    return Facts.of(first=first, last=last, seconds=merging()[0].left, distinct=merging()[-1].left)


def shrink() -> tuple[tuple[str, int, float], ...]:
    """Return the heading of each stage, its nodes, and the length of its bar as a share of the longest."""
    nodes = {stage.heading: census(TIC_TAC_TOE, stage).nodes for stage in Stage}
    return tuple((name, count, round(log(count) / log(max(nodes.values())), 3)) for name, count in nodes.items())


FACTS: Final[FactsOf] = {
    "boards-after": count_boards_after,
    "distinct-after": count_distinct_after,
    "nodes": count_nodes,
    "sizes": count_sizes,
}
FIGURES: Final = {
    "merging": NamedFigure(lambda _: merging()),
    "shrinking": NamedFigure(lambda _: shrink()),
}
