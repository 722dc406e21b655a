"""The board as a page shows it: what is drawn in each square, what is read out, how it is styled."""

from dataclasses import dataclass

from solver.notation import COLUMNS, format_cell
from solver.rules import Bits, Cell, cells_of
from webapp.link import Link
from webapp.turns import computer_to_move, predicted

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


def board(link: Link, replied: bool) -> Board:
    """The board of a link. With predictions off, nothing of them is in any square."""
    rules = link.rules
    show = _square_maker(link)
    starts = range(0, rules.size, rules.columns)
    rows = (tuple(show(cell) for cell in range(start, start + rules.columns)) for start in starts)
    return Board(
        rows=tuple(Row(rules.rows - index, squares) for index, squares in enumerate(rows)),
        letters=COLUMNS[: rules.columns],
        strikes=tuple(_strike(link, line) for line in link.position.winning_lines),
        classes="board" + (f" replied-{link.at // 2 % 2}" if replied else ""),
    )


def _square_maker(link: Link) -> "_SquareMaker":
    position = link.position
    won: Bits = 0
    for line in position.winning_lines:
        won |= line
    return _SquareMaker(link, won, position.result is None and not computer_to_move(link))


@dataclass(frozen=True, slots=True)
class _SquareMaker:
    link: Link
    won: Bits
    playable: bool

    def __call__(self, cell: Cell) -> Square:
        rules = self.link.rules
        name = format_cell(cell, rules)
        label = f"{name}, {_PLACES[cell]}" if rules.columns == rules.rows == 3 else name
        if mark := self.link.position.mark_at(cell):
            return self._taken(cell, name, f"{label}, {mark}", str(mark))
        return self._open(cell, name, f"{label}, empty")

    def _taken(self, cell: Cell, name: str, label: str, mark: str) -> Square:
        classes = f"sq {mark.lower()}"
        if self.link.at and cell == self.link.game.moves[self.link.at - 1]:
            label += ", last move"
            classes += " last"
        if self.won >> cell & 1:
            label += ", in the winning line"
            classes += " won"
        return Square(name, label, classes, mark, "", "", False)

    def _open(self, cell: Cell, name: str, label: str) -> Square:
        position, show = self.link.position, self.link.show
        classes, letter, distance = "sq", "", ""
        if show != "off" and (outcome := predicted(position).squares.get(cell)):
            label += f", {outcome.would(position.mover, show == 'distance')}"
            classes += f" {outcome.value}"
            letter = outcome.letter
            distance = str(outcome.plies or "") if show == "distance" else ""
        if self.link.hint and cell in predicted(position).best:
            label += ", best move"
            classes += " best"
        return Square(name, label, classes, "", letter, distance, self.playable)


def _strike(link: Link, line: Bits) -> Strike:
    first, *_, last = [link.rules.column_row(cell) for cell in cells_of(line)] * 2
    return Strike(first[0] + 0.5, first[1] + 0.5, last[0] + 0.5, last[1] + 0.5)
