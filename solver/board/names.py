"""The names of boards and cells, such as `3x3x3` and `b2`, and their parsers."""

import re
from functools import lru_cache
from typing import Final

from solver.board.rules import MAX_SIDE, Cell, Rules, rules_of
from solver.errors import BadNotation, BadRules

COLUMNS = "abcdefgh"[:MAX_SIDE]

BOARD_PATTERN: Final = r"[0-9]{1,3}(?:[xX][0-9]{1,3}){2,3}(?:-[A-Za-z]{1,9}){0,2}"
"""The pattern of a board's name. It also fits future names such as `4x4x4x4` and `7x6x4-gravity-misere`."""

MAX_BOARD_LENGTH: Final = 35
"""The most characters that match `BOARD_PATTERN`."""

_NAMED = re.compile(r"([a-z])(\d{1,3})", re.ASCII)
_NUMBERED = re.compile(r"(\d{1,3})\s*,\s*(\d{1,3})", re.ASCII)


def as_rules(given: Rules | str) -> Rules:
    """Return rules as they are, or the board that a text names. Raises BadRules."""
    return parse_rules(given) if isinstance(given, str) else given


def as_cell(given: Cell | str, rules: Rules) -> Cell:
    """Return a cell as it is, or the cell that a text names. Raises BadNotation."""
    return parse_cell(given, rules) if isinstance(given, str) else given


def parse_rules(text: str) -> Rules:
    """Return the board that a text names: columns x rows x the number in a row that wins. Raises BadRules.

    >>> parse_rules("5x4x4")
    Rules(5, 4, 4)
    """
    return rules_of(*parse_size(text))


def parse_size(text: str) -> tuple[int, int, int]:
    """Return the columns, the rows and k in a text such as `3x3x3`, however large they are. Raises BadRules."""
    board = text.strip()
    hint = "Write columns x rows x how many in a row win, for example 3x3x3 or 5x4x4."
    if not re.fullmatch(BOARD_PATTERN, board):
        raise BadRules(f"{quoted(text)} isn't a board. {hint}")
    size, *variants = board.lower().split("-")
    columns, rows, k, *more = map(int, size.split("x"))
    if variants or more:
        raise BadRules(f"{quoted(text)} isn't a board that can be played here. {hint}")
    return columns, rows, k


def format_cell(cell: Cell, rules: Rules | str) -> str:
    """Return a cell's name; `a1` is at the bottom left.

    >>> format_cell(5, "3x3x3")
    'c2'
    """
    return _names(rules)[cell]


@lru_cache(maxsize=512)
def _names(board: Rules | str) -> tuple[str, ...]:
    rules = as_rules(board)
    return tuple(f"{COLUMNS[column]}{rules.rows - row}" for column, row in map(rules.column_row, range(rules.size)))


def parse_cell(text: str, rules: Rules | str) -> Cell:
    """Return the cell that a text names. Raises BadNotation.

    The text is a name such as `b2`, or a row and a column such as `2,2`, counted from 1 at the top left. On 3×3 it can
    also be a digit from 1 to 9.

    >>> parse_cell("c2", "3x3x3"), parse_cell("6", "3x3x3"), parse_cell("2,3", "3x3x3")
    (5, 5, 5)
    """
    rules = as_rules(rules)
    word = text.strip().lower()
    if match := _NAMED.fullmatch(word):
        column, row = ord(match[1]) - ord("a"), rules.rows - int(match[2])
    elif match := _NUMBERED.fullmatch(word):
        row, column = int(match[1]) - 1, int(match[2]) - 1
    elif _has_digits(rules) and word in tuple("123456789"):
        row, column = divmod(int(word) - 1, 3)
    else:
        digits = " or a digit from 1 to 9" if _has_digits(rules) else ""
        raise BadNotation(
            f"{quoted(text)} isn't a square. Write a column letter and a row number{digits}: {_range(rules)}."
        )
    if not (0 <= column < rules.columns and 0 <= row < rules.rows):
        raise BadNotation(f"{quoted(text)} is off the board: {_range(rules)}.")
    return rules.cell(column, row)


def quoted(text: str, limit: int = 40) -> str:
    """Quote a text for an error message. Replace unprintable characters, and cut a long text."""
    text = text.strip()
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    return "“" + "".join(character if character.isprintable() else "�" for character in shown) + "”"


def _has_digits(rules: Rules) -> bool:
    return rules.columns == rules.rows == 3


def _range(rules: Rules) -> str:
    if rules.size == 1:
        return "the only square is a1"
    return f"squares go from a1 at the bottom left to {COLUMNS[rules.columns - 1]}{rules.rows} at the top right"
