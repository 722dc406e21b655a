"""The exam of a learner: the chances that it wins, draws and loses against an opponent, as it stands.

The positions that games against the opponent reach are gone through once, and what it decides there is noted on a
sheet. An exam is then a fold over the sheet, the last positions first: the chances in a position are those of what
each square leads to, weighed by the learner's chances of playing there. So they are computed and not sampled: as
fractions, which are exact, or as floating-point numbers, which are quicker by far and differ by rounding alone. A
chance that is 0 is exactly 0 in both.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, Generic, NamedTuple, TypeVar

from solver.board.position import Position, Result
from solver.board.rules import TIC_TAC_TOE, Cell
from solver.players import Strategy
from solver.players.learning.boxes import has_box, opened
from solver.players.learning.learners import Learner, Memory
from solver.players.learning.training import TrainingGame, trained
from solver.players.match import after_in_class

Number = TypeVar("Number", Fraction, float)


class Odds(NamedTuple, Generic[Number]):
    """The chances that a learner wins, draws and loses; they add up to 1."""

    win: Number
    draw: Number
    loss: Number


class _Branch(NamedTuple, Generic[Number]):
    """Where a square leads: the chances that the game then ends, and those of the positions in which it goes on."""

    ends: Odds[Number]
    following: tuple[tuple[Number, int], ...]


class _Fold(NamedTuple, Generic[Number]):
    """A position in which the learner opens a box: the box's place, and a branch for each of its squares.

    `before` are the positions two plies earlier. Positions go by their places on the sheet.
    """

    box: int
    branches: tuple[_Branch[Number], ...]
    before: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sheet(Generic[Number]):
    """What an opponent does wherever a learner can get, in one kind of numbers, of which `one` is 1.

    The empty board comes first, and what a position leads to after it.
    """

    folds: tuple[_Fold[Number], ...]
    one: Number

    def odds(self, learner: Learner, memory: Memory) -> list[Odds[Number]]:
        """A learner's chances in every position of the sheet."""
        found = [self._nothing()] * len(self.folds)
        for place in reversed(range(len(self.folds))):
            found[place] = self._folded(place, found, learner, memory)
        return found

    def corrected(
        self, odds: Sequence[Odds[Number]], learner: Learner, memory: Memory, changed: Iterable[int]
    ) -> list[Odds[Number]]:
        """The chances when a few boxes, by their places, have changed since these `odds`."""
        found, boxes = list(odds), set(changed)
        stale = {place for place, fold in enumerate(self.folds) if fold.box in boxes}
        for place in reversed(range(len(self.folds))):
            if place in stale:
                was, found[place] = found[place], self._folded(place, found, learner, memory)
                if found[place] != was:
                    stale.update(self.folds[place].before)
        return found

    def _folded(self, place: int, found: Sequence[Odds[Number]], learner: Learner, memory: Memory) -> Odds[Number]:
        """The chances in one position, by those in all that follow it."""
        fold = self.folds[place]
        weights = learner.plays(memory[fold.box])
        total = sum(weights)
        win, draw, loss = self._nothing()
        if not total:
            return Odds(win, draw, self.one)
        for weight, branch in zip(weights, fold.branches, strict=True):
            if weight:
                wins, draws, losses = branch.ends
                for chance, after in branch.following:
                    there = found[after]
                    wins += chance * there.win
                    draws += chance * there.draw
                    losses += chance * there.loss
                win, draw, loss = win + weight * wins, draw + weight * draws, loss + weight * losses
        return Odds(win / total, draw / total, loss / total)

    def _nothing(self) -> Odds[Number]:
        zero = self.one - self.one
        return Odds(zero, zero, zero)


def exam(learner: Learner, memory: Memory, opponent: Strategy) -> Odds[Fraction]:
    """The exact chances of a learner that has learnt so much, X, against an opponent, O."""
    return exact_sheet(opponent).odds(learner, memory)[0]


def quick_exam(learner: Learner, memory: Memory, opponent: Strategy) -> Odds[float]:
    """The same chances, rounded."""
    return quick_sheet(opponent).odds(learner, memory)[0]


