"""Sequences of threats: wins in which every move of the attacker threatens a line, so that each answer is forced.

A line that may still be completed is kept as the set of the squares that it misses; a set of one is a threat.
"""

from dataclasses import dataclass
from typing import TypeAlias

from solver.board.rules import Bits, Cell, Rules, cells_of, union
from solver.explain.plan import Completion, DoubleThreat, Plan, QuietMove, SingleThreat

Missing: TypeAlias = list[Bits]
"""What each line of a player misses that holds no stone of the other's."""


@dataclass(slots=True)
class Effort:
    """The positions that may still be looked at in searches for sequences."""

    steps: int


def missing(rules: Rules, own: Bits, other: Bits) -> Missing:
    """What each line misses on which one player has `own` stones and the other none."""
    return [line & ~own for line in rules.lines if not line & other]


def sequence(
    rules: Rules, stones: tuple[Bits, Bits], plies: int, effort: Effort, first: Cell | None = None
) -> Plan | None:
    """The shortest win by nothing but threats, within so many plies, of the player to move, whose stones come first.

    With `first` it begins there. None where there is none, or where the effort does not reach.
    """
    own, other = stones
    mine, theirs = missing(rules, own, other), missing(rules, other, own)
    for limit in range(1, plies + 1, 2):
        found = _seek(mine, theirs, limit, effort) if first is None else _begin(mine, theirs, first, limit, effort)
        if found or effort.steps <= 0:
            return found
    return None


def zone(rules: Rules, stones: tuple[Bits, Bits], plan: Plan) -> Bits:
    """The squares on which one more stone of the defender's could spoil a sequence; all, for any other plan.

    On any other it takes no square of the sequence, and leaves each line of the defender's short of a threat.
    """
    own, other = stones
    theirs, found = missing(rules, other, own), 0
    while True:
        stone = 1 << plan.move
        theirs = [line for line in theirs if not line & stone]
        found |= union([stone, *(line for line in theirs if line.bit_count() == 2)])
        match plan:
            case Completion():
                return found
            case DoubleThreat():
                return found | union(1 << target for target in plan.targets)
            case QuietMove():
                return rules.full
        found |= 1 << plan.answer
        theirs = [line & ~(1 << plan.answer) for line in theirs]
        plan = plan.then


def _begin(mine: Missing, theirs: Missing, move: Cell, plies: int, effort: Effort) -> Plan | None:
    """The sequence that begins with a move."""
    stone = 1 << move
    if stone in mine:
        return Completion(move)
    after = [line & ~stone for line in mine]
    against = [line for line in theirs if not line & stone]
    if plies < 3 or _single(against):
        return None
    threats = _single(after)
    if threats & (threats - 1):
        return DoubleThreat(move, tuple(cells_of(threats)))
    if not threats or plies < 5:
        return None
    then = _seek(*_answered(after, against, threats), plies - 2, effort)
    return SingleThreat(move, threats.bit_length() - 1, then) if then else None


def _seek(mine: Missing, theirs: Missing, plies: int, effort: Effort) -> Plan | None:
    """The sequence of the player to move within so many plies."""
    effort.steps -= 1
    if completing := _single(mine):
        return Completion(next(cells_of(completing)))
    counters = _single(theirs)
    if plies < 3 or counters & (counters - 1):
        return None
    partners: dict[Bits, Bits] = {}
    for line in mine:
        if line.bit_count() == 2:
            low = line & -line
            high = line ^ low
            partners[low] = partners.get(low, 0) | high
            partners[high] = partners.get(high, 0) | low
    if counters:
        partners = {counters: partners[counters]} if counters in partners else {}
    for stone, targets in partners.items():
        if targets & (targets - 1):
            return DoubleThreat(stone.bit_length() - 1, tuple(cells_of(targets)))
    if plies < 5:
        return None
    most = plies - 1 >> 1
    for stone, answer in partners.items():
        if effort.steps <= 0:
            return None
        after = [each for line in mine if not line & answer and (each := line & ~stone).bit_count() <= most]
        against = [line & ~answer for line in theirs if not line & stone]
        if then := _seek(after, against, plies - 2, effort):
            return SingleThreat(stone.bit_length() - 1, answer.bit_length() - 1, then)
    return None


def _answered(mine: Missing, theirs: Missing, answer: Bits) -> tuple[Missing, Missing]:
    return [line for line in mine if not line & answer], [line & ~answer for line in theirs]


def _single(lines: Missing) -> Bits:
    """The squares on which a line of these is completed."""
    found = 0
    for line in lines:
        if not line & (line - 1):
            found |= line
    return found
