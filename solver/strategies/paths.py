"""Paths: a tie-break by how many ways lead from a square to wins and to losses, from a comment of the Erlang article.

A path is one way for the game to go on, to its end, whatever both sides play. A path that ends with the square itself
weighs 1, and each ply further halves its weight, so that longer ones count less. The value of a square is the weight of
all paths that its player wins, less that of all that player loses.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final, TypeAlias

from solver.board.position import Position, Result
from solver.board.rules import Bits, Cell, Rules
from solver.search.tablebase import positions

WEIGHT: Final = Fraction(1, 2)
"""What each ply further leaves of a path's weight."""


@dataclass(frozen=True, slots=True)
class Paths:
    """The paths from a square for the player who takes it: how many are won, drawn and lost, and their worth."""

    won: int
    drawn: int
    lost: int
    value: Fraction
    """The weight of those won less the weight of those lost. More is better."""

    def words(self) -> str:
        """The counts in words."""
        return f"{self.won:,} paths win, {self.lost:,} lose, weighing {float(self.value):+.3f} together"


Table: TypeAlias = dict[tuple[Bits, Bits], Paths]
"""The paths from a position for the player who moved last, by that player's stones and the mover's."""


def paths(position: Position, cell: Cell) -> Paths:
    """All paths from an open square, for boards of up to nine cells."""
    after = position.after(cell)
    return table(position.rules)[after.other, after.own]


@cache
def table(rules: Rules) -> Table:
    """The paths of every position that play from the empty board reaches, each counted once."""
    counted: Table = {}
    for position in positions(rules):  # each comes after all that follow it
        counted[position.other, position.own] = _paths_from(position, counted)
    return counted


def _paths_from(position: Position, counted: Table) -> Paths:
    match position.result:
        case Result.DRAW:
            return Paths(0, 1, 0, Fraction(0))
        case None:
            mover, last = position.own, position.other
            parts = [counted[mover | 1 << cell, last] for cell in position.legal_moves]
            return Paths(
                sum(part.lost for part in parts),
                sum(part.drawn for part in parts),
                sum(part.won for part in parts),
                -WEIGHT * sum(part.value for part in parts),
            )
        case _:
            return Paths(1, 0, 0, Fraction(1))
