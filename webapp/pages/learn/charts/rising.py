"""A line of best play whose predictions rise from its end: how a win below becomes a loss above, a ply at a time."""

from collections.abc import Iterator
from dataclasses import dataclass

from solver.board.notation import format_cell, format_outcome
from solver.board.outcome import Outcome
from solver.board.position import Position
from solver.board.rules import Cell
from solver.proofs.prediction import predict
from solver.search.tablebase import has_table
from webapp.ui.minis import Mini, mini


@dataclass(frozen=True, slots=True)
class Rung:
    """A position of the line with a best square of it; `outcome` is the square's, seen by the mover, None at the end.

    The board shows what the squares are worth where that is `known` by now.
    """

    position: Position
    cell: Cell | None
    outcome: Outcome | None
    known: bool
    board: Mini


@dataclass(frozen=True, slots=True)
class Rising:
    """The line from the position to its end, of which the last `known` boards have got their values."""

    rungs: tuple[Rung, ...]
    known: int

    @property
    def steps(self) -> int:
        """How often a value rises: as often as somebody moves."""
        return len(self.rungs) - 1

    @property
    def here(self) -> Rung | None:
        """The position whose squares have got their values last; None at the end of the game."""
        return self.rungs[-1 - self.known] if self.known else None

    @property
    def below(self) -> Rung:
        """The position that follows it."""
        return self.rungs[-self.known] if self.known else self.rungs[-1]


def line_of_best(position: Position) -> tuple[tuple[Position, Cell], ...]:
    """The positions from this one on, each with the first of its best squares, to the end of the game."""
    return tuple(_line(position))


def rising(position: Position, known: int) -> Rising | None:
    """The line, with `known` plies of it valued from the end, at most all; None where it is not looked up."""
    if not has_table(position.rules) or position.result is not None:
        return None
    line = line_of_best(position)
    known = min(known, len(line))
    last = line[-1][0].after(line[-1][1])
    rungs = (_rung(each, cell, len(line) - number <= known) for number, (each, cell) in enumerate(line))
    return Rising((*rungs, Rung(last, None, None, True, mini(last, "The end"))), known)


def _line(position: Position) -> Iterator[tuple[Position, Cell]]:
    while position.result is None:
        cell = predict(position).best[0]
        yield position, cell
        position = position.after(cell)


def _rung(position: Position, cell: Cell, known: bool) -> Rung:
    squares = predict(position).squares
    outcome = squares[cell]
    texts = {each: format_outcome(worth) if known else "?" for each, worth in squares.items()}
    classes = {each: str(worth.value) if known else "" for each, worth in squares.items()}
    classes[cell] += " played"
    caption = f"{position.mover} {format_cell(cell, position.rules)}: {format_outcome(outcome) if known else '?'}"
    return Rung(position, cell, outcome, known, mini(position, caption, texts=texts, classes=classes))
