"""Exact scores on any board, as far as a budget of nodes or seconds reaches.

A position is decided in n plies if its mover can force a line within n (odd) or cannot prevent the opponent's (even).
Asked for growing n, the first yes is the score with its distance; no to both without limit is a draw. Short wins and
losses are asked for first, since on many boards they settle the matter before the long questions become hard. Every
answer narrows the bounds of the score, and the bounds say what to ask next: so a proof may stop after any answer and
go on later, elsewhere.

Positions that single moves lead to from one are asked about together first: see `Siblings`.
"""

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import TypeAlias

from solver.board.outcome import DRAWN, LOST, WIN, Bounds, Score
from solver.board.position import Position
from solver.board.rules import Bits, Cell, Rules
from solver.search.budget import UNLIMITED, Budget, BudgetExhausted, Meter
from solver.search.solver import ALL, Attack, Solver, Techniques

SHORT = 11
"""Plies up to which wins and losses are asked for one by one, of all positions, before a draw is."""

CROWDED = 1.75
"""Lines a cell from which on nearly every position has a winner: 7x7x4 has 1.8, 6x6x4 1.5. There a draw is asked for
last, since a win in one ply more is soon found or excluded, and that nobody wins is not."""

FIRST_SHARE = 30_000
"""Nodes that a long question may take before the other positions have their turn; each round allows more."""

GROWTH = 4
"""How many times more."""

Narrowing: TypeAlias = Callable[[Mapping[Position, Bounds], Meter], Generator[tuple[Position, Bounds], None, None]]
"""Narrows bounds as far as a meter reaches, and yields each position with its new bounds whenever they are narrower."""


@dataclass(frozen=True, slots=True)
class Proofs:
    """What is proved of the scores of moves, for the player who makes them, and the nodes it took."""

    bounds: Mapping[Cell, Bounds]
    nodes: int

    @property
    def scores(self) -> dict[Cell, Score]:
        """The scores that are proved exactly."""
        return {cell: bounds.score for cell, bounds in self.bounds.items() if bounds.score is not None}


@dataclass(frozen=True, slots=True)
class ProvedScore:
    """What is proved of a position's score for its mover, and the nodes it took."""

    bounds: Bounds
    nodes: int

    @property
    def score(self) -> Score | None:
        """The score, None where the budget did not reach it."""
        return self.bounds.score


def proved_score(position: Position, budget: Budget = UNLIMITED, techniques: Techniques = ALL) -> ProvedScore:
    """The score of a position, by a solver that knows nothing yet."""
    solver, meter, known = Solver(position.rules, techniques), Meter(budget), {position: at_first(position)}
    known |= narrowing(solver, known, meter)
    return ProvedScore(known[position], meter.nodes)


def prove_moves(
    position: Position, moves: Iterable[Cell], budget: Budget = UNLIMITED, techniques: Techniques = ALL
) -> Proofs:
    """The scores of moves, by a solver that knows nothing yet."""
    reached = {cell: position.after(cell) for cell in moves}
    bounds = {after: at_first(after) for after in reached.values()}
    solver, meter = Solver(position.rules, techniques), Meter(budget)
    bounds |= narrowing(solver, bounds, meter)
    return Proofs({cell: bounds[after].to_parent() for cell, after in reached.items()}, meter.nodes)


def at_first(position: Position) -> Bounds:
    """What is known of a position's score without any search."""
    if position.winning_lines:
        return Bounds(LOST, LOST)
    if not position.empty:
        return Bounds(DRAWN, DRAWN)
    if position.empty == position.rules.full:
        return Bounds(lower=DRAWN)  # An extra stone never harms, so the first player could steal a winning strategy.
    return Bounds(lower=2 - WIN)


@dataclass(frozen=True, slots=True)
class Siblings:
    """Positions that differ in one stone of the player who is not to move: the choices of that player's last move.

    One question answers for all of them where the answer is no. If the player to move cannot force a line though the
    other passes instead of placing that stone, then not after it either, since a stone more never harms its owner. And
    if the other cannot force one, with the choice still open, then by none of the choices.
    """

    mover: Bits
    other: Bits
    """The stones that all of them have."""

    @classmethod
    def of(cls, positions: Iterable[Position]) -> "Siblings | None":
        """What these positions share; None if they are not siblings, or fewer than two."""
        known = list(positions)
        if len(known) < 2:
            return None
        mover, other = known[0].own, reduce(and_, (each.other for each in known))
        alike = all(each.own == mover and (each.other ^ other).bit_count() == 1 for each in known)
        return cls(mover, other) if alike else None

    def decided(self, solver: Solver, plies: int, meter: Meter, helper: int = 0) -> bool:
        """False only if `solver` would say of each of these positions that it is not decided in so many plies."""
        within = Attack(self.mover, self.other, plies) if plies % 2 else Attack(self.other, self.mover, plies + 1)
        return solver.succeeds(within, meter, helper)


