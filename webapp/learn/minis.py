"""Small boards, as lessons draw them: stones, what some squares are worth, a result, and a link to the real board."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from solver.notation import format_cell, format_position
from solver.outcome import Outcome
from solver.position import Position
from solver.rules import Cell

NOTHING: Final[Mapping[Cell, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class MiniSquare:
    """A square, `x` from the left and `y` from the top: its stone or a few letters, and its style classes."""

    x: int
    y: int
    mark: str
    text: str
    classes: str


@dataclass(frozen=True, slots=True)
class Mini:
    """A small board. `label` is what is read out instead of it, `caption` stands below it, `url` is where one plays."""

    columns: int
    rows: int
    squares: tuple[MiniSquare, ...]
    strikes: tuple[tuple[float, float, float, float], ...]
    label: str
    caption: str
    classes: str
    url: str


def mini(
    position: Position,
    caption: str = "",
    kind: str = "",
    texts: Mapping[Cell, str] = NOTHING,
    classes: Mapping[Cell, str] = NOTHING,
) -> Mini:
    """A small board of a position.

    `texts` are letters in open squares and `classes` the styles of squares (`win`, `draw`, `loss`, `threat`, `new`);
    `kind` styles the whole board (`win`, `draw`, `loss`, `fork`).
    """
    rules = position.rules
    squares = (
        MiniSquare(
            *rules.column_row(cell), str(position.mark_at(cell) or ""), texts.get(cell, ""), classes.get(cell, "")
        )
        for cell in range(rules.size)
    )
    text = format_position(position)
    said = [f"Position {text}", *(f"{format_cell(cell, rules)} {words}" for cell, words in texts.items())]
    return Mini(
        rules.columns,
        rules.rows,
        tuple(squares),
        tuple(_strike(position, line) for line in position.winning_lines),
        ", ".join(said),
        caption,
        kind,
        f"/play/{rules}" + (f"?from={text}&o=friend" if position.x else ""),
    )


def of_outcomes(position: Position, outcomes: Mapping[Cell, Outcome], caption: str = "", kind: str = "") -> Mini:
    """A small board whose squares show their outcomes, letter and number."""
    return mini(
        position,
        caption,
        kind,
        {cell: f"{outcome.letter}{outcome.number}" for cell, outcome in outcomes.items()},
        {cell: str(outcome.value) for cell, outcome in outcomes.items()},
    )


def _strike(position: Position, line: int) -> tuple[float, float, float, float]:
    """The stroke through a line, from centre to centre."""
    first, last = (line & -line).bit_length() - 1, line.bit_length() - 1
    (x1, y1), (x2, y2) = position.rules.column_row(first), position.rules.column_row(last)
    return x1 + 0.5, y1 + 0.5, x2 + 0.5, y2 + 0.5
