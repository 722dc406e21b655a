"""Why a square is what it is: found, then checked, and only then said."""

from collections.abc import Mapping
from functools import partial

from solver.board.outcome import Outcome, Value, to_child
from solver.board.position import Position
from solver.board.rules import Cell
from solver.explain.check import Known, holds
from solver.explain.course import course
from solver.explain.grounds import Ground, Loses, Pairing, Unblocked, Wins
from solver.explain.holding import why_it_draws
from solver.explain.kinds import ReasonKind, kind_of
from solver.explain.lines import lines_of
from solver.explain.planning import Planner
from solver.explain.reason import Reason
from solver.explain.sequences import Effort
from solver.explain.winning import why_it_loses, why_it_wins
from solver.explain.words import text
from solver.proofs.prediction import Prediction, predict
from solver.search.budget import Budget, BudgetExhausted
from solver.search.decider import Decider, TableSolver
from solver.search.meter import Meter
from solver.search.solver import Solver
from solver.search.tablebase import has_table
from solver.search.variation import principal_variation

NODES = 400
"""Nodes that the search may take for the plan of one square, and again for the line of best play."""

STEPS = 1500
"""Steps that the search for plans may take for one square."""

ENTRIES = 1 << 10
"""Positions that the search of one square remembers."""


def reasons(position: Position, prediction: Prediction) -> dict[Cell, Reason]:
    """Why each open square is what it is."""
    return {cell: explain(position, cell, prediction) for cell in prediction.squares}


def explain(position: Position, cell: Cell, prediction: Prediction) -> Reason:
    """Why an open square of a position is what the position's prediction says.

    It depends on nothing else, and takes so many steps and nodes at most. A square of which nothing is proved has no
    reason. Raises KeyError for a cell that is no open square.
    """
    outcome = prediction.squares[cell]
    if outcome.value is Value.UNKNOWN:
        return Reason(ReasonKind.UNEXPLAINED, outcome)
    solver: Decider = TableSolver() if has_table(position.rules) else Solver(position.rules, max_entries=ENTRIES)
    known = partial(_known, prediction)
    grounds = _grounds(position, cell, known, solver)
    if not holds(position, cell, grounds, known):
        return Reason(ReasonKind.UNEXPLAINED, outcome, refutation=_best_play(position, cell, outcome, (), solver))
    refutation = _best_play(position, cell, outcome, grounds, solver)
    pairs = next((ground.pairs for ground in grounds if isinstance(ground, Pairing)), ())
    lines = lines_of(position, cell, grounds)
    return Reason(kind_of(grounds), outcome, text(position, outcome, grounds), refutation, lines, pairs)


def _known(prediction: Prediction, position: Position) -> Mapping[Cell, Outcome]:
    """The outcomes that are known: those of the prediction, and on small boards all."""
    if position == prediction.position:
        return prediction.squares
    return predict(position).squares if has_table(position.rules) else {}


def _grounds(position: Position, cell: Cell, known: Known, solver: Decider) -> tuple[Ground, ...]:
    """What the square's outcome rests on, as far as it is found; nothing of it is checked."""
    planner = Planner(solver, Meter(Budget(nodes=NODES)), Effort(STEPS))
    find = {Value.WIN: why_it_wins, Value.LOSS: why_it_loses, Value.DRAW: why_it_draws}[known(position)[cell].value]
    try:
        return find(position, cell, known, planner)
    except BudgetExhausted:
        return ()


def _best_play(
    position: Position, cell: Cell, outcome: Outcome, grounds: tuple[Ground, ...], solver: Decider
) -> tuple[Cell, ...]:
    """The line of best play after a square, as far as it is soon found; empty where the distance is not proved.

    Where the square wins or loses by a plan, it goes by that.
    """
    if outcome.plies is None:
        return ()
    meter, after = Meter(Budget(nodes=NODES)), position.after(cell)
    match grounds:
        case (Wins(plan=plan), *_):
            return course(position, plan, solver, meter)[1:]
        case (Loses(plan=plan), *_):
            return course(after, plan, solver, meter)
        case (Unblocked(move=move), *_):
            return (move,)
        case _:
            return principal_variation(solver, after, to_child(outcome.rank), meter)
