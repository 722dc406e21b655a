"""The names of boards and cells, such as `3x3x3` and `b2`, and their parsers."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from solver.board.families import ANIMALS, Shape, Surface, shape_named
from solver.board.rules import (
    COLUMNS,
    FALLING,
    MAX_CELLS,
    MAX_SIDE,
    TIC_TAC_TOE,
    USUAL,
    Cell,
    Clauses,
    Drop,
    Goal,
    Marking,
    MoveCode,
    Rules,
    bits_of,
    rules_of,
)
from solver.board.shelf import board_called, near_name
from solver.errors import BadNotation, BadRules, check_text

_SIDE: Final = "[xX][0-9]{1,3}"
_WORD: Final = "-[A-Za-z]{1,10}(?:[A-Za-z][0-9]){0,24}"
BOARD_PATTERN: Final = f"[0-9]{{1,3}}(?:(?:{_SIDE}){{2,3}}(?:{_WORD}){{0,7}}|{_SIDE}(?:{_WORD}){{1,7}})"
"""The pattern of a board's name, also of one that cannot be played."""

MAX_BOARD_LENGTH: Final = 59
"""The most characters of a game's name. With many holes or lines it would be longer, and is refused."""

HOLES, LINES = "holes", "lines"
"""The words before the names of cells, equally long."""

CELLS_PATTERN: Final = f"(?:{HOLES}|{LINES})(?:[{COLUMNS}][1-{MAX_SIDE}]){{1,24}}"
"""The pattern of the words that name cells: all holes, or the cells of one line after the other."""

CLAUSES: Final[Mapping[str, Surface | Drop | Goal | Marking]] = MappingProxyType(
    {clause.value: clause for clause in (*Surface, *Drop, *Goal, *Marking)}
)
"""The clauses of games by the words for them in names, without shapes."""

_KINDS: Final = {Surface: "surface", Shape: "shape", Drop: "drop", Goal: "goal", Marking: "marks"}
_HINT: Final = "Write columns x rows x how many in a row win, for example 3x3x3 or 5x4x4."

_LIKE_A_BOARD = re.compile(r"\d+(x\d+)+(-[a-z]+(\d[a-z\d.]*)?)*", re.ASCII | re.IGNORECASE)
_NAMED = re.compile(r"([a-z])(\d{1,3})", re.ASCII)
_IN_SPACE = re.compile(r"([a-z])(\d{1,3})\.(\d{1,3})", re.ASCII)
_NUMBERED = re.compile(r"(\d{1,3})\s*,\s*(\d{1,3})", re.ASCII)


def as_rules(given: Rules | str) -> Rules:
    """Return rules as they are, or the board that a text names. Raises BadRules, also for any other value."""
    if isinstance(given, str):
        return parse_rules(given)
    if not isinstance(given, Rules):
        raise BadRules(f"{quoted(given)} isn't a board: give Rules, or a text such as 3x3x3 or Connect Four.")
    return given


def is_board(text: str) -> bool:
    """Return whether a text is a game's name or has the form of a board: an x between numbers, as in no position."""
    return board_called(text) is not None or _LIKE_A_BOARD.fullmatch(text.strip()) is not None


def parse_rules(text: str) -> Rules:
    """Return the game that a text names: columns x rows x the number in a row that wins. Raises BadRules.

    A game of the shelf can also be given by its name, such as "Connect Four". In space the layers stand before the
    number in a row. A surface, a shape, a drop, a goal, the marks, holes and lines can follow in any order. A shape
    stands in place of the number in a row.

    >>> parse_rules("5x4x4"), parse_rules("3x3x3-torus"), parse_rules("5x5-tippy-cylinder"), parse_rules("4x4x4x4")
    (Rules(5, 4, 4), parse_rules('3x3x3-torus'), parse_rules('5x5-cylinder-tippy'), parse_rules('4x4x4x4'))
    """
    check_text(text, "a board, such as 3x3x3 or Connect Four")
    columns, rows, k, clauses = _parse(board_called(text) or text.strip().lower().replace("è", "e"))
    return rules_of(columns, rows, k, *clauses)


