"""Grounds of squares that draw, and the search for them: blocks, pairings, and what a quiet move does to its lines."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from solver.board.notation import list_words
from solver.board.outcome import LOST, PROVED, Bounds, Outcome, Value
from solver.board.position import Result
from solver.board.rules import Bits, Cell, Pairs, Rules, bits_of, cells_of, union
from solver.kernel.potential import potential, promising
from solver.reasons.grounds import (
    FEW,
    DrawGround,
    DrawnLine,
    Ground,
    Names,
    ReasonKind,
    SquareCase,
    ends,
    lines_completed,
    punishment,
    threatened_lines,
    would,
)
from solver.reasons.planning import Effort, OpenLines, Plan, Planner, forces, sequence, zone
from solver.reasons.winning import GivesWinAway
from solver.search.budget import BudgetExhausted
from solver.search.solver import pairing

PAIRINGS = 30
"""The most answers for which a pairing is searched, over all replies of the opponent."""

ANSWERS = 4
"""The most answers for which a pairing is searched after a single reply."""


@dataclass(frozen=True, slots=True)
class Pairing(DrawGround):
    """After the move, every line that is open to the opponent holds one of these disjoint pairs of open squares.

    When the opponent takes one square of a pair, the mover takes the other, so the opponent completes no line. At least
    one line is open to the opponent. Source: Hales and Jewett, "Regularity and positional games", 1963.
    """

    pairs: Pairs

    has_subject = True
    kind = ReasonKind.PAIRING

    def holds(self, case: SquareCase) -> bool:
        return bool(lines_left(case.rules, case.own)) and _is_paired(case.rules, case.own, case.other, self.pairs)

    def words(self, names: Names) -> str:
        me, you = names.me, names.you
        if len(self.pairs) == 1:
            one, other = map(names.cell, self.pairs[0])
            return f"{you} gets no line, because when {you} takes {one}, {me} takes {other}, and vice versa"
        told = [f"{names.cell(one)} with {names.cell(other)}" for one, other in self.pairs]
        pairs = list_words(told) if len(told) < FEW else f"up {2 * len(told)} squares"
        return f"{you} gets no line, because {me} pairs {pairs}. When {you} takes one, {me} takes its partner"


@dataclass(frozen=True, slots=True)
class Answered:
    """A reply, an answer to it, and a pairing after the answer."""

    reply: Cell
    answer: Cell
    pairs: Pairs


@dataclass(frozen=True, slots=True)
class PairsNext(DrawGround):
    """After each reply, the mover has an answer after which a pairing as in `Pairing` exists."""

    answers: tuple[Answered, ...]

    has_subject = True
    kind = ReasonKind.PAIRING
    says = "whatever {you} replies, {me} can then pair up every line that {you} has left"

    def holds(self, case: SquareCase) -> bool:
        rules, own, other = case.rules, case.own, case.other
        return [answer.reply for answer in self.answers] == list(cells_of(case.empty)) and all(
            case.empty >> answer.answer & 1
            and answer.answer != answer.reply
            and _is_paired(rules, own | 1 << answer.answer, other | 1 << answer.reply, answer.pairs)
            for answer in self.answers
        )


@dataclass(frozen=True, slots=True)
class BreaksUp(DrawGround):
    """The square is on `line`, where the opponent has stones and the mover has none.

    No other line through the square that is open to the opponent holds more of its stones. `best` is True if every
    other line on the board that is open to the opponent holds fewer.
    """

    line: Bits
    best: bool

    kind = ReasonKind.BREAKS_UP

    def holds(self, case: SquareCase) -> bool:
        own, other = case.position.own, case.other
        is_most = _is_most(case.rules.lines_through[case.cell], self.line, other, own)
        return is_most and self.best == _is_best(case, self.line)

    def words(self, names: Names) -> str:
        return f"breaks up {names.you}'s {'best line, ' if self.best else ''}{names.line(self.line)}"

    def lines_to_draw(self, case: SquareCase) -> Iterable[DrawnLine]:
        return [(case.position.mover.other, self.line)]


@dataclass(frozen=True, slots=True)
class Builds(DrawGround):
    """After the move, the mover has `stones` stones on `line`, two or more, and the opponent has none.

    No other line through the square that is open to the mover holds more of its stones.
    """

    line: Bits
    stones: int

    kind = ReasonKind.BUILDS

    def holds(self, case: SquareCase) -> bool:
        is_most = _is_most(case.rules.lines_through[case.cell], self.line, case.own, case.other)
        return is_most and (self.line & case.own).bit_count() == self.stones >= 2

    def words(self, names: Names) -> str:
        return f"gives {names.me} {self.stones} of {names.rules.k} on {names.line(self.line)}, which is still open"

    def lines_to_draw(self, case: SquareCase) -> Iterable[DrawnLine]:
        return [(case.position.mover, self.line)]


@dataclass(frozen=True, slots=True)
class Closes(DrawGround):
    """These lines through the square held no stone. All others through it already held a stone of the mover's."""

    lines: tuple[Bits, ...]

    kind = ReasonKind.BREAKS_UP

    def holds(self, case: SquareCase) -> bool:
        through = [line for line in case.rules.lines_through[case.cell] if not line & case.position.own]
        return bool(self.lines) and set(through) == set(self.lines) and not union(through) & case.other

    def words(self, names: Names) -> str:
        few = names.lines(self.lines) if len(self.lines) <= FEW else f"{len(self.lines)} lines"
        return f"closes {few} to {names.you}"


