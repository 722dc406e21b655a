"""Small boards, as lessons draw them: stones, what some squares are worth, and a result."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from solver.board.notation import format_cell, format_outcome
from solver.board.outcome import Outcome
from solver.board.position import Mark, Position
from solver.board.rules import Bits, Cell, Rules, cells_of

NOTHING: Final[Mapping[Cell, str]] = MappingProxyType({})

MARGIN: Final = 0.5
"""The room for the names of files and ranks, in units of their size."""


@dataclass(frozen=True, slots=True)
class MiniSquare:
    """A square, `x` from the left and `y` from the top: its stone or a few letters, and its style classes."""

    x: int
    y: int
    mark: Mark | None
    text: str
    classes: str


@dataclass(frozen=True, slots=True)
class Mini:
    """A small board of a position: `label` is read out instead of it, `caption` stands below it, `kind` styles it.

    `names` are the letters of files and the numbers of ranks, each with the middle of its place; `unit` is how large
    they are, in squares, so that those of a large board are read as well.
    """

    position: Position
    squares: tuple[MiniSquare, ...]
    strikes: tuple[tuple[float, float, float, float], ...]
    names: tuple[tuple[float, float, str], ...]
    unit: float
    label: str
    caption: str
    kind: str

    @property
    def margin(self) -> float:
        """The room that the names need on the left and below, in squares."""
        return MARGIN * self.unit


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
    unit = max(rules.columns, rules.rows) / 3
    squares = (
        MiniSquare(*rules.column_row(cell), position.mark_at(cell), texts.get(cell, ""), classes.get(cell, ""))
        for cell in range(rules.size)
    )
    return Mini(
        position=position,
        squares=tuple(squares),
        strikes=tuple(stroke(rules, line) for line in position.winning_lines),
        names=tuple(_names(rules, MARGIN * unit)),
        unit=unit,
        label="; ".join((spoken(position), *_placed(_by_text(texts), rules))),
        caption=caption,
        kind=kind,
    )


def spoken(position: Position) -> str:
    """A position as a screen reader says it: where the stones of each side are, e.g. "X on a3, c1; O on b2"."""
    return "; ".join(_placed({mark: cells_of(position.stones(mark)) for mark in Mark}, position.rules)) or "empty board"


def of_outcomes(position: Position, outcomes: Mapping[Cell, Outcome], caption: str = "", kind: str = "") -> Mini:
    """A small board whose squares show their outcomes, letter and number."""
    return mini(
        position,
        caption,
        kind,
        {cell: format_outcome(outcome) for cell, outcome in outcomes.items()},
        {cell: str(outcome.value) for cell, outcome in outcomes.items()},
    )


def _by_text(texts: Mapping[Cell, str]) -> dict[str, list[Cell]]:
    """The squares that show the same, so that it is said once for all of them."""
    return {text: [cell for cell in texts if texts[cell] == text] for text in dict.fromkeys(texts.values())}


def _placed(cells: Mapping[str, Iterable[Cell]], rules: Rules) -> Iterator[str]:
    """What stands on which squares, where there are any."""
    for what, where in cells.items():
        if names := ", ".join(format_cell(cell, rules) for cell in where):
            yield f"{what} on {names}"


def _names(rules: Rules, margin: float) -> Iterator[tuple[float, float, str]]:
    """Files below the board and ranks on its left, in the middle of the margin."""
    for column in range(rules.columns):
        yield column + 0.5, rules.rows + margin / 2, format_cell(rules.cell(column, 0), rules)[0]
    for row in range(rules.rows):
        yield -margin / 2, row + 0.5, format_cell(rules.cell(0, row), rules)[1:]


def stroke(rules: Rules, line: Bits) -> tuple[float, float, float, float]:
    """The stroke through a line, from centre to centre."""
    first, last = (line & -line).bit_length() - 1, line.bit_length() - 1
    (x1, y1), (x2, y2) = rules.column_row(first), rules.column_row(last)
    return x1 + 0.5, y1 + 0.5, x2 + 0.5, y2 + 0.5
