"""The tasks of the pool. Each function gives its result, and whether that will be the same at any time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from flask import Flask, g

from solver.board.outcome import Outcome
from solver.board.position import Position
from solver.board.rules import Cell
from solver.drills import Judgement, drill_of, judged
from solver.explain import Reason, explain
from solver.pictures.mosaic import Mosaic
from solver.proofs.prediction import AT_ONCE, Prediction, predict
from solver.search.budget import Budget
from solver.strategies import Decision, strategy_named
from solver.strategies.match import decide
from webapp.chances import chances_now
from webapp.learn.figures import Progress, keeper

LINE: Final = Budget(seconds=0.5)
"""What a line of best play may cost."""


TOGETHER: Final = 8.0
"""Seconds that many positions together may be searched, of which none is searched longer than alone."""

WORK: Final = 0.5
"""Seconds of work on figures after which a page says how far they are."""


@dataclass(frozen=True, slots=True)
class Page:
    """An answer as it goes over the wire."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


def page(path: str, query: str) -> tuple[Page, bool]:
    """The answer to a GET. A view whose page will change as more is proved says so by `g.open_to_more`.

    By `g.for_others` a view knows that another process has the request, and with it the host.
    """
    app = _app()
    with app.test_request_context(path, query_string=query):
        g.for_others = True
        answer = app.full_dispatch_request()
        kept = ("Content-Type", "Content-Disposition", "Cache-Control")
        headers = tuple((name, value) for name, value in answer.headers.items() if name in kept)
        lasting = answer.status_code == 200 and not g.get("open_to_more", False)
        return Page(answer.status_code, headers, answer.get_data()), lasting


def prepare(name: str, asked: tuple[tuple[str, str], ...], working: bool) -> tuple[Progress, bool]:
    """How far the figures of a lesson's page are computed, after a moment's work on them if one is `working`.

    Where nothing can be kept they are left to the process that makes the page.
    """
    from webapp.learn.lessons import LESSONS  # noqa: PLC0415 - which the application knows

    figures = LESSONS[name].needs(dict(asked)).each if keeper().writes else ()
    progress = keeper().work(figures, WORK if working else 0)
    return progress, progress.complete


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
    """What is soon found of many positions, for `predictions_of`."""
    budget = Budget(seconds=min(AT_ONCE.seconds or TOGETHER, TOGETHER / len(positions)))
    found = [predict(position, budget) for position in positions]
    return tuple((tuple(each.squares.items()), each.nodes) for each in found), all(each.complete for each in found)


def predictions_of(positions: tuple[Position, ...], sent: tuple[Any, ...]) -> dict[Position, Prediction]:
    """What `predictions` has sent of these positions."""
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


def judgement(drill: str, answer: Cell | Outcome) -> tuple[Judgement, bool]:
    """What is made of an answer to the drill of an id."""
    return judged(drill_of(drill), answer), True


def chances_of(position: Position, opponent: str) -> tuple[dict[Cell, Fraction], bool]:
    """The chances of winning against an opponent."""
    return dict(chances_now(position, opponent)), True


def rastered(mosaic: Mosaic) -> tuple[bytes, bool]:
    """A picture as PNG. Whoever asks keeps it, by less than all that is drawn in it."""
    return mosaic.png(), False


@cache
def _app() -> Flask:
    from webapp.app import create_app  # noqa: PLC0415 - which knows this module

    return create_app(allowed_hosts=())  # the process that asks has seen to the host


def warm_up() -> None:
    """Makes ready what the first task would have to wait for."""
    _app()


TASKS: Final[Mapping[str, Callable[..., tuple[object, bool]]]] = MappingProxyType(
    {
        each.__name__: each
        for each in (page, prepare, decision, line, predictions, reasons, judgement, chances_of, rastered)
    }
)
"""Every task by its name."""
