"""Several solvers on one position: what each makes of every square, what that costs, and where rules fall short of it.

The times are those of this call on this machine; everything else is the same whenever it is asked for.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter
from typing import Final

from solver.articles.generic import PlainMinimax
from solver.board.outcome import PROVED, Grade, Outcome, Score, Value, graded, in_a_word, to_parent
from solver.board.position import Position
from solver.board.rules import Cell, Rules
from solver.errors import BadOption
from solver.players import STRATEGIES, Decision, Strategy
from solver.proofs.prediction import Prediction
from solver.search.alphabeta import alphabeta
from solver.search.budget import Budget, BudgetExhausted
from solver.search.exact import prove_moves
from solver.search.minimax import minimax
from solver.search.tablebase import has_table

MAX_DEPTH: Final = 12
"""Plies that alpha-beta may be asked to look ahead."""

DEFAULT_DEPTH: Final = 4
"""Plies that it looks ahead on boards that are not looked up, if nothing else is asked for."""

MAX_PLAIN: Final = 600_000
"""Nodes that plain minimax may visit; the empty 3×3 board needs fewer."""

COUNTED: Final = 12
"""Open squares up to which it is told how many nodes it would need."""

MAX_COUNTED: Final = 30_000
"""Different positions gone through for that."""

MAX_ALPHABETA: Final = 60_000
"""Nodes that alpha-beta may visit at one depth."""

EXACT: Final = Budget(nodes=200_000, seconds=0.4)
"""The budget of the exact solver, which begins with nothing known."""

UNKNOWN: Final = Outcome(Value.UNKNOWN, None)


@dataclass(frozen=True, slots=True)
class SolverRun:
    """What a search found of each square, None where it was not run; `depth` are the plies it looked ahead.

    `short` says in words why it found less than was asked for; it is empty where nothing is lacking. `one_window` are
    the nodes for the best square alone, where it makes a difference: see `_alphabeta`.
    """

    outcomes: Mapping[Cell, Outcome] | None
    nodes: int | None
    seconds: float
    depth: int | None = None
    short: str = ""
    one_window: int | None = None


@dataclass(frozen=True, slots=True)
class Departure:
    """A square that a player by rules may choose although another is better."""

    cell: Cell
    chance: Fraction
    grade: Grade
    outcome: Outcome

    @property
    def word(self) -> str:
        """The grade in one word."""
        return in_a_word(self.grade, self.outcome)


@dataclass(frozen=True, slots=True)
class Heuristic:
    """A player by rules: what it may play, why, how long it took, and which of that is worse than the best.

    The departures are in the order of what they are worth, the worst first.
    """

    strategy: Strategy
    decision: Decision
    seconds: float
    departures: tuple[Departure, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """All of them on one position, with what is known of it."""

    prediction: Prediction
    minimax: SolverRun
    alphabeta: SolverRun
    exact: SolverRun
    heuristics: tuple[Heuristic, ...]


def default_depth(rules: Rules) -> int:
    """How far alpha-beta looks if nothing else is asked for: to the end where that is feasible."""
    return MAX_DEPTH if has_table(rules) else DEFAULT_DEPTH


def compared(prediction: Prediction, depth: int) -> Comparison:
    """Every solver on the predicted position, alpha-beta to `depth` plies. Raises ValueError for a finished one."""
    position = prediction.position
    if position.result is not None:
        raise ValueError("A finished game has nothing to compare.")
    return Comparison(
        prediction,
        _minimax(position),
        _alphabeta(position, min(depth, position.plies_left)),
        _exact(position),
        tuple(_heuristic(each, prediction) for each in players_by_rules(position)),
    )


def players_by_rules(position: Position) -> tuple[Strategy, ...]:
    """The opponents on this board that decide by rules."""
    return tuple(each for each in STRATEGIES.values() if each.kind == "rules" and each.plays_on(position.rules))


def _minimax(position: Position) -> SolverRun:
    many = SolverRun(None, None, 0.0, short=f"not run: it would visit more than {MAX_PLAIN:,} nodes")
    if position.plies_left > COUNTED:
        return many
    try:
        nodes = PlainMinimax(MAX_COUNTED).plain(position).nodes
    except BadOption:
        return many
    if nodes > MAX_PLAIN:
        return SolverRun(None, nodes, 0.0, short=f"not run: it would visit {nodes:,} nodes")
    started = perf_counter()
    found = {cell: minimax(position.after(cell)) for cell in position.legal_moves}
    seconds = perf_counter() - started
    outcomes = {cell: Outcome.of_score(to_parent(each.score), position.plies_left) for cell, each in found.items()}
    return SolverRun(outcomes, nodes, seconds, position.plies_left)


def _alphabeta(position: Position, depth: int) -> SolverRun:
    """At `depth`, or at the greatest below it that the nodes allow, found by going deeper ply by ply.

    Each square has a full window of its own, so that its score is exact; with one window over the root, a square that
    is no better than an earlier one is left as soon as that is seen.
    """
    reached, short = SolverRun({}, 0, 0.0, 0), ""
    for plies in range(1, depth + 1):
        started, nodes = perf_counter(), 1
        scores: dict[Cell, Score] = {}
        try:
            for cell in position.legal_moves:
                found = alphabeta(position.after(cell), plies - 1, max_nodes=MAX_ALPHABETA - nodes)
                nodes += found.nodes
                scores[cell] = to_parent(found.score)
        except BudgetExhausted:
            short = f"stopped before depth {plies}, which needs more than {MAX_ALPHABETA:,} nodes"
            break
        whole = plies == position.plies_left
        outcomes = {cell: _seen(score, whole, position.plies_left) for cell, score in scores.items()}
        reached = SolverRun(outcomes, nodes, perf_counter() - started, plies)
    one_window = alphabeta(position, reached.depth).nodes if reached.depth else None
    return SolverRun(reached.outcomes, reached.nodes, reached.seconds, reached.depth, short, one_window)


def _seen(score: Score, whole: bool, plies_left: int) -> Outcome:
    """What a score proves: a win or a loss always, a draw only if the search went to the full board."""
    return Outcome.of_score(score, plies_left) if whole or abs(score) >= PROVED else UNKNOWN


def _exact(position: Position) -> SolverRun:
    started = perf_counter()
    proofs = prove_moves(position, position.legal_moves, EXACT)
    seconds = perf_counter() - started
    outcomes = {cell: Outcome.of_bounds(bounds, position.plies_left) for cell, bounds in proofs.bounds.items()}
    proved = sum(outcome.plies is not None for outcome in outcomes.values())
    short = f"{proved} of {len(outcomes)} squares proved in the time a page has" if proved < len(outcomes) else ""
    return SolverRun(outcomes, proofs.nodes, seconds, None, short)


def _heuristic(strategy: Strategy, prediction: Prediction) -> Heuristic:
    position = prediction.position
    started = perf_counter()
    decision = strategy.decide(position)
    seconds = perf_counter() - started
    departures = (
        Departure(cell, chance, graded(prediction.outcome, prediction.squares[cell]), prediction.squares[cell])
        for cell, chance in decision.choices.items()
    )
    worse = (each for each in departures if each.grade not in (Grade.BEST, Grade.UNKNOWN))
    worst_first = sorted(worse, key=lambda each: each.outcome.ranks.lower)
    return Heuristic(strategy, decision, seconds, tuple(worst_first))