@lru_cache(maxsize=512)
def _parse(board: str) -> tuple[int, int, int, Clauses]:
    """Return the columns, the rows, k and the clauses of a game. Raises BadRules."""
    numbers, words = _parts(board)
    named, unknown, again = _clauses(words)
    shape = named.get("shape")
    refused = f"{quoted(board)} isn't a board that can be played here"
    if unknown:
        from difflib import get_close_matches  # noqa: PLC0415 - only this mistake needs it

        near = (
            [Marking.VANISHING_STRICT] if unknown == "strict" else get_close_matches(unknown, (*CLAUSES, *ANIMALS), 1)
        )
        offered = f"Did you mean {near[0]}?" if near else _list_offered()
        if unknown.startswith((HOLES, LINES)):
            offered = f"Write squares of the board after it: {HOLES}a1b2 or {LINES}a1b1c1."
        raise BadRules(f"{refused}: {quoted(unknown)} isn't a rule I know. {offered}")
    if again:
        raise BadRules(f"{refused}: {again}. Write {_nearest(numbers, words)}.")
    if shape and len(numbers) > 2:
        raise BadRules(f"{refused}: {shape} stands in place of a number in a row. Write {_nearest(numbers, words)}.")
    if not shape and len(numbers) == 2:
        raise BadRules(f"{refused}: say how many in a row win, for example {_nearest(numbers, words)}.")
    columns, rows, k = numbers[0], numbers[1], shape.squares if shape else numbers[-1]
    holes, lines = (_cells(named.pop(word, ""), columns, rows) for word in (HOLES, LINES))
    winning = tuple(sorted(bits_of(lines[start : start + k]) for start in range(0, len(lines), k or 1))) or None
    clauses = USUAL._replace(**named, holes=bits_of(holes), winning=winning, layers=_layers(numbers))
    if (holes or lines) and len(name := str(rules_of(columns, rows, k, *clauses))) > MAX_BOARD_LENGTH:
        raise BadRules(f"A board's name has at most {MAX_BOARD_LENGTH} characters, and {name} has {len(name)}.")
    return columns, rows, k, clauses


def _layers(numbers: Sequence[int]) -> int:
    """Return the layers of a board with these numbers, 1 unless there are four."""
    return numbers[2] if len(numbers) == 4 else 1


def _cells(word: str, columns: int, rows: int) -> list[Cell]:
    """Return the cells that a word such as `holesb2c3` names. Raises BadRules."""
    cells = []
    for letter, number in _NAMED.findall(word[len(HOLES) :]):
        column, row = COLUMNS.index(letter), rows - int(number)
        if column >= columns or row < 0:
            raise BadRules(f"{letter}{number} isn't a square of a {columns}×{rows} board.")
        cells.append(row * columns + column)
    return cells


def parse_size(text: str) -> tuple[int, int, int]:
    """Return the columns, the rows and k in a text such as `3x3x3`, however large they are. Raises BadRules."""
    numbers, words = _parts(text.strip().lower())
    if words or len(numbers) != 3:
        raise BadRules(f"{quoted(text)} isn't a flat board on which a row wins. {_HINT}")
    return numbers[0], numbers[1], numbers[2]


def nearest_rules(text: str) -> Rules:
    """Return the game that a text names, or 3x3x3 if it names none. Clamp its numbers to their ranges."""
    with suppress(BadRules):
        return parse_rules(text)
    try:
        return _nearest(*_parts(text.strip().lower()))
    except BadRules:
        return TIC_TAC_TOE


def _parts(board: str) -> tuple[list[int], list[str]]:
    """Return the numbers and the words of a board's name. Raises BadRules."""
    if len(board) > MAX_BOARD_LENGTH:
        raise BadRules(f"A board's name has at most {MAX_BOARD_LENGTH} characters, and this one has {len(board)}.")
    if not re.fullmatch(BOARD_PATTERN, board):
        raise BadRules(f"{quoted(board)} isn't a board.{near_name(board)} {_HINT}")
    size, *words = board.split("-")
    if Marking.VANISHING in words and "strict" in words:
        words.remove(Marking.VANISHING)
        words[words.index("strict")] = Marking.VANISHING_STRICT
    return [int(number) for number in size.split("x")], words


def _clauses(words: Iterable[str]) -> tuple[dict[str, Any], str, str]:
    """Return the clauses by kind, the first unknown word, and what is wrong with two words of one kind.

    Words with names of cells are returned as they are: they have a meaning only on a board of some size.
    """
    named: dict[str, Any] = {}
    first: dict[str, str] = {}
    unknown = again = ""
    for word in words:
        cells = word if re.fullmatch(CELLS_PATTERN, word) else None
        if clause := CLAUSES.get(word) or shape_named(word) or cells:
            kind = word[: len(HOLES)] if cells else _KINDS[type(clause)]
            if kind not in named:
                named[kind], first[kind] = clause, word
            elif cells:
                named[kind] += word[len(kind) :]
            else:
                again = f"{word} stands there twice" if first[kind] == word else f"choose {first[kind]} or {word}"
        else:
            unknown = unknown or word
    return named, unknown, again