@dataclass(frozen=True, slots=True)
class Waits(DrawGround):
    """Every line through the square already held both marks, so the move changes no line."""

    kind = ReasonKind.WAITS
    says = "only waits, because no line through it can be filled any more"

    def holds(self, case: SquareCase) -> bool:
        own, other = case.position.own, case.other
        return all(line & own and line & other for line in case.rules.lines_through[case.cell])


def lines_left(rules: Rules, own: Bits) -> list[Bits]:
    """Return the lines that the other player can complete: the lines without a stone in `own`."""
    return [line for line in rules.lines if not line & own]


def _is_paired(rules: Rules, own: Bits, other: Bits, pairs: Pairs) -> bool:
    """Return whether these are disjoint pairs of open squares, and each line left to the other player holds one."""
    both = [bits_of(pair) for pair in pairs]
    held = union(both)
    return (
        held.bit_count() == 2 * len(pairs)
        and not held & (own | other | ~rules.full)
        and all(any(line & pair == pair for pair in both) for line in lines_left(rules, own))
    )


def _is_most(lines: Iterable[Bits], line: Bits, stones: Bits, against: Bits) -> bool:
    """Return whether no open line among `lines` holds more of the `stones` than `line` does.

    Return False if `line` is not open or holds none. A line is open if it has no stone in `against`.
    """
    counts = {other: (other & stones).bit_count() for other in lines if not other & against}
    return 0 < counts.get(line, 0) == max(counts.values(), default=0)


def _is_best(case: SquareCase, line: Bits) -> bool:
    """Return whether this line held more of the opponent's stones than any other line open to the opponent."""
    stones = [(other & case.other).bit_count() for other in lines_left(case.rules, case.position.own) if other != line]
    return max(stones, default=0) < (line & case.other).bit_count()


def quiet(case: SquareCase, replies: tuple[Ground, ...]) -> tuple[Ground, ...]:
    """Return the grounds about the open lines through the square, and about what follows."""
    own, other, through = case.position.own, case.other, case.rules.lines_through[case.cell]
    theirs = max((line for line in through if not line & own), key=lambda line: (line & other).bit_count(), default=0)
    mine = max((line for line in through if not line & other), key=lambda line: (line & own).bit_count(), default=0)
    grounds: list[Ground] = []
    if theirs & other:
        grounds.append(BreaksUp(theirs, _is_best(case, theirs)))
    if mine & own:
        grounds.append(Builds(mine, (mine & case.own).bit_count()))
    if not grounds:
        lines = tuple(line for line in through if not line & own)
        grounds.append(Closes(lines) if lines else Waits())
    if (mine & own).bit_count() > (theirs & other).bit_count():
        grounds.reverse()
    return grounds[0], *(_pairs_next(case) or replies or grounds[1:])


def _pairs_next(case: SquareCase) -> tuple[PairsNext, ...]:
    """Return the ground `PairsNext`, if its answers are found within `PAIRINGS` tries."""
    rules, after, left = case.rules, case.after, PAIRINGS
    answers: list[Answered] = []
    for reply in promising(after):
        then = after.after(reply)
        forced = then.threats()
        moves = [move for move in promising(then) if forced in ((), (move,))][:ANSWERS]
        for move in moves:
            left -= 1
            pairs = pairing([line & ~then.other for line in lines_left(rules, then.own | 1 << move)])
            if pairs is not None:
                answers.append(Answered(reply, move, pairs))
                break
        else:
            return ()
        if left <= 0:
            return ()
    return (PairsNext(tuple(sorted(answers, key=lambda answer: answer.reply))),)


