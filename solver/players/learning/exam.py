"""The exam of a learner: its chances to win, draw and lose against an opponent, with its present table.

All positions of games against the opponent are visited once, and the opponent's decisions are noted on a sheet. An exam
then works through the sheet, from the last positions to the first. The chances in a position are the mean of the
chances after each square, weighted by the learner's probability of playing it. So chances are computed, not sampled.
Fractions are exact; floating-point numbers are much quicker and differ only by rounding. A chance of 0 is exactly 0 in
both.
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
    """The future after a square: the chances that the game ends, and the chance of each position that comes next."""

    ends: Odds[Number]
    following: tuple[tuple[Number, int], ...]


class _Fold(NamedTuple, Generic[Number]):
    """A position in which the learner opens a box: the box's place, and a branch for each of its squares.

    `before` are the positions two plies earlier. Positions are given by their places on the sheet.
    """

    box: int
    branches: tuple[_Branch[Number], ...]
    before: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sheet(Generic[Number]):
    """The opponent's decisions in all positions that a learner can reach. `one` is the number 1 of the sheet's type.

    Each position comes before the positions that it leads to, so the empty board is first.
    """

    folds: tuple[_Fold[Number], ...]
    one: Number

    def odds(self, learner: Learner, memory: Memory) -> list[Odds[Number]]:
        """Return a learner's chances in every position of the sheet."""
        found = [self._nothing()] * len(self.folds)
        for place in reversed(range(len(self.folds))):
            found[place] = self._folded(place, found, learner, memory)
        return found

    def corrected(
        self, odds: Sequence[Odds[Number]], learner: Learner, memory: Memory, changed: Iterable[int]
    ) -> list[Odds[Number]]:
        """Return the new chances after some boxes have changed.

        `odds` are the old chances. `changed` are the places of the boxes.
        """
        found, boxes = list(odds), set(changed)
        stale = {place for place, fold in enumerate(self.folds) if fold.box in boxes}
        for place in reversed(range(len(self.folds))):
            if place in stale:
                was, found[place] = found[place], self._folded(place, found, learner, memory)
                if found[place] != was:
                    stale.update(self.folds[place].before)
        return found

    def _folded(self, place: int, found: Sequence[Odds[Number]], learner: Learner, memory: Memory) -> Odds[Number]:
        """Return the chances in one position, given those in all later positions."""
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
    """Return the exact chances of a learner with this table, as X, against an opponent."""
    return exact_sheet(opponent).odds(learner, memory)[0]


def quick_exam(learner: Learner, memory: Memory, opponent: Strategy) -> Odds[float]:
    """Return the same chances as `exam` in floating-point numbers, which are quicker to compute."""
    return quick_sheet(opponent).odds(learner, memory)[0]


class Learnt(NamedTuple):
    """A learner's table and chances after a game; `game` is None before the first game."""

    game: TrainingGame | None
    memory: Memory
    odds: Odds[float]


def learning_curve(learner: Learner, opponent: Strategy, seed: str) -> Iterator[Learnt]:
    """Yield a learner before its first game against an opponent, and then after each game, without end."""
    sheet, memory = quick_sheet(opponent), learner.start
    odds = sheet.odds(learner, memory)
    yield Learnt(None, memory, odds[0])
    for game in trained(learner, opponent, seed):
        memory = game.taught(memory)
        odds = sheet.corrected(odds, learner, memory, (draw.box.number - 1 for draw in game.draws))
        yield Learnt(game, memory, odds[0])


@lru_cache(maxsize=32)
def exact_sheet(opponent: Strategy) -> Sheet[Fraction]:
    """Return the sheet of an opponent in fractions."""
    return Sheet(_folds(opponent), Fraction(1))


@lru_cache(maxsize=32)
def quick_sheet(opponent: Strategy) -> Sheet[float]:
    """Return the sheet of an opponent in floating-point numbers."""
    exact = exact_sheet(opponent).folds
    return Sheet(tuple(_Fold(box, tuple(map(_in_floats, branches)), before) for box, branches, before in exact), 1.0)


def _in_floats(branch: _Branch[Fraction]) -> _Branch[float]:
    return _Branch(Odds(*map(float, branch.ends)), tuple((float(chance), after) for chance, after in branch.following))


def _folds(opponent: Strategy) -> tuple[_Fold[Fraction], ...]:
    """Return the positions in which a learner opens a box, ply by ply.

    If the opponent decides alike in images of a position, only one of these images is returned.
    """
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
    """Yield the positions in the order of their places. Positions may be added meanwhile, and are yielded too."""
    done = 0
    while done < len(places):
        new = list(places)[done:]
        yield from new
        done += len(new)


def _branch(
    position: Position, opponent: Strategy, after: Callable[[Position, Cell], Position], places: dict[Position, int]
) -> _Branch[Fraction]:
    """Return the branch for a position with O to move.

    Add each position in which the learner chooses to `places`.
    """
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
"""The share of losses below which a learner is said to hold out against an opponent."""


def holding_from(odds: Sequence[Odds[float]]) -> int | None:
    """Return the number of games after which a learner holds out in all later exams; None if it never does."""
    failed = [games for games, each in enumerate(odds) if each.loss >= HOLDS]
    after = failed[-1] + 1 if failed else 0
    return after if after < len(odds) else None