def narrowing_siblings(
    solver: Solver, known: Mapping[Position, Bounds], meter: Meter, won: bool
) -> Generator[tuple[Position, Bounds], None, None]:
    """Narrows the bounds of siblings from one side, by questions to all at once: are they won, or are they lost?

    Ends with the first yes, with the meter, or when fewer than two are open.
    """
    siblings, bounds = Siblings.of(known), dict(known)

    def within(position: Position) -> int | None:
        """The plies of a position's next question from this side; None if there is none."""
        each = bounds[position]
        if each.closed or each.lower > DRAWN or each.upper < DRAWN:
            return None
        return _win_within(each) if won else _loss_within(each)

    while siblings and len(waiting := {each: plies for each in bounds if (plies := within(each)) is not None}) > 1:
        least, plies_left = min(waiting.values()), next(iter(waiting)).plies_left
        plies = least if least <= SHORT else plies_left - (plies_left % 2 != won)
        try:
            if siblings.decided(solver, plies, meter):
                return
        except BudgetExhausted:
            return
        for position in waiting:
            bounds[position] = answered(bounds[position], plies, False, plies_left)
            yield position, bounds[position]


def narrowing(
    solver: Solver, known: Mapping[Position, Bounds], meter: Meter, helper: int = 0
) -> Generator[tuple[Position, Bounds], None, None]:
    """Narrows the bounds of all these positions: first the short questions of all, then the long ones in turns.

    Yields each position with its new bounds whenever they are narrower. Ends when all are exact or the meter has run
    out; the caller may stop at any time and go on with what has been yielded. `helper` is as in `Solver.decided`.
    """
    open_questions = {position: at_first(position).narrowed(bounds) for position, bounds in known.items()}
    one_by_one = solver.rules.size if crowded(solver.rules) else SHORT
    siblings = Siblings.of(known)
    in_common = {0, 1} if siblings else set()

    def answer(position: Position, plies: int, yes: bool) -> tuple[Position, Bounds]:
        bounds = open_questions[position] = answered(open_questions[position], plies, yes, position.plies_left)
        return position, bounds

    def ask(position: Position, plies: int, share: Meter) -> tuple[Position, Bounds]:
        return answer(position, plies, solver.decided(position, plies, share, helper))

    def next_question(position: Position) -> int | None:
        return question(open_questions[position], position.plies_left, one_by_one)

    def ask_of_all(plies: int, share: int) -> Generator[tuple[Position, Bounds], None, None]:
        """Asks of all that wait for a question at once, with their shares together, unless a yes is to be expected."""
        waiting = [position for position in known if next_question(position) == plies]
        if siblings is None or len(waiting) < 2 or plies % 2 not in in_common:
            return
        try:
            yes = siblings.decided(solver, plies, meter.part(share * len(waiting)), helper)
        except BudgetExhausted:
            if meter.exhausted:
                raise
            return
        if yes:
            in_common.remove(plies % 2)
            return
        for position in waiting:
            yield answer(position, plies, yes)

    try:
        for plies in range(SHORT + 1):
            yield from ask_of_all(plies, FIRST_SHARE)
            for position in known:
                if next_question(position) == plies:
                    yield ask(position, plies, meter)
        share = FIRST_SHARE
        while waiting := [position for position in known if next_question(position) is not None]:
            asked_of_all: set[int] = set()
            while later := {plies for plies in map(next_question, waiting) if plies is not None} - asked_of_all:
                asked_of_all.add(min(later))
                yield from ask_of_all(min(later), share)
            for position in waiting:
                part = meter.part(share)
                try:
                    while (asked := next_question(position)) is not None:
                        yield ask(position, asked, part)
                except BudgetExhausted:
                    if meter.exhausted:
                        raise
            share *= GROWTH
    except BudgetExhausted:
        return


def crowded(rules: Rules) -> bool:
    """Whether the board has so many lines that nearly every position of it has a winner."""
    return len(rules.lines) >= CROWDED * rules.size


def question(bounds: Bounds, plies_left: int, one_by_one: int = SHORT) -> int | None:
    """What to ask next: "is it decided in so many plies?", odd for a win, even for a loss. None if all is known.

    Up to `one_by_one` plies a decision is asked for ply by ply, then at once in as many as are left.
    """
    win, loss = _win_within(bounds), _loss_within(bounds)
    if bounds.closed:
        return None
    if bounds.lower > DRAWN or loss is None:
        short = win
    elif bounds.upper < DRAWN or win is None:
        short = loss
    else:
        short = min(win, loss)
    assert short is not None  # noqa: S101 - bounds that are not exact leave a win or a loss open
    decided = bounds.lower > DRAWN or bounds.upper < DRAWN
    if decided or short <= one_by_one:
        return short
    return next(plies for plies in (plies_left, plies_left - 1) if (win if plies % 2 else loss) is not None)


def _win_within(bounds: Bounds) -> int | None:
    """The fewest plies in which a win is still possible; None if none is."""
    return (WIN - bounds.upper) | 1 if bounds.upper > DRAWN else None


def _loss_within(bounds: Bounds) -> int | None:
    """The fewest plies in which a loss is still possible; None if none is."""
    return max(2, WIN + bounds.lower) if bounds.lower < DRAWN else None


def answered(bounds: Bounds, plies: int, yes: bool, plies_left: int) -> Bounds:
    """The bounds after the answer to such a question."""
    later = plies + 2 <= plies_left
    if plies % 2:
        said = Bounds(lower=WIN - plies) if yes else Bounds(upper=WIN - plies - 2 if later else DRAWN)
    else:
        said = Bounds(upper=plies - WIN) if yes else Bounds(lower=plies + 2 - WIN if later else DRAWN)
    return bounds.narrowed(said)