THREATS = 200
"""The most steps of a search for a win by threats."""

LOSES: Final = Bounds(LOST, -PROVED)
"""The bounds of a loss whose distance is not proved."""


@dataclass(frozen=True, slots=True)
class FillsBoard(DrawGround):
    """The square is the last one, and completes no line."""

    kind = ReasonKind.FILLS_BOARD

    def holds(self, case: SquareCase) -> bool:
        return case.after.result is Result.DRAW and case.lasts(1)

    def words(self, names: Names) -> str:
        return f"fills the board, and {'nobody has a line' if names.rules.stones_never_harm else 'no line is complete'}"


@dataclass(frozen=True, slots=True)
class NoLineLeft(DrawGround):
    """After the move every line holds both marks."""

    has_subject = True
    kind = ReasonKind.NO_LINE_LEFT
    says = "every line now holds both marks, so nobody can win"

    def holds(self, case: SquareCase) -> bool:
        own, other = case.own, case.other
        return all(line & own and line & other for line in case.rules.lines)


@dataclass(frozen=True, slots=True)
class Harmless(DrawGround):
    """After the move every line holds a stone of the mover's."""

    has_subject = True
    kind = ReasonKind.NO_LINE_LEFT
    says = "{me} now stands on every line, so {you} can't win"

    def holds(self, case: SquareCase) -> bool:
        own = case.own
        return all(line & own for line in case.rules.lines)


@dataclass(frozen=True, slots=True)
class Blocks(DrawGround):
    """The opponent would complete these lines on the square, and no others."""

    lines: tuple[Bits, ...]

    kind = ReasonKind.BLOCKS
    says = "blocks {lines}"

    def holds(self, case: SquareCase) -> bool:
        return bool(self.lines) and set(self.lines) == set(case.blocked)

    def lines_to_draw(self, case: SquareCase) -> Iterable[DrawnLine]:
        return [(case.position.mover.other, line) for line in self.lines]


@dataclass(frozen=True, slots=True)
class OnlyMove(DrawGround):
    """There are other open squares, and all of them lose.

    For example, the opponent wins by `plan` after the mover plays on `example`.
    """

    example: Cell | None = None
    plan: Plan | None = None

    kind = ReasonKind.ONLY_MOVE

    def holds(self, case: SquareCase) -> bool:
        others = [outcome.value for cell, outcome in case.squares.items() if cell != case.cell]
        if len(others) < len(case.position.legal_moves) - 1 or set(others) != {Value.LOSS}:
            return False
        if self.example is None or self.plan is None:
            return self.example is None and self.plan is None
        if not case.empty >> self.example & 1:
            return False
        return forces(case.rules, case.other, case.position.own | 1 << self.example, self.plan)

    def words(self, names: Names) -> str:
        only = f"the only {'square' if names.rules.stones_never_harm else 'move'} that doesn't lose"
        if self.example is None or self.plan is None:
            return only
        return f"{only}; after {names.cell(self.example)}, for example, {punishment(self.plan, names, 'plays')}"


@dataclass(frozen=True, slots=True)
class ForcesReply(DrawGround):
    """After the move, the mover threatens to complete a line on `answer` alone. The opponent threatens nothing."""

    answer: Cell

    kind = ReasonKind.FORCES_REPLY
    says = "threatens {answer}, so {you} must block"

    def holds(self, case: SquareCase) -> bool:
        return case.threats == (self.answer,) and not case.counters

    def lines_to_draw(self, case: SquareCase) -> Iterable[DrawnLine]:
        return threatened_lines(case.position.mover, case.rules, case.own, case.other, [self.answer])


@dataclass(frozen=True, slots=True)
class GainsTime(ForcesReply):
    """The opponent has to answer a threat, so it has no time for the square `fork`.

    With a stone on `fork`, it would threaten to complete lines on the squares `targets`.
    """

    fork: Cell
    targets: tuple[Cell, ...]

    kind = ReasonKind.GAINS_TIME
    says = "threatens {answer}, so {you} must block and has no time for {fork}, which would threaten {targets} at once"

    def holds(self, case: SquareCase) -> bool:
        return (
            ForcesReply.holds(self, case)
            and self.fork != self.answer
            and bool(case.empty >> self.fork & 1)
            and len(self.targets) >= 2
            and case.rules.threats(case.other | 1 << self.fork, case.own) == bits_of(self.targets)
        )


