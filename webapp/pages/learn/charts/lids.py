"""Small boards of boxes, with the beads or the values that they hold for their squares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from solver.board.notation import format_cell
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell, cells_of
from solver.players.learning.boxes import Box
from solver.players.learning.learner import Memory
from webapp.ui.minis import spoken


@dataclass(frozen=True, slots=True)
class LidSquare:
    """A square of a small board, `x` from the left and `y` from the top: its stone, or what a box holds for it.

    `bead` is the number of the bead's colour. `classes` mark what was drawn or played last.
    """

    x: int
    y: int
    mark: Mark | None
    bead: int | None
    text: str
    classes: str


@dataclass(frozen=True, slots=True)
class Lid:
    """A small board with beads: `label` is read out instead of it."""

    spots: tuple[LidSquare, ...]
    strikes: tuple[tuple[float, float, float, float], ...]
    label: str


def lid_of(box: Box, memory: Memory) -> Lid:
    """A box as it stands."""
    return lid(box.position, dict(zip(box.squares, memory[box.number - 1], strict=True)))


def lid(position: Position, row: Mapping[Cell, float], drawn: Sequence[Cell] = (), new: Sequence[Cell] = ()) -> Lid:
    """A position with what a box holds for its squares."""
    held = {cell: amount(number) for cell, number in row.items()}
    spots = (
        LidSquare(
            *TIC_TAC_TOE.column_row(cell),
            mark=position.mark_at(cell),
            bead=cell if cell in held else None,
            text=held.get(cell, ""),
            classes="drawn" if cell in drawn else "new" if cell in new else "",
        )
        for cell in range(TIC_TAC_TOE.size)
    )
    beads = [f"{text} for {format_cell(cell, TIC_TAC_TOE)}" for cell, text in held.items()]
    said = [spoken(position), *([", ".join(beads)] if beads else [])]
    strikes = tuple(_strike(tuple(cells_of(line))) for line in position.winning_lines)
    return Lid(tuple(spots), strikes, "; ".join(said))


def _strike(cells: tuple[Cell, ...]) -> tuple[float, float, float, float]:
    """The stroke through a line, from centre to centre."""
    (x1, y1), (x2, y2) = TIC_TAC_TOE.column_row(cells[0]), TIC_TAC_TOE.column_row(cells[-1])
    return x1 + 0.5, y1 + 0.5, x2 + 0.5, y2 + 0.5


def amount(number: float) -> str:
    """Beads, or a value to a hundredth."""
    return str(number) if isinstance(number, int) else f"{number:.2f}".replace("-", "−")
