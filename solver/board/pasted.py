"""Games as people paste them: a link to a game, rows, moves, or a record, in the usual spellings.

A record begins with a header in brackets; of several, the first is read. A link can lead to any page of any host; only
its board, position and moves are read. Any other text is a board or a game's name, rows and moves, in this order. Each
of these parts can be left out:

>>> game = read_pasted("4x3x3: X.O. / .X.. / ....  1. a1 b1 2. d2")
>>> format_game(game)
'4x3x3 X.O./.X../.... a1 b1 d2'
>>> read_pasted("https://play.example/play/4x3x3?from=X.O./.X../....&moves=a1b1d2") == game
True

The parsers of `notation` and `game` are for links and programs. Everything they accept means the same here.
"""

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from solver.board.game import Game, parse_game, read_game
from solver.board.notation import (
    BOARD_PATTERN,
    FROM_PATH,
    format_cell,
    format_position,
    parse_position,
    parse_rules,
    quoted,
)
from solver.board.position import Position
from solver.board.record import GameRecord, parse_record
from solver.board.rules import DEFAULT_BOARD, TIC_TAC_TOE, Rules
from solver.board.shelf import name_before, near_name
from solver.errors import BadNotation, BadOption

MAX_LENGTH: Final = 2000
"""The most characters that are read. A link or a record of the longest game is shorter."""

_ADDRESS: Final = re.compile(r"""https?://[^\s"'<>]+""", re.IGNORECASE)
_PATH_OR_QUERY: Final = re.compile(rf"\S*(?:/{BOARD_PATTERN}|\?\w+=)\S*", re.IGNORECASE)
_BOARD_OF_PATH: Final = re.compile(
    rf"(?:^|/)(?:(?P<drilled>{BOARD_PATTERN})-(?P<rows>[xo._~!]+|(?:[a-h]\d(?:\.\d)?)+)-"
    rf"|(?P<board>{BOARD_PATTERN})(?=$|[./]))",
    re.IGNORECASE,
)
"""The board in a path. A drill's path also has the rows of its position, or its moves."""

_BOARD_FIRST: Final = re.compile(rf"({BOARD_PATTERN})(?=$|[\s:,;])[\s:,;]*", re.IGNORECASE)
_ROWS_FIRST: Final = re.compile(r"[xo._#\-/|\s]+", re.IGNORECASE)
_ROWS_OR_MARKS: Final = re.compile(r"(?:[xo](?![a-z]\d)|[._#\-/|\s])+", re.IGNORECASE)
"""The same where moves name their marks, as in `Xb2`."""

_ROW_BEFORE: Final = re.compile(r"[^/|\s]+$")
_ROW_END: Final = re.compile(r"[/|\s]")
"""The part of a row before a place, if that is within the row, and the separators of rows."""

_MOVE: Final = re.compile(
    r"(?:\d{1,3}\.+\s*)?([xo]?[a-z]\d{1,3}(?:\.\d(?=[^\d.]|$))?|\d{1,3}\s*,\s*\d{1,3}|\d)[!?~]*[\s,;\-–]*",
    re.ASCII | re.IGNORECASE,
)
"""A move and the separators after it. A number can stand before the move, and annotations such as `!?` after it."""


def read_pasted(text: str, rules: Rules = TIC_TAC_TOE) -> Game:
    """Parse a pasted game, on the board `rules` unless the text names one. Raises NoughtsError.

    For a link to an earlier position of a game, return the game up to that position.
    """
    if len(text) > MAX_LENGTH:
        raise BadNotation(f"That is too long: no game needs more than {MAX_LENGTH} characters.")
    text = text.strip()
    if text.startswith("["):
        return parse_record(text, rules).game
    if not text:
        raise BadNotation("There is nothing to read. Paste a game's link, rows such as X.O/.X./..O, or moves.")
    link = link_in(text)
    return _of_link(link) if link else _of_words(text, rules)


Given: TypeAlias = Game | GameRecord | Position | Rules | str
"""A game or its record, a position, rules for their empty board, or a text of one of them as it is pasted."""


def as_position(given: Given) -> Position:
    """Return a position as it is, or the last one of a game. Raises NoughtsError.

    >>> as_position("4x3x3 b2c2") == Position("4x3x3").play("b2").play("c2")
    True
    """
    return given if isinstance(given, Position) else as_game(given).last


def as_game(given: Given) -> Game:
    """Return a game as it is, or the one without moves from a position. Raises NoughtsError for anything else."""
    match given:
        case Game():
            return given
        case GameRecord():
            return given.game
        case str():
            return read_pasted(given)
        case Position() | Rules():
            return Game.starting(Position(given) if isinstance(given, Rules) else given)
    raise BadNotation(
        f"{quoted(given)} isn't a position: give a Position, a Game, Rules for their empty board, or a text such"
        " as X.O/.X./..O, b2 a1, 4x3x3 or Connect Four."
    )


