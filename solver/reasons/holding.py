"""Grounds of squares that draw, and the search for them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from solver.board.outcome import Value
from solver.board.rules import Bits, Cell, bits_of, cells_of, union
from solver.kernel.potential import potential
from solver.reasons.grounds import (
    FEW,
    DrawnLine,
    Ground,
    Names,
    ReasonKind,
    SquareCase,
    completed,
    ends,
    punishment,
    threatened,
    would,
)
from solver.reasons.plan import OpenLines, Plan, forces, zone
from solver.reasons.planning import Effort, Planner, sequence
from solver.reasons.winning import GivesWinAway
from solver.search.budget import BudgetExhausted
from solver.search.pairings import pairing

THREATS = 200
"""The most steps of a search for a win by threats."""


class DrawGround(Ground):
    """A fact that proves a draw."""

    __slots__ = ()

    proves = (Value.DRAW,)


@dataclass(frozen=True, slots=True)
class FillsBoard(DrawGround):
    """The square is the last one, and completes no line."""

    kind = ReasonKind.FILLS_BOARD

    def holds(self, case: SquareCase) -> bool:
        return not case.empty and not completed(case.rules, case.own, case.cell)

    def words(self, names: Names) -> str:
        return "fills the board, and nobody has a line"


@dataclass(frozen=True, slots=True)
class NoLineLeft(DrawGround):
    """After the square every line holds both marks."""

    kind = ReasonKind.NO_LINE_LEFT

    def holds(self, case: SquareCase) -> bool:
        own, other = case.own, case.other
        return all(line & own and line & other for line in case.rules.lines)

    def words(self, names: Names) -> str:
        return "leaves nobody a line: each holds both marks"


@dataclass(frozen=True, slots=True)
class Harmless(DrawGround):
    """After the square every line holds a stone of the mover's."""

    kind = ReasonKind.NO_LINE_LEFT

    def holds(self, case: SquareCase) -> bool:
        own = case.own
        return all(line & own for line in case.rules.lines)

    def words(self, names: Names) -> str:
        return f"{names.you} can get no line any more: {names.me} stands on each"


@dataclass(frozen=True, slots=True)
class Blocks(DrawGround):
    """The opponent would complete these lines on the square, and no others."""

    lines: tuple[Bits, ...]

    kind = ReasonKind.BLOCKS

    def holds(self, case: SquareCase) -> bool:
        return bool(self.lines) and set(self.lines) == set(completed(case.rules, case.other, case.cell))

    def words(self, names: Names) -> str:
        return f"blocks {names.lines(self.lines)}"

    def drawn(self, case: SquareCase) -> Iterable[DrawnLine]:
        return [(case.position.mover.other, line) for line in self.lines]


@dataclass(frozen=True, slots=True)
class OnlyMove(DrawGround):
    """There are other squares, and all of them lose. After `example`, one of them, the opponent wins by `plan`."""

    example: Cell | None = None
    plan: Plan | None = None

    kind = ReasonKind.ONLY_MOVE

    def holds(self, case: SquareCase) -> bool:
        others = [case.squares[each].value for each in cells_of(case.empty) if each in case.squares]
        if not others or len(others) < case.position.plies_left - 1 or set(others) != {Value.LOSS}:
            return False
        if self.example is None or self.plan is None:
            return self.example is None and self.plan is None
        if not case.empty >> self.example & 1:
            return False
        return forces(case.rules, case.other, case.position.own | 1 << self.example, self.plan)

    def words(self, names: Names) -> str:
        only = "the only square that does not lose"
        if self.example is None or self.plan is None:
            return only
        return f"{only}; after {names.cell(self.example)}, for one, {punishment(self.plan, names, 'plays')}"


