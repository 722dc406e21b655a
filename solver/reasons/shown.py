"""The lines that a reason speaks of, to be drawn on the board."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from solver.board.position import Mark, Position
from solver.board.rules import Bits, Cell, Rules, union
from solver.reasons.grounds import (
    Blocks,
    Completes,
    ForcesReply,
    GainsTime,
    Ground,
    LimitsReplies,
    Loses,
    StopsFork,
    StopsWin,
    Unblocked,
    Wins,
)
from solver.reasons.plan import DoubleThreat, Plan, QuietMove, SingleThreat

DrawnLine: TypeAlias = tuple[Mark, Bits]
"""A line, and who has it or wants it."""


def lines_of(position: Position, cell: Cell, grounds: Sequence[Ground]) -> tuple[DrawnLine, ...]:
    """The lines of all these grounds for a square, each once, with whose they are."""
    return tuple(dict.fromkeys(line for ground in grounds for line in _of(ground, position, cell)))


def _of(ground: Ground, position: Position, cell: Cell) -> Iterator[DrawnLine]:
    rules, me, you = position.rules, position.mover, position.mover.other
    own, other = position.own | 1 << cell, position.other
    match ground:
        case Completes(lines=lines):
            yield from ((me, line) for line in lines)
        case Blocks(lines=lines):
            yield from ((you, line) for line in lines)
        case Unblocked(line=line):
            yield you, line
        case Wins(plan=plan):
            yield from ((me, line) for line in _last(rules, position.own, other, plan))
        case Loses(plan=plan):
            yield from ((you, line) for line in _last(rules, other, own, plan))
        case GainsTime(answer=answer) | ForcesReply(answer=answer):
            yield from ((me, line) for line in _threatened(rules, own, other, [answer]))
        case StopsWin(plan=plan):
            yield from ((you, line) for line in _last(rules, other, position.own, plan))
        case LimitsReplies(plan=plan):
            yield from ((me, line) for line in _last(rules, own, other, plan))
        case StopsFork(targets=targets):
            yield from ((you, line) for line in _threatened(rules, other | 1 << cell, position.own, targets))


def _last(rules: Rules, own: Bits, other: Bits, plan: Plan) -> Iterable[Bits]:
    """The lines that the attacker threatens at the end of a plan, or of what a quiet move threatens."""
    own |= 1 << plan.move
    match plan:
        case SingleThreat():
            return _last(rules, own, other | 1 << plan.answer, plan.then)
        case DoubleThreat():
            return _threatened(rules, own, other, plan.targets)
        case QuietMove(threat=threat) if threat is not None:
            return _last(rules, own, other, threat)
    return ()


def _threatened(rules: Rules, own: Bits, other: Bits, squares: Iterable[Cell]) -> Iterable[Bits]:
    """The lines that one more stone on one of these squares completes."""
    open_squares = union(1 << cell for cell in squares)
    missing = ((line, line & ~own) for line in rules.lines if not line & other)
    return [line for line, left in missing if left & open_squares and not left & (left - 1)]
