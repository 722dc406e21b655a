"""Grounds: the facts about a square on which a reason rests.

Each ground is one class: `holds` checks the fact, `words` says it, `kind` names it for programs, and `drawn` gives the
lines to draw. The check uses nothing but the rules and the known outcomes, so it does not depend on how the ground was
found. `solver.reasons.winning` has the grounds of squares that win or lose, `solver.reasons.holding` those of draws.

The mover is the player who would move on the square, `me`; the opponent is `you`. "After the square" means after that
move.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from solver.board.outcome import Outcome, Value
from solver.board.position import Mark, Position
from solver.board.rules import Bits, Cell, Rules, bits_of
from solver.reasons.plan import DoubleThreat, OutcomesOf, Plan, QuietMove, SingleThreat
from solver.reasons.reason import DrawnLine, ReasonKind
from solver.reasons.words import Names


@dataclass(frozen=True, slots=True)
class SquareCase:
    """An open square of a position, and a function for the known outcomes of any position's squares."""

    position: Position
    cell: Cell
    known: OutcomesOf

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.position.rules

    @property
    def squares(self) -> Mapping[Cell, Outcome]:
        """The known outcomes of the position's open squares."""
        return self.known(self.position)

    @property
    def own(self) -> Bits:
        """The mover's stones after the square."""
        return self.position.own | 1 << self.cell

    @property
    def other(self) -> Bits:
        """The opponent's stones."""
        return self.position.other

    @property
    def empty(self) -> Bits:
        """The other open squares."""
        return self.position.empty & ~(1 << self.cell)

    @property
    def threats(self) -> Bits:
        """The squares on which the mover threatens to complete a line after the square."""
        return self.rules.completing(self.own, self.other)

    @property
    def counters(self) -> Bits:
        """The squares on which the opponent can complete a line after the square."""
        return self.rules.completing(self.other, self.own)

    @property
    def forks(self) -> Bits:
        """The squares on which the opponent would threaten to complete a line with a stone on the square."""
        return self.rules.completing(self.other | 1 << self.cell, self.position.own)

    @property
    def outcome(self) -> Outcome:
        """The outcome of the square."""
        return self.squares[self.cell]

    def of_value(self, value: Value) -> tuple[Cell, ...]:
        """Return the squares that are known to have this value, in reading order."""
        return tuple(cell for cell, outcome in self.squares.items() if outcome.value is value)

    def lasts(self, plies: int) -> bool:
        """Return whether the game lasts this many plies from the square on, the move included, or may do so."""
        return self.outcome.plies in (None, plies)


def completed(rules: Rules, stones: Bits, cell: Cell) -> tuple[Bits, ...]:
    """Return the lines that a player with these stones completes on a cell."""
    with_it = stones | 1 << cell
    return tuple(line for line in rules.lines_through[cell] if line & with_it == line)


class Ground(ABC):
    """A fact about a square."""

    __slots__ = ()

    proves: ClassVar[tuple[Value, ...]] = ()
    """The outcomes that this ground proves. A ground that proves none only accompanies one that does."""

    @property
    def kind(self) -> ReasonKind:
        """The kind of a reason that begins with this ground."""
        return ReasonKind.UNEXPLAINED

    @abstractmethod
    def holds(self, case: SquareCase) -> bool:
        """Return whether the fact is true of the case's square, as far as the outcomes are known."""

    @abstractmethod
    def words(self, names: Names) -> str:
        """Return the fact as a clause, which begins with a small letter unless a player's mark comes first."""

    def guarded(self) -> "Ground | None":
        """Return the part of the ground that names no better square; None where nothing is left."""
        return self

    def drawn(self, case: SquareCase) -> Iterable[DrawnLine]:  # noqa: ARG002 - for those that override it
        """Return the lines that the words mention."""
        return ()


def holds(case: SquareCase, grounds: Sequence[Ground]) -> bool:
    """Return whether all these grounds are true of a square, and one of them proves its outcome."""
    outcome = case.squares.get(case.cell)
    if outcome is None or not any(outcome.value in ground.proves for ground in grounds):
        return False
    return all(ground.holds(case) for ground in grounds)


def ends(mark: Mark, rules: Rules, own: Bits, other: Bits, plan: Plan) -> Iterable[DrawnLine]:
    """Return the lines that the attacker threatens at the end of a plan, or at the end of a quiet move's threat."""
    own |= 1 << plan.move
    match plan:
        case SingleThreat():
            return ends(mark, rules, own, other | 1 << plan.answer, plan.then)
        case DoubleThreat():
            return threatened(mark, rules, own, other, plan.targets)
        case QuietMove(threat=threat) if threat is not None:
            return ends(mark, rules, own, other, threat)
    return ()


def threatened(mark: Mark, rules: Rules, own: Bits, other: Bits, targets: Iterable[Cell]) -> Iterable[DrawnLine]:
    """Return the lines that one more stone on one of these squares completes."""
    targeted = bits_of(targets)
    missing = ((line, line & ~own) for line in rules.lines if not line & other)
    return [(mark, line) for line, left in missing if left & targeted and not left & (left - 1)]
