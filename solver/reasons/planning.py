"""Plans: trees of moves by which one player, the attacker, forces a line against every defence.

A plan is data that may be wrong, so `forces` plays it through by the rules. `Planner` finds the plan of a position that
is known to be won, with bounded effort.

Sequences of threats come first: each move of the attacker threatens a line, so each answer is forced. Such sequences
are quick to find and easy to follow. If there is none, the search looks for a quiet move that threatens a sequence. It
then looks for a plan against each reply that stops the sequence. A reply without a plan is only known to lose.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from solver.board.outcome import Outcome, Value, own_moves
from solver.board.position import Position
from solver.board.rules import Bits, Cell, Rules, bits_of, cells_of, union
from solver.kernel.potential import promising
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction
from solver.search.budget import BudgetExhausted, Meter
from solver.search.solver import Decider


@dataclass(frozen=True, slots=True)
class Completion:
    """A move that completes a line."""

    move: Cell


@dataclass(frozen=True, slots=True)
class DoubleThreat:
    """A move that threatens to complete a line on each of these squares, two or more, and on no others.

    The defender cannot complete a line itself, so the attacker completes one of the threatened ones next.
    """

    move: Cell
    targets: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class SingleThreat:
    """A move that threatens to complete a line on `answer` alone, so the defender must play there.

    The defender cannot complete a line itself. `then` is the plan after the answer.
    """

    move: Cell
    answer: Cell
    then: "Plan"


@dataclass(frozen=True, slots=True)
class QuietMove:
    """A move after which neither player can complete a line, and the attacker wins against every reply.

    `defences` are sets of replies, each with the plan that beats them. `threat` is the plan that beats all other
    replies. It also wins if the defender passes. It is None if there is no such plan.

    The replies in `rest` have no plan against them. They lose because the move is known to win in `plies` plies. If a
    move has a rest, only single threats come before it in the plan.
    """

    move: Cell
    threat: "Plan | None"
    defences: tuple[tuple[Bits, "Plan"], ...] = ()
    rest: Bits = 0
    plies: int = 0

    def against(self, reply: Cell) -> "Plan | None":
        """Return the plan against a reply; None for a reply in the rest."""
        if self.rest >> reply & 1:
            return None
        return next((plan for replies, plan in self.defences if replies >> reply & 1), self.threat)


Plan: TypeAlias = Completion | DoubleThreat | SingleThreat | QuietMove


def length(plan: Plan) -> int:
    """Return the number of plies that a plan takes against the longest defence, its first move included."""
    match plan:
        case Completion():
            return 1
        case DoubleThreat():
            return 3
        case SingleThreat():
            return 2 + length(plan.then)
        case QuietMove():
            plans = [then for _, then in plan.defences] + ([plan.threat] if plan.threat else [])
            return plan.plies if plan.rest else 2 + max(map(length, plans), default=0)


def size(plan: Plan) -> int:
    """Return the number of the attacker's moves in a plan."""
    match plan:
        case SingleThreat():
            return 1 + size(plan.then)
        case QuietMove():
            plans = [then for _, then in plan.defences] + ([plan.threat] if plan.threat else [])
            return 1 + sum(map(size, plans))
        case _:
            return 1


OutcomesOf: TypeAlias = Callable[[Position], Mapping[Cell, Outcome]]
"""A function that gives the proved outcomes of a position's open squares."""


def known_outcomes(prediction: Prediction, proved: Mapping[Position, Mapping[Cell, Outcome]]) -> OutcomesOf:
    """Return a function that gives the known outcomes of a position.

    They come from the prediction if it is about that position, else from the table of a small board, else from
    `proved`.
    """

    def known(position: Position) -> Mapping[Cell, Outcome]:
        if position == prediction.position:
            return prediction.squares
        return predict(position).squares if position.rules.is_small else proved.get(position, {})

    return known


@dataclass(frozen=True, slots=True)
class OpenLines:
    """The lines that the attacker (`mine`) and the defender (`theirs`) can still complete. The attacker is to move.

    Each line is given by its open squares. `empty` are all open squares.
    """

    mine: Sequence[Bits]
    theirs: Sequence[Bits]
    empty: Bits

    @classmethod
    def of(cls, rules: Rules, attacker: Bits, defender: Bits, plies: int) -> "OpenLines":
        """Return the lines that can be completed within `plies` plies.

        The defender's lines are those that it can complete with one stone more.
        """
        moves = own_moves(plies)
        mine, theirs = [], []
        for line in rules.lines:
            if not line & defender:
                left = line & ~attacker
                if left.bit_count() <= moves:
                    mine.append(left)
            if not line & attacker:
                left = line & ~defender
                if left.bit_count() <= moves + 1:
                    theirs.append(left)
        return cls(mine, theirs, rules.full & ~(attacker | defender))

    def after_move(self, stone: Bits) -> "OpenLines":
        """Return the lines after the attacker's move."""
        theirs = [line for line in self.theirs if not line & stone]
        return OpenLines([line & ~stone for line in self.mine], theirs, self.empty & ~stone)

    def after_reply(self, stone: Bits) -> "OpenLines":
        """Return the lines after the defender's reply."""
        mine = [line for line in self.mine if not line & stone]
        return OpenLines(mine, [line & ~stone for line in self.theirs], self.empty & ~stone)