def _nearest(numbers: Sequence[int], words: Iterable[str]) -> Rules:
    """Return the game nearest to these numbers and words, without holes and drawn lines."""
    named, _, _ = _clauses(word for word in words if word.isalpha())
    clauses = USUAL._replace(**named)
    if clauses.marks is Marking.NOTAKTO:
        clauses = clauses._replace(goal=Goal.COMPLETE)
    layers = min(max(_layers(numbers), 1), MAX_SIDE)
    if layers > 1:
        clauses = USUAL._replace(goal=clauses.goal, marks=clauses.marks, layers=layers)
    if clauses.surface not in FALLING or clauses.marks in {Marking.VANISHING, Marking.VANISHING_STRICT}:
        clauses = clauses._replace(drop=Drop.FREE)
    columns, rows = (min(max(side, 1), MAX_SIDE) for side in numbers[:2])
    with suppress(BadRules):
        if clauses.shape:
            return rules_of(columns, rows, clauses.shape.squares, *clauses)
    k = numbers[-1] if len(numbers) > 2 else min(columns, rows)
    while columns * rows * clauses.layers > MAX_CELLS:
        clauses = clauses._replace(layers=clauses.layers - 1)
    return rules_of(columns, rows, min(max(k, 1), max(columns, rows, clauses.layers)), *clauses._replace(shape=None))


def _list_offered() -> str:
    surfaces = [surface for surface in Surface if surface is not Surface.FLAT]
    return (
        f"There are {', '.join(surfaces)}, the shapes {', '.join(ANIMALS)}, the rules gravity, misere, wild, notakto,"
        " vanishing and vanishing-strict, holes such as holesb2c3, and lines such as linesa1b2c3."
    )


def format_cell(cell: MoveCode, rules: Rules | str) -> str:
    """Return the name of a cell or a move; `a1` is at the bottom left.

    >>> format_cell(5, "3x3x3"), format_cell(5, "3x3x3x3"), format_cell(23, "3x3x3-wild")
    ('c2', 'c2.1', 'Oc2')
    """
    try:
        return _names(rules)[cell]
    except (IndexError, TypeError):
        number = f"0 to {len(_names(rules)) - 1}"
        raise BadNotation(f"{quoted(cell)} is no square of {rules}: squares have the numbers {number}.") from None


@lru_cache(maxsize=512)
def _names(board: Rules | str) -> tuple[str, ...]:
    rules = as_rules(board)
    names = tuple(map(rules.name, range(rules.size)))
    return (*names, *("X" + name for name in names), *("O" + name for name in names)) if rules.is_wild else names


def parse_cell(text: str, rules: Rules | str) -> MoveCode:
    """Return the cell or the move that a text names. Raises BadNotation.

    The text is a name such as `b2`, or a row and a column such as `2,2`, counted from 1 at the top left. On 3×3 it can
    also be a digit from 1 to 9. In space a name has a layer, as in `b2.3`. Where the mover chooses the mark, it stands
    before the name, as in `Xb2`. Where stones fall, `Position.move_of` reads columns too.

    >>> parse_cell("c2", "3x3x3"), parse_cell("6", "3x3x3"), parse_cell("2,3", "3x3x3")
    (5, 5, 5)
    """
    check_text(text, "a square, such as b2")
    rules = as_rules(rules)
    word, layer = text.strip().lower(), 0
    if rules.is_wild and (marked := re.fullmatch("([xo])([a-z].*)", word)):
        return rules.with_mark(parse_cell(marked[2], rules), marked[1] == "o")
    if rules.in_space:
        if not (match := _IN_SPACE.fullmatch(word)):
            raise BadNotation(
                f"{quoted(text)} isn't a square. Write a column letter, a row number, a dot and a layer number:"
                f" {_range(rules)}."
            )
        column, row, layer = ord(match[1]) - ord("a"), rules.rows - int(match[2]), int(match[3]) - 1
    elif match := _NAMED.fullmatch(word):
        column, row = ord(match[1]) - ord("a"), rules.rows - int(match[2])
    elif match := _NUMBERED.fullmatch(word):
        row, column = int(match[1]) - 1, int(match[2]) - 1
    elif _has_digits(rules) and word in tuple("123456789"):
        row, column = divmod(int(word) - 1, 3)
    else:
        digits = " or a digit from 1 to 9" if _has_digits(rules) else ", or a column from 1" if rules.falls else ""
        raise BadNotation(
            f"{quoted(text)} isn't a square. Write a column letter and a row number{digits}: {_range(rules)}."
        )
    if not (0 <= column < rules.columns and 0 <= row < rules.rows and 0 <= layer < rules.layers):
        raise BadNotation(f"{quoted(text)} is off the board: {_range(rules)}.")
    return rules.cell(column, row, layer)


def quoted(given: object, limit: int = 40) -> str:
    """Quote a text or any value for an error message. Replace unprintable characters, and cut a long text."""
    text = given.strip() if isinstance(given, str) else repr(given)
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    return "“" + "".join(character if character.isprintable() else "�" for character in shown) + "”"


def _has_digits(rules: Rules) -> bool:
    return rules.columns == rules.rows == 3 and not (rules.in_space or rules.falls)


def _range(rules: Rules) -> str:
    if rules.size == 1:
        return "the only square is a1"
    last = rules.name(rules.cell(rules.columns - 1, 0, rules.layers - 1))
    above = " of the highest layer" if rules.in_space else ""
    first = rules.name(rules.cell(0, rules.rows - 1))
    return f"squares go from {first} at the bottom left to {last} at the top right{above}"
