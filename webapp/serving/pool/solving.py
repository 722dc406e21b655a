"""The pool's tasks that take the solver alone. Each gives its result, and whether that will be the same at any time."""

from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from solver.analysis.drills import DrillAnswer, DrillJudgement, drill_of, judged
from solver.board.outcome import Outcome
from solver.board.position import Position
from solver.board.rules import Cell
from solver.pictures.mosaic import Mosaic
from solver.players import Decision, strategy_named
from solver.players.match import decide
from solver.proofs.prediction import AT_ONCE, Prediction, predict
from solver.reasons import Reason, explain
from solver.search.budget import Budget
from webapp.serving.pool.chances import chances_now

LINE: Final = Budget(seconds=0.5)
"""The budget of a line of best play."""

TOGETHER: Final = 8.0
"""Seconds that many positions together may be searched, of which none is searched longer than alone."""


def decision(name: str, position: Position, seed: str | None) -> tuple[tuple[Any, ...], bool]:
    """An opponent's decision, for `decision_of`."""
    made = decide(strategy_named(name, position.rules), position, seed)
    return (tuple(made.choices.items()), made.reason, made.value), True


def decision_of(sent: tuple[Any, ...]) -> Decision:
    """The decision that `decision` has sent."""
    choices, reason, value = sent
    return Decision(MappingProxyType(dict(choices)), reason, value)


def line(position: Position, cell: Cell, outcome: Outcome) -> tuple[tuple[Cell, ...], bool]:
    """A square and best play after it, as far as that is found in time."""
    from solver.proofs.study import study_of  # noqa: PLC0415 - the kernel and the store

    moves = study_of(position).line(cell, outcome, LINE)
    return moves, len(moves) == outcome.plies


def predictions(positions: tuple[Position, ...]) -> tuple[tuple[Any, ...], bool]:
    """The predictions of many positions, each as far as it is soon found, for `predictions_of`."""
    budget = Budget(seconds=min(AT_ONCE.seconds or TOGETHER, TOGETHER / len(positions)))
    found = [predict(position, budget) for position in positions]
    return tuple((tuple(each.squares.items()), each.nodes) for each in found), all(each.complete for each in found)


def predictions_of(positions: tuple[Position, ...], sent: tuple[Any, ...]) -> dict[Position, Prediction]:
    """The predictions that `predictions` has sent."""
    return {
        position: Prediction(position, MappingProxyType(dict(squares)), nodes)
        for position, (squares, nodes) in zip(positions, sent, strict=True)
    }


def reasons(
    position: Position, squares: tuple[tuple[Cell, Outcome], ...], cells: tuple[Cell, ...]
) -> tuple[dict[Cell, Reason], bool]:
    """Why some squares of a position are what is proved of them."""
    prediction = Prediction(position, MappingProxyType(dict(squares)), 0)
    return {cell: explain(position, cell, prediction) for cell in cells}, True


def judgement(drill: str, answer: DrillAnswer) -> tuple[DrillJudgement, bool]:
    """The judgement of an answer to the drill of an id."""
    return judged(drill_of(drill), answer), True


def chances_of(position: Position, opponent: str) -> tuple[dict[Cell, Fraction], bool]:
    """The chances of winning against an opponent."""
    return dict(chances_now(position, opponent)), True


def rastered(mosaic: Mosaic) -> tuple[bytes, bool]:
    """A picture as PNG. The process that asks keeps it, under less than all that is drawn in it."""
    return mosaic.png(), False
