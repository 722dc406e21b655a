"""Finds why a square draws: how it keeps its player from losing, and what it gives away."""

from collections.abc import Iterator, Mapping

from solver.board.outcome import Outcome, Value
from solver.board.position import Position
from solver.board.rules import Bits, Cell, cells_of
from solver.explain.check import Known, completing
from solver.explain.grounds import (
    Blocks,
    FillsBoard,
    GainsTime,
    GivesWinAway,
    Ground,
    Harmless,
    NoLineLeft,
    OnlyMove,
    Pairing,
    Replies,
    StopsFork,
)
from solver.explain.planning import Planner
from solver.search.potential import potential

PAIRINGS = 200
"""Steps that a search for a pairing may take."""


def why_it_draws(position: Position, cell: Cell, known: Known, planner: Planner) -> tuple[Ground, ...]:
    """What explains that the square draws: what comes first matters most."""
    squares, after = known(position), position.after(cell)
    winning = tuple(each for each, outcome in squares.items() if outcome.value is Value.WIN)
    replies = _replies(known(after)) if after.empty else None
    choices = (replies,) if replies else ()
    if winning:
        return GivesWinAway(winning), *choices
    purpose = next(_purposes(position, cell), None)
    grounds: tuple[Ground, ...] = (purpose,) if purpose else ()
    others = [each for each in squares if each != cell]
    if others and all(squares[each].value is Value.LOSS for each in others):
        grounds = (OnlyMove() if purpose else _only_move(position, others, known, planner), *grounds)
    if replies and (not grounds or (replies.losing and not isinstance(purpose, GainsTime))):
        return grounds + choices
    return grounds


def _only_move(position: Position, others: list[Cell], known: Known, planner: Planner) -> OnlyMove:
    """That all the others lose, with the likeliest of them as an example."""
    example = max(others, key=lambda each: potential(position, each))
    plies = known(position)[example].plies
    plan = planner.plan(position.after(example), plies - 1) if plies else None
    return OnlyMove(example, plan) if plan else OnlyMove()


def _purposes(position: Position, cell: Cell) -> Iterator[Ground]:
    """What the square does for its player by itself."""
    rules, own, other = position.rules, position.own | 1 << cell, position.other
    if position.empty == 1 << cell:
        yield FillsBoard()
        return
    if blocked := tuple(line for line in rules.lines_through[cell] if line & (other | 1 << cell) == line):
        yield Blocks(blocked)
    if all(line & own and line & other for line in rules.lines):
        yield NoLineLeft()
    threats = completing(rules, own, other)
    if threats.bit_count() == 1:
        answer = threats.bit_length() - 1
        for fork in cells_of(position.empty & ~(1 << cell | threats)):
            if len(targets := tuple(cells_of(completing(rules, other | 1 << fork, own)))) >= 2:
                yield GainsTime(answer, fork, targets)
    if len(targets := tuple(cells_of(completing(rules, other | 1 << cell, position.own)))) >= 2:
        yield StopsFork(targets)
    live = [line for line in rules.lines if not line & own]
    if not live:
        yield Harmless()
    elif (pairs := pairing([line & ~other for line in live])) is not None:
        yield Pairing(pairs)


def _replies(outcomes: Mapping[Cell, Outcome]) -> Replies | None:
    """The opponent's replies, where their outcomes are known."""
    drawing, losing = (
        tuple(reply for reply, outcome in outcomes.items() if outcome.value is value)
        for value in (Value.DRAW, Value.LOSS)
    )
    return Replies(drawing, losing) if drawing else None


def pairing(lines: list[Bits]) -> tuple[tuple[Cell, Cell], ...] | None:
    """Disjoint pairs of squares, one within each of these sets; None where none is found in so many steps."""
    steps = PAIRINGS

    def paired(left: list[Bits], used: Bits) -> tuple[Bits, ...] | None:
        nonlocal steps
        steps -= 1
        if not left:
            return ()
        if steps < 0:
            return None
        narrowest = min(left, key=lambda line: (line & ~used).bit_count())
        for pair in sorted(_pairs(narrowest & ~used), key=lambda pair: -sum(line & pair == pair for line in left)):
            rest = paired([line for line in left if line & pair != pair], used | pair)
            if rest is not None:
                return pair, *rest
        return None

    found = paired(lines, 0)
    return None if found is None else tuple((low, high) for low, high in (cells_of(pair) for pair in found))


def _pairs(squares: Bits) -> Iterator[Bits]:
    cells = [1 << cell for cell in cells_of(squares)]
    return (one | other for index, one in enumerate(cells) for other in cells[:index])