@dataclass(frozen=True, slots=True)
class ForcesReply(DrawGround):
    """After the square the mover threatens to complete a line on `answer` alone, and the opponent threatens none."""

    answer: Cell

    kind = ReasonKind.FORCES_REPLY

    def holds(self, case: SquareCase) -> bool:
        return case.threats == 1 << self.answer and not case.counters

    def words(self, names: Names) -> str:
        return f"threatens {names.cell(self.answer)}, so {names.you} must answer there"

    def drawn(self, case: SquareCase) -> Iterable[DrawnLine]:
        return threatened(case.position.mover, case.rules, case.own, case.other, [self.answer])


@dataclass(frozen=True, slots=True)
class GainsTime(ForcesReply):
    """The opponent has to answer a threat, and has no time for `fork`, which would threaten lines on `targets`."""

    fork: Cell
    targets: tuple[Cell, ...]

    kind = ReasonKind.GAINS_TIME

    def holds(self, case: SquareCase) -> bool:
        return (
            ForcesReply.holds(self, case)
            and self.fork != self.answer
            and bool(case.empty >> self.fork & 1)
            and len(self.targets) >= 2
            and case.rules.completing(case.other | 1 << self.fork, case.own) == bits_of(self.targets)
        )

    def words(self, names: Names) -> str:
        return (
            f"threatens {names.cell(self.answer)}, so {names.you} must answer there and cannot play"
            f" {names.cell(self.fork)}, which would threaten {names.cells(self.targets)} at once"
        )


@dataclass(frozen=True, slots=True)
class StopsFork(DrawGround):
    """On the square the opponent would threaten to complete lines on exactly these squares, two or more."""

    targets: tuple[Cell, ...]

    kind = ReasonKind.STOPS_TWO_THREATS

    def holds(self, case: SquareCase) -> bool:
        return len(self.targets) >= 2 and case.forks == bits_of(self.targets)

    def words(self, names: Names) -> str:
        return f"takes the square from which {names.you} would threaten {names.cells(self.targets)} at once"

    def drawn(self, case: SquareCase) -> Iterable[DrawnLine]:
        opponent, position = case.position.mover.other, case.position
        return threatened(opponent, case.rules, case.other | 1 << case.cell, position.own, self.targets)


@dataclass(frozen=True, slots=True)
class StopsWin(DrawGround):
    """The opponent would win by this plan if it were to move; the square stops the plan."""

    plan: Plan

    kind = ReasonKind.STOPS_WIN

    def holds(self, case: SquareCase) -> bool:
        rules, other = case.rules, case.other
        return forces(rules, other, case.position.own, self.plan) and not forces(rules, other, case.own, self.plan)

    def words(self, names: Names) -> str:
        return f"stops {names.you}'s {names.cell(self.plan.move)}, which would {would(self.plan, names, names.you)}"

    def drawn(self, case: SquareCase) -> Iterable[DrawnLine]:
        return ends(case.position.mover.other, case.rules, case.other, case.position.own, self.plan)


@dataclass(frozen=True, slots=True)
class LimitsReplies(DrawGround):
    """After the square the mover would win by this plan with one more move, and against all replies but these.

    Neither player can complete a line.
    """

    plan: Plan
    replies: Bits

    kind = ReasonKind.LIMITS_REPLIES

    def holds(self, case: SquareCase) -> bool:
        rules, own, other = case.rules, case.own, case.other
        return (
            bool(self.replies)
            and not case.threats | case.counters
            and not self.replies & ~case.empty
            and forces(rules, own, other, self.plan)
            and all(forces(rules, own, other | 1 << reply, self.plan) for reply in cells_of(case.empty & ~self.replies))
        )

    def words(self, names: Names) -> str:
        prepares = f"prepares {names.cell(self.plan.move)}, which would {would(self.plan, names, names.me)}"
        return f"{prepares}, so {names.you} must reply {names.one_of(list(cells_of(self.replies)))}"

    def drawn(self, case: SquareCase) -> Iterable[DrawnLine]:
        return ends(case.position.mover, case.rules, case.own, case.other, self.plan)