def completing_squares(lines: Iterable[Bits]) -> Bits:
    """Return the squares that complete one of these lines."""
    squares = 0
    for line in lines:
        if not line & (line - 1):
            squares |= line
    return squares


def wins(position: Position, plan: Plan, known: OutcomesOf) -> bool:
    """Return whether the mover wins by the plan.

    The rules alone decide if the plan answers every reply. If it leaves a `rest` of replies, its move must be known to
    win in the plan's plies.
    """
    rules, own, other = position.rules, position.own, position.other
    match plan:
        case QuietMove() if plan.rest:
            outcome = known(position).get(plan.move)
            is_known = outcome is not None and outcome.value is Value.WIN and outcome.plies in (None, plan.plies)
            lines = OpenLines.of(rules, own, other, plan.plies)
            return is_known and zone(lines, plan, 0, rest_loses=True) != 0
        case SingleThreat(move=move, answer=answer, then=then) if position.empty >> move & position.empty >> answer & 1:
            after = position.after(move)
            forced = after.threats() == (answer,) and not after.threats(after.mover)
            return forced and wins(after.after(answer), then, known)
        case _:
            return forces(rules, own, other, plan)


def forces(rules: Rules, attacker: Bits, defender: Bits, plan: Plan) -> bool:
    """Return whether a plan without a rest wins for the attacker, who is to move; neither player has a line yet."""
    return succeeds(OpenLines.of(rules, attacker, defender, length(plan)), plan)


def succeeds(lines: OpenLines, plan: Plan) -> bool:
    """Return whether the plan wins by the rules alone, given the open lines."""
    return zone(lines, plan, 0) != 0


def zone(lines: OpenLines, plan: Plan, more: int = 1, rest_loses: bool = False) -> Bits:
    """Return the squares that a plan depends on, 0 if it does not win, or leaves a rest unless `rest_loses`.

    The plan still wins if the defender gets `more` extra stones on other open squares, as long as they complete no
    line.

    Proof: the extra stones take no square of the plan. Whenever the defender is to reply, each of its lines through an
    extra stone lacks at least `more` + 2 stones without the extra ones. With all of them it still lacks two, so it
    threatens nothing. In the threat of a quiet move, the reply is one more extra stone. It is on no square that the
    threat alone depends on. If a line goes through the reply and other extra stones, the others ensure that it lacks
    enough. If it goes through the reply alone, the reply ensures it.
    """
    stone = 1 << plan.move
    if not stone & lines.empty:
        return 0
    lines = lines.after_move(stone)
    if isinstance(plan, Completion):
        return stone if 0 in lines.mine else 0
    if 0 in lines.mine or completing_squares(lines.theirs):
        return 0
    threats = completing_squares(lines.mine)
    match plan:
        case DoubleThreat():
            needed = threats if len(plan.targets) >= 2 and threats == bits_of(plan.targets) else 0
        case SingleThreat():
            needed = zone(lines.after_reply(threats), plan.then, more) if threats == 1 << plan.answer else 0
        case QuietMove():
            needed = 0 if threats or (plan.rest and not rest_loses) else _against_all(lines, plan, more)
    return needed and needed | stone | threats | _near(lines.theirs, more + 1)


def _against_all(lines: OpenLines, plan: QuietMove, more: int) -> Bits:
    """Return the squares that the plans after a quiet move depend on, 0 if one of the plans does not win."""
    needed_by_all = left = lines.empty & ~plan.rest
    if plan.threat is not None:
        touching = zone(lines, plan.threat)
        if not touching:
            return 0
        left &= union([touching, *(replies for replies, _ in plan.defences)])
        needed_by_all = touching | (zone(lines, plan.threat, more + 1) if more else 0)
    for reply in cells_of(left):
        then = plan.against(reply)
        needed = 0 if then is None else zone(lines.after_reply(1 << reply), then, more)
        if not needed:
            return 0
        needed_by_all |= needed | 1 << reply
    return needed_by_all


def _near(lines: Iterable[Bits], most: int) -> Bits:
    """Return the open squares of the lines that have at most `most` of them."""
    squares = 0
    for line in lines:
        if line & ~squares and line.bit_count() <= most:
            squares |= line
    return squares


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
