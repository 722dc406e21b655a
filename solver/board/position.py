"""A position: the stones on a board. It is immutable; playing a move gives a new one."""

from dataclasses import dataclass
from enum import StrEnum

from solver.board.names import as_rules, format_cell, parse_cell, quoted
from solver.board.rules import LONGEST, TIC_TAC_TOE, Bits, Cell, Marking, MoveCode, Rules, cells_of, mapped
from solver.board.symmetries import Permutation
from solver.errors import BadNotation, IllegalMove, ImpossiblePosition

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

    Where stones vanish, `ages` has their cells, the oldest first; elsewhere it is empty. The constructor trusts the
    stones. Use `parse_position` or `Position.checked` for stones that come from outside.
    `str` draws the rows. Raises BadRules for a text that isn't a board.

    >>> print(Position("3x3x3").play("b3").play("b2"))
    .X.
    .O.
    ...
    """

    rules: Rules
    x: Bits = 0
    o: Bits = 0
    ages: tuple[Cell, ...] = ()

    def __init__(self, rules: Rules | str, x: Bits = 0, o: Bits = 0, ages: tuple[Cell, ...] = ()) -> None:
        put = object.__setattr__  # as the constructor of any frozen dataclass does
        put(self, "rules", rules if isinstance(rules, Rules) else as_rules(rules))
        put(self, "x", x)
        put(self, "o", o)
        put(self, "ages", ages)

    def __str__(self) -> str:
        return self.text.replace("/", "\n").replace("|", "\n\n")

    def __repr__(self) -> str:
        board = "" if self.rules == TIC_TAC_TOE else f", {self.rules!r}"
        if self.ages:
            return f"Position({str(self.rules)!r}, {self.x}, {self.o}, {self.ages})"
        return f"parse_position({self.text!r}{board})"

    def __hash__(self) -> int:
        return hash((self.rules.hash, self.x, self.o, self.ages))

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
        elif not rules.is_wild and xs - os not in (0, 1):
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
        winner = winner if rules.marks is Marking.OWN else position.mover.other
        if position.mover is winner and rules.marks is Marking.OWN:
            raise ImpossiblePosition(f"{winner} has a line, yet {winner.other} moved after it; the game was over.")
        shared = rules.full
        for line in lines:
            shared &= line
        if not shared:
            raise ImpossiblePosition(
                "Two lines share no square, so no single last move completed them;"
                " the game would have ended with the first one."
            )
        if rules.falls and not (shared := shared & ~((x | o) << rules.columns)):
            raise ImpossiblePosition("There was a line before the last stone fell; the game would have ended with it.")
        return position._built(shared)

    def _built(self, last: Bits) -> "Position":
        """Return this position, if stones that fall can have been placed in turns with the last one in `last`.

        Raises ImpossiblePosition. Where very many orders have been tried in vain, the position is taken.
        """
        if not self.rules.falls or self.rules.marks is not Marking.OWN:
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
        if self.ages and len(self.ages) == 2 * self.rules.k:
            return Mark.X if self.x >> self.ages[0] & 1 else Mark.O  # they take turns, so it is whose stone is oldest
        return Mark.O if (self.x | self.o).bit_count() & 1 else Mark.X

    @property
    def marks_to_come(self) -> tuple[Mark, Mark]:
        """The marks that the mover and then the opponent place, if they cannot choose."""
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
    def is_begun(self) -> bool:
        """True if there is a stone on the board."""
        return bool(self.x | self.o)

    @property
    def plies_left(self) -> int:
        """The plies until the board is full; in a game that can be endless, of the longest win that is looked for."""
        return LONGEST if self.rules.endless else self.empty.bit_count()

    @property
    def plies_to_draw(self) -> int | None:
        """The plies until a draw: until the board is full, or None where play goes on for ever."""
        return None if self.rules.endless else self.empty.bit_count()

    @property
    def leaving(self) -> Bits:
        """The cell of the stone that leaves as the mover places one more; 0 if none does."""
        return 1 << self.ages[0] if len(self.ages) == 2 * self.rules.k else 0

    @property
    def leaving_after(self) -> Bits:
        """The cell of the opponent's stone that leaves with the opponent's next move; 0 if none does."""
        before = len(self.ages) - 2 * self.rules.k + 1
        return 1 << self.ages[before] if self.ages and before in (0, 1) else 0

    @property
    def drawn(self) -> tuple[str, ...]:
        """The rows from the top, such as "X.O"."""
        marks, width = list(map(self.sign_at, range(self.rules.size))), self.rules.columns
        return tuple("".join(marks[start : start + width]) for start in range(0, len(marks), width))

    @property
    def text(self) -> str:
        """The rows from the top with "/" between them, and "|" between layers from the bottom."""
        drawn, rows = self.drawn, self.rules.rows
        return "|".join("/".join(drawn[start : start + rows]) for start in range(0, len(drawn), rows))

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
        if stones.bit_count() < self.rules.k:  # early in a game, before all lines are gone through
            return ()
        return tuple(line for line in self.rules.lines if stones & line == line)

    @property
    def winning_lines(self) -> tuple[Bits, ...]:
        """The lines that ended the game: only the player who moved last can have completed one."""
        if self.rules.is_wild:
            return self.lines_of(Mark.X) or self.lines_of(Mark.O)
        return self.lines_of(Mark.X if self.rules.marks is Marking.NOTAKTO else self.mover.other)

    @property
    def result(self) -> Result | None:
        """The end of the game, or None while it is on. A line completed on the last empty cell counts."""
        if (self.x | self.o).bit_count() >= self.rules.k and self.winning_lines:
            return Result(self.mover if self.rules.completing_loses else self.mover.other)
        return None if self.empty or self.playable else Result.DRAW

    @property
    def playable(self) -> Bits:
        """The cells to which a stone can go, even if the game is over."""
        cells = self.rules.playable(self.empty)
        return cells | self.rules.takes_freed & self.leaving if self.ages else cells

    @property
    def legal_moves(self) -> tuple[MoveCode, ...]:
        """The moves in reading order; none once the game is over."""
        return () if self.result else self.rules.moves_to(self.playable)

    def move_of(self, given: MoveCode | str) -> MoveCode:
        """Return a move as it is, or the one that a text names: a square or, where stones fall, a column from 1.

        Raises BadNotation, also for any other value, and IllegalMove for a full column.
        """
        if isinstance(given, int):
            return given
        if not isinstance(given, str):
            raise BadNotation(f"{quoted(given)} isn't a square: give its name, such as a1, or its number from 0.")
        text, rules = given.strip(), self.rules
        if not (rules.falls and text.isascii() and text.isdigit()):
            return parse_cell(given, rules)
        if not 1 <= int(text) <= rules.columns:
            raise BadNotation(f"There is no column {quoted(text)}: they go from 1 at the left to {rules.columns}.")
        top = int(text) - 1
        if not self.empty >> top & 1:
            raise IllegalMove(f"Column {text} is full.")
        return self.landing(top)

    def landing(self, move: MoveCode) -> MoveCode:
        """Return the move that puts a stone where this one comes to lie: it can fall."""
        cell = move % self.rules.size
        return move - cell + self.rules.landing(cell, self.empty)

    def mark_placed(self, move: MoveCode) -> Mark:
        """Return the mark that a move places."""
        if self.rules.is_wild:
            return Mark.O if move >= 2 * self.rules.size else Mark.X
        return self.marks_to_come[0]

    def play(self, move: MoveCode | str) -> "Position":
        """Return the position after a move, given by its number or its name such as "b2".

        Where stones fall, a name can also be a column, such as "4". Raises IllegalMove, or BadNotation for a text that
        isn't a square.
        """
        move, size = self.move_of(move), self.rules.size
        if not 0 <= move < (3 if self.rules.is_wild else 1) * size:
            raise IllegalMove(f"There is no cell {move} on a board of {size} cells.")
        cell = move % size
        if (result := self.result) is not None:
            over = "a draw" if result is Result.DRAW else f"{self.rules.player(result)} has won"
            raise IllegalMove(f"The game is over: {over}.")
        if self.rules.is_wild and move < size:
            name = format_cell(cell, self.rules)
            raise IllegalMove(f"Either player places either mark. Say which one: X{name} or O{name}.")
        if self.leaving >> cell & 1:
            if not self.playable >> cell & 1:
                name = format_cell(cell, self.rules)
                raise IllegalMove(f"{name} is about to be freed, and by the strict rule it can't be taken at once.")
        elif (mark := self.mark_at(cell)) is not None:
            raise IllegalMove(f"{format_cell(cell, self.rules)} is taken: {mark} stands there.")
        if self.rules.holes >> cell & 1:
            raise IllegalMove(f"{format_cell(cell, self.rules)} is a hole, where no stone can lie.")
        if (landing := self.landing(cell)) != cell:
            raise IllegalMove(
                f"{format_cell(cell, self.rules)} is in the air: a stone in its column falls to"
                f" {format_cell(landing, self.rules)}."
            )
        return self.after(move)

    def after(self, move: MoveCode) -> "Position":
        """Return the position after a legal move, without checking that it is legal."""
        rules = self.rules
        if rules.vanishes:
            return self._after_vanishing(move)
        if self.mark_placed(move) is Mark.X:
            return Position(rules, self.x | 1 << move % rules.size, self.o)
        return Position(rules, self.x, self.o | 1 << move % rules.size)

    def _after_vanishing(self, cell: Cell) -> "Position":
        """Return the position after a move by which the mover's oldest stone leaves if there are k already."""
        kept, ages = ~self.leaving, (*self.ages[self.leaving.bit_count() :], cell)
        x, o = self.x & kept, self.o & kept
        if self.mover is Mark.X:
            return Position(self.rules, x | 1 << cell, o, ages)
        return Position(self.rules, x, o | 1 << cell, ages)

    def successors(self) -> tuple["Position", ...]:
        """Return the positions after the legal moves, in the same order; none once the game is over."""
        return tuple(map(self.after, self.legal_moves))

    def threats(self, mark: Mark | None = None) -> tuple[Cell, ...]:
        """Return the cells where one more stone of `mark` completes a line at once, in reading order.

        Without `mark`, they are the threats of the player who moved last. A player with a line has none.
        """
        own, other = (self.other, self.own) if mark is None else (self.stones(mark), self.stones(mark.other))
        return tuple(cells_of(self.rules.threats(own, other)))

    def transformed(self, symmetry: Permutation) -> "Position":
        """Return the image of the position under a symmetry of the board."""
        ages = tuple(symmetry[cell] for cell in self.ages)
        return Position(self.rules, mapped(self.x, symmetry), mapped(self.o, symmetry), ages)

    def canonical(self) -> "Position":
        """Return the image with the least (x, o), which stands for all images of the position.

        Where stones vanish, it is the one with the least (ages).
        """
        if self.ages:
            symmetry = min(self.rules.symmetries, key=lambda symmetry: [symmetry[cell] for cell in self.ages])
            return self.transformed(symmetry)
        images, x_cells, o_cells = self.rules.images, tuple(cells_of(self.x)), tuple(cells_of(self.o))
        xs = [sum(map(cells.__getitem__, x_cells)) for cells in images]
        x = min(xs)
        o = min(sum(map(cells.__getitem__, o_cells)) for at, cells in zip(xs, images, strict=True) if at == x)
        return Position(self.rules, x, o)

    def symmetries(self) -> tuple[Permutation, ...]:
        """Return the symmetries of the board that leave the position unchanged, the identity first."""
        return tuple(symmetry for symmetry in self.rules.symmetries if self.transformed(symmetry) == self)

    def images(self) -> int:
        """Return the number of different images of the position under the symmetries of the board."""
        return len(self.rules.symmetries) // len(self.symmetries())

    def orbits(self) -> tuple[tuple[Cell, ...], ...]:
        """Return the legal moves in groups. Symmetries of the position map the moves of a group to each other."""
        kept = self.symmetries()
        turned = self.rules.turned
        classes = (tuple(sorted({turned(move, symmetry) for symmetry in kept})) for move in self.legal_moves)
        return tuple(dict.fromkeys(classes))
