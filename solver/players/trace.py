"""A decision traced: every rule of a list in a position, with the squares that it names, or why it names none."""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.board.position import Position
from solver.board.rules import Cell
from solver.players.decision import FINISHED
from solver.players.handbook import Rule


@dataclass(frozen=True, slots=True)
class Consulted:
    """A rule in a position: the squares that it names, and if none why.

    `asked` says that no rule before it has decided; the first that is asked and names a square decides.
    """

    rule: Rule
    cells: tuple[Cell, ...]
    asked: bool
    lacking: str

    @property
    def decides(self) -> bool:
        """Whether it is the rule that is followed."""
        return self.asked and bool(self.cells)


def trace(rules: Sequence[Rule], position: Position) -> tuple[Consulted, ...]:
    """Every rule of a list in its order. Raises ValueError for a finished position."""
    if position.result is not None:
        raise ValueError(FINISHED)
    consulted: list[Consulted] = []
    asked = True
    for rule in rules:
        cells = tuple(rule.cells(position))
        consulted.append(Consulted(rule, cells, asked, "" if cells else rule.lacking(position)))
        asked = asked and not cells
    return tuple(consulted)
