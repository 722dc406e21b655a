"""The work that pages ask for: questions about positions, other pages, figures of lessons, and pictures.

`analyse` decides where each question is answered: in this process, or by a task of the pool. An application without a
gate, in a test or in a process of the pool, computes everything itself.
"""

import copyreg
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, wraps
from types import MappingProxyType
from typing import Any, Final, ParamSpec, Protocol

from flask import Response, abort, current_app, has_app_context, has_request_context, request
from werkzeug.wrappers import Response as AnyResponse

from solver.analysis.chances import MAX_POSITIONS, chances, positions_below
from solver.analysis.proving import prove, table
from solver.analysis.review import NO_CHANCES
from solver.board.outcome import Value
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell, Rules
from solver.pictures.mosaic import Mosaic
from solver.players import STRATEGIES, Decision, Strategy, opponent_called, strategy_named
from solver.players.match import decide
from solver.proofs.predict import predict, predict_together
from solver.proofs.prediction import Prediction
from solver.reasons import Reason, explain
from solver.report import prove_report
from solver.search.budget import Budget
from solver.search.tablebase import has_table
from webapp.serving.counts import ServerState
from webapp.serving.fairness import share_of
from webapp.serving.pool.messages import Length, Progress, ProofState, ProofStatus, Proving, Task, Wanted

P = ParamSpec("P")

MAX_QUERY: Final = 2000
"""The most characters in the query of a page that the pool makes."""


LINE: Final = Budget(seconds=0.5)
"""The budget of a line of best play."""

TOGETHER: Final = 8.0
"""Processor seconds that many positions share. They get no more than each would get alone."""

LATE_POSITIONS: Final = 300
"""The most positions that a page may visit for chances on a board without a table: enough for six open squares."""


class GateLine(Protocol):
    """A connection to the pool; see `webapp.serving.pool.line.Line`."""

    search_nodes: int
    """The most nodes that this process searches to predict a position; the pool proves the rest."""

    def run(self, task: Task, client: str, gone: Callable[[], bool]) -> Any: ...  # noqa: D102
    def watch(self, position: Position, client: str, in_view: bool) -> ProofStatus: ...  # noqa: D102
    def release(self, position: Position) -> None: ...  # noqa: D102
    def state(self) -> ServerState | None: ...  # noqa: D102


def current_gate() -> GateLine | None:
    """Return the gate of the application that answers the request, if it has one."""
    return current_app.extensions.get("gate") if has_app_context() else None


def made_by_the_pool(view: Callable[P, AnyResponse | str]) -> Callable[P, AnyResponse | str]:
    """Make the pool render the page of a slow view. The view sets `g.open_to_more` if the page will change."""

    @wraps(view)
    def answer(*args: P.args, **kwargs: P.kwargs) -> AnyResponse | str:
        if current_gate() is None:
            return view(*args, **kwargs)
        if len(request.query_string) > MAX_QUERY:
            abort(414)
        page = run(Task(Length.LONG, "page", (request.path, request.query_string.decode("ascii", "replace"))))
        return Response(page.body, page.status, page.headers)

    return answer


def prepared(name: str, asked: tuple[tuple[str, str], ...], working: bool) -> Progress | None:
    """Return the pool's progress with the figures of a lesson's page. If `working`, first let it work for a moment.

    Return None if the page can be made at once.
    """
    if current_gate() is None:
        return None
    progress: Progress = run(Task(Length.LONG, "prepare", (name, asked, working)))
    return None if progress.complete else progress


def rastered(mosaic: Mosaic) -> bytes:
    """Return a picture as PNG."""
    return mosaic.png() if current_gate() is None else bytes(run(Task(Length.SHORT, "rastered", (mosaic,))))


