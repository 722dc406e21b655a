"""The board of a drill: stones, open squares to press, and what there is to see once an answer was judged."""

from collections.abc import Mapping
from dataclasses import replace

from solver.analysis.drills import DrillKind
from solver.board.notation import COLUMNS
from solver.board.rules import Cell
from webapp.pages.play.squares import Board, Square, empty, of_line, rows, taken
from webapp.pages.practise.shown import DrillShown


def board_of(shown: DrillShown, stones: Mapping[Cell, tuple[str, int]]) -> Board:
    """The board of a drill. Before its answer is told, its right squares look like all others.

    `stones` are those of the line that is drawn, with their numbers.
    """
    drill = shown.drill
    position, rules = drill.position, drill.position.rules
    over = shown.verdict in ("right", "told")
    playable = drill.kind is not DrillKind.EVALUATE and not over
    right = drill.answers if over and drill.kind is not DrillKind.EVALUATE else ()

    def square(cell: Cell) -> Square:
        if position.mark_at(cell):
            return taken(position, cell)
        plain = of_line(rules, cell, playable, *stones[cell]) if cell in stones else empty(rules, cell, playable)
        if cell not in right:
            return plain
        return replace(plain, label=f"{plain.label}, a right answer", classes=f"{plain.classes} best")

    return Board(rows(rules, square), COLUMNS[: rules.columns], (), str(position.mover), "board")
