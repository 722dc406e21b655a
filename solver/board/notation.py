"""The notation of boards, cells, moves, positions and outcomes: all parsers and formatters.

A board such as `3x3x3` is columns x rows x k. A cell such as `b2` is a column letter and a row number, with `a1` at the
bottom left. Moves such as `b2a1c3` are cells one after the other. A position such as `X.O/.X./..O` is its rows from the
top, with `#` for a hole; parsers accept it without `/` too.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Final

from solver.board.families import SHAPE_PATTERN
from solver.board.names import BOARD_PATTERN as BOARD_PATTERN
from solver.board.names import CELLS_PATTERN, CLAUSES, as_rules
from solver.board.names import MAX_BOARD_LENGTH as MAX_BOARD_LENGTH
from solver.board.names import format_cell as format_cell
from solver.board.names import is_board as is_board
from solver.board.names import nearest_rules as nearest_rules
from solver.board.names import parse_cell as parse_cell
from solver.board.names import parse_rules as parse_rules
from solver.board.names import parse_size as parse_size
from solver.board.names import quoted as quoted
from solver.board.outcome import Outcome, Value
from solver.board.position import Position, Result
from solver.board.rules import COLUMNS as COLUMNS
from solver.board.rules import MAX_SIDE, TIC_TAC_TOE, Bits, Cell, Marking, Pairs, Rules, cells_of
from solver.errors import BadNotation, BadRules, check_text

if TYPE_CHECKING:
    from fractions import Fraction

MAX_NAMED: Final = 9
"""The most squares that a text names one by one. For more squares, it gives their number."""

MOST_PLACES: Final = 4
"""The most decimal places of a percentage."""

ROUNDING: Final = 1e-9
"""The largest rounding error in a share."""

_OTHER: Final = f"-(?:{'|'.join(CLAUSES)}|{CELLS_PATTERN})"
_SHAPE: Final = f"-(?:{SHAPE_PATTERN})"
PLAYABLE_PATTERN: Final = (
    f"[1-{MAX_SIDE}]x[1-{MAX_SIDE}]"
    f"(?:(?:x[1-{MAX_SIDE}])?x[1-{MAX_SIDE}](?:{_OTHER}){{0,3}}|{_SHAPE}(?:{_OTHER}){{0,3}}|{_OTHER}{_SHAPE}(?:{_OTHER}){{0,2}})"
)
"""The pattern of the boards that can be played today, as published in the API."""


class SaidInNotebooks:
    """A value whose text notebooks show, line by line."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


TO_PATH, FROM_PATH = str.maketrans("/|#", "_~!"), str.maketrans("_~!", "/|#")
"""The characters that stand for others in the path of an address, and back."""

_MOVE = re.compile(r"[xo]?[a-z]\d+(?:\.\d+)?|\d+,\d+|\d", re.ASCII | re.IGNORECASE)
_OUTCOME = re.compile(r"[D?]|([WL])(\d+)", re.ASCII)
_MARKS: Final = {
    Marking.OWN: "",
    Marking.NOTAKTO: "Both players place X.",
    Marking.WILD: "Each move places X or O, as you like.",
    Marking.VANISHING: "Each player has {} stones at most: place one more, and your oldest leaves.",
    Marking.VANISHING_STRICT: (
        "Each player has {} stones at most: place one more, and your oldest leaves. Its square can't be taken at once."
    ),
}
"""A sentence on the marks, empty for the usual ones; {} is k."""

_STONES = {"X": "x", "x": "x", "O": "o", "o": "o", ".": ".", "#": "#"}


def format_moves(moves: Iterable[Cell], rules: Rules | str) -> str:
    """Write moves one after the other. Raises BadNotation for what isn't moves.

    >>> format_moves((4, 6, 2), "3x3x3")
    'b2a1c3'
    """
    return _written(_moves(moves), rules)


def _moves(given: Iterable[Cell]) -> tuple[Cell, ...]:
    if not isinstance(given, Iterable):
        raise BadNotation(f"{quoted(given)} isn't moves: give the numbers of their squares.")
    return tuple(given)


@lru_cache(maxsize=4096)
def _written(moves: tuple[Cell, ...], rules: Rules | str) -> str:
    return "".join(format_cell(cell, rules) for cell in moves)


def format_columns(moves: Iterable[Cell], rules: Rules | str) -> str:
    """Write moves as their columns, counted from 1 at the left. Raises BadRules where stones don't fall.

    >>> format_columns((38, 31, 39, 37), "connect four")
    '4453'
    """
    rules = as_rules(rules)
    if not rules.falls:
        raise BadRules(f"A column names no square on {rules}, where stones don't fall.")
    names = (format_cell(move, rules) for move in _moves(moves))
    return "".join(str(1 + COLUMNS.index(name.lstrip("XO")[0])) for name in names)


