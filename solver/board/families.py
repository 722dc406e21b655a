"""Families of lines: surfaces that join a board's edges, and shapes that win.

A figure in the plane, such as three squares in a row, becomes a line of the board when the plane is rolled up to the
board's surface: each step over a joined edge comes back in at the edge that it is joined to.
"""

import re
from collections.abc import Iterable, Iterator
from enum import Enum, StrEnum
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Final, TypeAlias

Place: TypeAlias = tuple[int, int]
"""A column from the left and a row from the top, both counted from 0."""

Offsets: TypeAlias = tuple[Place, ...]
"""Different squares of the plane, the first at (0, 0)."""

STRAIGHT: Final[tuple[Place, ...]] = ((1, 0), (0, 1), (1, 1), (-1, 1))
"""The directions of lines: columns to the right and rows down at each step."""


class Join(Enum):
    """The way in which two opposite edges meet."""

    OPEN = 0
    """They do not."""
    PLAIN = 1
    TWISTED = 2
    """They do, mirrored: a line that leaves at one end of an edge comes back at the other end."""


class Surface(StrEnum):
    """The surface that a board is rolled up to."""

    FLAT = "flat"
    CYLINDER = "cylinder"
    TORUS = "torus"
    MOBIUS = "mobius"
    KLEIN = "klein"
    PROJECTIVE = "projective"

    @property
    def words(self) -> str:
        """The surface's name for people, such as "Möbius strip"."""
        return _WORDS[self][0]

    @property
    def sentence(self) -> str:
        """A sentence that says which edges meet; empty for a flat board."""
        return _WORDS[self][1]

    def fold(self, place: Place, columns: int, rows: int) -> Place | None:
        """Return where a square of the plane lies on the board, or None if it is beyond an open edge.

        The board's own squares lie where they are.
        """
        beside, above = JOINS[self]
        (across, column), row = divmod(place[0], columns), place[1]
        if across % 2 and beside is Join.TWISTED:
            row = rows - 1 - row
        down, row = divmod(row, rows)
        if down % 2 and above is Join.TWISTED:
            column = columns - 1 - column
        beyond = (across and beside is Join.OPEN) or (down and above is Join.OPEN)
        return None if beyond else (column, row)


JOINS: Final = {
    Surface.FLAT: (Join.OPEN, Join.OPEN),
    Surface.CYLINDER: (Join.PLAIN, Join.OPEN),
    Surface.TORUS: (Join.PLAIN, Join.PLAIN),
    Surface.MOBIUS: (Join.TWISTED, Join.OPEN),
    Surface.KLEIN: (Join.TWISTED, Join.PLAIN),
    Surface.PROJECTIVE: (Join.TWISTED, Join.TWISTED),
}
"""The join of the left and the right edge, and of the top and the bottom edge."""

_WORDS: Final = {
    Surface.FLAT: ("flat board", ""),
    Surface.CYLINDER: ("cylinder", "The left edge meets the right."),
    Surface.TORUS: ("torus", "The left edge meets the right, and the top meets the bottom."),
    Surface.MOBIUS: ("Möbius strip", "The left edge meets the right, upside down."),
    Surface.KLEIN: ("Klein bottle", "The left edge meets the right, upside down, and the top meets the bottom."),
    Surface.PROJECTIVE: (
        "projective plane",
        "The left edge meets the right, upside down, and the top meets the bottom, left to right.",
    ),
}
"""Each surface's name for people, and a sentence that says which edges meet."""


class Shape(str):
    """A shape that wins: an animal's name such as `tippy`, or the rows of a drawn shape such as `zbd`.

    A drawn shape has a `z` and a letter for each row from the top: `a` is an empty row, and each square adds 1, 2, 4 or
    8 letters, from the left.
    """

    __slots__ = ()

    @property
    def drawn(self) -> str:
        """The shape's rows from the top, such as `XX./.XX`."""
        if self in _DRAWN:
            return _DRAWN[self]
        rows = [ord(letter) - ord("a") for letter in self[1:]]
        width = max(rows).bit_length()
        return "/".join("".join("X" if row >> column & 1 else "." for column in range(width)) for row in rows)

    @property
    def words(self) -> str:
        """The shape's name for people, such as "Tippy", or "This shape"."""
        return self.capitalize() if self in _DRAWN else "This shape"

    @property
    def squares(self) -> int:
        """The number of its squares."""
        return self.drawn.count("X")

    @property
    def figures(self) -> tuple[Offsets, ...]:
        """The shape in all its turns and reflections, from the same one of its squares each time."""
        return tuple(dict.fromkeys(map(_from_first, _turns(_places(self.drawn)))))


_DRAWN: Final = {
    "domino": "XX",
    "el": "XX/X.",
    "tic": "XXX",
    "elly": "XXX/X..",
    "tippy": "XX./.XX",
    "knobby": "XXX/.X.",
    "skinny": "XXXX",
    "fatty": "XX/XX",
    "snaky": "XXXX./...XX",
}

ANIMALS: Final = MappingProxyType({name: Shape(name) for name in _DRAWN})
"""Harary's animals by name: the shapes of which the first player can force one on some board, and two more.

Fatty is the smallest shape that nobody can force. Nobody knows whether Snaky can be forced.
Source: Gardner, "Mathematical Games", Scientific American, April 1979.
"""

