"""A comparison of several solvers on one position, and the bad moves of rule-based players.

Times are measured on this machine during the call. Everything else is deterministic.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter
from typing import Final

from solver.articles.generic import PlainMinimax
from solver.board.outcome import PROVED, Grade, Outcome, Score, Value, graded, to_parent
from solver.board.position import Position
from solver.board.rules import Cell, Rules
from solver.errors import BadOption
from solver.players import Decision, Strategy, playing_on
from solver.proofs.prediction import Prediction
from solver.search.budget import Budget, BudgetExhausted
from solver.search.exact import prove_moves
from solver.search.minimax import alphabeta, minimax

MAX_DEPTH: Final = 12
"""The deepest look-ahead of alpha-beta, in plies."""

DEFAULT_DEPTH: Final = 4
"""The default look-ahead on boards without a table, in plies."""

MAX_PLAIN: Final = 600_000
"""The most nodes of plain minimax; the empty 3×3 board needs fewer."""

MAX_OPEN: Final = 12
"""The most open squares of a position whose minimax nodes are counted."""

MAX_COUNTED: Final = 30_000
"""The most different positions in a count of minimax nodes."""

MAX_ALPHABETA: Final = 60_000
"""The most nodes of alpha-beta at one depth."""

EXACT_BUDGET: Final = Budget(nodes=200_000, seconds=0.4)
"""The budget of the exact solver, which starts without any known proofs."""

UNKNOWN: Final = Outcome(Value.UNKNOWN, None)


@dataclass(frozen=True, slots=True)
class SolverRun:
    """The result of a search: the outcome of each square, the nodes and seconds, and the depth in plies.

    `outcomes` is None if the search was not run. `short` says why a result is incomplete; it is empty for a complete
    one. `one_window` is set only for alpha-beta: the nodes of a second search with one window (see `_alphabeta`).
    """

    outcomes: Mapping[Cell, Outcome] | None
    nodes: int | None
    seconds: float
    depth: int | None = None
    short: str = ""
    one_window: int | None = None


@dataclass(frozen=True, slots=True)
class Departure:
    """A square that a rule-based player may choose although another square is better."""

    cell: Cell
    chance: Fraction
    grade: Grade
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Heuristic:
    """The decision of a rule-based player, and how long it took.

    `departures` are the squares it may choose although another square is better, worst first.
    """

    strategy: Strategy
    decision: Decision
    seconds: float
    departures: tuple[Departure, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The results of all solvers on one position, with its prediction."""

    prediction: Prediction
    minimax: SolverRun
    alphabeta: SolverRun
    exact: SolverRun
    heuristics: tuple[Heuristic, ...]


def default_depth(rules: Rules) -> int:
    """Return the default look-ahead of alpha-beta. On boards with a table it reaches the end of the game."""
    return MAX_DEPTH if rules.is_small else DEFAULT_DEPTH


def compare_solvers(prediction: Prediction, depth: int) -> Comparison:
    """Run every solver on the predicted position; `depth` is for alpha-beta. Raise ValueError for a finished game."""
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
    """Return the opponents on this board that decide by rules."""
    return tuple(each for each in playing_on(position.rules) if each.kind == "rules")


def _minimax(position: Position) -> SolverRun:
    too_many = SolverRun(None, None, 0.0, short=f"not run: it would visit more than {MAX_PLAIN:,} nodes")
    if position.plies_left > MAX_OPEN:
        return too_many
    try:
        nodes = PlainMinimax(MAX_COUNTED).plain(position).nodes
    except BadOption:
        return too_many
    if nodes > MAX_PLAIN:
        return SolverRun(None, nodes, 0.0, short=f"not run: it would visit {nodes:,} nodes")
    started = perf_counter()
    searched = {cell: minimax(position.after(cell)) for cell in position.legal_moves}
    seconds = perf_counter() - started
    outcomes = {cell: Outcome.of_score(to_parent(each.score), position.plies_left) for cell, each in searched.items()}
    return SolverRun(outcomes, nodes, seconds, position.plies_left)


def _alphabeta(position: Position, depth: int) -> SolverRun:
    """Search 1, 2, … up to `depth` plies deep, until a search would need more than MAX_ALPHABETA nodes.

    Each square has its own full window, so its score is exact. A second search starts with one window at the root,
    and leaves a square once an earlier square is proved to be at least as good. `one_window` counts its nodes.
    """
    reached, short = SolverRun({}, 0, 0.0, 0), ""
    for plies in range(1, depth + 1):
        started, nodes = perf_counter(), 1
        scores: dict[Cell, Score] = {}
        try:
            for cell in position.legal_moves:
                search = alphabeta(position.after(cell), plies - 1, max_nodes=MAX_ALPHABETA - nodes)
                nodes += search.nodes
                scores[cell] = to_parent(search.score)
        except BudgetExhausted:
            short = f"stopped before depth {plies}, which needs more than {MAX_ALPHABETA:,} nodes"
            break
        # A 0 proves a draw only if the search covered the whole game.
        proved = {cell: plies == position.plies_left or abs(score) >= PROVED for cell, score in scores.items()}
        outcomes = {
            cell: Outcome.of_score(score, position.plies_left) if proved[cell] else UNKNOWN
            for cell, score in scores.items()
        }
        reached = SolverRun(outcomes, nodes, perf_counter() - started, plies)
    one_window = alphabeta(position, reached.depth).nodes if reached.depth else None
    return SolverRun(reached.outcomes, reached.nodes, reached.seconds, reached.depth, short, one_window)


def _exact(position: Position) -> SolverRun:
    started = perf_counter()
    proofs = prove_moves(position, position.legal_moves, EXACT_BUDGET)
    seconds = perf_counter() - started
    outcomes = {cell: Outcome.of_bounds(bounds, position.plies_left) for cell, bounds in proofs.bounds.items()}
    proved = sum(outcome.is_exact for outcome in outcomes.values())
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