@dataclass(frozen=True, slots=True)
class StopsFork(DrawGround):
    """With a stone on this square, the opponent would threaten exactly the squares `targets`, two or more."""

    targets: tuple[Cell, ...]

    kind = ReasonKind.STOPS_TWO_THREATS
    says = "takes the square where {you} would threaten {targets} at once"

    def holds(self, case: SquareCase) -> bool:
        return len(self.targets) >= 2 and case.forks == self.targets

    def lines_to_draw(self, case: SquareCase) -> Iterable[DrawnLine]:
        opponent, position = case.position.mover.other, case.position
        return threatened_lines(opponent, case.rules, case.other | 1 << case.cell, position.own, self.targets)


@dataclass(frozen=True, slots=True)
class StopsWin(DrawGround):
    """The opponent would win by this plan if it were to move. The square stops the plan."""

    plan: Plan

    kind = ReasonKind.STOPS_WIN

    def holds(self, case: SquareCase) -> bool:
        rules, other = case.rules, case.other
        return forces(rules, other, case.position.own, self.plan) and not forces(rules, other, case.own, self.plan)

    def words(self, names: Names) -> str:
        return f"stops {names.you}'s {names.cell(self.plan.move)}, which would {would(self.plan, names.turned)}"

    def lines_to_draw(self, case: SquareCase) -> Iterable[DrawnLine]:
        return ends(case.position.mover.other, case.rules, case.other, case.position.own, self.plan)


@dataclass(frozen=True, slots=True)
class LimitsReplies(DrawGround):
    """After the move, every reply outside `replies` loses.

    Such a reply loses to `plan`, or is known to lose. The plan also wins if the opponent passes. Neither player can
    complete a line right after the move. `sure` is True if all the `replies` are known to draw.
    """

    plan: Plan
    replies: Bits
    sure: bool = False

    kind = ReasonKind.LIMITS_REPLIES

    def holds(self, case: SquareCase) -> bool:
        rules, own, other = case.rules, case.own, case.other
        known = {reply: outcome.value for reply, outcome in case.replies.items()}
        return (
            bool(self.replies)
            and not (lines_completed(rules, case.position.own, case.cell) or case.threats or case.counters)
            and not self.replies & ~case.empty
            and forces(rules, own, other, self.plan)
            and all(
                known.get(reply) is Value.LOSS or forces(rules, own, other | 1 << reply, self.plan)
                for reply in cells_of(case.empty & ~self.replies)
            )
            and self.sure == all(known.get(reply) is Value.DRAW for reply in cells_of(self.replies))
        )

    def words(self, names: Names) -> str:
        prepares = f"prepares {names.cell(self.plan.move)}, which would {would(self.plan, names)}"
        replies = names.one_of(list(cells_of(self.replies)))
        return f"{prepares}, so {names.you} {f'must reply {replies}' if self.sure else f'has only {replies} to try'}"

    def lines_to_draw(self, case: SquareCase) -> Iterable[DrawnLine]:
        return ends(case.position.mover, case.rules, case.own, case.other, self.plan)


@dataclass(frozen=True, slots=True)
class Replies(DrawGround):
    """After the move, the replies in `drawing` draw. The others are in `losing`, and lose."""

    drawing: tuple[Cell, ...]
    losing: tuple[Cell, ...]

    has_subject = True
    kind = ReasonKind.REPLIES

    def holds(self, case: SquareCase) -> bool:
        told = [(cell, Value.DRAW) for cell in self.drawing] + [(cell, Value.LOSS) for cell in self.losing]
        known = {cell: outcome.value for cell, outcome in case.replies.items()}
        return bool(self.drawing) and dict(told) == known and len(told) == len(known) == case.empty.bit_count()

    def words(self, names: Names) -> str:
        if not self.losing:
            return f"whatever {names.you} replies, it's still a draw"
        if len(self.drawing) <= len(self.losing):
            return f"{names.you} must reply {names.one_of(self.drawing)}; anything else loses"
        return f"{names.you} can reply anywhere but {names.one_of(self.losing)}, where {names.me} wins"


@dataclass(frozen=True, slots=True)
class Twin(Ground):
    """A symmetry of the position maps another square, `cell`, to this square."""

    cell: Cell

    says = "the same as {cell} by symmetry"

    def holds(self, case: SquareCase) -> bool:
        images = (symmetry.index(case.cell) for symmetry in case.position.symmetries())
        return self.cell != case.cell and self.cell in images


