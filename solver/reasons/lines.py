"""Grounds of draws about open lines, and the search for them: pairings, and what a quiet square does to its lines."""

from collections.abc import Iterable
from dataclasses import dataclass

from solver.board.rules import Bits, Cell, Pairs, Rules, bits_of, cells_of, union
from solver.kernel.potential import promising
from solver.reasons.grounds import FEW, DrawGround, DrawnLine, Ground, Names, ReasonKind, SquareCase, list_in_words
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
            return f"{you} gets no line: when {you} takes {one}, {me} takes {other}, and vice versa"
        told = [f"{names.cell(one)} with {names.cell(other)}" for one, other in self.pairs]
        pairs = list_in_words(told, "and") if len(told) < FEW else f"up {2 * len(told)} squares"
        return f"{you} gets no line: {me} pairs {pairs}, and takes one when {you} takes its partner"


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

    def holds(self, case: SquareCase) -> bool:
        rules, own, other = case.rules, case.own, case.other
        return [answer.reply for answer in self.answers] == list(cells_of(case.empty)) and all(
            case.empty >> answer.answer & 1
            and answer.answer != answer.reply
            and _is_paired(rules, own | 1 << answer.answer, other | 1 << answer.reply, answer.pairs)
            for answer in self.answers
        )

    def words(self, names: Names) -> str:
        return f"whatever {names.you} replies, {names.me} can then pair up every line that {names.you} has left"


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

    def holds(self, case: SquareCase) -> bool:
        own, other = case.position.own, case.other
        return all(line & own and line & other for line in case.rules.lines_through[case.cell])

    def words(self, names: Names) -> str:
        return "only waits: no line through it can be filled any more"


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
    rules, after, left = case.rules, case.position.after(case.cell), PAIRINGS
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
