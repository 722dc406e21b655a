"""Requests to the gate: answers that take long, decisions of opponents that search, and proofs.

An application that runs by itself, in a test or in a process of the pool, has no gate and computes everything itself.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, wraps
from typing import Any, Final, ParamSpec, Protocol

from flask import Response, abort, current_app, has_app_context, has_request_context, request
from werkzeug.wrappers import Response as AnyResponse

from solver.analysis.drills import Drill, DrillAnswer, DrillJudgement, judged
from solver.analysis.review.turns import NO_CHANCES
from solver.board.outcome import Outcome
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.pictures.mosaic import Mosaic
from solver.players import STRATEGIES, Decision, Strategy, opponent_called
from solver.proofs.prediction import Prediction, predict
from solver.reasons import Reason, explain
from solver.search.tablebase import has_table
from webapp.serving.door import share_of
from webapp.serving.pool.chances import chances_now, is_counted
from webapp.serving.pool.solving import decision_of, line, predictions, predictions_of
from webapp.serving.pool.work import Length, Look, Progress, Standing, Task

P = ParamSpec("P")

MAX_QUERY: Final = 2000
"""Characters of the query of a page that the pool makes."""


class GateLine(Protocol):
    """The way to the pool; see `webapp.serving.pool.line.Line`."""

    def run(self, task: Task, client: str, gone: Callable[[], bool]) -> Any: ...  # noqa: D102
    def look(self, position: Position, client: str, in_view: bool) -> Look: ...  # noqa: D102
    def release(self, position: Position) -> None: ...  # noqa: D102
    def state(self) -> dict[str, Any] | None: ...  # noqa: D102


def current_gate() -> GateLine | None:
    """The gate of the application that answers the request, if it has one."""
    return current_app.extensions.get("gate") if has_app_context() else None


def made_by_the_pool(view: Callable[P, AnyResponse | str]) -> Callable[P, AnyResponse | str]:
    """Has the pool answer what takes long. The page says by `g.open_to_more` that it will change."""

    @wraps(view)
    def answer(*args: P.args, **kwargs: P.kwargs) -> AnyResponse | str:
        gate = current_gate()
        if gate is None:
            return view(*args, **kwargs)
        if len(request.query_string) > MAX_QUERY:
            abort(414)
        page = _run(gate, Task(Length.LONG, "page", (request.path, request.query_string.decode("ascii", "replace"))))
        return Response(page.body, page.status, page.headers)

    return answer


def prepared(name: str, asked: tuple[tuple[str, str], ...], working: bool) -> Progress | None:
    """How far the pool is with the figures of a lesson's page, after a moment's work on them if one is `working`.

    None where the page can be made at once.
    """
    gate = current_gate()
    if gate is None:
        return None
    progress: Progress = _run(gate, Task(Length.LONG, "prepare", (name, asked, working)))
    return None if progress.complete else progress


def proved(position: Position, in_view: bool = True) -> Prediction:
    """What is known of a position's squares, after a moment's work of the pool if nobody has worked on it yet.

    `in_view` says that the visitor looks at it: then it goes before what they have looked at until now.
    """
    prediction, gate = predict(position), current_gate()
    if prediction.complete or gate is None:
        return prediction
    return prediction if gate.look(position, _client(), in_view).standing is Standing.BUSY else _again(position)


def proof_of(position: Position, wanted: bool) -> tuple[Prediction, Look]:
    """What is known of a position whose squares are to be proved in the background, and how that proof gets on.

    Where it is not wanted, it is stopped.
    """
    gate = current_gate()
    if gate is None:
        return predict(position), Look(Standing.OFF)
    if not wanted:
        gate.release(position)
        return predict(position), Look(Standing.OFF)
    look = gate.look(position, _client(), in_view=True)
    return _again(position), look


def watched(position: Position) -> tuple[Prediction, Look]:
    """What is known of a position's squares, and how the proof of the rest gets on: it goes on after this request."""
    prediction = predict(position)
    return (prediction, Look(Standing.DONE)) if prediction.complete else proof_of(position, wanted=True)


def proved_together(positions: Iterable[Position]) -> Mapping[Position, Prediction]:
    """What is known of many positions' squares, after a moment's work of the pool on those that take a search."""
    each, gate = dict.fromkeys(positions), current_gate()
    searched = tuple(position for position in each if not has_table(position.rules))
    found = {position: predict(position) for position in each if has_table(position.rules)}
    if not searched:
        return found
    sent = predictions(searched)[0] if gate is None else _run(gate, Task(Length.LONG, "predictions", (searched,)))
    return found | predictions_of(searched, sent)


def already(position: Position) -> Prediction:
    """What is proved of a position's squares by now: nothing is searched for it."""
    if has_table(position.rules):
        return predict(position)
    from solver.proofs.study import stored  # noqa: PLC0415 - the kernel and the store, which 3×3 does without

    return stored(position)


