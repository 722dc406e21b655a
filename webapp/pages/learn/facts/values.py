"""Facts on values: what an end of a game is worth to X, and how values rise from the ends to the boards before them."""

from collections import Counter
from typing import Final

from solver.articles.openings import worth
from solver.board.notation import format_cell
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.search.tablebase import unfinished
from webapp.pages.learn.content import Facts, FactsOf, Remark
from webapp.ui.board import Mini, lines_on_page, mini
from webapp.ui.filters import signed

TITLES: Final = {"plus": "+1", "zero": "0", "minus": "−1"}
"""The values of a board for X, as answers."""

NAMES: Final = {1: "plus", 0: "zero", -1: "minus"}

KINDS: Final = {1: "win", 0: "draw", -1: "loss"}
"""The style of a square by its value for X."""


def judge_end(board: Position) -> Facts:
    """Judge what a finished game is worth to X."""
    value = {Result.X: 1, Result.O: -1}.get(board.result or Result.DRAW, 0)
    lit = tuple(line for won in board.winning_lines for line in lines_on_page(won, board.rules))
    right = Remark.of(NAMES[value], mini(board), lit)
    return Facts.of(
        {name: right if name == NAMES[value] else f"not-{NAMES[value]}" for name in TITLES}, mini(board), titles=TITLES
    )


def judge_rise(board: Position) -> Facts:
    """Judge what a board is worth to X whose squares show their values."""
    return _judge(board, _draw_values(board))


def judge_alone(board: Position) -> Facts:
    """Judge what a board is worth to X; the values of its squares are in the feedback."""
    return _judge(board, mini(board))


def _judge(position: Position, shown: Mini) -> Facts:
    value, mover = worth(position), position.mover
    best = [cell for cell in position.legal_moves if worth(position.after(cell)) == value]
    right = Remark.of("yes", _draw_values(position))
    wrong = Remark.of("no", _draw_values(position))
    return Facts.of(
        {name: right if name == NAMES[value] else wrong for name in TITLES},
        shown,
        titles=TITLES,
        mover=mover,
        value=signed(value),
        side="largest" if mover is Mark.X else "smallest",
        best=" or ".join(format_cell(cell, position.rules) for cell in best),
    )


def _draw_values(position: Position) -> Mini:
    values: dict[Cell, int] = {cell: worth(position.after(cell)) for cell in position.legal_moves}
    texts = {cell: signed(value) for cell, value in values.items()}
    return mini(position, texts=texts, classes={cell: KINDS[value] for cell, value in values.items()})


def count_values() -> Facts:
    """Count the positions of tic-tac-toe in which the game is on, by their values for X."""
    values = Counter(map(worth, unfinished(TIC_TAC_TOE)))
    return Facts.of(total=values.total(), drawn=values[0])


FACTS: Final[FactsOf] = {
    "end": judge_end,
    "rise": judge_rise,
    "alone": judge_alone,
    "values-counted": count_values,
}
