"""A plan: how a player, the attacker, forces a line from a position in which it moves, whatever the other does.

A plan is a tree of moves without any judgement of its own: `solver.reasons.forcing` plays it through by the rules.
"""

from dataclasses import dataclass
from typing import TypeAlias

from solver.board.rules import Bits, Cell


@dataclass(frozen=True, slots=True)
class Completion:
    """The move completes a line."""

    move: Cell


@dataclass(frozen=True, slots=True)
class DoubleThreat:
    """After the move the attacker threatens to complete a line on each of these squares, and no others: two or more.

    The defender cannot complete one, so that the attacker completes one of them next.
    """

    move: Cell
    targets: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class SingleThreat:
    """After the move the attacker threatens to complete a line on `answer` alone, so the defender must play there.

    The defender cannot complete one. The plan goes on from there.
    """

    move: Cell
    answer: Cell
    then: "Plan"


@dataclass(frozen=True, slots=True)
class QuietMove:
    """After the move neither player can complete a line, and the attacker wins against every reply.

    `defences` are replies, in sets that have a plan each; `threat` is the plan against all others, but those of `rest`.
    It would win as well if the defender did nothing. None where the attacker has no single plan of that kind.

    Against the replies of `rest` there is no plan: that they lose is known of the move, which wins in `plies` plies. No
    plan for another player's or a later turn has such a rest, but what follows single threats may.
    """

    move: Cell
    threat: "Plan | None"
    defences: tuple[tuple[Bits, "Plan"], ...] = ()
    rest: Bits = 0
    plies: int = 0

    def against(self, reply: Cell) -> "Plan | None":
        """The plan against a reply; None for one of the rest."""
        if self.rest >> reply & 1:
            return None
        return next((plan for replies, plan in self.defences if replies >> reply & 1), self.threat)


Plan: TypeAlias = Completion | DoubleThreat | SingleThreat | QuietMove


def length(plan: Plan) -> int:
    """The plies from the plan's move, itself included, to the line, where the defender holds out as long as it can."""
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
    """How many moves of the attacker's a plan holds."""
    match plan:
        case SingleThreat():
            return 1 + size(plan.then)
        case QuietMove():
            plans = [then for _, then in plan.defences] + ([plan.threat] if plan.threat else [])
            return 1 + sum(map(size, plans))
        case _:
            return 1
