"""The lesson on drawn patterns: their boards, the pattern that X can force, and a scheme that pays for patterns."""

from typing import Final

from solver.articles.patterns import (
    distinct_drawn_boards,
    forceable,
)
from solver.board.game import Pattern, pattern_of
from solver.board.notation import format_cell, parse_cell
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell, bits_of, cells_of
from webapp.pages.learn.content import Facts, Remark, judge_squares
from webapp.pages.learn.lesson import Lesson
from webapp.ui.address import with_query
from webapp.ui.board import Mini, mini, strike

SERIES: Final = with_query("/play/3x3x3", {"scheme": "patterns"})
"""The address of a series that pays points for patterns."""

EMPTY = "initial"
"""The name of the empty board among the positions of the article's table."""


def judge_stops() -> Facts:
    """Judge the squares of the empty board by the lines that they stop."""
    through = [len(lines) for lines in TIC_TAC_TOE.lines_through]

    def judge(cell: Cell) -> Remark:
        square, most = format_cell(cell, TIC_TAC_TOE), through[cell] == max(through)
        return Remark.of("most" if most else "fewer", _through() if most else None, square=square, lines=through[cell])

    return judge_squares(Position(TIC_TAC_TOE), judge)


def judge_last_stone(stones: str) -> Facts:
    """Judge O's last stone on a board where X gets all other squares."""
    rules = TIC_TAC_TOE
    held = bits_of(parse_cell(name, rules) for name in stones.split())

    def judge(cell: Cell) -> Remark:
        o = held | 1 << cell
        full = Position(rules, rules.full & ~o, o)
        lines = {mark: full.lines_of(mark) for mark in Mark if full.lines_of(mark)}
        if not lines:
            return Remark.of("draw", _draw_marked(full), pattern=pattern_of(full))
        lit = tuple(strike(line, rules) for owned in lines.values() for line in owned)
        return Remark.of("both" if len(lines) > 1 else "one", _draw_marked(full), lit, mark=next(iter(lines)))

    return judge_squares(Position(rules, 0, held), judge)


def judge_openings(pattern: str) -> Facts:
    """Judge the openings by whether X can force a pattern after them."""
    forced = {name: row[Pattern(pattern)] for name, row in forceable().items() if name != EMPTY}
    links = {"Play for points": SERIES}
    answers = {
        name: Remark.of("forced", links=links, name=name) if forces else Remark.of("avoided", name=name)
        for name, forces in forced.items()
    }
    return Facts.of(answers, titles={name: f"The {name}" for name in forced}, pattern=pattern)


def _through() -> Mini:
    """Draw the empty board with the number of lines through each square."""
    rules = TIC_TAC_TOE
    return mini(Position(rules), texts={cell: str(len(rules.lines_through[cell])) for cell in range(rules.size)})


def _draw_marked(board: Position) -> Mini:
    return mini(board, classes=dict.fromkeys(cells_of(board.o), "new"))


LESSON = Lesson.of(
    "draws",
    code=(pattern_of, distinct_drawn_boards),
    view=lambda _: None,
    facts={"stops": judge_stops, "last": judge_last_stone, "force": judge_openings},
)
