"""The rules of a game: its board, its winning lines, its symmetries.

A game is an m,n,k-game, or one on another surface or for another shape: see `families`. Three clauses say where stones
can go, what a completed line means and whose marks make it: `Drop`, `Goal` and `Marking`. In space a board has layers.

Cells are numbered in reading order from the top left, and cell `i` is bit `1 << i` of a bitboard. On 3×3:

    row 3   0 1 2
    row 2   3 4 5
    row 1   6 7 8
            a b c

In space the layers follow one another from the bottom, and a cell's layer is part of its name, such as `b2.3`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Final, NamedTuple, TypeAlias

from solver.board.families import Shape, Surface, in_a_row, lines_in_space, lines_of, shape_named, shape_of
from solver.board.symmetries import SEARCHED, Permutation, motions, motions_in_space, with_others
from solver.errors import BadRules

Cell: TypeAlias = int
"""A cell's number in reading order, 0 at the top left."""

MoveCode: TypeAlias = int
"""A cell where the mover places a stone. Where the mover also chooses the mark, see `Rules.marked`."""

Pairs: TypeAlias = tuple[tuple[Cell, Cell], ...]
"""Disjoint pairs of cells."""

Bits: TypeAlias = int
"""A set of cells, with one bit for each cell."""

MAX_SIDE = 8

COLUMNS: Final = "abcdefgh"[:MAX_SIDE]
"""The letters of the columns, from the left."""

SMALL: Final = 9
"""The most cells of a small board; 3×3 has 5,478 positions."""

MAX_CELLS: Final = 64
"""The most cells of a board, which fit a word."""

MAX_LINES: Final = 256
"""The most lines of a game, which searches number in a byte. Rows on an 8×8 torus are as many."""


class Drop(StrEnum):
    """The cells to which a stone can go."""

    FREE = "free"
    """To any empty cell."""
    GRAVITY = "gravity"
    """To the lowest empty cell of a column, as in Connect Four."""


class Goal(StrEnum):
    """The effect of completing a line."""

    COMPLETE = "complete"
    """It wins."""
    MISERE = "misere"
    """It loses."""


class Marking(StrEnum):
    """The marks that the players place."""

    OWN = "own"
    """Each player has a mark of their own."""
    NOTAKTO = "notakto"
    """Both place X, and completing a line loses. Source: Bob Koch; Plambeck and Whitehead, arXiv:1301.1672."""
    WILD = "wild"
    """Each move places either mark, and a line of one mark counts for the player who completes it."""
    VANISHING = "vanishing"
    """Each player has k stones on the board at most: as one more is placed, the oldest leaves."""
    VANISHING_STRICT = "vanishing-strict"
    """The same, but the square that is about to be freed may not be taken."""


class Clauses(NamedTuple):
    """The clauses of a game."""

    surface: Surface = Surface.FLAT
    shape: Shape | None = None
    drop: Drop = Drop.FREE
    goal: Goal = Goal.COMPLETE
    marks: Marking = Marking.OWN
    holes: Bits = 0
    winning: tuple[Bits, ...] | None = None
    layers: int = 1


USUAL: Final = Clauses()
"""The clauses of an m,n,k-game."""

LONGEST: Final = 98
"""The plies of the longest win that is looked for where play can go on for ever."""

FALLING: Final = frozenset({Surface.FLAT, Surface.CYLINDER})
"""The surfaces on which stones can fall."""


