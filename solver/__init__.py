"""Tic-tac-toe and its bigger relatives, solved: k in a row on a board of columns × rows.

>>> from solver import Position, format_cell, parse_position, parse_rules, predict, solve
>>> position = parse_position("X.O/.X./..O")
>>> prediction = predict(position)
>>> [format_cell(cell, position.rules) for cell in prediction.best]
['c2']
>>> prediction.outcome.words(position.mover)
'draw in 5 plies'
>>> solution = solve(Position(parse_rules("4x3x3")))
>>> solution.outcome.value, solution.outcome.plies
(<Value.WIN: 'win'>, 7)

A `Position` has the stones, and `position.play(cell)` returns the position after a move. `predict` answers quickly and
marks every outcome that it could not prove as unknown. `solve` goes on until everything is proved or its `Budget` is
spent. `STRATEGIES` are the opponents: `STRATEGIES["hard"].decide(position)` returns the cells that the opponent would
play, with exact probabilities, and the reason. Bad input raises a `NoughtsError`, whose message tells how to correct
it.
"""

from typing import TYPE_CHECKING, Any

from solver.board.game import Game, parse_game
from solver.board.notation import (
    format_cell,
    format_moves,
    format_position,
    parse_cell,
    parse_position,
    parse_rules,
)
from solver.board.outcome import Bounds, Outcome, Value
from solver.board.position import Mark, Position, Result
from solver.board.rules import Cell, Rules
from solver.errors import (
    BadNotation,
    BadOption,
    BadRules,
    IllegalMove,
    ImpossiblePosition,
    NoughtsError,
    TooLarge,
    UnknownPlayer,
)
from solver.proofs.predict import Solution, predict, solve
from solver.proofs.prediction import Prediction
from solver.search.budget import Budget

if TYPE_CHECKING:
    from solver.players import STRATEGIES, Decision, Strategy

__all__ = [
    "STRATEGIES",
    "BadNotation",
    "BadOption",
    "BadRules",
    "Bounds",
    "Budget",
    "Cell",
    "Decision",
    "Game",
    "IllegalMove",
    "ImpossiblePosition",
    "Mark",
    "NoughtsError",
    "Outcome",
    "Position",
    "Prediction",
    "Result",
    "Rules",
    "Solution",
    "Strategy",
    "TooLarge",
    "UnknownPlayer",
    "Value",
    "format_cell",
    "format_moves",
    "format_position",
    "parse_cell",
    "parse_game",
    "parse_position",
    "parse_rules",
    "predict",
    "solve",
]


def __getattr__(name: str) -> Any:
    """Load the opponents at first use (PEP 562), since many programs need none."""
    if name in {"STRATEGIES", "Decision", "Strategy"}:
        from solver import players  # noqa: PLC0415 - loaded at first use

        return getattr(players, name)
    raise AttributeError(f"module 'solver' has no attribute {name!r}")
