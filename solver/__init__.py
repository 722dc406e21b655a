"""Tic-tac-toe and its bigger relatives, solved: k in a row on a board of columns × rows.

>>> from solver import Position, explain, match, predict, review, solve
>>> print(predict("X.O/.X./..O"))
 X L2  O
L2  X  D
L2 L2  O
X to move: draw in 5 plies. Best: c2.
>>> print(explain("X.O/.X./..O", "a2"))
Loses: O fills c1–c3 with c2.
>>> print(solve("4x3x3").outcome)
win in 7 plies
>>> Position("3x3x3").play("b2").play("a1")
parse_position('.../.X./O..')

A `Position` has the stones, and `position.play(square)` returns the position after a move. `predict` answers quickly
and marks every outcome that it could not prove as unknown; `predict_many` does so in arrays. `solve` goes on until
everything is proved or its `Budget` is spent; what they return is `complete` if every square is proved. `explain` gives
the reason of a square, `review` compares the moves of a game with the best ones, `drills` are positions with a task.
`STRATEGIES` are the opponents, which decide with exact probabilities; a function from a position to a square is a
player too. `match` plays games, `prove` and `verify` tell whether anybody can beat a player, and `chances` how likely.

A text stands for any position, board or square that a function takes. `str` draws a value or says it in words, and
notebooks show pictures. Bad input raises a `NoughtsError`, whose message tells how to correct it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from solver.board.game import Game, parse_game
from solver.board.notation import (
    format_cell,
    format_columns,
    format_moves,
    format_position,
    parse_cell,
    parse_position,
    parse_rules,
)
from solver.board.outcome import Bounds, Outcome, Value
from solver.board.position import Mark, Position, Result
from solver.board.record import GameRecord, parse_record, parse_records
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
    from solver.analysis.chances import chances
    from solver.analysis.drills import Drill, drills
    from solver.analysis.review import Review, review
    from solver.catalogue.questions import atlas, certify, check
    from solver.library import dataset, match, picture, prove, tree, verify
    from solver.players import STRATEGIES, Decision, Strategy
    from solver.proofs.many import Outcomes, predict_many
    from solver.reasons import Reason, explain

    __version__: str

__all__ = [
    "STRATEGIES",
    "BadNotation",
    "BadOption",
    "BadRules",
    "Bounds",
    "Budget",
    "Cell",
    "Decision",
    "Drill",
    "Game",
    "GameRecord",
    "IllegalMove",
    "ImpossiblePosition",
    "Mark",
    "NoughtsError",
    "Outcome",
    "Outcomes",
    "Position",
    "Prediction",
    "Reason",
    "Result",
    "Review",
    "Rules",
    "Solution",
    "Strategy",
    "TooLarge",
    "UnknownPlayer",
    "Value",
    "__version__",
    "atlas",
    "certify",
    "chances",
    "check",
    "dataset",
    "drills",
    "explain",
    "format_cell",
    "format_columns",
    "format_moves",
    "format_position",
    "match",
    "parse_cell",
    "parse_game",
    "parse_position",
    "parse_record",
    "parse_records",
    "parse_rules",
    "picture",
    "predict",
    "predict_many",
    "prove",
    "review",
    "solve",
    "tree",
    "verify",
]

_LATER = {
    "chances": "analysis.chances",
    "drills": "analysis.drills",
    "Drill": "analysis.drills",
    "review": "analysis.review",
    "Review": "analysis.review",
    "predict_many": "proofs.many",
    "Outcomes": "proofs.many",
    "explain": "reasons",
    "Reason": "reasons",
    "STRATEGIES": "players",
    "Decision": "players",
    "Strategy": "players",
    **dict.fromkeys(("atlas", "certify", "check"), "catalogue.questions"),
    **dict.fromkeys(("dataset", "match", "picture", "prove", "tree", "verify"), "library"),
}
"""The module of each name that is loaded at first use (PEP 562), since many programs need none of them."""


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _installed_version()
    if name in _LATER:
        return getattr(import_module(f"solver.{_LATER[name]}"), name)
    raise AttributeError(f"module 'solver' has no attribute {name!r}")


def _installed_version() -> str:
    """Return the installed version, "" for a checkout that is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - only the version needs it

    try:
        return version("noughts")
    except PackageNotFoundError:
        return ""


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _picture(value: Position | Game | Prediction | Solution) -> str:
    from solver.pictures.card import picture  # noqa: PLC0415 - only notebooks need it

    return picture(value)


for _kind in (Position, Game, Prediction, Solution):
    setattr(_kind, "_repr_svg_", _picture)  # noqa: B010 - only the face knows values and their pictures