def split_moves(text: str, rules: Rules) -> Iterator[str]:
    """Yield the words of a move list, which may be separated by spaces. Raises BadNotation for anything else."""
    check_text(text, "moves, such as b2a1c3")
    rest = text.strip()
    while rest:
        match = _MOVE.match(rest)
        if not match:
            raise BadNotation(
                f"The move list cannot be read from {quoted(rest)} on."
                f" Write one square after the other, for example {format_moves(_two(rules), rules)}."
            )
        yield match.group()
        rest = rest[match.end() :].lstrip()


def _two(rules: Rules) -> tuple[Cell, Cell]:
    """Return two moves as an example."""
    moves = rules.moves_to(rules.full)
    return moves[0], moves[-1]


def format_pairs(pairs: Pairs, rules: Rules) -> str:
    """Write pairs of cells, such as `a1b1 c2c3`."""
    return " ".join(format_moves(pair, rules) for pair in pairs)


def parse_pairs(text: str, rules: Rules) -> Pairs:
    """Parse pairs of cells. Raises ValueError if the number of cells is odd."""
    cells = [parse_cell(name, rules) for name in split_moves(text, rules)]
    return tuple(zip(cells[::2], cells[1::2], strict=True))


def format_position(position: Position) -> str:
    """Write the rows of a position from the top. Raises BadNotation for any other value.

    >>> format_position(Position("3x3x3").play("a3"))
    'X../.../...'
    """
    if not isinstance(position, Position):
        raise BadNotation(f"{quoted(position)} isn't a Position, and only positions have rows.")
    return position.text


def parse_position(text: str, rules: Rules | str = TIC_TAC_TOE) -> Position:
    """Parse a position. Raises BadNotation, or ImpossiblePosition if no game can reach it.

    If all squares are there, the `/` between the rows can be left out, as in the article on Haskell.

    >>> print(parse_position("X.O/.X./..O"))
    X.O
    .X.
    ..O
    """
    check_text(text, "the rows of a position, such as X.O/.X./..O")
    rules = as_rules(rules)
    if rules.vanishes:
        raise BadNotation(f"Rows don't show which stone on {rules} is the oldest. Give the moves of the game instead.")
    layers = [layer.split("/") for layer in text.strip().split("|")]
    rows = [row for layer in layers for row in layer]
    if len(rows) == 1 and len(rows[0]) == rules.size:
        rows = [rows[0][start : start + rules.columns] for start in range(0, rules.size, rules.columns)]
    elif len(layers) != rules.layers or any(len(layer) != rules.rows for layer in layers):
        rows = []
    if not rows or any(len(row) != rules.columns for row in rows):
        space = f", {rules.layers} layers from the bottom up with | between them" if rules.in_space else ""
        raise BadNotation(
            f"{quoted(text)} isn't a position on {rules}: write {rules.rows} rows of {rules.columns} squares from the"
            f" top down, with / between the rows{space}, for example {format_position(Position(rules))}."
        )
    stones: dict[str, Bits] = {"x": 0, "o": 0, ".": 0, "#": 0}
    for cell, character in enumerate("".join(rows)):
        if character not in _STONES:
            raise BadNotation(f"{quoted(character)} isn't a square of a position: write X, O or . for an empty one.")
        stones[_STONES[character]] |= 1 << cell
    for cell in cells_of(stones["#"] ^ rules.holes):
        said = f"is a hole: write # for it, not {''.join(rows)[cell]}" if rules.holes >> cell & 1 else "isn't a hole"
        raise BadNotation(f"On {rules} {format_cell(cell, rules)} {said}.")
    return Position.checked(rules, stones["x"], stones["o"])


def format_state(position: Position) -> str:
    """Write who is to move or how the game ended, as a sentence."""
    match position.result:
        case None:
            leaves = "".join(
                f"; its stone on {format_cell(cell, position.rules)} leaves" for cell in cells_of(position.leaving)
            )
            return f"{capital(position.rules.player(position.mover))} to move{leaves}."
        case Result.DRAW:
            return "The game is over: a draw."
        case winner:
            return f"The game is over: {position.rules.player(winner)} has won."