def prove_moves(rules: Rules, mark: Mark, moves: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """Return the report on a table of moves, tried against every line of play."""
    if current_gate() is None:
        return moves_proved(rules, mark, moves)[0]
    kind = Length.SHORT if has_table(rules) else Length.LONG
    report: dict[str, Any] = run(Task(kind, "moves_proved", (rules, mark, moves)))
    return report


def moves_proved(rules: Rules, mark: Mark, moves: tuple[tuple[str, str], ...]) -> tuple[dict[str, Any], bool]:
    """Prove a table of moves in a process of the pool. The result is not cached: a table is rarely sent twice."""
    return prove_report(prove(table(dict(moves), rules), mark, rules)), False


def run(task: Task, gone: Callable[[], bool] | None = None) -> Any:
    """Return the result of a task of the pool, unless the visitor is `gone`. Raises LookupError without a gate."""
    gate = current_gate()
    if gate is None:
        raise LookupError("There is no pool.")
    if gone is None:
        gone = request.environ.get("noughts.gone", bool) if has_request_context() else bool
    return gate.run(task, client_of_request(), gone)


def client_of_request() -> str:
    """Return the client that the gate charges for the request. Outside a request, it is empty."""
    return share_of(request.remote_addr or "") if has_request_context() else ""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The answer to a `Wanted`. A field that was not asked for is empty.

    `proof` is the state of the proof in the background, None where nothing is left to prove. `line` is the square
    followed by the refutation from its reason. It is empty if the distance is not proved.
    """

    prediction: Prediction | None = None
    proof: ProofStatus | None = None
    line: tuple[Cell, ...] = ()
    reasons: Mapping[Cell, Reason] = field(default_factory=dict)
    chances: Mapping[Cell, Fraction] = field(default_factory=dict)
    decision: Decision | None = None

    @property
    def predicted(self) -> Prediction:
        """The prediction. The question must have asked for it."""
        assert self.prediction is not None  # noqa: S101 - callers have asked for it
        return self.prediction


NOTHING: Final = Analysis()
"""The answer where nothing was asked."""


def analyse(wanted: Wanted) -> Analysis:
    """Answer a question. This process answers if that is quick or there is no pool; otherwise the pool does."""
    prediction, proof = _predicted(wanted)
    found = Analysis(prediction, proof)
    if prediction is not None and (wanted.reasons or wanted.line is not None):
        why = _answered(_about_squares(wanted, prediction))
        found = replace(found, line=why.line, reasons=why.reasons)
    if wanted.opponent:
        asked = Wanted(wanted.position, opponent=wanted.opponent)
        found = replace(found, chances=_answered(asked).chances)
    return found


def reason_of(prediction: Prediction, cell: Cell) -> Reason:
    """Return the reason for the predicted outcome of an open square."""
    known = tuple(prediction.squares.items())
    return analyse(Wanted(prediction.position, known=known, reasons=(cell,))).reasons[cell]


def predicted_here(position: Position) -> Prediction:
    """Predict a position. Where the application has a gate, search only a few nodes: the pool proves the rest."""
    gate = current_gate()
    if gate is None or has_table(position.rules):
        return predict(position)
    from solver.proofs.study import proved_by_few_nodes  # noqa: PLC0415 - the kernel and the store

    return proved_by_few_nodes(position, gate.search_nodes)


def already(position: Position) -> Prediction:
    """Return the outcomes of a position's squares that are proved already. This takes no search."""
    if has_table(position.rules):
        return predict(position)
    from solver.proofs.study import stored  # noqa: PLC0415 - the kernel and the store: 3×3 needs neither

    return stored(position)


def predicted_together(positions: Iterable[Position]) -> Mapping[Position, Prediction]:
    """Return the predictions of many positions. One task briefly searches all positions without a table."""
    each = dict.fromkeys(positions)
    searched = tuple(position for position in each if not has_table(position.rules))
    found = {position: predict(position) for position in each if has_table(position.rules)}
    if not searched:
        return found
    asked = tuple(Wanted(position, Proving.MOMENT) for position in searched)
    answers = analysed(*asked)[0] if current_gate() is None else run(Task(Length.LONG, "analysed", asked))
    return found | {position: answer.predicted for position, answer in zip(searched, answers, strict=True)}


def analysed(*wanted: Wanted) -> tuple[tuple[Analysis, ...], bool]:
    """Answer questions in a process of the pool. Also return whether the answers will never change."""
    predictions = predict_together((each.position for each in wanted if each.squares), TOGETHER)
    found = tuple(Analysis(predictions[each.position]) if each.squares else _computed(each) for each in wanted)
    return found, all(_is_lasting(*each) for each in zip(wanted, found, strict=True))


@lru_cache(maxsize=1024)
def chances_now(position: Position, opponent: str) -> Mapping[Cell, Fraction]:
    """Return the mover's chance of winning against an opponent by each open square; see `solver.analysis.chances`.

    The chances never change, so pages that show them can be cached. There are none for a finished game, against a
    person, or if a chance is inexact or too expensive. On boards of more than nine squares, chances are too expensive
    with more than six open squares or against an opponent that searches.
    """
    strategy = opponent_called(opponent)
    return chances(position, strategy) if strategy and _is_counted(position, strategy) else NO_CHANCES


def decided(strategy: Strategy, position: Position, seed: str | None) -> Decision:
    """Return an opponent's decision. With a seed, it is the same on every machine.

    The pool makes decisions that take a search.
    """
    seeded = seed is not None and strategy.reproducible is not None
    if current_gate() is None or strategy.quick(position.rules) or not (strategy.settled or seeded):
        return _decision(strategy, position, seeded)
    (answer,) = _remembered(Task(Length.SHORT, "analysed", (Wanted(position, decider=strategy.name, seeded=seeded),)))
    decision: Decision = answer.decision
    return decision


def gated(strategy: Strategy) -> Strategy:
    """Return a version of an opponent that leaves its searches to the pool."""
    return replace(
        strategy,
        decide=lambda position: decided(strategy, position, None),
        reproducible=strategy.reproducible and (lambda position: decided(strategy, position, "")),
    )


def _predicted(wanted: Wanted) -> tuple[Prediction | None, ProofStatus | None]:
    """Return the prediction, and the state of the proof of the squares that it leaves open."""
    position, gate = wanted.position, current_gate()
    if wanted.squares is None:
        return (_prediction(wanted), None) if wanted.known else (None, None)
    prediction = predicted_here(position)
    if prediction.complete:
        return prediction, None
    if gate is None:
        return prediction, ProofStatus(ProofState.OFF)
    if wanted.squares is Proving.STOPPED:
        gate.release(position)
        return prediction, ProofStatus(ProofState.OFF)
    proof = gate.watch(position, client_of_request(), wanted.squares is Proving.IN_VIEW)
    from solver.proofs.study import study_of  # noqa: PLC0415 - the kernel and the store: 3×3 needs neither

    study = study_of(position)
    study.learn_found(proof.found)
    prediction = study.prediction()
    return prediction, None if prediction.complete else proof


def _about_squares(wanted: Wanted, prediction: Prediction) -> Wanted:
    """Return the question for a line and reasons. The predicted outcomes go with it as `known`."""
    line = wanted.line if wanted.line is not None and prediction.squares[wanted.line].is_exact else None
    return Wanted(wanted.position, known=tuple(prediction.squares.items()), line=line, reasons=wanted.reasons)


def _answered(wanted: Wanted) -> Analysis:
    """Answer a question of one part: a line and reasons, or chances."""
    if current_gate() is None or _is_quick(wanted):
        return _computed(wanted)
    length = Length.LONG if len(wanted.reasons) > 1 else Length.SHORT
    task = Task(length, "analysed", (wanted,))
    (answer,) = run(task) if wanted.known else _remembered(task)
    found: Analysis = answer
    return found


def _is_quick(wanted: Wanted) -> bool:
    """Return whether a page process may compute the answer itself.

    Chances on 3×3 are quick, since they are soon remembered for every opponent of the registry. There are too many
    other boards and lists of rules to remember.
    """
    position, rules = wanted.position, wanted.position.rules
    if wanted.opponent:
        opponent = opponent_called(wanted.opponent)
        registered = wanted.opponent in STRATEGIES and rules == TIC_TAC_TOE
        return registered or opponent is None or not _is_counted(position, opponent)
    known = dict(wanted.known)
    return has_table(rules) or (
        wanted.line is None and all(known[cell].value is Value.UNKNOWN for cell in wanted.reasons)
    )


def _computed(wanted: Wanted) -> Analysis:
    """Answer a question of one part in this process: a line and reasons, chances or a decision."""
    position = wanted.position
    if wanted.decider:
        return Analysis(decision=_decision(strategy_named(wanted.decider, position.rules), position, wanted.seeded))
    if wanted.opponent:
        return Analysis(chances=chances_now(position, wanted.opponent))
    prediction, line = _prediction(wanted), wanted.line
    asked = wanted.reasons if line is None else (line, *wanted.reasons)
    reasons = {
        cell: explain(position, cell, prediction, LINE if cell == line else None) for cell in dict.fromkeys(asked)
    }
    return Analysis(
        line=() if line is None else (line, *reasons[line].refutation),
        reasons={cell: reasons[cell] for cell in wanted.reasons},
    )


def _is_lasting(wanted: Wanted, found: Analysis) -> bool:
    """Return whether an answer will never change."""
    whole = wanted.line is None or len(found.line) == dict(wanted.known)[wanted.line].plies
    return whole and (found.prediction is None or found.prediction.complete)


def _prediction(wanted: Wanted) -> Prediction:
    return Prediction(wanted.position, MappingProxyType(dict(wanted.known)), 0)


def _is_counted(position: Position, strategy: Strategy) -> bool:
    """Return whether pages show the chances against this opponent."""
    rules = position.rules
    if position.result is not None or not strategy.plays_on(rules):
        return False
    if has_table(rules):
        return positions_below(position) <= MAX_POSITIONS
    return strategy.settled and strategy.quick(rules) and positions_below(position) <= LATE_POSITIONS


def _decision(strategy: Strategy, position: Position, seeded: bool) -> Decision:
    """Return a player's decision. If it depends on proofs, first have the pool prove for a moment."""
    if current_gate() is not None and not (strategy.quick(position.rules) or strategy.settled or seeded):
        analyse(Wanted(position, Proving.ASIDE))
    return decide(_REMEMBERING.get(strategy.name, strategy), position, "" if seeded else None)


@lru_cache(maxsize=1024)
def _remembered(task: Task) -> Any:
    """Return the result of a task whose result never changes, and remember it."""
    return run(task)


_REMEMBERING: Final = {name: strategy.remembering() for name, strategy in STRATEGIES.items()}
"""The opponents of the registry, with a cache of decisions each. Lists of rules have none: they are unlimited."""


def _read_only(items: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(items)


copyreg.pickle(MappingProxyType, lambda view: (_read_only, (dict(view),)))