def why_it_draws(case: SquareCase, planner: Planner) -> tuple[Ground, ...]:
    """Return the grounds on which the square draws, the most important first."""
    if winning := case.of_value(Value.WIN):
        return GivesWinAway(winning), *_replies(case)
    purpose = next(_purposes(case), None)
    if not isinstance(purpose, FillsBoard | NoLineLeft | ForcesReply):
        _prove_replies(case, planner, purpose.replies if isinstance(purpose, LimitsReplies) else case.empty)
    replies = _replies(case)
    choices = replies if replies and replies[0].losing and not isinstance(purpose, ForcesReply) else ()
    if isinstance(purpose, LimitsReplies):
        purpose = None if replies else _sift(case, purpose)
    grounds: tuple[Ground, ...] = (purpose,) if purpose else ()
    others = len(case.squares) - 1
    if others and len(case.of_value(Value.LOSS)) == others:
        grounds = (OnlyMove() if purpose else _only_move(case, planner), *grounds)
    if grounds:
        return grounds + choices
    return (choices or quiet(case, replies)) + _twin(case)


def _prove_replies(case: SquareCase, planner: Planner, replies: Bits) -> None:
    """Have the planner prove which of these replies lose and which draw, as far as its meter reaches."""
    after = case.after
    if case.known(after):
        return
    with suppress(BudgetExhausted):
        for reply in cells_of(replies):
            then = after.after(reply)
            longest = then.plies_left - 1 + then.plies_left % 2
            loses = longest > 0 and planner.decided(then, longest, planner.meter)
            outcome = Outcome(Value.LOSS, None, LOSES) if loses else Outcome(Value.DRAW, after.plies_left)
            planner.proved.setdefault(after, {})[reply] = outcome


def _sift(case: SquareCase, limits: LimitsReplies) -> LimitsReplies:
    """Return the ground without the replies that are known to lose."""
    known = {reply: case.replies[reply].value for reply in cells_of(limits.replies) if reply in case.replies}
    held = bits_of(reply for reply in cells_of(limits.replies) if known.get(reply) is not Value.LOSS)
    return LimitsReplies(limits.plan, held, sure=all(known.get(reply) is Value.DRAW for reply in cells_of(held)))


def _replies(case: SquareCase) -> tuple[Replies, ...]:
    """Return the ground about the opponent's replies, if all are known."""
    drawing, losing = (
        tuple(reply for reply, outcome in case.replies.items() if outcome.value is value)
        for value in (Value.DRAW, Value.LOSS)
    )
    return (Replies(drawing, losing),) if drawing and len(drawing) + len(losing) == case.empty.bit_count() else ()


def _twin(case: SquareCase) -> tuple[Ground, ...]:
    """Return the ground that names the first symmetric square; none if this square is the first."""
    first = min(symmetry.index(case.cell) for symmetry in case.position.symmetries())
    return (Twin(first),) if first != case.cell else ()


def _only_move(case: SquareCase, planner: Planner) -> OnlyMove:
    """Return the ground `OnlyMove`. Its example is the most promising of the losing squares."""
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
    if blocked := case.blocked:
        yield Blocks(blocked)
    if all(line & own and line & other for line in rules.lines):
        yield NoLineLeft()
    if len(threats) == 1:
        (answer,) = threats
        for fork in cells_of(case.empty & ~(1 << answer)):
            if len(targets := tuple(cells_of(rules.threats(other | 1 << fork, own)))) >= 2:
                yield GainsTime(answer, fork, targets)
    if len(targets := case.forks) >= 2:
        yield StopsFork(targets)
    if not (live := lines_left(rules, own)):
        yield Harmless()
    elif (pairs := pairing([line & ~other for line in live])) is not None:
        yield Pairing(pairs)
    yield from _against_threats(case)


def _against_threats(case: SquareCase) -> Iterator[Ground]:
    """Yield the grounds about threats: the square stops a sequence of the opponent, or prepares one of the mover."""
    rules, own, other, plies = case.rules, case.own, case.other, case.position.plies_left
    theirs = sequence(OpenLines.of(rules, other, case.position.own, plies), plies, Effort(THREATS))
    if theirs and not forces(rules, other, own, theirs):
        yield StopsWin(theirs)
    if len(case.threats) == 1:
        yield ForcesReply(case.threats[0])
        return
    lines = OpenLines.of(rules, own, other, plies)
    if mine := sequence(lines, plies, Effort(THREATS)):
        yield LimitsReplies(mine, zone(lines, mine) & lines.empty)
