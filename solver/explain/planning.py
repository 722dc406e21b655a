"""Finds the plan by which a player wins a position that is known to be won, with bounded effort.

Sequences of threats come first, since they are quick to find and plain to see. Where there is none, the search is asked
which quiet move wins, and against each reply there is a plan again.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from solver.board.position import Position
from solver.board.rules import Cell, cells_of
from solver.explain.check import completing, forces
from solver.explain.plan import Plan, QuietMove, SingleThreat, length
from solver.explain.sequences import Effort, sequence, zone
from solver.search.decider import Decider
from solver.search.meter import Meter
from solver.search.potential import potential

TRYING = 5
"""Steps that it takes to try a plan that is at hand against another reply."""


@dataclass(slots=True)
class Planner:
    """Looks for plans as far as the effort and the meter reach. Raises BudgetExhausted where the meter does not."""

    solver: Decider
    meter: Meter
    effort: Effort
    _found: dict[Position, Plan] = field(default_factory=dict)

    def plan(self, position: Position, plies: int) -> Plan | None:
        """A plan of the mover's within so many plies, in which it wins."""
        known = self._found.get(position)
        if known is not None and length(known) <= plies:
            return known
        plan = sequence(position.rules, (position.own, position.other), plies, self.effort)
        moves = iter(() if plan else self._winning(position, plies))
        while plan is None and self.effort.steps > 0 and (move := next(moves, None)) is not None:
            plan = self._slowly(position, plies, move)
        if plan is not None:
            self._found[position] = plan
        return plan

    def plan_by(self, position: Position, plies: int, move: Cell) -> Plan | None:
        """Such a plan that begins with this move."""
        plan = sequence(position.rules, (position.own, position.other), plies, self.effort, move)
        return plan or self._slowly(position, plies, move)

    def _winning(self, position: Position, plies: int) -> Iterable[Cell]:
        """The moves that win within so many plies, those worth most first."""
        forced = completing(position.rules, position.other, position.own)
        moves = sorted(cells_of(forced or position.empty), key=lambda cell: -potential(position, cell))
        return (move for move in moves if self.solver.decided(position.after(move), plies - 1, self.meter))

    def _slowly(self, position: Position, plies: int, move: Cell) -> Plan | None:
        """The plan that begins with this move and is no mere sequence of threats."""
        rules, after = position.rules, position.after(move)
        if plies < 5 or completing(rules, after.own, after.other):
            return None
        threats = completing(rules, after.other, after.own)
        if not threats:
            return self._against_all(after, move, plies - 2)
        answer = threats.bit_length() - 1
        then = self.plan(after.after(answer), plies - 2)
        return SingleThreat(move, answer, then) if then else None

    def _against_all(self, after: Position, move: Cell, plies: int) -> Plan | None:
        """The plan that begins with this quiet move, after which the defender may reply anywhere."""
        rules, own, other = after.rules, after.other, after.own
        threat = sequence(rules, (own, other), plies, self.effort)
        touching = zone(rules, (own, other), threat) if threat else rules.full
        plans = [threat] if threat else []
        answered = [0] * len(plans)
        for reply in sorted(cells_of(after.empty & touching), key=lambda cell: -potential(after, cell)):
            self.effort.steps -= TRYING * len(plans)
            stones = own, other | 1 << reply
            number = next((number for number, plan in enumerate(plans) if forces(rules, stones, plan)), len(plans))
            if number == len(plans):
                plan = self.plan(after.after(reply), plies)
                if plan is None:
                    return None
                plans.append(plan)
                answered.append(0)
            answered[number] |= 1 << reply
        defences = tuple(zip(answered, plans, strict=True))
        return QuietMove(move, threat, defences[1:] if threat else defences)
