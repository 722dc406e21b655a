"""Why a square is what it is: found, then checked, and only then said."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from solver.board.outcome import Outcome, Value, to_child
from solver.board.position import Position
from solver.board.rules import Cell, Rules
from solver.proofs.prediction import Prediction, predict
from solver.reasons.check import holds
from solver.reasons.course import course
from solver.reasons.grounds import Ground, Loses, Pairing, Unblocked, Wins
from solver.reasons.holding import why_it_draws
from solver.reasons.kinds import ReasonKind, kind_of
from solver.reasons.planning import Planner
from solver.reasons.reason import Reason
from solver.reasons.sequences import Effort
from solver.reasons.shown import lines_of
from solver.reasons.winning import why_it_loses, why_it_wins
from solver.reasons.words import guarded, text
from solver.search.budget import Budget
from solver.search.decider import Decider, TableSolver
from solver.search.meter import Meter
from solver.search.solver import Solver
from solver.search.tablebase import has_table
from solver.search.variation import principal_variation

NODES: Final = {"compiled": 4000, "interpreted": 60}
"""Nodes that the search may take to find the move by which one square wins or loses, by the kernel."""

SMALL: Final = 0.1
"""The part of them that it may take for what follows that move."""

LINE: Final = 0.25
"""The part of them that it may take for the line of best play."""

STEPS: Final = 300
"""Steps that the search for plans may take for one square."""

LINES: Final = 45
"""Lines of a board up to which nodes and steps are as many. With twice the lines each costs twice as much, so that half
the nodes are left, and a quarter of the steps, which look at more replies too."""

REASON_ENTRIES: Final = 1 << 10
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
    search = _Search.on(position.rules)
    planner = Planner(search.solver, search.meter(), search.meter(SMALL), Effort(int(search.share**2 * STEPS)))
    known = partial(_known, prediction, planner.proved)
    find = {Value.WIN: why_it_wins, Value.LOSS: why_it_loses, Value.DRAW: why_it_draws}[outcome.value]
    grounds = find(position, cell, known, planner)
    if not holds(position, cell, grounds, known):
        return Reason(ReasonKind.UNEXPLAINED, outcome, refutation=_best_play(position, cell, outcome, (), search))
    refutation = _best_play(position, cell, outcome, grounds, search)
    pairs = next((ground.pairs for ground in grounds if isinstance(ground, Pairing)), ())
    lines = lines_of(position, cell, grounds)
    told = (text(position, outcome, grounds), guarded(position, outcome, grounds))
    return Reason(kind_of(grounds), outcome, *told, refutation, lines, pairs)


@dataclass(frozen=True, slots=True)
class _Search:
    """The decider that is asked, the most nodes that it may take (a table needs none), and which part of them."""

    solver: Decider
    nodes: int
    share: float

    @classmethod
    def on(cls, rules: Rules) -> "_Search":
        """The search of a board, which has remembered nothing yet."""
        if has_table(rules):
            return cls(TableSolver(), 0, 1.0)
        from solver.kernel.engine import KERNEL  # noqa: PLC0415 - the kernel, which small boards do without

        return cls(Solver(rules, max_entries=REASON_ENTRIES), NODES[KERNEL], min(1.0, LINES / max(1, len(rules.lines))))

    def meter(self, part: float = 1.0) -> Meter:
        """A meter for a part of the nodes."""
        return Meter(Budget(nodes=int(part * self.share * self.nodes)))


def _known(
    prediction: Prediction, proved: Mapping[Position, Mapping[Cell, Outcome]], position: Position
) -> Mapping[Cell, Outcome]:
    """The outcomes that are known: those of the prediction, and what the search proved since; on small boards all."""
    if position == prediction.position:
        return prediction.squares
    return predict(position).squares if has_table(position.rules) else proved.get(position, {})


def _best_play(
    position: Position, cell: Cell, outcome: Outcome, grounds: tuple[Ground, ...], search: _Search
) -> tuple[Cell, ...]:
    """The line of best play after a square, as far as it is soon found; empty where the distance is not proved.

    Where the square wins or loses by a plan, it goes by that.
    """
    if outcome.plies is None:
        return ()
    solver, meter, after = search.solver, search.meter(LINE), position.after(cell)
    match grounds:
        case (Wins(plan=plan), *_):
            return course(position, plan, solver, meter)[1:]
        case (Loses(plan=plan), *_):
            return course(after, plan, solver, meter)
        case (Unblocked(move=move), *_):
            return (move,)
        case _:
            return principal_variation(solver, after, to_child(outcome.rank), meter)
