"""The board as a page shows it: what is drawn in each square, what is read out, how it is styled."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from solver.board.notation import COLUMNS, format_cell
from solver.board.rules import Bits, Cell, Rules, cells_of, union
from solver.proofs.prediction import Prediction
from webapp.play.link import Link
from webapp.play.snapshot import Snapshot
from webapp.play.turns import computer_to_move

NOTHING: Final[Mapping[Cell, tuple[str, int]]] = MappingProxyType({})

_PLACES = tuple(
    "centre" if (row, column) == ("middle", "middle") else f"{row} {column}"
    for row in ("top", "middle", "bottom")
    for column in ("left", "middle", "right")
)


@dataclass(frozen=True, slots=True)
class Square:
    """One square: its name, what a screen reader says, its style classes, and what is drawn in it."""

    name: str
    label: str
    classes: str
    mark: str
    letter: str
    distance: str
    open: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the board, with the number that stands beside it."""

    number: int
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class Strike:
    """The stroke through a winning line, from centre to centre; squares are one wide, 0 is the left or upper edge."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Board:
    """The rows from the top, the letters below them, and the strokes through winning lines."""

    rows: tuple[Row, ...]
    letters: str
    strikes: tuple[Strike, ...]
    classes: str


def board(snapshot: Snapshot, replied: bool, shown: Mapping[Cell, tuple[str, int]] = NOTHING) -> Board:
    """The board of a link. With predictions off, nothing of them is in any square.

    `shown` are stones of a line of best play, drawn with their numbers on squares that are still open.
    """
    link, prediction = snapshot.link, snapshot.prediction
    rules, position = link.rules, link.position
    playable = position.result is None and not computer_to_move(link)
    won = union(position.winning_lines)

    def square(cell: Cell) -> Square:
        if position.mark_at(cell):
            return _taken(link, cell, won)
        if cell in shown:
            return _of_line(link, cell, playable, *shown[cell])
        return _open(link, cell, playable, None if shown else prediction)

    starts = range(0, rules.size, rules.columns)
    rows = (tuple(square(cell) for cell in range(start, start + rules.columns)) for start in starts)
    return Board(
        rows=tuple(Row(rules.rows - index, squares) for index, squares in enumerate(rows)),
        letters=COLUMNS[: rules.columns],
        strikes=tuple(_strike(line, rules) for line in position.winning_lines),
        classes="board" + (f" replied-{link.at // 2 % 2}" if replied else ""),
    )


def _taken(link: Link, cell: Cell, won: Bits) -> Square:
    name, mark = format_cell(cell, link.rules), str(link.position.mark_at(cell))
    label, classes = f"{_place(name, cell, link.rules)}, {mark}", f"sq {mark.lower()}"
    if link.at and cell == link.game.moves[link.at - 1]:
        label += ", last move"
        classes += " last"
    if won >> cell & 1:
        label += ", in the winning line"
        classes += " won"
    return Square(name, label, classes, mark, "", "", False)


def _of_line(link: Link, cell: Cell, playable: bool, mark: str, number: int) -> Square:
    name = format_cell(cell, link.rules)
    label = f"{_place(name, cell, link.rules)}, empty, move {number} of the line shown: {mark}"
    return Square(name, label, f"sq shown {mark.lower()}", "", mark, str(number), playable)


def _open(link: Link, cell: Cell, playable: bool, prediction: Prediction | None) -> Square:
    """An open square with its outcome. Beside a line there is no prediction, which would not be the line's."""
    name = format_cell(cell, link.rules)
    label, classes, letter, distance = f"{_place(name, cell, link.rules)}, empty", "sq", "", ""
    if prediction is not None and link.show != "off":
        outcome = prediction.squares.get(cell)
        if outcome is not None:
            with_distance = link.show == "distance"
            label += f", {outcome.would(link.position.mover, with_distance)}"
            classes += f" {outcome.value}"
            letter = outcome.letter
            distance = outcome.number if with_distance else ""
    if prediction is not None and link.hint and cell in prediction.best:
        label += ", best move"
        classes += " best"
    return Square(name, label, classes, "", letter, distance, playable)


def _place(name: str, cell: Cell, rules: Rules) -> str:
    """A square's name, on 3×3 with where it is."""
    return f"{name}, {_PLACES[cell]}" if rules.columns == rules.rows == 3 else name


def _strike(line: Bits, rules: Rules) -> Strike:
    cells = tuple(cells_of(line))
    (x1, y1), (x2, y2) = rules.column_row(cells[0]), rules.column_row(cells[-1])
    return Strike(x1 + 0.5, y1 + 0.5, x2 + 0.5, y2 + 0.5)