@dataclass(frozen=True, slots=True)
class Pairing(DrawGround):
    """After the square each line without a stone of the mover's holds one of these disjoint pairs of open squares.

    So the opponent, who moves next, completes no line if the mover answers each stone on a pair with one on its other
    square. At least one such line is left. Source: Hales and Jewett, "Regularity and positional games", 1963.
    """

    pairs: tuple[tuple[Cell, Cell], ...]

    kind = ReasonKind.PAIRING

    def holds(self, case: SquareCase) -> bool:
        own = case.own
        pairs = [bits_of(pair) for pair in self.pairs]
        held = union(pairs)
        lines = [line for line in case.rules.lines if not line & own]
        return (
            bool(lines)
            and held.bit_count() == 2 * len(pairs)
            and not held & ~case.empty
            and all(any(line & pair == pair for pair in pairs) for line in lines)
        )

    def words(self, names: Names) -> str:
        each = [f"{names.cell(one)} with {names.cell(other)}" for one, other in self.pairs]
        answers = f"{', '.join(each)}, and the other way round"
        if len(each) >= FEW:
            answers = f"each square of {len(each)} pairs with the other one"
        return f"{names.you} gets no line: {names.me} answers {answers}"


@dataclass(frozen=True, slots=True)
class Replies(DrawGround):
    """After the square the opponent draws with the replies `drawing`, and loses with the others, `losing`."""

    drawing: tuple[Cell, ...]
    losing: tuple[Cell, ...]

    kind = ReasonKind.REPLIES

    def holds(self, case: SquareCase) -> bool:
        replies = {cell: outcome.value for cell, outcome in case.known(case.position.after(case.cell)).items()}
        return _split(self.drawing, self.losing, replies) and len(replies) == case.position.plies_left - 1

    def words(self, names: Names) -> str:
        me, you = names.me, names.you
        if not self.losing:
            return f"whatever {you} replies, it stays a draw"
        if len(self.drawing) <= len(self.losing):
            return f"{you} has to reply {names.cells(self.drawing, 'or')}; after any other square {me} wins"
        return f"{you} may reply anywhere but on {names.cells(self.losing, 'or')}, where {me} wins"


@dataclass(frozen=True, slots=True)
class Among(DrawGround):
    """Of the other squares, `drawing` draw and `losing` lose, and there are no more."""

    drawing: tuple[Cell, ...]
    losing: tuple[Cell, ...]

    kind = ReasonKind.AMONG_OTHERS

    def holds(self, case: SquareCase) -> bool:
        others = {cell: outcome.value for cell, outcome in case.squares.items() if cell != case.cell}
        return _split(self.drawing, self.losing, others) and len(others) == case.position.plies_left - 1

    def words(self, names: Names) -> str:
        if not self.losing:
            return "so does every other square"
        losing = f"the other {len(self.losing)} lose" if len(self.losing) > 1 else f"{names.cell(self.losing[0])} loses"
        return f"one of {len(self.drawing) + 1} squares that hold the draw; {losing}"


@dataclass(frozen=True, slots=True)
class Twin(Ground):
    """A symmetry of the position maps the other square `cell` to this square."""

    cell: Cell

    def holds(self, case: SquareCase) -> bool:
        images = (symmetry.index(case.cell) for symmetry in case.position.symmetries())
        return self.cell != case.cell and self.cell in images

    def words(self, names: Names) -> str:
        return f"by symmetry as good as {names.cell(self.cell)}"


def _split(drawing: Sequence[Cell], losing: Sequence[Cell], values: Mapping[Cell, Value]) -> bool:
    """Return whether exactly the squares `drawing`, at least one, draw, and all others are `losing` and lose."""
    told = [(cell, Value.DRAW) for cell in drawing] + [(cell, Value.LOSS) for cell in losing]
    return bool(drawing) and set(told) == set(values.items())