def read_fields(board: str, start: str, moves: str) -> Game:
    """Parse a game from the board, start and moves that people paste into a form. Raises NoughtsError.

    If the start or the moves name another board, the game is on that board.
    """
    rules = parse_rules(board)
    if not start.strip():
        return read_pasted(moves, rules) if moves.strip() else Game.starting(Position(rules))
    return _play(read_pasted(start, rules), moves)


def format_game(game: Game) -> str:
    """Write a game as a line that people can read and paste. It leaves out a 3×3 board and an empty start."""
    start = game.positions[0]
    words = [format_position(start)] if start.is_begun else []
    words += [format_cell(cell, start.rules) for cell in game.moves]
    return " ".join(words if words and start.rules == TIC_TAC_TOE else [str(start.rules), *words])


def link_in(text: str) -> str:
    """Return the first address in a text; empty if there is none.

    A text that is only a path or a query is returned whole.
    """
    if address := _ADDRESS.search(text):
        return address.group().rstrip(",;)]")
    return text if _PATH_OR_QUERY.fullmatch(text) else ""


def _of_link(link: str) -> Game:
    from urllib.parse import parse_qsl, unquote, urlsplit  # noqa: PLC0415 - only links need it

    try:
        parts = urlsplit(link.replace("&amp;", "&"))
    except ValueError as error:
        raise BadNotation(f"{quoted(link)} is no address.") from error
    query = dict(reversed(parse_qsl(parts.query)))
    named = _BOARD_OF_PATH.search(unquote(parts.path))
    if named is None and query.get("pos", "").isdigit():
        return parse_game("7x6x4-gravity", None, query["pos"])  # as sites that solve Connect Four write it
    if named is None and not query.keys() & {"board", "from", "moves"}:
        raise BadNotation(
            f"{quoted(link)} is a link, but to no game. A game's link names its board, as in /play/3x3x3?moves=b2a1."
        )
    if named and named["drilled"]:
        return _of_words(f"{named['drilled']} {named['rows'].translate(FROM_PATH)}", TIC_TAC_TOE)
    board = named["board"] if named else query.get("board", DEFAULT_BOARD)
    game = parse_game(board, query.get("from"), query.get("moves", ""))
    shown = query.get("at", str(len(game.moves)))
    if not (shown.isascii() and shown.isdigit() and len(shown) < 4 and int(shown) <= len(game.moves)):
        raise BadOption(f"at={quoted(shown)} isn't a number of moves from 0 to {len(game.moves)}.")
    return game.upto(int(shown))


def _of_words(text: str, rules: Rules) -> Game:
    if named := _BOARD_FIRST.match(text):
        rules, text = parse_rules(named[1]), text[named.end() :]
    elif called := name_before(text):
        rules, text = parse_rules(called[0]), called[1]
    rows = (_ROWS_OR_MARKS if rules.is_wild else _ROWS_FIRST).match(text)
    if rows is None or not rows.group().strip("/ \t\r\n"):
        return _play(Game.starting(Position(rules)), text)
    row = _ROW_BEFORE.search(rows.group())
    if row and text[rows.end() :] and not _MOVE.match(text, rows.end()):
        broken = row.group() + _ROW_END.split(text[rows.end() :], maxsplit=1)[0]
        raise BadNotation(f"{quoted(broken)} isn't a row of {rules}: write X, O or . for each of its squares.")
    return _play(Game.starting(_position(rows.group(), rules)), text[rows.end() :])


def _position(text: str, rules: Rules) -> Position:
    """Parse rows that are separated by slashes, line ends or spaces, or not at all."""
    if rules.in_space:
        return parse_position("".join(text.split()).replace("_", ".").replace("-", "."), rules)
    lines = [line for line in re.split(r"[/\r\n]+", text) if line.strip()]
    words = text.split() if len(lines) == 1 else []
    if len(words) == rules.rows and rules.columns > 1:
        lines = words
    rows = ["".join(line.split()).replace("_", ".").replace("-", ".") for line in lines]
    if len(rows) > 1 and {len(row) for row in rows} != {rules.columns}:
        long = ", ".join(str(len(row)) for row in rows[: rules.rows + 1])
        raise BadNotation(
            f"These rows have {long} squares, and the board is {rules}: {rules.rows} rows of {rules.columns}. If it is"
            " another board, write that before them, for example 4x4x3."
        )
    return parse_position("/".join(rows), rules)


def _play(game: Game, text: str) -> Game:
    """Return the game with the moves of a text added. Raises BadNotation, or IllegalMove with the move's number."""
    start = game.last
    further = read_game(start, " ".join(_moves(text.strip()))).whole()
    return Game((*game.moves, *further.moves), (*game.positions, *further.positions[1:]))


def _moves(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        move = _MOVE.match(text, at)
        if move is None and not at:
            raise BadNotation(
                f"{quoted(text)} isn't a game.{near_name(text)} Paste a game's link, rows from the top such as"
                " X.O/.X./..O, or moves such as b2 a1."
            )
        if move is None:
            raise BadNotation(f"The moves cannot be read from {quoted(text[at:])} on. Write them as b2 a1 c3.")
        yield move[1]
        at = move.end()
