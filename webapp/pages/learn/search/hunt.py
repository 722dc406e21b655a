"""The quiz that hunts the bugs of the Haskell article's program by the values that it printed.

Each suspect is tried: the feedback to an answer says what the program would then have printed.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from solver.articles.claims.haskell import (
    AFTER_CORNER,
    CENTRE,
    SECOND,
    WITHOUT_ANTI_DIAGONAL,
    swapped_values,
    values_of,
)
from solver.articles.lookahead import move_values, static_value
from solver.board.notation import format_line
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Bits, Rules
from solver.search.fold import fold, itself
from webapp.pages.learn.game.forks import name_of
from webapp.pages.learn.quiz import Feedback, Question, Quiz
from webapp.ui.board import Mini, mini, strike
from webapp.ui.filters import signed

PRINTED: Final = {AFTER_CORNER: [1, 1, 0, 0, 0, 0, 1], SECOND: [1, 1, 0, 1, 1]}
"""The values of X's moves that the article prints, by position."""

CODE: Final = {
    "rows": "checkRows = … getRow state i …",
    "columns": "checkCols = … getCol state i …",
    "diagonal": "checkDiag = checkWin c $ getDiag state",
    "other": "checkAntiDiag = checkWin c $ getDiag state",
}
"""The lines of the article's program that look for a line."""


@cache
def hunting() -> Quiz:
    """Return the quiz."""
    return Quiz(
        title="Find the bugs",
        questions=(_wrong_value(), _unseen_line(), _wrong_code(), _right_value(), _chooser(), _early_win()),
        closing="“That, or there's a bug in my program :)”, the article ends. There were three.",
    )


def without(line: Bits) -> Rules:
    """Return 3×3 without one line."""
    return Rules(3, 3, 3, tuple(each for each in TIC_TAC_TOE.lines if each != line))


def blind_values(line: Bits) -> list[int]:
    """Return X's values of the moves on the first board, with the whole game ahead and without one line."""
    value = fold(
        static_value,
        lambda at, below: max(below) if at.mover is Mark.X else min(below),
        Position.successors,
        itself,
    )
    return [value(after) for after in replace(AFTER_CORNER, rules=without(line)).successors()]


def _wrong_value() -> Question:
    right = dict(zip(AFTER_CORNER.legal_moves, values_of(AFTER_CORNER), strict=True))
    printed = dict(zip(AFTER_CORNER.legal_moves, PRINTED[AFTER_CORNER], strict=True))
    words = {1: "X can force a line", 0: "nobody can force a line", -1: "O can force a line"}
    return Question(
        words="The article looks at the whole game and prints these values of X's moves. Which one is wrong?",
        answers={
            name_of(cell): Feedback(
                value != printed[cell],
                f"{'Yes: after' if value != printed[cell] else 'After'} {name_of(cell)} {words[value]}, so it's"
                f" {signed(value)}{'.' if value != printed[cell] else ', as printed. Try another square.'}",
                _valued(AFTER_CORNER, list(right.values())) if value != printed[cell] else None,
            )
            for cell, value in right.items()
        },
        board=_valued(AFTER_CORNER, PRINTED[AFTER_CORNER]),
    )


def _unseen_line() -> Question:
    board = _valued(AFTER_CORNER, PRINTED[AFTER_CORNER])

    def answer(line: Bits) -> Feedback:
        values = blind_values(line)
        right, name = values == PRINTED[AFTER_CORNER], format_line(line, TIC_TAC_TOE)
        said = (
            f"Yes: blind to {name}, it prints just these values." if right else _would_print(f"Blind to {name}", values)
        )
        return Feedback(right, said, _valued(AFTER_CORNER, values), (strike(line, TIC_TAC_TOE),))

    lines = {f"line{number}": line for number, line in enumerate(TIC_TAC_TOE.lines, start=1)}
    return Question(
        words="So the program misses a line. Which one?",
        titles={name: format_line(line, TIC_TAC_TOE) for name, line in lines.items()},
        answers={name: answer(line) for name, line in lines.items()},
        board=board,
    )


def _wrong_code() -> Question:
    return Question(
        words="Here is how it looks for lines. Where's the bug?",
        titles=CODE,
        answers={
            name: Feedback(
                name == "other",
                "Yes: it tests the first diagonal again. getAntiDiag is there, but nobody calls it."
                if name == "other"
                else "That one does what its name says. Compare it with the others.",
            )
            for name in CODE
        },
    )


def _right_value() -> Question:
    printed, right = PRINTED[SECOND], values_of(SECOND)

    def answer(number: int) -> Feedback:
        name = name_of(SECOND.legal_moves[number])
        if printed[number] == right[number]:
            return Feedback(True, f"Yes: {name} blocks O and forks. All the others lose.", _valued(SECOND, right))
        said = f"{name} leaves O a threat: it's {signed(right[number])}, not {signed(printed[number])}."
        return Feedback(False, f"{said} Try another square.")

    return Question(
        words="The article's second board, X to move. Here only one value is right. Which one?",
        answers={name_of(cell): answer(number) for number, cell in enumerate(SECOND.legal_moves)},
        board=_valued(SECOND, printed),
    )


def _chooser() -> Question:
    suspects = {
        "line": ("It misses the diagonal", values_of(SECOND, WITHOUT_ANTI_DIAGONAL)),
        "depth": ("It doesn't look far enough", [seen[1] for seen in move_values(SECOND, 2).values()]),
        "two": ("It doesn't count two in a row", values_of(SECOND)),
        "players": ("X and O choose for each other", swapped_values(TIC_TAC_TOE)),
    }

    def answer(title: str, values: Sequence[int]) -> Feedback:
        right = values == PRINTED[SECOND]
        said = "Yes: that prints just these values. abmax starts with Max, but after X's move it's O's turn."
        return Feedback(right, said if right else _would_print(title, values), _valued(SECOND, values))

    return Question(
        words="What went wrong this time? The article suspects that two in a row should count.",
        titles={name: title for name, (title, _) in suspects.items()},
        answers={name: answer(*suspect) for name, suspect in suspects.items()},
        board=_valued(SECOND, PRINTED[SECOND]),
    )


def _early_win() -> Question:
    values = {"A good position for X": 1, "No win in sight": 0, "A good position for O": -1}
    told = "Yes: 0. The program takes the maximum at the top, as if X chose O's reply."
    return Question(
        words="O to move. With six plies the program finds +1: “this is a good position for X!” What should it find?",
        titles={f"value{value}": title for title, value in values.items()},
        answers={
            f"value{value}": Feedback(
                not value, f"No: that's {signed(value)}. It's O who chooses first." if value else told
            )
            for value in values.values()
        },
        board=mini(CENTRE),
    )


def _would_print(suspect: str, values: Sequence[int]) -> str:
    return f"{suspect}? Then it would print {', '.join(map(signed, values))}. It doesn't. Try another."


def _valued(position: Position, values: Sequence[int]) -> Mini:
    """Draw a position with X's value of each move."""
    at = dict(zip(position.legal_moves, values, strict=True))
    return mini(
        position,
        texts={cell: signed(value) for cell, value in at.items()},
        classes={cell: {1: "win", -1: "loss"}.get(value, "") for cell, value in at.items()},
    )
