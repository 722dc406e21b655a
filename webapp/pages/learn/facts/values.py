"""Facts on values: how they rise from the ends of a game, how far to look for them, and a published search's bugs."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from solver import predict
from solver.articles.claims import CLAIMS
from solver.articles.claims.haskell import AFTER_CORNER, SECOND, values_of
from solver.articles.lookahead import feasible_depth, move_values, settled_at, visits
from solver.articles.openings import worth
from solver.board.notation import format_cell, format_line, parse_cell, parse_position
from solver.board.outcome import Value, counted
from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Bits, Cell, Rules
from solver.search.tablebase import unfinished
from webapp.pages.learn.content import Facts, Remark
from webapp.pages.learn.facts.forks import name_of
from webapp.ui.board import Mini, lines_on_page, mini, strike
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
    return _judge(board, _draw_risen(board, board.legal_moves))


def judge_alone(board: Position) -> Facts:
    """Judge what a board is worth to X; the values of its squares are in the feedback."""
    return _judge(board, mini(board))


def _judge(position: Position, shown: Mini) -> Facts:
    value, mover = worth(position), position.mover
    best = [cell for cell in position.legal_moves if worth(position.after(cell)) == value]
    risen = _draw_risen(position, position.legal_moves)
    return Facts.of(
        {name: Remark("yes" if name == NAMES[value] else "no", risen) for name in TITLES},
        shown,
        titles=TITLES,
        mover=mover,
        value=signed(value),
        side="largest" if mover is Mark.X else "smallest",
        best=" or ".join(format_cell(cell, position.rules) for cell in best),
    )


def count_values() -> Facts:
    """Count the positions of tic-tac-toe in which the game is on, by their values for X."""
    values = Counter(map(worth, unfinished(TIC_TAC_TOE)))
    return Facts.of(total=values.total(), drawn=values[0])


PRINTED: Final[Mapping[Position, list[int]]] = {
    position: CLAIMS[f"haskell.values-{name}"].published
    for position, name in ((AFTER_CORNER, "after-corner"), (SECOND, "second-position"))
}
"""The values of X's moves that the Haskell article prints, by position."""

RANKS: Final = (Value.LOSS, Value.DRAW, Value.WIN)
"""Values from the worst for the player to move."""

SURE: Final = {Value.WIN: "a win", Value.DRAW: "a draw", Value.LOSS: "a loss"}


def count_cost() -> Facts:
    """Count the positions that minimax and alpha-beta look at after two marks in corners."""
    whole = visits(AFTER_CORNER, feasible_depth(AFTER_CORNER))[-1]
    return Facts.of(plain=whole.plain, alphabeta=whole.alphabeta)


def judge_cut(board: str, tried: str, move: str, reply: str) -> Facts:
    """Judge whether replies to a move still matter, after the values of the moves `tried` and of one `reply`."""
    position = parse_position(board)
    squares, rules = predict(position).squares, position.rules
    known = {parse_cell(name, rules): squares[parse_cell(name, rules)] for name in tried.split()}
    sure = max((outcome.value for outcome in known.values()), key=RANKS.index, default=None)
    answer, after = parse_cell(reply, rules), position.after(parse_cell(move, rules))
    worth = RANKS[-1 - RANKS.index(predict(after).squares[answer].value)]
    cut = worth is Value.LOSS or (sure is not None and RANKS.index(worth) <= RANKS.index(sure))
    return Facts.of(
        {"stop": "cut" if cut else "early", "on": "waste" if cut else "open"},
        _draw_risen(position, known),
        beside=_draw_risen(after, [answer]),
        mover=position.mover,
        other=position.mover.other,
        move=move,
        reply=reply,
        worth=SURE[worth],
        sure=f"{position.mover} has {SURE[sure]} so far" if sure else "Nothing is sure yet",
    )


