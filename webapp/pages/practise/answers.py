"""Answers to drills, as links and forms write them: a square, or the winner and the number of moves."""

import re
from functools import cache
from typing import Final

from solver.analysis.drills import Drill, DrillAnswer, DrillKind, drills, evaluation
from solver.board.notation import format_cell, parse_cell, quoted
from solver.board.outcome import Outcome, Value
from solver.board.position import Mark, Position, Result
from solver.board.rules import Rules
from solver.errors import BadOption, IllegalMove

DRAW: Final = "draw"

_WON = re.compile(r"([xo])([1-9]\d?)", re.ASCII)


def parse_answer(text: str, drill: Drill) -> DrillAnswer:
    """The answer that a text gives: `b2`, or for who wins `x2` (X in two), `o1` or `draw`. Raises NoughtsError."""
    position = drill.position
    if drill.kind is not DrillKind.EVALUATE:
        cell = parse_cell(text, position.rules)
        if cell not in position.legal_moves:
            raise IllegalMove(f"{format_cell(cell, position.rules)} is taken. Choose an open square.")
        return cell
    if text == DRAW:
        return evaluation(position, Result.DRAW)
    if (won := _WON.fullmatch(text)) and int(won[2]) in moves_offered(position, Mark(won[1].upper())):
        return evaluation(position, Result(won[1].upper()), int(won[2]))
    raise BadOption(f"{quoted(text)} is no answer to who wins. Press one of the buttons.")


def format_answer(outcome: Outcome, position: Position) -> str:
    """The text that answers to who wins."""
    if outcome.value is Value.DRAW or outcome.plies is None:
        return DRAW
    winner = position.mover if outcome.value is Value.WIN else position.mover.other
    return f"{winner.lower()}{(outcome.plies + 1) // 2}"


def moves_offered(position: Position, mark: Mark) -> range:
    """In how many moves of its own a player may be said to win.

    They go as far as the empty squares and the longest win of the board's drills do: so they tell nothing of this one.
    """
    possible = (position.plies_left + (mark is position.mover)) // 2
    return range(1, min(possible, _longest_win(position.rules)) + 1)


@cache
def _longest_win(rules: Rules) -> int:
    found = drills(rules, DrillKind.EVALUATE)
    return max(((drill.outcome.plies or 0) + 1) // 2 for drill in found if drill.outcome.value is not Value.DRAW)