def format_leaving(position: Position) -> str:
    """Write whose stones leave with the next two moves, as a sentence; empty if none does."""
    leaving, after = (
        format_cells(cells_of(cells), position.rules) for cells in (position.leaving, position.leaving_after)
    )
    mover, other = position.mover, position.mover.other
    if position.result or not after:
        return ""
    if not leaving:
        return f"{other}'s {after} leaves with {other}'s next move."
    return f"{mover}'s {leaving} leaves next, then {other}'s {after}."


def capital(text: str) -> str:
    """Return a text with its first letter as at the start of a sentence."""
    return text[:1].upper() + text[1:]


def format_cells(cells: Iterable[Cell], rules: Rules) -> str:
    """Write squares as a list for people, e.g. "a3, b2"."""
    return ", ".join(format_cell(cell, rules) for cell in cells)


def few_cells(cells: Collection[Cell], rules: Rules) -> str:
    """Write squares as a list, or only their number if there are many."""
    return f"{len(cells)} squares" if len(cells) > MAX_NAMED else format_cells(cells, rules)


def listed_cells(cells: Collection[Cell], rules: Rules) -> str:
    """Write squares as part of a sentence, e.g. "a3, b2 and c1", or only their number if there are many."""
    return list_words(few_cells(cells, rules).split(", "))


def list_words(words: Iterable[str], conjunction: str = "and") -> str:
    """List words as part of a sentence, with the conjunction before the last one. Raises ValueError for no word."""
    *others, last = words
    return f"{', '.join(others)} {conjunction} {last}" if others else last


def format_fraction(number: "Fraction") -> str:
    """Write a fraction, with its decimal value unless it is whole: "2", "1/3 = 0.333"."""
    return f"{number}" if number.denominator == 1 else f"{number} = {float(number):.3f}"


def format_percent(share: "Fraction | float") -> str:
    """Write a share in percent, with one decimal place, or more if it would look like 0% or 100%."""
    places = range(1, MOST_PLACES + 1)
    certain = {f"{end:.{digits}%}" for end in (0, 1) for digits in places} if share not in (0, 1) else set()
    written = (text for digits in places if (text := f"{float(share):.{digits}%}") not in certain)
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
    """Write a winning line by its ends, such as a1–c3, or by its only square.

    A line that need not be straight is written by all its squares.
    """
    if not rules.is_straight:
        return "–".join(format_cell(cell, rules) for cell in cells_of(line))
    names = sorted(format_cell(cell, rules) for cell in cells_of(line))
    return names[0] if len(names) == 1 else f"{names[0]}–{names[-1]}"


def format_particulars(rules: Rules) -> str:
    """Write sentences on all that a board's size and what wins don't tell; empty for most boards.

    They are on edges that meet, layers, missing squares, drawn lines, falling stones and whose marks are placed.
    """
    holes, lines = tuple(cells_of(rules.holes)), rules.winning
    missing = f"{listed_cells(holes, rules)} {'is' if len(holes) == 1 else 'are'} missing." if holes else ""
    drawn = ", ".join(sorted(format_line(line, rules) for line in lines or ()))
    counting = "" if lines is None else f"{len(lines)} {'line counts' if len(lines) == 1 else 'lines count'}: {drawn}."
    layers = "Lines run through the layers too; layer 1 is the lowest." if rules.in_space else ""
    falls, marks = "Stones fall." if rules.falls else "", _MARKS[rules.marks].format(rules.k)
    return " ".join(filter(None, (rules.surface.sentence, layers, missing, counting, falls, marks)))


def format_lines(lines: Iterable[Bits], rules: Rules) -> list[list[str]]:
    """Return winning lines as lists of cell names, in reading order."""
    return [[format_cell(cell, rules) for cell in cells_of(line)] for line in lines]


def format_outcome(outcome: Outcome) -> str:
    """Write an outcome as a square shows it: a letter and a number, e.g. "W3"."""
    return f"{outcome.letter}{outcome.number}"


def format_outcomes(outcomes: Iterable[Outcome]) -> str:
    """Write outcomes one after the other: `W5` wins in 5 plies, `L4` loses in 4, `D` draws, `?` is not proved."""
    return "".join(
        "?" if not outcome.is_exact else "D" if outcome.letter == "D" else f"{outcome.letter}{outcome.plies}"
        for outcome in outcomes
    )


def parse_outcomes(text: str, plies_left: int) -> Iterator[Outcome]:
    """Parse the text of `format_outcomes` about a position with this many plies left."""
    for written in _OUTCOME.finditer(text):
        match written[1], written[0]:
            case None, "D":
                yield Outcome(Value.DRAW, plies_left)
            case None, _:
                yield Outcome(Value.UNKNOWN, None)
            case letter, _:
                yield Outcome(Value.WIN if letter == "W" else Value.LOSS, int(written[2]))
