"""Checks what a reason rests on, by nothing but the rules and the outcomes: not how it was found, nor by whom."""

from collections.abc import Callable, Iterable, Mapping
from functools import singledispatch
from typing import TypeAlias

from solver.board.outcome import Outcome, Value
from solver.board.position import Position
from solver.board.rules import Bits, Cell, Rules, cells_of, union
from solver.reasons.forcing import forces, forces_but_for_rest
from solver.reasons.grounds import (
    AllLose,
    Among,
    Blocks,
    Completes,
    Elsewhere,
    FillsBoard,
    ForcesReply,
    GainsTime,
    GivesWinAway,
    Ground,
    Harmless,
    LimitsReplies,
    Loses,
    NoLineLeft,
    OnlyMove,
    Pairing,
    Replies,
    Slower,
    StopsFork,
    StopsWin,
    Twin,
    Unblocked,
    Wins,
)
from solver.reasons.plan import Plan, QuietMove, SingleThreat, length

OutcomesOf: TypeAlias = Callable[[Position], Mapping[Cell, Outcome]]
"""The outcome of every open square of a position, as far as that is proved."""

PROVES = {
    Value.WIN: (Completes, Wins),
    Value.LOSS: (Unblocked, Loses, GivesWinAway, Elsewhere),
    Value.DRAW: (
        FillsBoard, NoLineLeft, Blocks, OnlyMove, GainsTime, StopsFork, StopsWin, ForcesReply, LimitsReplies, Pairing,
        Harmless, GivesWinAway, Replies, Among,
    ),
}  # fmt: skip
"""What a reason has to rest on, by the outcome that it is for; the rest may stand beside it."""


def holds(position: Position, cell: Cell, grounds: Iterable[Ground], known: OutcomesOf) -> bool:
    """Whether all this is true of an open square of a position, and says what its outcome rests on."""
    outcome, grounds = known(position).get(cell), tuple(grounds)
    if outcome is None or not any(isinstance(ground, PROVES.get(outcome.value, ())) for ground in grounds):
        return False
    return all(fact(ground, position, cell, known) for ground in grounds)


def wins(position: Position, plan: Plan, known: OutcomesOf) -> bool:
    """Whether the mover wins by the plan: by the rules, but for a rest of replies to a move that is known to win."""
    rules, own, other = position.rules, position.own, position.other
    match plan:
        case QuietMove() if plan.rest:
            outcome = known(position).get(plan.move)
            is_known = outcome is not None and outcome.value is Value.WIN and _takes(outcome, plan.plies)
            return is_known and forces_but_for_rest(rules, own, other, plan)
        case SingleThreat(move=move, answer=answer, then=then) if position.empty >> move & position.empty >> answer & 1:
            after = position.after(move)
            forced = rules.completing(after.other, after.own) == 1 << answer and not after.winning_lines
            return forced and not rules.completing(after.own, after.other) and wins(after.after(answer), then, known)
        case _:
            return forces(rules, own, other, plan)


@singledispatch
def fact(ground: Ground, _position: Position, _cell: Cell, _known: OutcomesOf) -> bool:
    """Whether this is true of an open square of a position, as far as the outcomes are known."""
    raise TypeError(f"{ground!r} is no ground.")


@fact.register
def _(ground: Completes, position: Position, cell: Cell, known: OutcomesOf) -> bool:
    lines = _through(position.rules, position.own, cell)
    return bool(lines) and set(ground.lines) == set(lines) and _takes(known(position)[cell], 1)


@fact.register
def _(ground: Wins, position: Position, cell: Cell, known: OutcomesOf) -> bool:
    return (
        ground.plan.move == cell
        and wins(position, ground.plan, known)
        and _takes(known(position)[cell], length(ground.plan))
    )


@fact.register
def _(ground: Unblocked, position: Position, cell: Cell, known: OutcomesOf) -> bool:
    threats = position.rules.completing(position.other, position.own)
    return (
        ground.move != cell
        and ground.move in ground.threats
        and threats == _squares(ground.threats)
        and ground.line in _through(position.rules, position.other, ground.move)
        and _takes(known(position)[cell], 2)
    )


@fact.register
def _(ground: Loses, position: Position, cell: Cell, known: OutcomesOf) -> bool:
    rules, own, other = position.rules, position.own | 1 << cell, position.other
    threats = rules.completing(own, other)
    return (
        wins(position.after(cell), ground.plan, known)
        and _takes(known(position)[cell], 1 + length(ground.plan))
        and (threats == 1 << ground.plan.move) == ground.blocking
        and (ground.race is None or (not threats and forces(rules, own, other, ground.race)))
    )


@fact.register
def _(_ground: FillsBoard, position: Position, cell: Cell, _: OutcomesOf) -> bool:
    return position.empty == 1 << cell and not _through(position.rules, position.own, cell)


@fact.register
def _(_ground: NoLineLeft, position: Position, cell: Cell, _: OutcomesOf) -> bool:
    own, other = position.own | 1 << cell, position.other
    return all(line & own and line & other for line in position.rules.lines)