def cells_of(bits: Bits) -> Iterator[Cell]:
    """Yield the cells of a set, in reading order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def ends_of(bits: Bits) -> tuple[Cell, Cell]:
    """Return the first and the last cell of a set, in reading order."""
    return (bits & -bits).bit_length() - 1, bits.bit_length() - 1


def union(sets: Iterable[Bits]) -> Bits:
    """Return the cells that are in any of the sets."""
    bits = 0
    for cells in sets:
        bits |= cells
    return bits


def bits_of(cells: Iterable[Cell]) -> Bits:
    """Return these cells as a set."""
    return union(1 << cell for cell in cells)


def mapped(bits: Bits, symmetry: Permutation) -> Bits:
    """Return the image of a set of cells under a symmetry."""
    return bits_of(symmetry[cell] for cell in cells_of(bits))


@dataclass(frozen=True, eq=False)
class Rules:
    """`k` in a row wins on a board of `columns` × `rows`; X moves first.

    On a `surface` other than a flat one, lines go on over the edges that meet. A `shape` wins in place of a row; `k` is
    the number of its squares. The `drop` says where stones can go, the `goal` and the `marks` who wins by a line. The
    `holes` are cells that are no squares. If `winning` is given, only its lines count. With several `layers`, lines run
    in space. Raises BadRules unless all sides are 1 to 8 and 1 ≤ k ≤ the longest side, for more than 64 cells, for a
    shape that does not fit, or for clauses that exclude each other.

    >>> rules = Rules(4, 3, 3)
    >>> str(rules), rules.size, len(rules.lines), len(rules.symmetries)
    ('4x3x3', 12, 14, 4)
    """

    columns: int
    rows: int
    k: int
    winning: tuple[Bits, ...] | None = None
    surface: Surface = Surface.FLAT
    shape: Shape | None = None
    drop: Drop = Drop.FREE
    goal: Goal = Goal.COMPLETE
    marks: Marking = Marking.OWN
    holes: Bits = 0
    layers: int = 1

    @classmethod
    def from_lines(cls, columns: int, rows: int, lines: Iterable[Iterable[Cell | str]]) -> "Rules":
        """Return the game on a flat board in which these lines win, and no others. Raises BadRules.

        A line has the names of its squares or their numbers, or is a text such as "a1b1c1".

        >>> Rules.from_lines(3, 3, ["a1b1c1", ("a1", "b2", "c3")]).text
        '3x3x3-linesa1b1c1a1b2c3'
        """
        board = cls(columns, rows, 1)
        drawn = [[*board._named(line)] for line in lines]
        if not drawn:
            raise BadRules("Draw a line at least: without one, nobody can win.")
        return rules_of(columns, rows, len(drawn[0]), winning=tuple(sorted(map(bits_of, drawn))))

    @classmethod
    def from_shape(cls, columns: int, rows: int, squares: Iterable[Cell | str]) -> "Rules":
        """Return the game on a flat board in which a shape wins, turned or flipped in any way. Raises BadRules.

        The shape is given by an animal's name, or by some of its squares on the board as a line is in `from_lines`.

        >>> Rules.from_shape(5, 5, "b1b2c2c3").text, Rules.from_shape(5, 5, "tippy").shape
        ('5x5-tippy', 'tippy')
        """
        board = cls(columns, rows, 1)
        shape = shape_named(squares) if isinstance(squares, str) else None
        shape = shape or shape_of(map(board.column_row, board._named(squares)))
        if shape is None:
            raise BadRules("These squares are no shape that can win: it has up to five, close together.")
        return rules_of(columns, rows, shape.squares, shape=shape)

    def _named(self, squares: Iterable[Cell | str]) -> Iterator[Cell]:
        """Yield the cells of names such as "a1" or of numbers. Raises BadRules."""
        cells = {name: cell for cell in range(self.size) for name in (cell, self.name(cell))}
        for word in re.findall(r"[a-z]\d*|\S", squares.lower()) if isinstance(squares, str) else squares:
            if word not in cells:
                raise BadRules(f"{word} isn't a square of a {self.columns}×{self.rows} board: write a1 and so on.")
            yield cells[word]

    def __post_init__(self) -> None:
        if not (1 <= self.columns <= MAX_SIDE and 1 <= self.rows <= MAX_SIDE):
            raise BadRules(
                f"A board has 1 to {MAX_SIDE} columns and 1 to {MAX_SIDE} rows, not {self.columns}×{self.rows}."
            )
        if self.layers != 1:
            self._check_space()
        if self.holes >> self.size:
            raise BadRules(f"A hole is a cell of the {self.columns}×{self.rows} board.")
        if self.winning is not None:
            self._check_winning(self.winning)
        elif self.shape:
            if self.k != self.shape.squares:
                raise BadRules(f"{self.shape.words} has {self.shape.squares} squares, not {self.k}.")
            if len(self.lines) > MAX_LINES:
                raise BadRules(
                    f"{self.shape.words} lies on {self.columns}×{self.rows} squares in {len(self.lines)} ways,"
                    f" and {MAX_LINES} at most can be searched. Take a smaller board."
                )
            if not self.lines:
                holes = " with these holes" if self.holes else ""
                raise BadRules(f"{self.shape.words} does not fit on {self._sized} {self.surface.words}{holes}.")
        elif not 1 <= self.k <= max(self.columns, self.rows, self.layers):
            longest = max(self.columns, self.rows, self.layers)
            raise BadRules(f"On {self._sized} board 1 to {longest} in a row can win, not {self.k}.")
        if self.holes:
            self._check_holes()
        if self.in_space and len(self.lines) > MAX_LINES:
            raise BadRules(f"{self} has {len(self.lines)} lines, and {MAX_LINES} at most can be searched.")
        self._check_clauses()

    def _check_clauses(self) -> None:
        """Raise BadRules for clauses that exclude each other."""
        if self.falls and self.surface not in FALLING:
            raise BadRules(
                f"Stones fall on a flat board or a cylinder; on a {self.surface.words} no edge is the bottom."
                f" Leave out gravity or {self.surface}."
            )
        if self.goal is Goal.MISERE and self.marks is Marking.NOTAKTO:
            raise BadRules("In notakto completing a line loses already, so it has no misère game.")
        if self.vanishes and self.falls:
            raise BadRules("A stone that vanishes would leave others in the air. Leave out gravity or vanishing.")

    def _check_space(self) -> None:
        """Raise BadRules unless the board fits a word, and for clauses that only a flat board has."""
        if not 1 <= self.layers <= MAX_SIDE:
            raise BadRules(f"A board in space has 1 to {MAX_SIDE} layers, not {self.layers}.")
        if self.size > MAX_CELLS:
            raise BadRules(
                f"{self._sized.capitalize()} board has {self.size} squares, and {MAX_CELLS} at most can be played."
            )
        flat = self.surface, self.shape, self.drop, "holes" if self.holes else "", "lines" if self.winning else ""
        if other := [clause for clause in flat if clause and clause not in USUAL]:
            raise BadRules(
                f"A board in space has no edges that meet, no shapes, holes or drawn lines, and no gravity."
                f" Leave out {' and '.join(other)}."
            )

    def _check_holes(self) -> None:
        """Raise BadRules if no line is left beside the holes, or if stones fall."""
        if self.falls:
            raise BadRules("Stones fall on a board without holes. Leave out gravity or the holes.")
        if not self.lines:
            raise BadRules(f"With these holes no {self.k} in a row fit on the board. Leave out a hole.")

    def _check_winning(self, lines: tuple[Bits, ...]) -> None:
        """Raise BadRules unless these are different lines of k squares, and nothing else says what wins."""
        if self.shape or self.surface is not Surface.FLAT:
            raise BadRules(
                f"Drawn lines are all that counts. Leave out {self.shape or self.surface}, or the drawn lines."
            )
        if not 1 <= self.k <= MAX_SIDE:
            raise BadRules(f"A drawn line has 1 to {MAX_SIDE} squares, not {self.k}.")
        if len(lines) > MAX_LINES:
            raise BadRules(f"{len(lines)} lines are drawn, and {MAX_LINES} at most can be searched.")
        for place, line in enumerate(lines):
            named = self._names(line)
            if line & ~self.full:
                raise BadRules("A drawn line has squares of the board only, and no hole.")
            if line.bit_count() != self.k:
                raise BadRules(f"The drawn line {named} has {line.bit_count()} different squares, not {self.k}.")
            if line in lines[:place]:
                raise BadRules(f"The line {named} is drawn twice. Draw it once.")

    @cached_property
    def parts(self) -> "tuple[int, int, int, Clauses]":
        """The columns, the rows, k and the clauses, which tell games apart."""
        return self.columns, self.rows, self.k, self.clauses

    @cached_property
    def hash(self) -> int:
        """The hash of the parts, computed once: sets of positions ask for it in each look-up."""
        return hash(self.parts)

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Rules):
            return self is other
        return self.hash == other.hash and self.parts == other.parts

    def __reduce__(self) -> "tuple[Callable[..., Rules], tuple[object, ...]]":
        # Lines and symmetries are not pickled: the process that loads the rules computes them once.
        *sides, clauses = self.parts
        return rules_of, (*sides, *clauses)

    def __repr__(self) -> str:
        if self.clauses._replace(winning=None) != USUAL:
            return f"parse_rules({str(self)!r})"
        lines = "" if self.winning is None else f", {self.winning}"
        return f"Rules({self.columns}, {self.rows}, {self.k}{lines})"

    def __str__(self) -> str:
        return self.text

    @cached_property
    def text(self) -> str:
        """The name of the board. Proofs are filed under it, so rules with other lines must have another text."""
        sides = (
            self.columns,
            self.rows,
            *((self.layers,) if self.in_space else ()),
            *(() if self.shape else (self.k,)),
        )
        board = "x".join(map(str, sides))
        holes = f"holes{self._names(self.holes)}" if self.holes else None
        lines = None if self.winning is None else "lines" + "".join(sorted(map(self._names, self.winning)))
        words = (self.surface, self.shape, holes, lines, self.drop, self.goal, self.marks)
        return "-".join((board, *(word for word in words if word and word not in USUAL)))

    def _names(self, cells: Bits) -> str:
        return "".join(sorted(map(self.name, cells_of(cells))))

    @property
    def clauses(self) -> "Clauses":
        """The clauses of the game."""
        return Clauses(*(getattr(self, clause) for clause in Clauses._fields))

    @cached_property
    def is_standard(self) -> bool:
        """True if k in a row wins on a flat board without holes."""
        return self.clauses == USUAL

    @cached_property
    def is_straight(self) -> bool:
        """True if each line is a row of squares on a flat board or in space."""
        if self.winning is not None:
            return {*self.winning} <= {*lines_of(self.columns, self.rows, Surface.FLAT, in_a_row(self.k))}
        return self.surface is Surface.FLAT and self.shape is None

    @cached_property
    def completing_loses(self) -> bool:
        """True if the player who completes a line loses."""
        return self.goal is Goal.MISERE or self.marks is Marking.NOTAKTO

    def player(self, mark: str) -> str:
        """Name a player: by the mark, or where both place X by their turn, e.g. "the first player"."""
        return f"the {'first' if mark == 'X' else 'second'} player" if self.marks is Marking.NOTAKTO else str(mark)

    @cached_property
    def in_space(self) -> bool:
        """True if the board has several layers."""
        return self.layers > 1

    @cached_property
    def is_wild(self) -> bool:
        """True if the mover chooses the mark."""
        return self.marks is Marking.WILD

    @cached_property
    def vanishes(self) -> bool:
        """True if stones leave the board again, so that positions can repeat."""
        return self.marks in {Marking.VANISHING, Marking.VANISHING_STRICT}

    @cached_property
    def endless(self) -> bool:
        """True if play can go on for ever: stones leave before no square is left to play on."""
        return self.vanishes and self.squares + bool(self.takes_freed) > 2 * self.k

    @cached_property
    def falls(self) -> bool:
        """True if stones fall to the lowest empty cell of a column."""
        return self.drop is Drop.GRAVITY

    @cached_property
    def stones_never_harm(self) -> bool:
        """True if one more stone never harms its owner. The kernel, reasons and rules of thumb rely on it.

        A stone that falls can harm: the opponent may want the cell above it.
        """
        return not self.falls and self.goal is Goal.COMPLETE and self.marks is Marking.OWN

    @cached_property
    def size(self) -> int:
        """The number of cells, holes among them."""
        return self.columns * self.rows * self.layers

    @cached_property
    def is_small(self) -> bool:
        """True if the game has so few positions that every score is looked up, not searched for."""
        return (self.squares if self.vanishes else self.size) <= SMALL

    @property
    def sides(self) -> str:
        """The board's sides for people, such as "4×3" or "3×3×3"."""
        return "×".join(map(str, (self.columns, self.rows, self.layers)[: 2 + self.in_space]))

    @property
    def _sized(self) -> str:
        """The board's sides with their article, such as "an 8×8"."""
        return f"{'an' if self.columns == MAX_SIDE else 'a'} {self.sides}"

    @cached_property
    def squares(self) -> int:
        """The number of cells on which a stone can lie: all but the holes."""
        return self.full.bit_count()

    @cached_property
    def full(self) -> Bits:
        """All cells but the holes."""
        return (1 << self.size) - 1 & ~self.holes

    @cached_property
    def lines(self) -> tuple[Bits, ...]:
        """Every winning line, as a set of k cells: rows first, then columns, then diagonals; each line once."""
        if self.winning is not None:
            return self.winning
        if self.in_space:
            return lines_in_space((self.columns, self.rows, self.layers), self.k)
        figures = self.shape.figures if self.shape else in_a_row(self.k)
        lines = lines_of(self.columns, self.rows, self.surface, figures)
        return tuple(line for line in lines if not line & self.holes) if self.holes else lines

    @cached_property
    def lines_through(self) -> tuple[tuple[Bits, ...], ...]:
        """The winning lines through each cell."""
        through: list[list[Bits]] = [[] for _ in range(self.size)]
        for line in self.lines:
            for cell in cells_of(line):
                through[cell].append(line)
        return tuple(map(tuple, through))

    @cached_property
    def symmetries(self) -> tuple[Permutation, ...]:
        """Permutations of the cells that map the lines onto themselves, the identity first. Holes stay where they are.

        They are the motions of the board; on a small one they are all there are, unless rows win on a flat board.
        """
        if self.in_space:
            known = motions_in_space((self.columns, self.rows, self.layers), self.k)
        else:
            known = motions(self.columns, self.rows, self.surface)
        if self.holes:
            staying = (motion for motion in known if mapped(self.holes, motion) == self.holes)
            known = tuple(dict.fromkeys(map(self._without_holes, staying)))
        if self.winning is not None:
            lines = set(self.winning)
            known = tuple(motion for motion in known if {mapped(line, motion) for line in lines} == lines)
        if self.holes or self.in_space or not self.is_straight:
            known = tuple(sorted(with_others(known, self.lines, self.holes) if self.size <= SEARCHED else known))
        return tuple(motion for motion in known if self._keeps_columns(motion)) if self.falls else known

    @cached_property
    def images(self) -> tuple[tuple[Bits, ...], ...]:
        """The image of each cell, as a set of one cell, by each symmetry."""
        cells = tuple(1 << cell for cell in range(self.size))
        return tuple(tuple(map(cells.__getitem__, symmetry)) for symmetry in self.symmetries)

    def _without_holes(self, symmetry: Permutation) -> Permutation:
        """Return the symmetry that moves squares like this one, and leaves each hole where it is."""
        return tuple(cell if self.holes >> cell & 1 else to for cell, to in enumerate(symmetry))

    def _keeps_columns(self, symmetry: Permutation) -> bool:
        """Return whether a symmetry maps each cell and the cell below to a cell and the cell below."""
        above = range(self.size - self.columns)
        return all(symmetry[cell + self.columns] == symmetry[cell] + self.columns for cell in above)

    def playable(self, empty: Bits) -> Bits:
        """Return the cells to which a stone can go, given the empty ones."""
        return empty & ~(empty >> self.columns) if self.falls else empty

    def resting(self, stones: Bits) -> Bits:
        """Return the stones that lie on the bottom or on another stone."""
        bottom = self.full & ~(self.full >> self.columns)
        return stones & (stones >> self.columns | bottom)

    def landing(self, cell: Cell, empty: Bits) -> Cell:
        """Return the cell to which a stone goes that is put on an empty cell: there, or the lowest empty one below."""
        while self.falls and empty >> cell + self.columns & 1:
            cell += self.columns
        return cell

    def cell(self, column: int, row: int, layer: int = 0) -> Cell:
        """Return the cell in a column from the left, a row from the top and a layer from the bottom, counted from 0."""
        return (layer * self.rows + row) * self.columns + column

    def name(self, cell: Cell) -> str:
        """Return a cell's name: column letter and row number, with `a1` at the bottom left, and in space the layer."""
        column, row = self.column_row(cell)
        return f"{COLUMNS[column]}{self.rows - row}" + (f".{self.layer(cell) + 1}" if self.in_space else "")

    def column_row(self, cell: Cell) -> tuple[int, int]:
        """Return the column from the left and the row from the top, counted from 0, of a cell in its layer."""
        return cell % self.columns, cell // self.columns % self.rows

    def layer(self, cell: Cell) -> int:
        """Return the layer from the bottom, counted from 0, of a cell."""
        return cell // (self.columns * self.rows)

    def with_mark(self, cell: Cell, is_o: bool) -> MoveCode:
        """Return the move that places this mark on a cell, if the mover chooses the mark; else the cell itself.

        Such moves are numbered from `size` on: first X on every cell, then O. A move that has its mark keeps it.
        """
        return cell + self.size * (1 + is_o) if self.is_wild and cell < self.size else cell

    def moves_to(self, cells: Bits) -> tuple[MoveCode, ...]:
        """Return the moves that place a stone on these cells."""
        if not self.is_wild:
            return tuple(cells_of(cells))
        return tuple(self.with_mark(cell, is_o) for is_o in (False, True) for cell in cells_of(cells))

    def turned(self, move: MoveCode, symmetry: Permutation) -> MoveCode:
        """Return the image of a move under a symmetry."""
        return symmetry[move % self.size] + move - move % self.size

    @cached_property
    def takes_freed(self) -> Bits:
        """All cells if a move can take the square that it frees, else none."""
        return 0 if self.marks is Marking.VANISHING_STRICT else self.full

    def threats(self, own: Bits, other: Bits) -> Bits:
        """Return the cells where a player with the stones `own` completes a line at once, 0 if it has one already."""
        threats = 0
        for line in self.lines:
            if not line & other:
                missing = line & ~own
                if not missing:
                    return 0
                if not missing & (missing - 1):
                    threats |= missing
        return threats & self.playable(self.full & ~(own | other)) if self.falls else threats


