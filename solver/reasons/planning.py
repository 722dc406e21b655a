"""Find the plan by which a player wins a position that is known to be won, with bounded effort.

Sequences of threats come first: each move of the attacker threatens a line, so each answer is forced. Such sequences
are quick to find and easy to follow. If there is none, the search looks for a quiet move that threatens a sequence. It
then looks for a plan against each reply that stops the sequence. A reply without a plan is only known to lose.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from solver.board.outcome import Outcome, Value
from solver.board.position import Position
from solver.board.rules import Bits, Cell, cells_of
from solver.kernel.potential import promising
from solver.reasons.plan import (
    Completion,
    DoubleThreat,
    OpenLines,
    Plan,
    QuietMove,
    SingleThreat,
    completing_squares,
    length,
    size,
    succeeds,
    zone,
)
from solver.search.budget import BudgetExhausted, Meter
from solver.search.solver import Decider

NEAR = 9
"""The plies within which the threat of a quiet move has to win."""

RANKING = 6
"""The steps charged for putting a position's moves in order."""

LIGHT = 8
"""The most moves of a plan that is also tried against other replies."""


@dataclass(slots=True)
class Effort:
    """The number of steps that are left to a search for plans."""

    steps: int


def sequence(lines: OpenLines, plies: int, effort: Effort, first: Cell | None = None) -> Plan | None:
    """Return the shortest win by threats alone within `plies` plies for the attacker, who is to move.

    If `first` is given, the win begins there. Return None if there is no such win or the effort runs out.
    """
    search = _SequenceSearch(effort)
    for limit in range(1, plies + 1, 2):
        search.cut = False
        plan = search.win(lines, limit) if first is None else search.win_by(1 << first, lines, limit)
        if plan or not search.cut or effort.steps <= 0:
            return plan
    return None


@dataclass(slots=True)
class _SequenceSearch:
    """A search to a limit of plies; `cut` is True if the limit kept it from trying later threats."""

    effort: Effort
    cut: bool = False

    def win(self, lines: OpenLines, plies: int) -> Plan | None:
        """Return a sequence for the player to move."""
        self.effort.steps -= 1
        if completing := completing_squares(lines.mine):
            return Completion(next(cells_of(completing)))
        counters = completing_squares(lines.theirs)
        if counters & (counters - 1):
            return None
        answers = _answers(lines.mine)
        if counters:
            answers = {counters: answers[counters]} if counters in answers else {}
        self.cut |= bool(answers) and plies < 5
        if plies < 3:
            return None
        for stone, squares in answers.items():
            if squares & (squares - 1):
                return DoubleThreat(stone.bit_length() - 1, tuple(cells_of(squares)))
        for stone, answer in answers.items() if plies >= 5 else ():
            if self.effort.steps <= 0:
                return None
            if then := self.win(lines.after_move(stone).after_reply(answer), plies - 2):
                return SingleThreat(stone.bit_length() - 1, answer.bit_length() - 1, then)
        return None

    def win_by(self, stone: Bits, lines: OpenLines, plies: int) -> Plan | None:
        """Return a sequence for the player to move that begins with this stone."""
        move = stone.bit_length() - 1
        if stone in lines.mine:
            return Completion(move)
        lines = lines.after_move(stone)
        threats = completing_squares(lines.mine)
        if not threats or completing_squares(lines.theirs):
            return None
        self.cut |= plies < 5
        if threats & (threats - 1):
            return DoubleThreat(move, tuple(cells_of(threats))) if plies >= 3 else None
        then = self.win(lines.after_reply(threats), plies - 2) if plies >= 5 else None
        return SingleThreat(move, threats.bit_length() - 1, then) if then else None


def _answers(lines: Iterable[Bits]) -> dict[Bits, Bits]:
    """Return the squares on which a stone makes threats, each with the squares that it threatens."""
    answers: dict[Bits, Bits] = {}
    for line in lines:
        rest = line & (line - 1)
        if rest and not rest & (rest - 1):
            answers[rest] = answers.get(rest, 0) | line ^ rest
            answers[line ^ rest] = answers.get(line ^ rest, 0) | rest
    return answers


