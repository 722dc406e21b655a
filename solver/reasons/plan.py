"""Plans: trees of moves by which one player, the attacker, forces a line against every defence.

A plan is data that may be wrong, so `forces` plays it through by the rules.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from solver.board.outcome import Outcome, Value, own_moves
from solver.board.position import Position
from solver.board.rules import Bits, Cell, Rules, bits_of, cells_of, union
from solver.proofs.predict import predict
from solver.proofs.prediction import Prediction


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
            return is_known and forces_but_for_rest(rules, own, other, plan)
        case SingleThreat(move=move, answer=answer, then=then) if position.empty >> move & position.empty >> answer & 1:
            after = position.after(move)
            forced = after.threats() == (answer,) and not after.threats(after.mover)
            return forced and wins(after.after(answer), then, known)
        case _:
            return forces(rules, own, other, plan)


def forces(rules: Rules, attacker: Bits, defender: Bits, plan: Plan) -> bool:
    """Return whether a plan without a rest wins for the attacker, who is to move; neither player has a line yet."""
    return succeeds(OpenLines.of(rules, attacker, defender, length(plan)), plan)


def forces_but_for_rest(rules: Rules, attacker: Bits, defender: Bits, plan: QuietMove) -> bool:
    """Return whether the move is quiet and has plans that win against all replies but the rest."""
    lines, stone = OpenLines.of(rules, attacker, defender, plan.plies), 1 << plan.move
    if not stone & lines.empty or not (plan.threat or plan.defences):
        return False
    lines = lines.after_move(stone)
    return not completing_squares([*lines.mine, *lines.theirs]) and _against_all(lines, plan, 0) != 0


def succeeds(lines: OpenLines, plan: Plan) -> bool:
    """Return whether the plan wins by the rules alone, given the open lines."""
    return zone(lines, plan, 0) != 0


def zone(lines: OpenLines, plan: Plan, more: int = 1) -> Bits:
    """Return the squares that a plan depends on, 0 if it does not win.

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
            needed = 0 if threats or plan.rest else _against_all(lines, plan, more)
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
