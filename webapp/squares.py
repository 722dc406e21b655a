"""The squares of the board as a page shows them: what is drawn, what is read out, how it is styled."""

from dataclasses import dataclass

from solver.notation import format_cell
from solver.rules import Bits, Cell
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


def squares(link: Link) -> tuple[tuple[Square, ...], ...]:
    """The board's rows from the top. With predictions off, nothing of them is in any square."""
    position = link.position
    rules = position.rules
    outcomes = predicted(position).squares if link.show != "off" else {}
    best = predicted(position).best if link.hint else ()
    last = link.game.moves[link.at - 1] if link.at else None
    won: Bits = 0
    for line in position.winning_lines:
        won |= line
    playable = position.result is None and not computer_to_move(link)

    def square(cell: Cell) -> Square:
        name, mark, outcome = format_cell(cell, rules), position.mark_at(cell), outcomes.get(cell)
        label = f"{name}, {_PLACES[cell]}" if rules.columns == rules.rows == 3 else name
        classes = "sq"
        if mark is not None:
            label += f", {mark}"
            classes += f" {mark.lower()}"
            if cell == last:
                label += ", last move"
                classes += " last"
            if won >> cell & 1:
                label += ", in the winning line"
                classes += " won"
            return Square(name, label, classes, str(mark), "", "", False)
        label += ", empty"
        letter = distance = ""
        if outcome is not None:
            classes += f" {outcome.value}"
            letter = outcome.letter
            with_distance = link.show == "distance"
            label += f", {outcome.would(position.mover, with_distance)}"
            distance = str(outcome.plies or "") if with_distance else ""
        if cell in best:
            classes += " best"
            label += ", best move"
        return Square(name, label, classes, "", letter, distance, playable)

    grid = range(0, rules.size, rules.columns)
    return tuple(tuple(square(start + column) for column in range(rules.columns)) for start in grid)
