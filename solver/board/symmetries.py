"""The symmetries of a board: the motions of its surface or its space, and on small boards all others.

A motion turns, mirrors or shifts the whole board. It is known by the board's sides and its edges, without its lines.
Few lines can have other symmetries, such as a torus of 3×3 squares, whose lines are those of an affine plane. They are
looked for where that is quick.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, permutations, product
from typing import Final, TypeAlias

from solver.board.families import JOINS, Join, Surface

Permutation: TypeAlias = tuple[int, ...]
"""A symmetry of the board, which moves cell `i` to cell `permutation[i]`."""

MOST_IMAGES: Final = 1536
"""The most symmetries times bytes of a set of cells: searches keep a table of 256 words for each of them."""

SEARCHED: Final = 16
"""The most cells of a board whose other symmetries are looked for."""

MOST_STEPS: Final = 4_800
"""The most cells that are looked at in one search for other symmetries: it takes a few milliseconds at most."""


def motions(columns: int, rows: int, surface: Surface) -> tuple[Permutation, ...]:
    """Return the motions of a board on a surface, the identity first.

    They form a group. If there are too many, it is the group of those that keep the first cell where it is.
    """
    beside, above = JOINS[surface]
    turns = _turns((columns, rows, 1), may_turn=beside is above)
    shifts = turns[:1]
    if beside is not Join.OPEN and above is not Join.TWISTED:
        shifts = _repeat(_shift(columns, rows, surface, (1, 0)), columns, shifts)
    if above is Join.PLAIN and (beside is Join.PLAIN or rows % 2 == 0):
        step = 1 if beside is Join.PLAIN else rows // 2  # halfway round, the rows are mirrored about the same two edges
        shifts = _repeat(_shift(columns, rows, surface, (0, step)), rows // step, shifts)
    keeps_all = _fits(len(turns) * len(shifts), columns * rows)
    kept = ((turn, shift) for shift in shifts for turn in turns if keeps_all or shift[turn[0]] == 0)
    return tuple(dict.fromkeys(_then(turn, shift) for turn, shift in kept))


def motions_in_space(sides: tuple[int, int, int], k: int) -> tuple[Permutation, ...]:
    """Return the motions of a board in space, the identity first.

    If a cube's lines go through all of it, its layers can change places, too, in all three directions alike: so that
    opposite layers stay opposite, lines stay lines.
    """
    turns = _turns(sides)
    if {*sides} != {k}:
        return turns
    orders = [
        order for order in permutations(range(k)) if all(order[k - 1 - at] == k - 1 - order[at] for at in range(k))
    ]
    changed = [tuple((c * k + b) * k + a for c, b, a in product(order, repeat=3)) for order in orders]
    return tuple(dict.fromkeys(_then(turn, change) for change in changed for turn in turns))


def with_others(known: Sequence[Permutation], lines: Sequence[int], holes: int) -> tuple[Permutation, ...]:
    """Return all permutations of the cells that map the lines onto the lines and leave the holes, the identity first.

    They form a group. If there are too many, it is the group of those that keep the first cells where they are. Where
    it is smaller than the group of those `known`, or takes too long to find, the known ones are returned.
    """
    size = len(known[0])
    search, group = _Search(size, lines, holes), [tuple(range(size))]
    for cell in reversed(range(size)):
        moving = search.moving(cell, known)
        if search.steps > MOST_STEPS or not _fits(len(group) * (1 + len(moving)), size):
            break
        group += [_then(then, first) for first in moving for then in group]
    return tuple(group) if len(group) > len(known) else tuple(known)


def _turns(sides: tuple[int, int, int], *, may_turn: bool = True) -> tuple[Permutation, ...]:
    """Return the reflections and turns of a board with these columns, rows and layers, the identity first."""
    axes, steps = sides[::-1], (sides[0] * sides[1], sides[0], 1)  # in reading order: layers, rows and columns
    motions = dict[Permutation, None]()
    for order in permutations(range(3)) if may_turn else [(0, 1, 2)]:
        if all(axes[axis] == side for axis, side in zip(order, axes, strict=True)):
            c, b, a = (steps[axis] for axis in order)
            for ways in product((1, -1), repeat=3):
                places = product(*(range(side)[::way] for side, way in zip(axes, ways, strict=True)))
                motions[tuple(layer * c + row * b + column * a for layer, row, column in places)] = None
    return tuple(motions)


def _shift(columns: int, rows: int, surface: Surface, by: tuple[int, int]) -> Permutation:
    """Return the motion that shifts all squares to the right and down, over the edges that meet."""
    places = ((column + by[0], row + by[1]) for row in range(rows) for column in range(columns))
    folded = (surface.fold(place, columns, rows) for place in places)
    return tuple(place[1] * columns + place[0] for place in folded if place)


def _then(first: Permutation, second: Permutation) -> Permutation:
    """Return the permutation that moves cells by the first one and then by the second one."""
    return tuple(map(second.__getitem__, first))


def _repeat(motion: Permutation, count: int, after: Iterable[Permutation]) -> tuple[Permutation, ...]:
    """Return the given permutations, each followed by a motion up to `count` - 1 times."""
    layers = [tuple(after)]
    for _ in range(count - 1):
        layers.append(tuple(_then(permutation, motion) for permutation in layers[-1]))
    return tuple(chain.from_iterable(layers))


def _fits(count: int, size: int) -> bool:
    """Return whether searches can keep tables for `count` symmetries of a board of this size."""
    return count * (size + 7 >> 3) <= MOST_IMAGES


class _Search:
    """A search for permutations of cells that map lines onto lines."""

    def __init__(self, size: int, lines: Sequence[int], holes: int) -> None:
        self.size, self.steps, self.bits = size, 0, [1 << cell for cell in range(size)]
        self.cells = {line: tuple(_members(line)) for line in lines}
        self.through: list[list[int]] = [[] for _ in range(size)]
        self.shared = [[0] * size for _ in range(size)]
        """The number of lines through each two cells."""
        for line, cells in self.cells.items():
            for cell in cells:
                self.through[cell].append(line)
                for other in cells:
                    self.shared[cell][other] += 1
        self.sharing = [
            {number: sum(1 << other for other, shared in enumerate(row) if shared == number) for number in set(row)}
            for row in self.shared
        ]
        kinds = [[-cell - 1] if holes >> cell & 1 else sorted(row) for cell, row in enumerate(self.shared)]
        alike = [sum(1 << other for other in range(size) if kinds[other] == kind) for kind in kinds]
        self.candidates = [alike]
        """The cells to which each cell can go while the first cells stay: none, the first, the first two, …"""
        for cell in range(size):
            self.candidates.append(self._narrow(self.candidates[-1], cell, cell))

    def moving(self, cell: int, known: Iterable[Permutation]) -> list[Permutation]:
        """Return a permutation for each other place to which `cell` can go while all cells before it stay."""
        stay = list(range(cell))
        extended = {
            permutation[cell]: permutation
            for permutation in known
            if [*permutation[:cell]] == stay and permutation[cell] != cell
        }
        start = self.candidates[cell]
        for to in _members(start[cell] >> cell + 1 << cell + 1):
            if to not in extended and (completed := self._complete(dict(enumerate(stay)), start, cell, to)):
                extended[to] = completed
        return list(extended.values())

    def _complete(self, image: dict[int, int], candidates: list[int], cell: int, to: int) -> Permutation | None:
        """Return a permutation with these images in which `cell` goes to `to`; None if there is none."""
        self.steps += self.size
        if self.steps > MOST_STEPS:
            return None
        image = image | {cell: to}
        left = [square for square in range(self.size) if square not in image]
        unplaced = sum(map(self.bits.__getitem__, left))
        for line in self.through[cell]:
            if not line & unplaced and sum(1 << image[square] for square in self.cells[line]) not in self.cells:
                return None
        if not left:
            return tuple(map(image.__getitem__, range(self.size)))
        candidates = self._narrow(candidates, cell, to)
        following = min(left, key=lambda square: candidates[square].bit_count())
        tried = (self._complete(image, candidates, following, at) for at in _members(candidates[following]))
        return next(filter(None, tried), None)

    def _narrow(self, candidates: list[int], cell: int, to: int) -> list[int]:
        """Return where each cell can go once `cell` goes to `to`."""
        sharing, taken = self.sharing[to], ~(1 << to)
        narrowed = [
            candidate & sharing.get(number, 0) & taken
            for candidate, number in zip(candidates, self.shared[cell], strict=True)
        ]
        narrowed[cell] = 1 << to
        return narrowed


def _members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
