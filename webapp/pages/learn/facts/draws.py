"""Facts on drawn boards: the lines that squares stop, the last mark of a draw, and its shape."""

from math import comb

from solver.articles.patterns import drawn_boards
from solver.board.game import Pattern, pattern_of
from solver.board.notation import format_cell, parse_cell
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell, bits_of, cells_of
from webapp.pages.learn.content import Facts, Remark, judge_squares
from webapp.ui.board import Mini, mini, strike


def count_draws() -> Facts:
    """Count the ways in which O's marks can lie on a full board, and those that make a draw."""
    squares = TIC_TAC_TOE.size
    return Facts.of(ways=comb(squares, squares // 2), draws=len(drawn_boards(TIC_TAC_TOE)))


def judge_stops() -> Facts:
    """Judge the squares of the empty board by the lines that they stop."""
    through = [len(lines) for lines in TIC_TAC_TOE.lines_through]

    def judge(cell: Cell) -> Remark:
        square, most = format_cell(cell, TIC_TAC_TOE), through[cell] == max(through)
        board = mini(Position(TIC_TAC_TOE), texts=dict(enumerate(map(str, through)))) if most else None
        return Remark.of("most" if most else "fewer", board, square=square, lines=through[cell])

    return judge_squares(Position(TIC_TAC_TOE), judge)


def judge_last_mark(stones: str) -> Facts:
    """Judge O's last mark on a board where X gets all other squares."""
    rules = TIC_TAC_TOE
    held = bits_of(parse_cell(name, rules) for name in stones.split())

    def judge(cell: Cell) -> Remark:
        o = held | 1 << cell
        full = Position(rules, rules.full & ~o, o)
        lines = {mark: full.lines_of(mark) for mark in Mark if full.lines_of(mark)}
        if not lines:
            return Remark.of("draw", draw_marked(full), pattern=pattern_of(full))
        lit = tuple(strike(line, rules) for owned in lines.values() for line in owned)
        return Remark.of("both" if len(lines) > 1 else "one", draw_marked(full), lit, mark=next(iter(lines)))

    return judge_squares(Position(rules, 0, held), judge)


def judge_shape(board: Position) -> Facts:
    """Judge which of the three shapes a drawn board has."""
    shape = pattern_of(board)
    answers = {str(each): str(shape) if each is shape else f"not-{shape}" for each in Pattern}
    return Facts.of(answers, draw_marked(board), titles={name: f"The {name}" for name in answers})


def draw_marked(board: Position) -> Mini:
    """Draw a full board with O's squares marked."""
    return mini(board, classes=dict.fromkeys(cells_of(board.o), "new"))
