"""Finds why a square draws: how it keeps its player from losing, and what it gives away."""

from collections.abc import Iterator, Mapping

from solver.board.outcome import Outcome, Value
from solver.board.position import Position
from solver.board.rules import Bits, Cell, cells_of
from solver.kernel.potential import potential
from solver.reasons.check import OutcomesOf
from solver.reasons.forcing import forces, zone
from solver.reasons.grounds import (
    Among,
    Blocks,
    FillsBoard,
    ForcesReply,
    GainsTime,
    GivesWinAway,
    Ground,
    Harmless,
    LimitsReplies,
    NoLineLeft,
    OnlyMove,
    Pairing,
    Replies,
    StopsFork,
    StopsWin,
    Twin,
)
from solver.reasons.open_lines import OpenLines
from solver.reasons.planning import Planner
from solver.reasons.sequences import Effort, sequence
from solver.search.budget import BudgetExhausted
from solver.search.pairings import pairing

THREATS = 200
"""Steps that a search for a win by threats may take."""


def why_it_draws(position: Position, cell: Cell, known: OutcomesOf, planner: Planner) -> tuple[Ground, ...]:
    """What explains that the square draws: what comes first matters most."""
    squares, after = known(position), position.after(cell)
    winning = tuple(each for each, outcome in squares.items() if outcome.value is Value.WIN)
    replies = _replies(known(after)) if after.empty else None
    choices = (replies,) if replies else ()
    if winning:
        return GivesWinAway(winning), *choices
    purpose = next(_purposes(position, cell), None)
    if replies and isinstance(purpose, LimitsReplies):  # of which the replies say more
        purpose = None
    grounds: tuple[Ground, ...] = (purpose,) if purpose else ()
    others = [each for each in squares if each != cell]
    if others and all(squares[each].value is Value.LOSS for each in others):
        grounds = (OnlyMove() if purpose else _only_move(position, others, known, planner), *grounds)
    if not grounds:
        return (choices or _among(squares, others)) + _twin(position, cell)
    if replies and replies.losing and not isinstance(purpose, GainsTime | ForcesReply):
        return grounds + choices
    return grounds


def _twin(position: Position, cell: Cell) -> tuple[Ground, ...]:
    """The first square that a symmetry turns into this one, if it is another."""
    first = min(symmetry.index(cell) for symmetry in position.symmetries())
    return (Twin(first),) if first != cell else ()


def _among(squares: Mapping[Cell, Outcome], others: list[Cell]) -> tuple[Ground, ...]:
    """How the other squares fare, none of which wins, where that is known of all."""
    drawing = tuple(each for each in others if squares[each].value is Value.DRAW)
    losing = tuple(each for each in others if squares[each].value is Value.LOSS)
    return (Among(drawing, losing),) if drawing and len(drawing) + len(losing) == len(others) else ()


def _only_move(position: Position, others: list[Cell], known: OutcomesOf, planner: Planner) -> OnlyMove:
    """That all the others lose, with the likeliest of them as an example."""
    example = max(others, key=lambda each: potential(position, each))
    plies = known(position)[example].plies
    try:
        plan = planner.complete(position.after(example), plies - 1) if plies else None
    except BudgetExhausted:
        plan = None
    return OnlyMove(example, plan) if plan else OnlyMove()


def _purposes(position: Position, cell: Cell) -> Iterator[Ground]:
    """What the square does for its player, the plainest first."""
    rules, own, other = position.rules, position.own | 1 << cell, position.other
    if position.empty == 1 << cell:
        yield FillsBoard()
        return
    if blocked := tuple(line for line in rules.lines_through[cell] if line & (other | 1 << cell) == line):
        yield Blocks(blocked)
    if all(line & own and line & other for line in rules.lines):
        yield NoLineLeft()
    threats = rules.completing(own, other)
    if threats.bit_count() == 1:
        answer = threats.bit_length() - 1
        for fork in cells_of(position.empty & ~(1 << cell | threats)):
            if len(targets := tuple(cells_of(rules.completing(other | 1 << fork, own)))) >= 2:
                yield GainsTime(answer, fork, targets)
    if len(targets := tuple(cells_of(rules.completing(other | 1 << cell, position.own)))) >= 2:
        yield StopsFork(targets)
    live = [line for line in rules.lines if not line & own]
    if not live:
        yield Harmless()
    elif (pairs := pairing([line & ~other for line in live])) is not None:
        yield Pairing(pairs)
    yield from _against_threats(position, cell, threats)


def _against_threats(position: Position, cell: Cell, threats: Bits) -> Iterator[Ground]:
    """What the square does about sequences of threats: the opponent's, and the mover's own."""
    rules, own, other, plies = position.rules, position.own | 1 << cell, position.other, position.plies_left
    theirs = sequence(OpenLines.of(rules, other, position.own, plies), plies, Effort(THREATS))
    if theirs and not forces(rules, other, own, theirs):
        yield StopsWin(theirs)
    if threats.bit_count() == 1:
        yield ForcesReply(threats.bit_length() - 1)
        return
    lines = OpenLines.of(rules, own, other, plies)
    if mine := sequence(lines, plies, Effort(THREATS)):
        yield LimitsReplies(mine, zone(lines, mine) & lines.empty)


def _replies(outcomes: Mapping[Cell, Outcome]) -> Replies | None:
    """The opponent's replies, where their outcomes are known."""
    drawing, losing = (
        tuple(reply for reply, outcome in outcomes.items() if outcome.value is value)
        for value in (Value.DRAW, Value.LOSS)
    )
    return Replies(drawing, losing) if drawing else None
