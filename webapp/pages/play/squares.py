"""The board as a page shows it: what is drawn in each square, what is read out, how it is styled."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from solver.board.grade import Grade
from solver.board.notation import COLUMNS, format_cell, format_whole_percent
from solver.board.outcome import Outcome, Value
from solver.board.position import Position
from solver.board.rules import Bits, Cell, Rules, cells_of, union
from webapp.pages.play import words
from webapp.pages.play.snapshot import Snapshot
from webapp.pages.play.turns import computer_to_move

NOTHING: Final[Mapping[Cell, tuple[str, int]]] = MappingProxyType({})

_STEPS: Final = ((1, "near"), (2, "soon"), (4, "later"))
"""How strongly a win or loss is tinted, by the moves to it at most; a farther one is tinted least."""

_JUDGED: Final = MappingProxyType({Grade.BEST: " right"} | {grade: " wrong" for grade in Grade if grade.is_mistake})
"""How a tried square is styled by its grade."""

_PLACES = tuple(
    "centre" if (row, column) == ("middle", "middle") else f"{row} {column}"
    for row in ("top", "middle", "bottom")
    for column in ("left", "middle", "right")
)


@dataclass(frozen=True, slots=True)
class Square:
    """One square: its name, what a screen reader says, its style classes, and what is drawn in it.

    `distance` is in moves of the winner, or the number of a stone of a line of best play; `chance` is that to win
    against the opponent.
    """

    name: str
    label: str
    classes: str
    mark: str
    letter: str
    distance: str
    chance: str
    open: bool


@dataclass(frozen=True, slots=True)
class BoardRow:
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

    rows: tuple[BoardRow, ...]
    letters: str
    strikes: tuple[Strike, ...]
    mover: str
    classes: str


def board(snapshot: Snapshot, moved: str, shown: Mapping[Cell, tuple[str, int]] = NOTHING) -> Board:
    """The board of a link. Where outcomes are not shown, nothing of them is in any square.

    `moved` says that the last move was made just now: as a "reply", to appear a moment later, or alone, as a "move".
    `shown` are stones of a line of best play, drawn with their numbers on squares that are still open.
    """
    link = snapshot.link
    rules, position = link.rules, link.position
    playable = position.result is None and not computer_to_move(link)
    won = union(position.winning_lines)
    last = link.game.moves[link.at - 1] if link.at else None

    def square(cell: Cell) -> Square:
        if position.mark_at(cell):
            return taken(position, cell, won, last)
        if cell in shown:
            return of_line(rules, cell, playable, *shown[cell])
        return _open(snapshot, cell, playable, outcomes=not shown)

    return Board(
        rows=rows(rules, square),
        letters=COLUMNS[: rules.columns],
        strikes=tuple(strike(line, rules) for line in position.winning_lines),
        mover=str(position.mover if position.result is None else position.mover.other),
        classes="board" + (f" {moved} {moved}-{link.at // 2 % 2}" if moved else ""),
    )


def rows(rules: Rules, square: Callable[[Cell], Square]) -> tuple[BoardRow, ...]:
    """The rows from the top, each square made from its cell."""
    starts = range(0, rules.size, rules.columns)
    made = (tuple(square(cell) for cell in range(start, start + rules.columns)) for start in starts)
    return tuple(BoardRow(rules.rows - index, squares) for index, squares in enumerate(made))


def taken(position: Position, cell: Cell, won: Bits = 0, last: Cell | None = None) -> Square:
    """A square with its stone; `won` are those of the winning lines, `last` is the one that was played last."""
    name, mark = format_cell(cell, position.rules), str(position.mark_at(cell))
    label, classes = f"{_place(name, cell, position.rules)}, {mark}", f"sq {mark.lower()}"
    if cell == last:
        label += ", last move"
        classes += " last"
    if won >> cell & 1:
        label += ", in the winning line"
        classes += " won"
    return Square(name, label, classes, mark, "", "", "", False)


def of_line(rules: Rules, cell: Cell, playable: bool, mark: str, number: int) -> Square:
    """An open square with a stone of a line of best play, and the stone's number."""
    name = format_cell(cell, rules)
    label = f"{_place(name, cell, rules)}, empty, move {number} of the line shown: {mark}"
    return Square(name, label, f"sq shown {mark.lower()}", mark, "", str(number), "", playable)


def empty(rules: Rules, cell: Cell, playable: bool) -> Square:
    """An open square of which nothing is told but where it is."""
    name = format_cell(cell, rules)
    return Square(name, f"{_place(name, cell, rules)}, empty", "sq", "", "", "", "", playable)


def _open(shown: Snapshot, cell: Cell, playable: bool, outcomes: bool) -> Square:
    """An open square with its outcome. Beside a line there is none, since it would not be the line's."""
    link, prediction = shown.link, shown.prediction
    bare = empty(link.rules, cell, playable)
    label, classes, letter, distance, chance = bare.label, bare.classes, "", "", ""
    if prediction is not None and link.shows_outcomes and outcomes and cell in prediction.squares:
        outcome = prediction.squares[cell]
        with_distance = link.show == "distance"
        label += f", {outcome.would(link.position.mover, with_distance)}"
        classes += f" {outcome.value}{_step(outcome)}"
        letter = outcome.letter
        distance = _distance(outcome) if with_distance else ""
        if outcome.value is Value.UNKNOWN:
            classes += f" guess-{round(4 * prediction.estimates[cell])}"
        if with_distance and outcome.value is not Value.WIN and cell in shown.chances:
            chance = format_whole_percent(shown.chances[cell])
            label += f", {chance} to win against {words.opponent(link)}"
    if link.hint and cell in shown.hinted:
        label += ", best move"
        classes += " best"
    if cell == link.tried:
        label += ", the square you tried"
        classes += f" tried{_judged(shown)}"
    return Square(bare.name, label, classes, "", letter, distance, chance, playable)


def _judged(shown: Snapshot) -> str:
    """The style of the tried square where one learns from a mistake; the coach's question leaves it to the words."""
    return _JUDGED.get(shown.tried.grade, "") if shown.tried is not None and shown.link.learn else ""


def _step(outcome: Outcome) -> str:
    if outcome.value not in (Value.WIN, Value.LOSS) or outcome.plies is None:
        return ""
    return next((f" {name}" for moves, name in _STEPS if outcome.plies <= 2 * moves), "")


def _distance(outcome: Outcome) -> str:
    """The winner's moves to the end; for a draw nothing, since it always fills the board."""
    if outcome.value not in (Value.WIN, Value.LOSS):
        return outcome.number if outcome.value is Value.UNKNOWN else ""
    plies = outcome.plies if outcome.plies is not None else outcome.at_most
    assert plies is not None  # noqa: S101 - a proved value has its distance, or else a limit of it
    return ("≤" if outcome.plies is None else "") + str((plies + 1) // 2)


def _place(name: str, cell: Cell, rules: Rules) -> str:
    """A square's name, on 3×3 with where it is."""
    return f"{name}, {_PLACES[cell]}" if rules.columns == rules.rows == 3 else name


def strike(line: Bits, rules: Rules) -> Strike:
    """The stroke through these squares, the first and the last of them at its ends."""
    cells = tuple(cells_of(line))
    (x1, y1), (x2, y2) = rules.column_row(cells[0]), rules.column_row(cells[-1])
    return Strike(x1 + 0.5, y1 + 0.5, x2 + 0.5, y2 + 0.5)
