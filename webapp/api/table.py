"""The call that proves a table of moves: its body, and its answer."""

import json
import re
from typing import Final, NamedTuple

from solver import oracle
from solver.analysis.proving import MOST_ENTRIES, prove, table
from solver.board.notation import PLAYABLE_PATTERN, parse_rules, quoted
from solver.board.position import Mark
from solver.board.rules import COLUMNS, DEFAULT_BOARD, MAX_SIDE, Rules
from solver.errors import BadOption
from solver.report import prove_report
from webapp.api.call import POSITION, PREFIX, Misfit, Report
from webapp.serving.pool.asking import do

PATH: Final = f"{PREFIX}/prove"

BOARD_PATTERN: Final = PLAYABLE_PATTERN.replace("x", "[xX]")
POSITION_PATTERN: Final = rf"(?:{POSITION}|-|(?:[{COLUMNS}][1-{MAX_SIDE}](?:\.[1-{MAX_SIDE}])?){{1,16}})"
"""The patterns of the texts in a body."""

LONGEST_MOVE: Final = 40
"""The most characters of a move. One that names no open square makes the player broken."""

EXAMPLE: Final[Report] = {
    "board": "2x2x2",
    "side": "X",
    "moves": {"../..": "a1", "../XO": "a2", "O./X.": "b1", ".O/X.": "a2"},
}


class MoveTable(NamedTuple):
    """A table of moves for one side."""

    rules: Rules
    mark: Mark
    moves: tuple[tuple[str, str], ...]


def read_table(body: bytes) -> MoveTable:
    """Parse a body. Raises Misfit, or NoughtsError if its positions belong to another board."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise _misfit("The body isn't JSON.") from None
    if not isinstance(said, dict) or not {"moves"} <= said.keys() <= {"board", "side", "moves"}:
        raise _misfit('Send one object: {"board": "3x3x3", "side": "O", "moves": {"X.O/.X./..O": "c2"}}.')
    board, side, moves = said.get("board", DEFAULT_BOARD), said.get("side", "O"), said["moves"]
    if not isinstance(board, str) or not re.fullmatch(BOARD_PATTERN, board):
        raise _misfit(f"board must be columns x rows x how many in a row win, such as {DEFAULT_BOARD}.")
    if side not in ("X", "O"):
        raise _misfit("side must be X or O.")
    if not isinstance(moves, dict) or not len(moves) <= MOST_ENTRIES:
        raise _misfit(f"moves must be an object of up to {MOST_ENTRIES:,} positions, each with a square.")
    for text, move in moves.items():
        if not re.fullmatch(POSITION_PATTERN, text) or not isinstance(move, str) or len(move) > LONGEST_MOVE:
            raise _misfit(f'{quoted(text)} isn\'t a position with its move, such as "X.O/.X./..O": "c2".')
    rules = parse_rules(board)
    table(moves, rules)
    return MoveTable(rules, Mark(side), tuple(moves.items()))


def answer_table(asked: MoveTable) -> Report:
    """Return the verdict on a table."""
    report: Report = do(prove_table, *asked, long=not oracle.knows(asked.rules))
    return report


def prove_table(rules: Rules, mark: Mark, moves: tuple[tuple[str, str], ...]) -> tuple[Report, bool]:
    """Try a table of moves against every line of play: a task of the pool, whose result is new."""
    return prove_report(prove(table(dict(moves), rules), mark, rules)), False


def _misfit(sentence: str) -> Misfit:
    return Misfit(BadOption(sentence))
