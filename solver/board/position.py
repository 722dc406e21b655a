"""A position: the stones on a board. It is immutable; playing a move gives a new one."""

from dataclasses import dataclass
from enum import StrEnum

from solver.board.names import as_cell, as_rules, format_cell
from solver.board.rules import TIC_TAC_TOE, Bits, Cell, Marking, Permutation, Rules, cells_of, image, mapped
from solver.errors import IllegalMove, ImpossiblePosition

MOST_ORDERS = 5000
"""The most positions before one where stones fall that are looked at, to see whether it can be reached."""


class Mark(StrEnum):
    """X, who moves first, or O."""

    X = "X"
    O = "O"  # noqa: E741 - the mark's own name

    @property
    def other(self) -> "Mark":
        """The opponent's mark."""
        return Mark.O if self is Mark.X else Mark.X


class Result(StrEnum):
    """The end of a game: the winner, or a draw."""

    X = "X"
    O = "O"  # noqa: E741 - the mark's own name
    DRAW = "draw"


@dataclass(frozen=True, slots=True, init=False)
class Position:
    """The stones on a board as two sets of cells. The mover follows from their number.

    The constructor trusts the stones. Use `parse_position` or `Position.checked` for stones that come from outside.
    `str` draws the rows. Raises BadRules for a text that isn't a board.

    >>> print(Position("3x3x3").play("b3").play("b2"))
    .X.
    .O.
    ...
    """

    rules: Rules
    x: Bits = 0
    o: Bits = 0

    def __init__(self, rules: Rules | str, x: Bits = 0, o: Bits = 0) -> None:
        put = object.__setattr__  # as the constructor of any frozen dataclass does
        put(self, "rules", as_rules(rules) if isinstance(rules, str) else rules)
        put(self, "x", x)
        put(self, "o", o)

    def __str__(self) -> str:
        return "\n".join(self.drawn)

    def __repr__(self) -> str:
        board = "" if self.rules == TIC_TAC_TOE else f", {self.rules!r}"
        return f"parse_position({'/'.join(self.drawn)!r}{board})"

    def __hash__(self) -> int:
        return hash((self.x, self.o))  # rules are slow to hash, and nearly all positions of a set share theirs

    @classmethod
    def checked(cls, rules: Rules, x: Bits, o: Bits) -> "Position":
        """Return the position with these stones. Raises ImpossiblePosition with the reason if no game can reach it."""
        position = cls(rules, x, o)
        if x & o or (x | o) & ~rules.full:
            raise ImpossiblePosition("Every stone lies on a cell of its own, on the board.")
        xs, os = x.bit_count(), o.bit_count()
        if rules.marks is Marking.NOTAKTO:
            if os:
                raise ImpossiblePosition(f"Both players place X in notakto; here are {os} O.")
        elif xs - os not in (0, 1):
            raise ImpossiblePosition(
                f"X moves first and the players take turns, so there are as many X as O or one more;"
                f" here are {xs} X and {os} O."
            )
        if rules.falls and (floating := (x | o) & rules.full & ~rules.resting(x | o)):
            cell = next(cells_of(floating))
            raise ImpossiblePosition(
                f"{format_cell(cell, rules)} is in the air: stones fall, so there is one on each square below another."
            )
        x_lines, o_lines = position.lines_of(Mark.X), position.lines_of(Mark.O)
        if x_lines and o_lines:
            raise ImpossiblePosition("Both players have a line; the game would have ended with the first one.")
        winner, lines = (Mark.X, x_lines) if x_lines else (Mark.O, o_lines)
        if not lines:
            return position._built(rules.full)
        if position.mover is winner and rules.marks is Marking.OWN:
            raise ImpossiblePosition(f"{winner} has a line, yet {winner.other} moved after it; the game was over.")
        shared = rules.full
        for line in lines:
            shared &= line
        if not shared:
            raise ImpossiblePosition(
                f"{winner} has lines with no cell in common, so no single last move completed them;"
                " the game would have ended with the first one."
            )
        return position._built(shared)

    def _built(self, last: Bits) -> "Position":
        """Return this position, if stones that fall can have been placed in turns with the last one in `last`.

        Raises ImpossiblePosition. Where very many orders have been tried in vain, the position is taken.
        """
        if not self.rules.falls or self.rules.marks is Marking.NOTAKTO:
            return self
        tried, waiting = set[tuple[Bits, Bits]](), [(self.x, self.o, last)]
        while waiting and len(tried) < MOST_ORDERS:
            x, o, last = waiting.pop()
            stones = x | o
            if not stones:
                return self
            by_x = stones.bit_count() & 1
            for cell in cells_of((x if by_x else o) & last & ~(stones << self.rules.columns)):
                before = (x ^ 1 << cell, o) if by_x else (x, o ^ 1 << cell)
                if before not in tried:
                    tried.add(before)
                    waiting.append((*before, self.rules.full))
        if waiting:
            return self
        raise ImpossiblePosition("The players take turns and stones fall; in no order of turns do they lie like this.")

    @property
    def mover(self) -> Mark:
        """The player whose turn it is. In a finished game, the player who would move next."""
        return Mark.O if (self.x | self.o).bit_count() & 1 else Mark.X

    @property
    def marks_to_come(self) -> tuple[Mark, Mark]:
        """The marks that the mover and then the opponent place."""
        return (Mark.X, Mark.X) if self.rules.marks is Marking.NOTAKTO else (self.mover, self.mover.other)

    @property
    def own(self) -> Bits:
        """The mover's stones."""
        return self.x if self.mover is Mark.X else self.o

    @property
    def other(self) -> Bits:
        """The stones of the player who moved last."""
        return self.o if self.mover is Mark.X else self.x

    @property
    def empty(self) -> Bits:
        """The cells without a stone."""
        return self.rules.full & ~(self.x | self.o)

    @property
    def plies_left(self) -> int:
        """The number of empty cells: the plies until the board is full."""
        return self.empty.bit_count()

    @property
    def drawn(self) -> tuple[str, ...]:
        """The rows from the top, such as "X.O"."""
        marks, width = list(map(self.sign_at, range(self.rules.size))), self.rules.columns
        return tuple("".join(marks[start : start + width]) for start in range(0, len(marks), width))

    def mark_at(self, cell: Cell) -> Mark | None:
        """Return the mark on a cell, or None if it is empty."""
        if self.x >> cell & 1:
            return Mark.X
        return Mark.O if self.o >> cell & 1 else None

    def sign_at(self, cell: Cell) -> str:
        """Return the character of a cell in texts: its mark, "." if it is empty, "#" for a hole."""
        return self.mark_at(cell) or ("#" if self.rules.holes >> cell & 1 else ".")

    def stones(self, mark: Mark) -> Bits:
        """Return the stones of a player."""
        return self.x if mark is Mark.X else self.o

    def lines_of(self, mark: Mark) -> tuple[Bits, ...]:
        """Return the winning lines that a player has completed."""
        stones = self.stones(mark)
        return tuple(line for line in self.rules.lines if stones & line == line)

    @property
    def winning_lines(self) -> tuple[Bits, ...]:
        """The lines that ended the game: only the player who moved last can have completed one."""
        return self.lines_of(Mark.X if self.rules.marks is Marking.NOTAKTO else self.mover.other)

    @property
    def result(self) -> Result | None:
        """The end of the game, or None while it is on. A line completed on the last empty cell counts."""
        if self.winning_lines:
            return Result(self.mover if self.rules.completing_loses else self.mover.other)
        return None if self.empty else Result.DRAW

    @property
    def legal_moves(self) -> tuple[Cell, ...]:
        """The cells to which a stone can go, in reading order; none once the game is over."""
        return () if self.result else tuple(cells_of(self.rules.playable(self.empty)))

    def landing(self, cell: Cell) -> Cell:
        """Return the cell to which a stone goes that is put on this one: it can fall."""
        return self.rules.landing(cell, self.empty)

    def play(self, cell: Cell | str) -> "Position":
        """Return the position after the mover's stone on a cell, given by its number or its name such as "b2".

        Raises IllegalMove, or BadNotation for a text that isn't a square.
        """
        cell = as_cell(cell, self.rules)
        if not 0 <= cell < self.rules.size:
            raise IllegalMove(f"There is no cell {cell} on a board of {self.rules.size} cells.")
        if (result := self.result) is not None:
            raise IllegalMove("The game is over: " + ("a draw." if result is Result.DRAW else f"{result} has won."))
        if (mark := self.mark_at(cell)) is not None:
            raise IllegalMove(f"{format_cell(cell, self.rules)} is taken: {mark} stands there.")
        if self.rules.holes >> cell & 1:
            raise IllegalMove(f"{format_cell(cell, self.rules)} is a hole, where no stone can lie.")
        if (landing := self.landing(cell)) != cell:
            raise IllegalMove(
                f"{format_cell(cell, self.rules)} is in the air: a stone in its column falls to"
                f" {format_cell(landing, self.rules)}."
            )
        return self.after(cell)

    def after(self, cell: Cell) -> "Position":
        """Return the position after a legal move, without checking that it is legal."""
        if self.mover is Mark.X or self.rules.marks is Marking.NOTAKTO:
            return Position(self.rules, self.x | 1 << cell, self.o)
        return Position(self.rules, self.x, self.o | 1 << cell)

    def successors(self) -> tuple["Position", ...]:
        """Return the positions after the legal moves, in the same order; none once the game is over."""
        return tuple(map(self.after, self.legal_moves))

    def completing(self, mark: Mark) -> tuple[Cell, ...]:
        """Return the cells where one more stone of `mark` completes a line at once, in reading order."""
        return tuple(cells_of(self.rules.completing(self.stones(mark), self.stones(mark.other))))

    def transformed(self, symmetry: Permutation) -> "Position":
        """Return the image of the position under a symmetry of the board."""
        return Position(self.rules, mapped(self.x, symmetry), mapped(self.o, symmetry))

    def canonical(self) -> "Position":
        """Return the image with the least (x, o), which stands for all images of the position."""
        x, o = min((image(self.x, table), image(self.o, table)) for table in self.rules.images)
        return Position(self.rules, x, o)

    def symmetries(self) -> tuple[Permutation, ...]:
        """Return the symmetries of the board that leave the position unchanged, the identity first."""
        return tuple(each for each in self.rules.symmetries if self.transformed(each) == self)

    def images(self) -> int:
        """Return the number of different images of the position under the symmetries of the board."""
        return len(self.rules.symmetries) // len(self.symmetries())

    def orbits(self) -> tuple[tuple[Cell, ...], ...]:
        """Return the legal moves in groups. Symmetries of the position map the moves of a group to each other."""
        kept = self.symmetries()
        classes = (tuple(sorted({symmetry[cell] for symmetry in kept})) for cell in self.legal_moves)
        return tuple(dict.fromkeys(classes))
