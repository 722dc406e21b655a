"""The notation of boards, cells, moves, positions and outcomes: all parsers and formatters.

A board such as `3x3x3` is columns x rows x k. A cell such as `b2` is a column letter and a row number, with `a1` at the
bottom left. Moves such as `b2a1c3` are cells one after the other. A position such as `X.O/.X./..O` is its rows from the
top; parsers accept it without `/` too.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from solver.board.outcome import Outcome, Value
from solver.board.position import Position, Result
from solver.board.rules import MAX_SIDE, TIC_TAC_TOE, Bits, Cell, Pairs, Rules, cells_of, rules_of
from solver.errors import BadNotation, BadRules

if TYPE_CHECKING:
    from fractions import Fraction

COLUMNS = "abcdefgh"[:MAX_SIDE]

MAX_NAMED: Final = 9
"""The most squares that a text names one by one. For more squares, it gives their number."""

MOST_PLACES: Final = 4
"""The most decimal places of a percentage."""

ROUNDING: Final = 1e-9
"""The largest rounding error in a share."""

BOARD_PATTERN: Final = r"[0-9]{1,3}(?:[xX][0-9]{1,3}){2,3}(?:-[A-Za-z]{1,9}){0,2}"
"""The pattern of a board's name. It also fits future names such as `4x4x4x4` and `7x6x4-gravity-misere`."""

MAX_BOARD_LENGTH: Final = 35
"""The most characters that match `BOARD_PATTERN`."""

PLAYABLE_PATTERN: Final = "x".join(3 * [f"[1-{MAX_SIDE}]"])
"""The pattern of the boards that can be played today, as published in the API."""

_MOVE = re.compile(r"[a-z]\d+|\d+,\d+|\d", re.ASCII | re.IGNORECASE)
_OUTCOME = re.compile(r"[D?]|([WL])(\d+)", re.ASCII)
_NAMED = re.compile(r"([a-z])(\d{1,3})", re.ASCII)
_NUMBERED = re.compile(r"(\d{1,3})\s*,\s*(\d{1,3})", re.ASCII)
_STONES = {"X": "x", "x": "x", "O": "o", "o": "o", ".": "."}


def parse_rules(text: str) -> Rules:
    """Return the board that a text such as `3x3x3` names. Raises BadRules."""
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


def nearest_rules(text: str) -> Rules:
    """Return the board that a text names, or 3x3x3 if it names none. Clamp its numbers to their ranges."""
    try:
        columns, rows, k = parse_size(text)
    except BadRules:
        return TIC_TAC_TOE
    columns, rows = (min(max(side, 1), MAX_SIDE) for side in (columns, rows))
    return rules_of(columns, rows, min(max(k, 1), max(columns, rows)))


def format_cell(cell: Cell, rules: Rules) -> str:
    """Return a cell's name; `a1` is at the bottom left."""
    return _names(rules)[cell]


@lru_cache(maxsize=512)
def _names(rules: Rules) -> tuple[str, ...]:
    return tuple(f"{COLUMNS[column]}{rules.rows - row}" for column, row in map(rules.column_row, range(rules.size)))


def parse_cell(text: str, rules: Rules) -> Cell:
    """Return the cell that a text names. Raises BadNotation.

    The text is a name such as `b2`, or a row and a column such as `2,2`, counted from 1 at the top left. On 3×3 it can
    also be a digit from 1 to 9.
    """
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


@lru_cache(maxsize=4096)
def format_moves(moves: tuple[Cell, ...], rules: Rules) -> str:
    """Write moves one after the other, such as `b2a1c3`."""
    return "".join(format_cell(cell, rules) for cell in moves)


def split_moves(text: str, rules: Rules) -> Iterator[str]:
    """Yield the words of a move list, which may be separated by spaces. Raises BadNotation for anything else."""
    rest = text.strip()
    while rest:
        match = _MOVE.match(rest)
        if not match:
            raise BadNotation(
                f"The move list cannot be read from {quoted(rest)} on."
                f" Write one square after the other, for example {format_moves((0, rules.size - 1), rules)}."
            )
        yield match.group()
        rest = rest[match.end() :].lstrip()


def format_pairs(pairs: Pairs, rules: Rules) -> str:
    """Write pairs of cells, such as `a1b1 c2c3`."""
    return " ".join(format_moves(pair, rules) for pair in pairs)


def parse_pairs(text: str, rules: Rules) -> Pairs:
    """Parse pairs of cells. Raises ValueError if the number of cells is odd."""
    cells = [parse_cell(name, rules) for name in split_moves(text, rules)]
    return tuple(zip(cells[::2], cells[1::2], strict=True))


def format_position(position: Position) -> str:
    """Write the rows of a position from the top, such as `X.O/.X./..O`."""
    cells = [position.mark_at(cell) or "." for cell in range(position.rules.size)]
    width = position.rules.columns
    return "/".join("".join(cells[start : start + width]) for start in range(0, len(cells), width))