MOST_SQUARES: Final = 8
"""The most squares of a drawn shape."""

WIDEST: Final = 4
"""The most columns of a drawn shape, if it is turned so that it has no fewer rows."""

REACH: Final = 7
"""The most squares between the first square of a figure and another one, to a side or up and down."""

SHAPE_PATTERN: Final = f"{'|'.join(ANIMALS)}|z[a-p]{{1,{MOST_SQUARES}}}"
"""The pattern of a shape's name."""


def shape_named(text: str) -> Shape | None:
    """Return the shape of a name, or None if it names none. Every turn of a drawn shape is understood."""
    if text in ANIMALS:
        return ANIMALS[text]
    if not re.fullmatch(SHAPE_PATTERN, text):
        return None
    return shape_of(_places(Shape(text).drawn))


def shape_of(places: Iterable[Place]) -> Shape | None:
    """Return the shape of some squares, turned in any way; None for no square, too many, or squares too far apart."""
    turns = set(map(_in_corner, _turns(tuple(places))))
    figures = {figure for figure in turns if figure and max(column for column, _ in figure) < WIDEST}
    if not figures or len(next(iter(figures))) > MOST_SQUARES:
        return None
    named = {_in_corner(_places(shape.drawn)): shape for shape in ANIMALS.values()}
    if known := turns & named.keys():
        return named[known.pop()]
    tall = [
        figure
        for figure in figures
        if max(column for column, _ in figure) <= max(row for _, row in figure) < MOST_SQUARES
    ]
    return min(map(_letter, tall), default=None)


def _places(drawn: str) -> Offsets:
    rows = drawn.split("/")
    return tuple((column, row) for row, marks in enumerate(rows) for column, mark in enumerate(marks) if mark == "X")


def _turns(places: Offsets) -> Iterator[Offsets]:
    """Yield squares in all turns and reflections, each square at the same place of the order."""
    for _ in range(4):
        places = tuple((-row, column) for column, row in places)
        yield places
        yield tuple((-column, row) for column, row in places)


def _in_corner(places: Offsets) -> Offsets:
    """Return squares in reading order, moved as far to the left and to the top as they can lie."""
    left, top = (min((place[way] for place in places), default=0) for way in (0, 1))
    return tuple(sorted(((column - left, row - top) for column, row in places), key=lambda place: place[::-1]))


def _from_first(places: Offsets) -> Offsets:
    (left, top), *_ = places
    return tuple((column - left, row - top) for column, row in places)


def _letter(places: Offsets) -> Shape:
    rows = [0] * (1 + max(row for _, row in places))
    for column, row in places:
        rows[row] |= 1 << column
    return Shape("z" + "".join(chr(ord("a") + row) for row in rows))


def in_a_row(k: int) -> tuple[Offsets, ...]:
    """Return `k` squares in a row in all directions, to and fro."""
    ways = (*STRAIGHT, *((-right, -down) for right, down in STRAIGHT))
    return tuple(tuple((right * step, down * step) for step in range(k)) for right, down in ways)


def lines_of(columns: int, rows: int, surface: Surface, figures: Iterable[Offsets]) -> tuple[int, ...]:
    """Return the sets of cells that figures cover on a board, each once. A figure that meets itself covers none.

    The first square of a figure lies on the board, and the others anywhere in the plane. A figure that lies elsewhere
    comes back turned or mirrored, so the figures include all turns and reflections about their first square.
    """
    plane, width = _unroll(columns, rows, surface), columns + 2 * REACH
    starts = [(row + REACH) * width + column + REACH for row in range(rows) for column in range(columns)]
    lines: dict[int, None] = {}
    for figure in figures:
        steps = [down * width + right for right, down in figure]
        for start in starts:
            line = sum({plane[start + step] for step in steps})
            if line.bit_count() == len(steps):
                lines[line] = None
    return tuple(lines)


@lru_cache(maxsize=64)
def _unroll(columns: int, rows: int, surface: Surface) -> tuple[int, ...]:
    """Return the plane around a board in reading order: the cell of each square as a set, empty beyond open edges."""
    across, down = range(-REACH, columns + REACH), range(-REACH, rows + REACH)
    places = (surface.fold((column, row), columns, rows) for row in down for column in across)
    return tuple(1 << place[1] * columns + place[0] if place else 0 for place in places)


def lines_in_space(sides: tuple[int, int, int], k: int) -> tuple[int, ...]:
    """Return the rows of `k` cells in space as sets of cells, each once: those within a layer first, then the others.

    `sides` are the columns, the rows and the layers. The directions are one of each two that are opposite.
    """
    within = [(right, down, 0) for right, down in STRAIGHT]
    across = [(right, down, 1) for down in (0, 1, -1) for right in (0, 1, -1)]
    lines: dict[int, None] = {}
    for step in within + across:
        stride = step[0] + sides[0] * (step[1] + sides[1] * step[2])
        row = sum({1 << abs(stride) * at for at in range(k)})
        reach = [steps * (k - 1) for steps in step]
        starts = product(*(range(max(0, -far), min(side, side - far)) for far, side in zip(reach, sides, strict=True)))
        for column, down, layer in starts:
            start = column + sides[0] * (down + sides[1] * layer)
            lines[row << min(start, start + stride * (k - 1))] = None
    return tuple(lines)