def rules_of(  # noqa: PLR0913, PLR0917 - the board and its clauses
    columns: int,
    rows: int,
    k: int,
    surface: Surface = Surface.FLAT,
    shape: Shape | None = None,
    drop: Drop = Drop.FREE,
    goal: Goal = Goal.COMPLETE,
    marks: Marking = Marking.OWN,
    holes: Bits = 0,
    winning: tuple[Bits, ...] | None = None,
    layers: int = 1,
) -> Rules:
    """Return the rules of a board: the same object each time, so its lines are computed once. Raises BadRules."""
    clauses = Clauses(surface, shape, drop, goal, marks, holes, winning, layers)
    return _standard(columns, rows, k) if clauses == USUAL else _other(columns, rows, k, clauses)


@lru_cache(maxsize=512)  # more than there are boards
def _standard(columns: int, rows: int, k: int) -> Rules:
    return Rules(columns, rows, k)


@lru_cache(maxsize=16)  # there are thousands
def _other(columns: int, rows: int, k: int, clauses: Clauses) -> Rules:
    return Rules(columns, rows, k, **clauses._asdict())


def check_lines_win(rules: Rules, what: str) -> None:
    """Raise BadRules if completing a line with one's own mark does not win. `what` is what takes this for granted."""
    if not rules.stones_never_harm:
        raise BadRules(
            f"{what} is about games in which a stone goes anywhere and a line of your own mark wins, so it doesn't take"
            f" {rules}."
        )


TIC_TAC_TOE: Final = rules_of(3, 3, 3)
"""The usual board."""

DEFAULT_BOARD: Final = str(TIC_TAC_TOE)
"""The name of the board that is played by default."""