@fact.register
def _(ground: Blocks, position: Position, cell: Cell, _: OutcomesOf) -> bool:
    return bool(ground.lines) and set(ground.lines) == set(_through(position.rules, position.other, cell))


@fact.register
def _(ground: OnlyMove, position: Position, cell: Cell, known: OutcomesOf) -> bool:
    squares = known(position)
    others = [squares[each].value for each in cells_of(position.empty & ~(1 << cell)) if each in squares]
    if not others or len(others) < position.plies_left - 1 or set(others) != {Value.LOSS}:
        return False
    if ground.example is None or ground.plan is None:
        return ground.example is None and ground.plan is None
    if ground.example == cell or not position.empty >> ground.example & 1:
        return False
    return forces(position.rules, position.other, position.own | 1 << ground.example, ground.plan)


@fact.register
def _(ground: GainsTime, position: Position, cell: Cell, _: OutcomesOf) -> bool:
    rules, own, other = position.rules, position.own | 1 << cell, position.other
    return (
        rules.completing(own, other) == 1 << ground.answer
        and not rules.completing(other, own)
        and ground.fork not in (cell, ground.answer)
        and bool(position.empty >> ground.fork & 1)
        and len(ground.targets) >= 2
        and rules.completing(other | 1 << ground.fork, own) == _squares(ground.targets)
    )


@fact.register
def _(ground: StopsFork, position: Position, cell: Cell, _: OutcomesOf) -> bool:
    threats = position.rules.completing(position.other | 1 << cell, position.own)
    return len(ground.targets) >= 2 and threats == _squares(ground.targets)


@fact.register
def _(ground: StopsWin, position: Position, cell: Cell, _: OutcomesOf) -> bool:
    rules, own, other = position.rules, position.own, position.other
    return forces(rules, other, own, ground.plan) and not forces(rules, other, own | 1 << cell, ground.plan)


@fact.register
def _(ground: ForcesReply, position: Position, cell: Cell, _: OutcomesOf) -> bool:
    rules, own, other = position.rules, position.own | 1 << cell, position.other
    return rules.completing(own, other) == 1 << ground.answer and not rules.completing(other, own)


@fact.register
def _(ground: LimitsReplies, position: Position, cell: Cell, _: OutcomesOf) -> bool:
    rules, own, other = position.rules, position.own | 1 << cell, position.other
    return (
        bool(ground.replies)
        and not rules.completing(own, other) | rules.completing(other, own)
        and not ground.replies & ~(position.empty & ~(1 << cell))
        and forces(rules, own, other, ground.plan)
        and all(
            forces(rules, own, other | 1 << reply, ground.plan)
            for reply in cells_of(position.empty & ~(1 << cell | ground.replies))
        )
    )


@fact.register
def _(ground: Pairing, position: Position, cell: Cell, _: OutcomesOf) -> bool:
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
def _(_ground: Harmless, position: Position, cell: Cell, _: OutcomesOf) -> bool:
    own = position.own | 1 << cell
    return all(line & own for line in position.rules.lines)


@fact.register
def _(ground: GivesWinAway, position: Position, cell: Cell, known: OutcomesOf) -> bool:
    wins = {each for each, outcome in known(position).items() if outcome.value is Value.WIN}
    return bool(ground.winning) and cell not in wins and set(ground.winning) == wins


@fact.register
def _(ground: Elsewhere, position: Position, cell: Cell, known: OutcomesOf) -> bool:
    squares = known(position)
    draws = {each for each, outcome in squares.items() if outcome.value is Value.DRAW}
    losses = {each for each, outcome in squares.items() if outcome.value is Value.LOSS}
    is_all = len(draws) + len(losses) == position.plies_left
    return bool(draws) and is_all and cell in losses and set(ground.drawing) == draws


@fact.register
def _(ground: Replies, position: Position, cell: Cell, known: OutcomesOf) -> bool:
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
def _(ground: Among, position: Position, cell: Cell, known: OutcomesOf) -> bool:
    others = {each: outcome.value for each, outcome in known(position).items() if each != cell}
    said = dict.fromkeys(ground.drawing, Value.DRAW) | dict.fromkeys(ground.losing, Value.LOSS)
    return bool(ground.drawing) and said == others and len(others) == position.plies_left - 1


@fact.register
def _(ground: Twin, position: Position, cell: Cell, _: OutcomesOf) -> bool:
    return ground.cell != cell and any(symmetry.index(cell) == ground.cell for symmetry in position.symmetries())


@fact.register
def _(ground: Slower, position: Position, cell: Cell, known: OutcomesOf) -> bool:
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
def _(ground: AllLose, position: Position, cell: Cell, known: OutcomesOf) -> bool:
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


def _squares(cells: Iterable[Cell]) -> Bits:
    return union(1 << cell for cell in cells)


def _takes(outcome: Outcome, plies: int) -> bool:
    """Whether a plan that takes so many plies is just as long as the outcome says, as far as it does."""
    return outcome.plies is None or outcome.plies == plies