@dataclass(slots=True)
class Planner:
    """A search for plans, bounded by its effort and by two meters.

    `meter` is for first moves, `small` for plans against replies.
    """

    decided: Decider
    meter: Meter
    small: Meter
    effort: Effort
    proved: dict[Position, dict[Cell, Outcome]] = field(default_factory=dict)
    """The outcomes that the search proved. The plies of a win are an upper bound."""
    _found: dict[Position, Plan] = field(default_factory=dict)

    def plan(self, position: Position, plies: int, first: Cell | None = None) -> Plan | None:
        """Return a plan for the mover, who is known to win in `plies` plies.

        If `first` is given, the plan begins there. The plan can leave a reply unanswered if the reply is known to lose.
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
        """Return a plan for the mover that wins within `plies` plies and answers every reply.

        Raises BudgetExhausted if the small meter runs out.
        """
        known = self._found.get(position)
        if known is not None and length(known) <= plies:
            return known
        lines = OpenLines.of(position.rules, position.own, position.other, plies)
        plan = sequence(lines, plies, self.effort)
        if plan is None and plies >= 5 and self.effort.steps > 0:
            limits = (limit for limit in range(5, plies, 2) if self.decided(position, limit, self.small))
            plies = next(limits, plies)
            move = next(self._winning(position, plies, self.small), None)
            plan = None if move is None else self._by(position, plies, move, complete=True)
        if plan is not None:
            self._found[position] = plan
        return plan

    def _winning(self, position: Position, plies: int, meter: Meter) -> Iterator[Cell]:
        """Yield the moves that win within `plies` plies, the most promising first."""
        self.effort.steps -= RANKING
        forced = position.threats()
        moves = (move for move in promising(position) if not forced or move in forced)
        return (move for move in moves if self.decided(position.after(move), plies - 1, meter))

    def _by(self, position: Position, plies: int, move: Cell, complete: bool) -> Plan | None:
        """Return a plan that begins with this move, if no sequence of threats does."""
        after = position.after(move)
        if plies < 5 or after.threats(after.mover):
            return None
        threats = after.threats()
        if not threats:
            return self._quiet(after, move, plies, complete)
        answer = threats[-1]
        then = (self.complete if complete else self.plan)(after.after(answer), plies - 2)
        return SingleThreat(move, answer, then) if then else None

    def _quiet(self, after: Position, move: Cell, plies: int, complete: bool) -> Plan | None:
        """Return the plan that begins with this quiet move, after which the defender can reply anywhere."""
        lines = OpenLines.of(after.rules, after.other, after.own, plies - 2)
        threat = sequence(lines, plies - 2, self.effort)
        if threat is None and not complete and (threat := self._slow_threat(after, lines, plies - 2)):
            return QuietMove(move, threat, rest=zone(lines, threat) & after.empty, plies=plies)
        touching = zone(lines, threat) & after.empty if threat else after.empty
        tried = [_Tried(threat)] if threat else []
        rest = 0
        for reply in cells_of(touching):
            stone = 1 << reply
            fitting = next((attempt for attempt in tried if self._beats(attempt, lines, stone)), None)
            if fitting is None:
                plan = self._against(after, reply, plies - 2, complete)
                if plan is not None:
                    fitting = _Tried(plan, self._zone(lines.after_reply(stone), plan))
                    tried.append(fitting)
                elif complete:
                    return None
            if fitting is None:
                rest |= stone
            else:
                fitting.replies |= stone
        defences = tuple((attempt.replies, attempt.plan) for attempt in tried[1 if threat else 0 :])
        return QuietMove(move, threat, defences, rest, plies if rest else 0) if tried else None

    def _beats(self, tried: "_Tried", lines: OpenLines, stone: Bits) -> bool:
        """Return whether a plan also beats another reply. A reply in the plan's zone counts as no, without a test."""
        if stone & tried.zone:
            return False
        self.effort.steps -= size(tried.plan)
        return succeeds(lines.after_reply(stone), tried.plan)

    def _zone(self, lines: OpenLines, plan: Plan) -> Bits:
        """Return the squares that a plan depends on; for a large plan, all open squares."""
        self.effort.steps -= size(plan)
        return zone(lines, plan) if size(plan) <= LIGHT else lines.empty

    def _against(self, after: Position, reply: Cell, plies: int, complete: bool) -> Plan | None:
        """Return the plan against a reply."""
        try:
            return self.complete(after.after(reply), plies)
        except BudgetExhausted:
            if complete:
                raise
            return None

    def _slow_threat(self, after: Position, lines: OpenLines, plies: int) -> Plan | None:
        """Return a plan against the least promising reply, if it wins even without that reply."""
        plan = self._against(after, promising(after)[-1], min(plies, NEAR), complete=False)
        return plan if plan and succeeds(lines, plan) else None


@dataclass(slots=True)
class _Tried:
    """A plan, the replies that it beats, and its zone after the first of these replies."""

    plan: Plan
    zone: Bits = 0
    replies: Bits = 0