class Learnt(NamedTuple):
    """How a learner stands after a game, or before all games, when there is none: what it knows, and its chances."""

    game: TrainingGame | None
    memory: Memory
    odds: Odds[float]


def course(learner: Learner, opponent: Strategy, seed: str) -> Iterator[Learnt]:
    """A learner before its games against an opponent, and then after each of them, without end."""
    sheet, memory = quick_sheet(opponent), learner.start
    odds = sheet.odds(learner, memory)
    yield Learnt(None, memory, odds[0])
    for game in trained(learner, opponent, seed):
        memory = game.taught(memory)
        odds = sheet.corrected(odds, learner, memory, (draw.box.number - 1 for draw in game.draws))
        yield Learnt(game, memory, odds[0])


@lru_cache(maxsize=32)
def exact_sheet(opponent: Strategy) -> Sheet[Fraction]:
    """The sheet of an opponent, in fractions."""
    return Sheet(_folds(opponent), Fraction(1))


@lru_cache(maxsize=32)
def quick_sheet(opponent: Strategy) -> Sheet[float]:
    """The sheet of an opponent, in floating-point numbers."""
    return Sheet(
        tuple(
            _Fold(
                fold.box,
                tuple(
                    _Branch(
                        Odds(*map(float, branch.ends)),
                        tuple((float(chance), after) for chance, after in branch.following),
                    )
                    for branch in fold.branches
                ),
                fold.before,
            )
            for fold in exact_sheet(opponent).folds
        ),
        1.0,
    )


def _folds(opponent: Strategy) -> tuple[_Fold[Fraction], ...]:
    """Every position in which a learner opens a box, ply by ply; one a class if it decides alike there."""
    after = after_in_class if opponent.symmetric(TIC_TAC_TOE) else Position.after
    places, before = {Position(TIC_TAC_TOE): 0}, defaultdict[int, set[int]](set)
    found: list[tuple[int, tuple[_Branch[Fraction], ...]]] = []
    for position in _growing(places):
        box, cells = opened(position)
        branches = tuple(_branch(after(position, cell), opponent, after, places) for cell in cells)
        for branch in branches:
            for _, following in branch.following:
                before[following].add(len(found))
        found.append((box.number - 1, branches))
    return tuple(_Fold(*fold, tuple(sorted(before[place]))) for place, fold in enumerate(found))


def _growing(places: dict[Position, int]) -> Iterator[Position]:
    """The positions in the order of their places, also of those that get one meanwhile."""
    done = 0
    while done < len(places):
        new = list(places)[done:]
        yield from new
        done += len(new)


def _branch(
    position: Position, opponent: Strategy, after: Callable[[Position, Cell], Position], places: dict[Position, int]
) -> _Branch[Fraction]:
    """What comes of a position with O to move; positions in which the learner has to choose get a place."""
    chances = dict.fromkeys(Result, Fraction(0))
    following = defaultdict[int, Fraction](Fraction)
    replies = opponent.decide(position).choices if position.result is None else {}
    for reply, chance in replies.items():
        answered = after(position, reply)
        while answered.result is None and not has_box(answered):
            answered = after(answered, answered.legal_moves[0])
        if answered.result is None:
            following[places.setdefault(answered, len(places))] += chance
        else:
            chances[answered.result] += chance
    if position.result is not None:
        chances[position.result] = Fraction(1)
    odds = Odds(chances[Result.X], chances[Result.DRAW], chances[Result.O])
    return _Branch(odds, tuple((chance, place) for place, chance in following.items()))


HOLDS: Final = 0.1
"""A learner that loses less often than this is said to hold out against an opponent."""


def holding_from(odds: Sequence[Odds[float]]) -> int | None:
    """After how many games a learner holds out, and does so to the end of these exams; None if it does not then."""
    failed = [games for games, each in enumerate(odds) if each.loss >= HOLDS]
    after = failed[-1] + 1 if failed else 0
    return after if after < len(odds) else None