def why_it_draws(case: SquareCase, planner: Planner) -> tuple[Ground, ...]:
    """Return the grounds on which the square draws, the most important first."""
    replies = _replies(case)
    choices = (replies,) if replies else ()
    if winning := case.of_value(Value.WIN):
        return GivesWinAway(winning), *choices
    purpose = next(_purposes(case), None)
    if replies and isinstance(purpose, LimitsReplies):  # the replies say more
        purpose = None
    grounds: tuple[Ground, ...] = (purpose,) if purpose else ()
    others = len(case.squares) - 1
    if others and len(case.of_value(Value.LOSS)) == others:
        grounds = (OnlyMove() if purpose else _only_move(case, planner), *grounds)
    if not grounds:
        return (choices or _among(case)) + _twin(case)
    if replies and replies.losing and not isinstance(purpose, ForcesReply):
        return grounds + choices
    return grounds


def _replies(case: SquareCase) -> Replies | None:
    """Return the ground about the opponent's replies, if one is known to draw."""
    outcomes = case.known(case.position.after(case.cell)) if case.empty else {}
    drawing, losing = (
        tuple(reply for reply, outcome in outcomes.items() if outcome.value is value)
        for value in (Value.DRAW, Value.LOSS)
    )
    return Replies(drawing, losing) if drawing else None


def _twin(case: SquareCase) -> tuple[Ground, ...]:
    """Return the ground about the first symmetric square, unless this square is the first."""
    first = min(symmetry.index(case.cell) for symmetry in case.position.symmetries())
    return (Twin(first),) if first != case.cell else ()


def _among(case: SquareCase) -> tuple[Ground, ...]:
    """Return the ground about the other squares, if all are known, one draws and none wins."""
    drawing = tuple(cell for cell in case.of_value(Value.DRAW) if cell != case.cell)
    losing = case.of_value(Value.LOSS)
    return (Among(drawing, losing),) if drawing and len(drawing) + len(losing) == len(case.squares) - 1 else ()


def _only_move(case: SquareCase, planner: Planner) -> OnlyMove:
    """Return the ground that all other squares lose, with a plan against the most promising one as an example."""
    example = max(case.of_value(Value.LOSS), key=lambda cell: potential(case.position, cell))
    plies = case.squares[example].plies
    try:
        plan = planner.complete(case.position.after(example), plies - 1) if plies else None
    except BudgetExhausted:
        plan = None
    return OnlyMove(example, plan) if plan else OnlyMove()


def _purposes(case: SquareCase) -> Iterator[Ground]:
    """Yield the grounds about the purpose of the square, the simplest first."""
    rules, own, other, threats = case.rules, case.own, case.other, case.threats
    if not case.empty:
        yield FillsBoard()
        return
    if blocked := completed(rules, other, case.cell):
        yield Blocks(blocked)
    if all(line & own and line & other for line in rules.lines):
        yield NoLineLeft()
    if threats.bit_count() == 1:
        answer = threats.bit_length() - 1
        for fork in cells_of(case.empty & ~threats):
            if len(targets := tuple(cells_of(rules.completing(other | 1 << fork, own)))) >= 2:
                yield GainsTime(answer, fork, targets)
    if len(targets := tuple(cells_of(case.forks))) >= 2:
        yield StopsFork(targets)
    live = [line for line in rules.lines if not line & own]
    if not live:
        yield Harmless()
    elif (pairs := pairing([line & ~other for line in live])) is not None:
        yield Pairing(pairs)
    yield from _against_threats(case)


def _against_threats(case: SquareCase) -> Iterator[Ground]:
    """Yield the grounds about sequences of threats: the square stops the opponent's, or prepares the mover's."""
    rules, own, other, plies = case.rules, case.own, case.other, case.position.plies_left
    theirs = sequence(OpenLines.of(rules, other, case.position.own, plies), plies, Effort(THREATS))
    if theirs and not forces(rules, other, own, theirs):
        yield StopsWin(theirs)
    if case.threats.bit_count() == 1:
        yield ForcesReply(case.threats.bit_length() - 1)
        return
    lines = OpenLines.of(rules, own, other, plies)
    if mine := sequence(lines, plies, Effort(THREATS)):
        yield LimitsReplies(mine, zone(lines, mine) & lines.empty)