def judge_depths(board: str, cell: str) -> Facts:
    """Judge the depths at which a move gets its final value."""
    position = parse_position(board)
    plies, move = position.plies_left, parse_cell(cell, position.rules)
    values = move_values(position, plies)
    least, final = settled_at(values[move], plies), values[move][-1]
    what, aim, reason = {
        1: ("wins", "see it", "X can force a line by then"),
        -1: ("loses", "see it", "O can force a line by then"),
        0: ("draws", "be sure", "that's the whole game"),
    }[final]

    def judge(depth: int) -> Remark:
        seen = _draw_values(position, [value[depth - 1] for value in values.values()], whole=depth == plies)
        says = "least" if depth == least else "enough" if least is not None and depth > least else "short"
        return Remark.of(says, seen, look=counted(depth, "ply", "plies"))

    depths = range(1, plies + 1)
    return Facts.of(
        {f"ply{depth}": judge(depth) for depth in depths},
        mini(position, texts={move: "?"}, classes={move: "new"}),
        titles={f"ply{depth}": str(depth) for depth in depths},
        name=cell,
        what=what,
        aim=aim,
        reason=reason,
        final=signed(final),
    )


def _draw_risen(position: Position, cells: Collection[Cell]) -> Mini:
    """Draw a position with what the moves on these squares are worth to X."""
    return _draw_values(position, [worth(position.after(cell)) for cell in cells], whole=True, cells=cells)


def _draw_values(
    position: Position, values: Iterable[int], whole: bool = False, cells: Collection[Cell] | None = None
) -> Mini:
    """Draw a position with X's value of each move, or of those on `cells`; `whole` if they are of the whole game."""
    at = dict(zip(position.legal_moves if cells is None else cells, values, strict=True))
    return mini(
        position,
        texts={cell: signed(value) for cell, value in at.items()},
        classes={cell: kind_of(value, whole) for cell, value in at.items()},
    )


# The quiz that hunts the bugs of the Haskell article's program by the values that it printed tries each suspect: the
# feedback to an answer says what the program would then have printed.


def judge_printed() -> Facts:
    """Judge which of the values printed for the first board are wrong."""
    printed, right = PRINTED[AFTER_CORNER], values_of(AFTER_CORNER)

    def judge(number: int, cell: Cell) -> Remark:
        wrong, value = printed[number] != right[number], right[number]
        board = _draw_values(AFTER_CORNER, right) if wrong else None
        words = {1: "X can force a line", 0: "nobody can force a line", -1: "O can force a line"}[value]
        return Remark.of(
            "wrong" if wrong else "as-printed", board, name=name_of(cell), words=words, value=signed(value)
        )

    answers = {name_of(cell): judge(number, cell) for number, cell in enumerate(AFTER_CORNER.legal_moves)}
    return Facts.of(answers, _draw_values(AFTER_CORNER, printed))


def judge_lines() -> Facts:
    """Judge which line the program misses."""
    lines = {f"line{number}": line for number, line in enumerate(TIC_TAC_TOE.lines, start=1)}

    def judge(line: Bits) -> Remark:
        seen = tuple(other for other in TIC_TAC_TOE.lines if other != line)
        values = values_of(AFTER_CORNER, Rules(3, 3, 3, seen))
        board, lit = _draw_values(AFTER_CORNER, values), (strike(line, TIC_TAC_TOE),)
        says = "line" if values == PRINTED[AFTER_CORNER] else "other"
        return Remark.of(says, board, lit, name=format_line(line, TIC_TAC_TOE), values=", ".join(map(signed, values)))

    titles = {name: format_line(line, TIC_TAC_TOE) for name, line in lines.items()}
    answers = {name: judge(line) for name, line in lines.items()}
    return Facts.of(answers, _draw_values(AFTER_CORNER, PRINTED[AFTER_CORNER]), titles=titles)


def judge_second() -> Facts:
    """Judge which of the values printed for the second board are right."""
    printed, right = PRINTED[SECOND], values_of(SECOND)

    def judge(number: int, cell: Cell) -> Remark:
        if printed[number] == right[number]:
            return Remark.of("right", _draw_values(SECOND, right), name=name_of(cell))
        return Remark.of("lost", name=name_of(cell), value=signed(right[number]), printed=signed(printed[number]))

    answers = {name_of(cell): judge(number, cell) for number, cell in enumerate(SECOND.legal_moves)}
    return Facts.of(answers, _draw_values(SECOND, printed))


def kind_of(value: int, whole: bool) -> str:
    """Return the style of a value. Zero is a draw only if it is of the whole game."""
    return {1: "win", -1: "loss"}.get(value, "draw" if whole else "")
