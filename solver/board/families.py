"""Families of lines: surfaces that join a board's edges, shapes that win, and the symmetries of any family.

A figure in the plane, such as three squares in a row, becomes a line of the board when the plane is rolled up to the
board's surface: each step over a joined edge comes back in at the edge that it is joined to.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, StrEnum
from itertools import product
from types import MappingProxyType
from typing import Final, TypeAlias

Place: TypeAlias = tuple[int, int]
"""A column from the left and a row from the top, both counted from 0."""

Offsets: TypeAlias = tuple[Place, ...]
"""Different squares of the plane, the first at (0, 0)."""

STRAIGHT: Final[tuple[Place, ...]] = ((1, 0), (0, 1), (1, 1), (-1, 1))
"""The directions of lines: columns to the right and rows down at each step."""

MOST_IMAGES: Final = 1536
"""The most symmetries times bytes of a set of cells: searches keep a table of 256 words for each of them."""

MOST_STEPS: Final = 20_000
"""The most steps of one search for symmetries."""


class Join(Enum):
    """The way in which two opposite edges meet."""

    OPEN = 0
    """They do not."""
    PLAIN = 1
    TWISTED = 2
    """What leaves at one end of an edge comes back at the other end, and goes on mirrored."""


class Surface(StrEnum):
    """What a board is rolled up to."""

    FLAT = "flat"
    CYLINDER = "cylinder"
    TORUS = "torus"
    MOBIUS = "mobius"
    KLEIN = "klein"
    PROJECTIVE = "projective"

    @property
    def words(self) -> str:
        """The surface's name for people, such as "Möbius strip"."""
        return _WORDS[self]

    @property
    def sentence(self) -> str:
        """A sentence that says which edges meet; empty for a flat board."""
        return _SENTENCES[self]

    def folded(self, place: Place, columns: int, rows: int) -> Place | None:
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
"""How the left edge meets the right one, and the top edge the bottom one."""

_WORDS: Final = {
    Surface.FLAT: "flat board",
    Surface.CYLINDER: "cylinder",
    Surface.TORUS: "torus",
    Surface.MOBIUS: "Möbius strip",
    Surface.KLEIN: "Klein bottle",
    Surface.PROJECTIVE: "projective plane",
}
_SENTENCES: Final = {
    Surface.FLAT: "",
    Surface.CYLINDER: "The left edge meets the right.",
    Surface.TORUS: "The left edge meets the right, and the top meets the bottom.",
    Surface.MOBIUS: "The left edge meets the right, upside down.",
    Surface.KLEIN: "The left edge meets the right, upside down, and the top meets the bottom.",
    Surface.PROJECTIVE: "The left edge meets the right, upside down, and the top meets the bottom, left to right.",
}


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
        return tuple(dict.fromkeys(map(_from_first, _turned(_places(self.drawn)))))


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
    """Return the shape of some squares, in whatever turn; None if it has none, too many, or lies too wide."""
    turns = set(map(_in_corner, _turned(tuple(places))))
    found = {each for each in turns if each and max(column for column, _ in each) < WIDEST}
    if not found or len(next(iter(found))) > MOST_SQUARES:
        return None
    named = {_in_corner(_places(shape.drawn)): shape for shape in ANIMALS.values()}
    for each in turns & named.keys():
        return named[each]
    tall = [each for each in found if max(column for column, _ in each) <= max(row for _, row in each) < MOST_SQUARES]
    return min(map(_lettered, tall), default=None)


def _places(drawn: str) -> Offsets:
    rows = drawn.split("/")
    return tuple((column, row) for row, marks in enumerate(rows) for column, mark in enumerate(marks) if mark == "X")


def _turned(places: Offsets) -> Iterator[Offsets]:
    """Yield squares in all turns and reflections, in the same order each time."""
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


def _lettered(places: Offsets) -> Shape:
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
    found: dict[int, None] = {}
    for figure in figures:
        for cell in range(columns * rows):
            row, column = divmod(cell, columns)
            places = [surface.folded((column + right, row + down), columns, rows) for right, down in figure]
            line = sum(1 << place[1] * columns + place[0] for place in set(places) if place)
            if line.bit_count() == len(figure):
                found[line] = None
    return tuple(found)


