"""Links that hold a whole player of tic-tac-toe, and the tables of moves that people paste.

A code has one square for each position that can arise, in the order of asking: the number of the square among the open
ones. These numbers are the digits of one whole number, each in the base of its position's open squares, the first digit
least. The number is written in base 36. A player as O takes at most 342 characters.
"""

import csv
import json
import re
from collections.abc import Mapping
from string import ascii_lowercase, digits
from typing import Final

from solver.analysis.trial import BotProof, prove, table
from solver.board.notation import format_cell, format_position, quoted
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE
from solver.errors import BadOption, NoughtsError
from solver.search.budget import Budget

WHOLE: Final = Budget(nodes=20_000)
"""The budget of a proof: more positions than 3×3 has. Every proof is whole, however busy the machine."""

_CODE: Final = re.compile(r"[0-9a-z]{1,400}")
_BASE: Final = digits + ascii_lowercase


def code_of(proof: BotProof) -> str:
    """Return the code of a player that has answered every position."""
    number = 0
    for position, decision in [*proof.answers.items()][::-1]:
        open_squares = position.legal_moves
        (cell,) = decision.choices
        number = number * len(open_squares) + open_squares.index(cell)
    text = ""
    while number or not text:
        number, digit = divmod(number, len(_BASE))
        text = _BASE[digit] + text
    return text


def proof_of(code: str, mark: Mark) -> BotProof:
    """Prove the player that a code holds. Raises BadOption for a text that is no code."""
    left = int(code, len(_BASE)) if _CODE.fullmatch(code) else -1

    def answer(position: Position) -> str:
        nonlocal left
        open_squares = position.legal_moves
        left, digit = divmod(left, len(open_squares))
        return format_cell(open_squares[digit], TIC_TAC_TOE)

    proof = prove(answer, mark, TIC_TAC_TOE, budget=WHOLE)
    if left:  # a text that is no code never comes to 0
        raise BadOption(f"{mark.lower()}={quoted(code)} holds no player. Copy the whole link, or prove the bot again.")
    return proof


def read_table(text: str) -> Mapping[str, str]:
    """Return the moves of a pasted table by position: a JSON object, or lines such as `X.O/.X./..O,c2`.

    Raises BadOption.
    """
    if text.lstrip().startswith("{"):
        return _of_json(text)
    moves = {}
    for number, row in enumerate(csv.reader(text.splitlines(), skipinitialspace=True), 1):
        if not row or (number == 1 and row[0].strip().lower() == "position"):
            continue
        if len(row) != 2:
            raise BadOption(f"Line {number} isn't a position and a square, such as X.O/.X./..O,c2.")
        moves[row[0].strip()] = row[1]
    return moves


def _of_json(text: str) -> Mapping[str, str]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadOption(f"That table isn't JSON: {error}.") from error
    moves = found.get("moves", found)
    if not isinstance(moves, dict) or not all(isinstance(each, str | int) for each in moves.values()):
        raise BadOption('Write the table as one JSON object, such as {"X.O/.X./..O": "c2", …}.')
    return {position: str(square) for position, square in moves.items()}


def tabled(moves: tuple[tuple[str, str], ...]) -> tuple[tuple[dict[str, str], str], bool]:
    """Return the codes of a table by mark, or else the reason why it has none. A task of the pool, whose result is new.

    The table plays each mark that it has positions for.
    """
    codes = {}
    try:
        answer = table(dict(moves), TIC_TAC_TOE)
        ahead = {text.upper().count("X") - text.upper().count("O") for text, _ in moves}
        for mark in (mark for number, mark in enumerate(Mark) if number in ahead):
            proof = prove(answer, mark, TIC_TAC_TOE, budget=WHOLE)
            if proof.problem:
                raise BadOption(f"At {format_position(proof.problem.position)}, as {mark}: {proof.problem.message}")
            codes[mark.lower()] = code_of(proof)
    except NoughtsError as error:
        return ({}, str(error)), False
    return (codes, "" if codes else "Paste a function or a table first."), False