def line_of(position: Position, cell: Cell, outcome: Outcome) -> tuple[Cell, ...]:
    """A square and best play after it; `outcome` is what is proved of the square."""
    gate = current_gate()
    if gate is None or has_table(position.rules):
        return line(position, cell, outcome)[0]
    moves: tuple[Cell, ...] = _run(gate, Task(Length.SHORT, "line", (position, cell, outcome)))
    return moves


def reasons_of(prediction: Prediction, cells: tuple[Cell, ...] | None = None) -> dict[Cell, Reason]:
    """Why these open squares of a position, or all of them, are what is predicted."""
    position, gate = prediction.position, current_gate()
    asked = tuple(prediction.squares) if cells is None else cells
    if gate is None or has_table(position.rules):
        return {cell: explain(position, cell, prediction) for cell in asked}
    length = Length.LONG if len(asked) > 1 else Length.SHORT
    found: dict[Cell, Reason] = _run(
        gate, Task(length, "reasons", (position, tuple(prediction.squares.items()), asked))
    )
    return found


def reason_of(prediction: Prediction, cell: Cell) -> Reason:
    """Why an open square of a position is what is predicted."""
    return reasons_of(prediction, (cell,))[cell]


def rastered(mosaic: Mosaic) -> bytes:
    """A picture as PNG."""
    gate = current_gate()
    if gate is None:
        return mosaic.png()
    png: bytes = _run(gate, Task(Length.SHORT, "rastered", (mosaic,)))
    return png


def judgement_of(drill: Drill, answer: DrillAnswer) -> DrillJudgement:
    """The judgement of an answer to a drill."""
    gate = current_gate()
    if gate is None or has_table(drill.position.rules):
        return judged(drill, answer)
    judgement: DrillJudgement = _run(gate, Task(Length.SHORT, "judgement", (drill.id, answer)))
    return judgement


def chances_against(position: Position, opponent: str) -> Mapping[Cell, Fraction]:
    """The mover's chances of winning against an opponent, as pages show them; see `webapp.serving.pool.chances`.

    Those on the usual board are soon known for good against every opponent that all may choose. Of other boards, and of
    lists of one's own, there are too many for a process that answers people.
    """
    gate = current_gate()
    if gate is None or (opponent in STRATEGIES and position.rules == TIC_TAC_TOE):
        return chances_now(position, opponent)
    strategy = opponent_called(opponent)
    if strategy is None or not is_counted(position, strategy):
        return NO_CHANCES
    found: Mapping[Cell, Fraction] = _remembered(Task(Length.SHORT, "chances_of", (position, opponent)))
    return found


def _again(position: Position) -> Prediction:
    from solver.proofs.study import look_again  # noqa: PLC0415 - the kernel and the store, which 3×3 does without

    return look_again(position)


def _run(gate: GateLine, task: Task) -> Any:
    return gate.run(task, _client(), request.environ.get("noughts.gone", bool) if has_request_context() else bool)


@lru_cache(maxsize=1024)
def _remembered(task: Task) -> Any:
    """The result of a task that is the same at any time, asked for where there is a gate."""
    gate = current_gate()
    assert gate is not None  # noqa: S101 - as said
    return _run(gate, task)


def _client() -> str:
    return share_of(request.remote_addr or "") if has_request_context() else ""


def _gated(strategy: Strategy) -> Strategy:
    """The opponent as pages ask it: where it searches, the pool does so."""

    def decide(position: Position) -> Decision:
        if current_gate() is None or strategy.quick(position.rules):
            return strategy.decide(position)
        if strategy.settled:
            return _decision(strategy.name, position, None)
        proved(position, in_view=False)
        return strategy.decide(position)

    def reproducible(position: Position) -> Decision:
        if current_gate() is None or strategy.quick(position.rules):
            return (strategy.reproducible or strategy.decide)(position)
        return _decision(strategy.name, position, "")

    return replace(strategy, decide=decide, reproducible=strategy.reproducible and reproducible)


def _decision(name: str, position: Position, seed: str | None) -> Decision:
    return decision_of(_remembered(Task(Length.SHORT, "decision", (name, position, seed))))


_GATED: Final = {name: _gated(strategy.remembering()) for name, strategy in STRATEGIES.items()}
_gated_list = lru_cache(maxsize=64)(_gated)
"""Lists of one's own remember nothing: there is no end of them."""


def asked_by_pages(name: str) -> Strategy | None:
    """The opponent that links call so, as pages ask it; None if there is none."""
    if name in _GATED:
        return _GATED[name]
    strategy = opponent_called(name)
    return _gated_list(strategy) if strategy else None
