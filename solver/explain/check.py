"""Checks what a reason rests on, by nothing but the rules and the outcomes: not how it was found, nor by whom.

A line that a player may still complete is kept as the set of the squares that it misses; a set of one is a threat.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import singledispatch
from typing import TypeAlias

from solver.board.outcome import Outcome, Value
from solver.board.position import Position
from solver.board.rules import Bits, Cell, Rules, cells_of, union
from solver.explain.grounds import (
    AllLose,
    Blocks,
    Completes,
    FillsBoard,
    GainsTime,
    GivesWinAway,
    Ground,
    Harmless,
    Loses,
    NoLineLeft,
    OnlyMove,
    Pairing,
    Replies,
    Slower,
    StopsFork,
    Unblocked,
    Wins,
)
from solver.explain.plan import Completion, DoubleThreat, Plan, QuietMove, SingleThreat, length

Known: TypeAlias = Callable[[Position], Mapping[Cell, Outcome]]
"""The outcome of every open square of a position, as far as that is proved."""

PROVES = {
    Value.WIN: (Completes, Wins),
    Value.LOSS: (Unblocked, Loses),
    Value.DRAW: (
        FillsBoard, NoLineLeft, Blocks, OnlyMove, GainsTime, StopsFork, Pairing, Harmless, GivesWinAway, Replies,
    ),
}  # fmt: skip
"""What a reason has to rest on, by the outcome that it is for; the rest may stand beside it."""


def holds(position: Position, cell: Cell, grounds: Iterable[Ground], known: Known) -> bool:
    """Whether all this is true of an open square of a position, and says what its outcome rests on."""
    outcome, grounds = known(position).get(cell), tuple(grounds)
    if outcome is None or not any(isinstance(ground, PROVES.get(outcome.value, ())) for ground in grounds):
        return False
    return all(fact(ground, position, cell, known) for ground in grounds)


def forces(rules: Rules, stones: tuple[Bits, Bits], plan: Plan) -> bool:
    """Whether the plan wins for the player to move, whose stones come first, whatever the other player does.

    Neither has a line yet.
    """
    own, other = stones
    moves = (length(plan) + 1) // 2  # lines that miss more can be neither completed nor threatened by then
    mine = [line & ~own for line in rules.lines if not line & other and (line & ~own).bit_count() <= moves]
    theirs = [line & ~other for line in rules.lines if not line & own and (line & ~other).bit_count() <= moves]
    return _forces(mine, theirs, rules.full & ~(own | other), plan)


def _forces(mine: list[Bits], theirs: list[Bits], empty: Bits, plan: Plan) -> bool:
    stone = 1 << plan.move
    if not stone & empty:
        return False
    mine, theirs, empty = [line & ~stone for line in mine], [line for line in theirs if not line & stone], empty ^ stone
    if isinstance(plan, Completion):
        return 0 in mine
    if 0 in mine or _threats(theirs):
        return False
    threats = _threats(mine)
    match plan:
        case DoubleThreat():
            return len(plan.targets) >= 2 and threats == _squares(plan.targets)
        case SingleThreat():
            return threats == 1 << plan.answer and _forces_after(mine, theirs, empty, threats, plan.then)
        case QuietMove():
            answers = ((1 << reply, plan.against(reply)) for reply in cells_of(empty))
            return (
                not threats
                and (plan.threat is None or _forces(mine, theirs, empty, plan.threat))
                and all(then is not None and _forces_after(mine, theirs, empty, reply, then) for reply, then in answers)
            )


def _forces_after(mine: list[Bits], theirs: list[Bits], empty: Bits, reply: Bits, plan: Plan) -> bool:
    """Whether the plan wins after this reply."""
    left = [line for line in mine if not line & reply]
    return _forces(left, [line & ~reply for line in theirs], empty ^ reply, plan)


def _threats(lines: Iterable[Bits]) -> Bits:
    return union(line for line in lines if not line & (line - 1))


def _squares(cells: Iterable[Cell]) -> Bits:
    return union(1 << cell for cell in cells)


def completing(rules: Rules, own: Bits, other: Bits) -> Bits:
    """The open squares on which a player with these stones completes a line."""
    return _threats(line & ~own for line in rules.lines if not line & other and line & ~own)


@singledispatch
def fact(ground: Ground, _position: Position, _cell: Cell, _known: Known) -> bool:
    """Whether this is true of an open square of a position, as far as the outcomes are known."""
    raise TypeError(f"{ground!r} is no ground.")


@fact.register
def _(ground: Completes, position: Position, cell: Cell, known: Known) -> bool:
    lines = _through(position.rules, position.own, cell)
    return bool(lines) and set(ground.lines) == set(lines) and _takes(known(position)[cell], 1)


@fact.register
def _(ground: Wins, position: Position, cell: Cell, known: Known) -> bool:
    return (
        ground.plan.move == cell
        and forces(position.rules, (position.own, position.other), ground.plan)
        and _takes(known(position)[cell], length(ground.plan))
    )


@fact.register
def _(ground: Unblocked, position: Position, cell: Cell, known: Known) -> bool:
    threats = completing(position.rules, position.other, position.own)
    return (
        ground.move != cell
        and ground.move in ground.threats
        and threats == _squares(ground.threats)
        and ground.line in _through(position.rules, position.other, ground.move)
        and _takes(known(position)[cell], 2)
    )


@fact.register
def _(ground: Loses, position: Position, cell: Cell, known: Known) -> bool:
    rules, own, other = position.rules, position.own | 1 << cell, position.other
    threats = completing(rules, own, other)
    return (
        forces(rules, (other, own), ground.plan)
        and _takes(known(position)[cell], 1 + length(ground.plan))
        and (threats == 1 << ground.plan.move) == ground.blocking
        and (ground.race is None or (not threats and forces(rules, (own, other), ground.race)))
    )


@fact.register
def _(_ground: FillsBoard, position: Position, cell: Cell, _: Known) -> bool:
    return position.empty == 1 << cell and not _through(position.rules, position.own, cell)


@fact.register
def _(_ground: NoLineLeft, position: Position, cell: Cell, _: Known) -> bool:
    own, other = position.own | 1 << cell, position.other
    return all(line & own and line & other for line in position.rules.lines)


@fact.register
def _(ground: Blocks, position: Position, cell: Cell, _: Known) -> bool:
    return bool(ground.lines) and set(ground.lines) == set(_through(position.rules, position.other, cell))


@fact.register
def _(ground: OnlyMove, position: Position, cell: Cell, known: Known) -> bool:
    squares = known(position)
    others = [squares[each].value for each in cells_of(position.empty & ~(1 << cell)) if each in squares]
    if not others or len(others) < position.plies_left - 1 or set(others) != {Value.LOSS}:
        return False
    if ground.example is None or ground.plan is None:
        return ground.example is None and ground.plan is None
    if ground.example == cell or not position.empty >> ground.example & 1:
        return False
    return forces(position.rules, (position.other, position.own | 1 << ground.example), ground.plan)


@fact.register
def _(ground: GainsTime, position: Position, cell: Cell, _: Known) -> bool:
    rules, own, other = position.rules, position.own | 1 << cell, position.other
    return (
        completing(rules, own, other) == 1 << ground.answer
        and not completing(rules, other, own)
        and ground.fork not in (cell, ground.answer)
        and bool(position.empty >> ground.fork & 1)
        and len(ground.targets) >= 2
        and completing(rules, other | 1 << ground.fork, own) == _squares(ground.targets)
    )


@fact.register
def _(ground: StopsFork, position: Position, cell: Cell, _: Known) -> bool:
    threats = completing(position.rules, position.other | 1 << cell, position.own)
    return len(ground.targets) >= 2 and threats == _squares(ground.targets)


@fact.register
def _(ground: Pairing, position: Position, cell: Cell, _: Known) -> bool:
    own = position.own | 1 << cell
    pairs = [_squares(pair) for pair in ground.pairs]
    held = union(pairs)
    lines = [line for line in position.rules.lines if not line & own]
    return (
        bool(lines)
        and held.bit_count() == 2 * len(pairs)
        and not held & ~(position.empty & ~(1 << cell))
        and all(any(line & pair == pair for pair in pairs) for line in lines)
    )


@fact.register
def _(_ground: Harmless, position: Position, cell: Cell, _: Known) -> bool:
    own = position.own | 1 << cell
    return all(line & own for line in position.rules.lines)


@fact.register
def _(ground: GivesWinAway, position: Position, cell: Cell, known: Known) -> bool:
    wins = {each for each, outcome in known(position).items() if outcome.value is Value.WIN}
    return bool(ground.winning) and cell not in wins and set(ground.winning) == wins


@fact.register
def _(ground: Replies, position: Position, cell: Cell, known: Known) -> bool:
    replies = known(position.after(cell))
    found: dict[Value, set[Cell]] = {value: set() for value in Value}
    for reply, outcome in replies.items():
        found[outcome.value].add(reply)
    return (
        bool(ground.drawing)
        and len(replies) == position.plies_left - 1
        and (found[Value.DRAW], found[Value.LOSS]) == (set(ground.drawing), set(ground.losing))
        and not found[Value.WIN]
        and not found[Value.UNKNOWN]
    )


@fact.register
def _(ground: Slower, position: Position, cell: Cell, known: Known) -> bool:
    squares = known(position)
    wins = {each: outcome.plies for each, outcome in squares.items() if outcome.value is Value.WIN}
    best, taken = wins.get(ground.best), wins.get(cell)
    return (
        best == ground.plies
        and taken is not None
        and best < taken
        and all(plies is not None and plies >= best for plies in wins.values())
    )


@fact.register
def _(ground: AllLose, position: Position, cell: Cell, known: Known) -> bool:
    squares = known(position)
    plies = [outcome.plies for outcome in squares.values() if outcome.value is Value.LOSS]
    lasts = squares[cell].plies
    if len(plies) != position.plies_left or len(plies) < 2 or lasts is None:
        return False
    return ground.longest == all(each is not None and each <= lasts for each in plies)


def _through(rules: Rules, stones: Bits, cell: Cell) -> list[Bits]:
    """The lines that a stone on this cell completes."""
    with_it = stones | 1 << cell
    return [line for line in rules.lines_through[cell] if line & with_it == line]


def _takes(outcome: Outcome, plies: int) -> bool:
    """Whether a plan that takes so many plies is just as long as the outcome says, as far as it does."""
    return outcome.plies is None or outcome.plies == plies
