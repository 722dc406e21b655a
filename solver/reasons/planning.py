"""Finds the plan by which a player wins a position that is known to be won, with bounded effort.

Sequences of threats come first, since they are quick to find and plain to see. Where there is none, a quiet move wins:
it threatens something, and against each reply that meets the threat there is a plan again, or else it is known to lose.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from solver.board.outcome import Outcome, Value
from solver.board.position import Position
from solver.board.rules import Bits, Cell, cells_of
from solver.kernel.potential import promising
from solver.reasons.forcing import succeeds, zone
from solver.reasons.open_lines import OpenLines
from solver.reasons.plan import Plan, QuietMove, SingleThreat, length, size
from solver.reasons.sequences import Effort, sequence
from solver.search.budget import BudgetExhausted
from solver.search.decider import Decider
from solver.search.meter import Meter

NEAR = 9
"""Plies within which a quiet move is looked for that the defender would have to stop."""

RANKING = 6
"""Steps that putting a position's moves in order counts as."""

LIGHT = 8
"""The moves of a plan that is soon tried against another reply."""


@dataclass(slots=True)
class Planner:
    """Looks for plans as far as the effort and the meters reach, `meter` for the moves and `small` for what follows."""

    solver: Decider
    meter: Meter
    small: Meter
    effort: Effort
    proved: dict[Position, dict[Cell, Outcome]] = field(default_factory=dict)
    """Moves that were found to win, with the plies that they were asked for."""
    _found: dict[Position, Plan] = field(default_factory=dict)

    def plan(self, position: Position, plies: int, first: Cell | None = None) -> Plan | None:
        """A plan of the mover's, who wins in so many plies, by this first move if it is given.

        It may leave replies to what is known.
        """
        lines = OpenLines.of(position.rules, position.own, position.other, plies)
        if plan := sequence(lines, plies, self.effort, first):
            return plan
        if first is None:
            try:
                first = next(self._winning(position, plies, self.meter), None)
            except BudgetExhausted:
                first = None
            if first is None:
                return None
            self.proved.setdefault(position, {})[first] = Outcome(Value.WIN, plies)
        return self._by(position, plies, first, complete=False)

    def complete(self, position: Position, plies: int) -> Plan | None:
        """A plan of the mover's, who wins within so many plies, that has an answer to every reply.

        Raises BudgetExhausted where `small` does not reach.
        """
        known = self._found.get(position)
        if known is not None and length(known) <= plies:
            return known
        lines = OpenLines.of(position.rules, position.own, position.other, plies)
        plan = sequence(lines, plies, self.effort)
        if plan is None and plies >= 5 and self.effort.steps > 0:
            limits = (limit for limit in range(5, plies, 2) if self.solver.decided(position, limit, self.small))
            plies = next(limits, plies)
            move = next(self._winning(position, plies, self.small), None)
            plan = None if move is None else self._by(position, plies, move, complete=True)
        if plan is not None:
            self._found[position] = plan
        return plan

    def _winning(self, position: Position, plies: int, meter: Meter) -> Iterator[Cell]:
        """The moves that win within so many plies, those worth most first."""
        self.effort.steps -= RANKING
        forced = position.rules.completing(position.other, position.own)
        moves = (move for move in promising(position) if not forced or forced >> move & 1)
        return (move for move in moves if self.solver.decided(position.after(move), plies - 1, meter))

    def _by(self, position: Position, plies: int, move: Cell, complete: bool) -> Plan | None:
        """The plan that begins with this move, and is no mere sequence of threats."""
        rules, after = position.rules, position.after(move)
        if plies < 5 or rules.completing(after.own, after.other):
            return None
        threats = rules.completing(after.other, after.own)
        if not threats:
            return self._quiet(after, move, plies, complete)
        answer = threats.bit_length() - 1
        then = (self.complete if complete else self.plan)(after.after(answer), plies - 2)
        return SingleThreat(move, answer, then) if then else None

    def _quiet(self, after: Position, move: Cell, plies: int, complete: bool) -> Plan | None:
        """The plan that begins with this quiet move, after which the defender may reply anywhere."""
        lines = OpenLines.of(after.rules, after.other, after.own, plies - 2)
        threat = sequence(lines, plies - 2, self.effort)
        if threat is None and not complete and (threat := self._slow_threat(after, lines, plies - 2)):
            return QuietMove(move, threat, rest=zone(lines, threat) & after.empty, plies=plies)
        touching = zone(lines, threat) & after.empty if threat else after.empty
        tried = [_Tried(threat)] if threat else []
        rest = 0
        for reply in cells_of(touching):
            stone = 1 << reply
            found = next((each for each in tried if self._beats(each, lines, stone)), None)
            if found is None:
                plan = self._against(after, reply, plies - 2, complete)
                if plan is not None:
                    found = _Tried(plan, self._zone(lines.replied(stone), plan))
                    tried.append(found)
                elif complete:
                    return None
            if found is None:
                rest |= stone
            else:
                found.replies |= stone
        defences = tuple((each.replies, each.plan) for each in tried[1 if threat else 0 :])
        return QuietMove(move, threat, defences, rest, plies if rest else 0) if tried else None

    def _beats(self, tried: "_Tried", lines: OpenLines, stone: Bits) -> bool:
        """Whether a plan wins against another reply; where that touches it, it is not tried."""
        if stone & tried.zone:
            return False
        self.effort.steps -= size(tried.plan)
        return succeeds(lines.replied(stone), tried.plan)

    def _zone(self, lines: OpenLines, plan: Plan) -> Bits:
        """The squares that a plan depends on; of one that would take too long to see through, all."""
        self.effort.steps -= size(plan)
        return zone(lines, plan) if size(plan) <= LIGHT else lines.empty

    def _against(self, after: Position, reply: Cell, plies: int, complete: bool) -> Plan | None:
        """The plan against a reply."""
        try:
            return self.complete(after.after(reply), plies)
        except BudgetExhausted:
            if complete:
                raise
            return None

    def _slow_threat(self, after: Position, lines: OpenLines, plies: int) -> Plan | None:
        """A plan for when the defender has played where it matters least, if it does not matter there at all."""
        plan = self._against(after, promising(after)[-1], min(plies, NEAR), complete=False)
        return plan if plan and succeeds(lines, plan) else None


@dataclass(slots=True)
class _Tried:
    """A plan against some replies, and the squares that it depends on after the first of them."""

    plan: Plan
    zone: Bits = 0
    replies: Bits = 0