def lines_in_space(sides: tuple[int, int, int], k: int) -> tuple[int, ...]:
    """Return the rows of `k` cells in space as sets of cells, each once: those within a layer first, then the others.

    `sides` are the columns, the rows and the layers. The directions are one of each two that are opposite.
    """
    within = [(right, down, 0) for right, down in STRAIGHT]
    across = [(right, down, 1) for down in (0, 1, -1) for right in (0, 1, -1)]
    found: dict[int, None] = {}
    for step in within + across:
        for start in product(*map(range, sides)):
            end = [at + each * (k - 1) for at, each in zip(start, step, strict=True)]
            if all(0 <= at < side for at, side in zip(end, sides, strict=True)):
                cells = [[at + each * length for at, each in zip(start, step, strict=True)] for length in range(k)]
                line = sum({1 << (layer * sides[1] + row) * sides[0] + column for column, row, layer in cells})
                found[line] = None
    return tuple(found)


def symmetries_of(size: int, lines: Sequence[int], holes: int = 0) -> tuple[tuple[int, ...], ...]:
    """Return permutations of the cells that map the lines onto the lines and leave the holes, the identity first.

    They form a group. If there are too many, or if it takes too long to find them all, it is the group of those that
    keep the first cells where they are.
    """
    search, group = _Symmetries(size, lines, holes), [tuple(range(size))]
    most = MOST_IMAGES // (size + 7 >> 3)
    for cell in reversed(range(size)):
        moving = list(search.moving(cell))
        if search.steps > MOST_STEPS or len(group) * (1 + len(moving)) > most:
            break
        group += [tuple(first[to] for to in then) for first in moving for then in group]
    return tuple(sorted(group))


class _Symmetries:
    """A search for permutations of cells that map lines onto lines."""

    def __init__(self, size: int, lines: Sequence[int], holes: int) -> None:
        self.size, self.lines, self.steps = size, frozenset(lines), 0
        self.through = [[line for line in lines if line >> cell & 1] for cell in range(size)]
        self.shared = [
            [sum(line >> other & 1 for line in self.through[cell]) for other in range(size)] for cell in range(size)
        ]
        """The number of lines through each two cells."""
        self.sharing = [
            {number: sum(1 << other for other, each in enumerate(row) if each == number) for number in set(row)}
            for row in self.shared
        ]
        kinds = [[-cell - 1] if holes >> cell & 1 else sorted(row) for cell, row in enumerate(self.shared)]
        alike = [sum(1 << other for other in range(size) if kinds[other] == kind) for kind in kinds]
        self.candidates = [alike]
        """Where each cell can go while the first cells stay: none of them, the first one, the first two, …"""
        for cell in range(size):
            self.candidates.append(self._narrowed(self.candidates[-1], cell, cell))

    def moving(self, cell: int) -> Iterator[tuple[int, ...]]:
        """Yield a permutation for each other place to which `cell` can go while all cells before it stay."""
        start = self.candidates[cell]
        for to in range(cell + 1, self.size):
            if start[cell] >> to & 1:
                image = {each: each for each in range(cell)}
                if found := self._completed(image, start, cell, to):
                    yield found

    def _completed(self, image: dict[int, int], candidates: list[int], cell: int, to: int) -> tuple[int, ...] | None:
        """Return a permutation with these images in which `cell` goes to `to`; None if there is none."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            return None
        image = image | {cell: to}
        for line in self.through[cell]:
            cells = [each for each in range(self.size) if line >> each & 1]
            if all(each in image for each in cells) and sum(1 << image[each] for each in cells) not in self.lines:
                return None
        if len(image) == self.size:
            return tuple(image[each] for each in range(self.size))
        candidates = self._narrowed(candidates, cell, to)
        left = [each for each in range(self.size) if each not in image]
        following = min(left, key=lambda each: candidates[each].bit_count())
        tried = (self._completed(image, candidates, following, at) for at in _members(candidates[following]))
        return next(filter(None, tried), None)

    def _narrowed(self, candidates: list[int], cell: int, to: int) -> list[int]:
        """Return where each cell can go once `cell` goes to `to`."""
        sharing, taken = self.sharing[to], ~(1 << to)
        narrowed = [
            each & sharing.get(number, 0) & taken for each, number in zip(candidates, self.shared[cell], strict=True)
        ]
        narrowed[cell] = 1 << to
        return narrowed


def _members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