def parse_position(text: str, rules: Rules = TIC_TAC_TOE) -> Position:
    """Parse a position. Raises BadNotation, or ImpossiblePosition if no game can reach it.

    If all squares are there, the `/` between the rows can be left out, as in the article on Haskell.
    """
    rows = text.strip().split("/")
    if len(rows) == 1 and len(rows[0]) == rules.size:
        rows = [rows[0][start : start + rules.columns] for start in range(0, rules.size, rules.columns)]
    if len(rows) != rules.rows or any(len(row) != rules.columns for row in rows):
        example = "/".join(["." * rules.columns] * rules.rows)
        raise BadNotation(
            f"{quoted(text)} isn't a position on {rules}: write {rules.rows} rows of {rules.columns} squares from the"
            f" top down, with / between the rows, for example {example}."
        )
    stones: dict[str, Bits] = {"x": 0, "o": 0, ".": 0}
    for cell, character in enumerate("".join(rows)):
        if character not in _STONES:
            raise BadNotation(f"{quoted(character)} isn't a square of a position: write X, O or . for an empty one.")
        stones[_STONES[character]] |= 1 << cell
    return Position.checked(rules, stones["x"], stones["o"])


def format_state(position: Position) -> str:
    """Write who is to move or how the game ended, as a sentence."""
    match position.result:
        case None:
            return f"{position.mover} to move."
        case Result.DRAW:
            return "The game is over: a draw."
        case winner:
            return f"The game is over: {winner} has won."


def format_cells(cells: Iterable[Cell], rules: Rules) -> str:
    """Write squares as a list for people, e.g. "a3, b2"."""
    return ", ".join(format_cell(cell, rules) for cell in cells)


def few_cells(cells: Collection[Cell], rules: Rules) -> str:
    """Write squares as a list, or only their number if there are many."""
    return f"{len(cells)} squares" if len(cells) > MAX_NAMED else format_cells(cells, rules)


def listed_cells(cells: Collection[Cell], rules: Rules) -> str:
    """Write squares as part of a sentence, e.g. "a3, b2 and c1", or only their number if there are many."""
    *others, last = few_cells(cells, rules).split(", ")
    return f"{', '.join(others)} and {last}" if others else last


def format_fraction(number: "Fraction") -> str:
    """Write a fraction, with its decimal value unless it is whole: "2", "1/3 = 0.333"."""
    return f"{number}" if number.denominator == 1 else f"{number} = {float(number):.3f}"


def format_percent(share: "Fraction | float") -> str:
    """Write a share in percent, with one decimal place, or more if it would look like 0% or 100%."""
    places = range(1, MOST_PLACES + 1)
    certain = {f"{end:.{each}%}" for end in (0, 1) for each in places} if share not in (0, 1) else set()
    written = (text for each in places if (text := f"{float(share):.{each}%}") not in certain)
    return next(written, f"<{10**-MOST_PLACES:f}".rstrip("0") + "%" if share < 1 / 2 else "almost 100%")


def format_whole_percent(share: "Fraction | float") -> str:
    """Write a share in whole percent, never rounded to 0 or 100."""
    rounded = round(100 * share)
    if rounded in (0, 100) and share not in (0, 1):
        return "<1%" if rounded == 0 else ">99%"
    return f"{rounded}%"


def rounded_share(share: float) -> float:
    """Return a share, with rounding errors removed if it is almost 0 or 1."""
    return round(share) if abs(share - round(share)) < ROUNDING else share


def format_line(line: Bits, rules: Rules) -> str:
    """Write a winning line by its ends, such as a1–c3, or by its only square."""
    names = sorted(format_cell(cell, rules) for cell in cells_of(line))
    return names[0] if len(names) == 1 else f"{names[0]}–{names[-1]}"


def format_lines(lines: Iterable[Bits], rules: Rules) -> list[list[str]]:
    """Return winning lines as lists of cell names, in reading order."""
    return [[format_cell(cell, rules) for cell in cells_of(line)] for line in lines]


def format_outcome(outcome: Outcome) -> str:
    """Write an outcome as a square shows it: a letter and a number, e.g. "W3"."""
    return f"{outcome.letter}{outcome.number}"


def format_outcomes(outcomes: Iterable[Outcome]) -> str:
    """Write outcomes one after the other: `W5` wins in 5 plies, `L4` loses in 4, `D` draws, `?` is not proved."""
    return "".join(
        "?" if outcome.plies is None else "D" if outcome.letter == "D" else f"{outcome.letter}{outcome.plies}"
        for outcome in outcomes
    )


def parse_outcomes(text: str, plies_left: int) -> Iterator[Outcome]:
    """Parse the text of `format_outcomes` about a position with this many plies left."""
    for found in _OUTCOME.finditer(text):
        match found[1], found[0]:
            case None, "D":
                yield Outcome(Value.DRAW, plies_left)
            case None, _:
                yield Outcome(Value.UNKNOWN, None)
            case letter, _:
                yield Outcome(Value.WIN if letter == "W" else Value.LOSS, int(found[2]))


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
