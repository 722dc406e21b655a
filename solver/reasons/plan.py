"""Plans: trees of moves by which one player, the attacker, forces a line against every defence.

A plan is data that may be wrong. `solver.reasons.forcing` plays it through by the rules.
"""

from dataclasses import dataclass
from typing import TypeAlias

from solver.board.rules import Bits, Cell


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

    `defences` are sets of replies, each with the plan against them. `threat` is the plan against all other replies; it
    also wins if the defender does nothing. It is None where no single plan does that.

    The replies in `rest` have no plan against them: they lose because the move is known to win, in `plies` plies. Such
    a quiet move is either the first of a plan or follows single threats from there.
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
    """Return the plies from the plan's first move to the line, both included, if the defender holds out longest."""
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
