"""The exam of a learner: its chances to win, draw and lose against an opponent, with its present table.

All positions of games against the opponent are visited once, and the opponent's decisions are noted on a sheet. An exam
then works through the sheet, from the last positions to the first. The chances in a position are the mean of the
chances after each square, weighted by the learner's probability of playing it. So chances are computed, not sampled.
Fractions are exact; floating-point numbers are much quicker and differ only by rounding. A chance of 0 is exactly 0 in
both.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, Generic, NamedTuple, TypeVar

from solver.board.position import Position, Result
from solver.board.rules import TIC_TAC_TOE
from solver.players import Strategy
from solver.players.learning.boxes import Chest, opened
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
    """A position in which the learner moves: the place of its box, if it needs one, and a branch for each square.

    `before` are the positions two plies earlier. Positions are given by their places on the sheet.
    """

    box: int | None
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
        """Return the new chances, given the old ones, after the boxes in these places have changed."""
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
        weights = (1,) * len(fold.branches) if fold.box is None else learner.plays(memory[fold.box])
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
    return exact_sheet(opponent, learner.chest).odds(learner, memory)[0]


def quick_exam(learner: Learner, memory: Memory, opponent: Strategy) -> Odds[float]:
    """Return the same chances as `exam` in floating-point numbers, which are quicker to compute."""
    return quick_sheet(opponent, learner.chest).odds(learner, memory)[0]


class Learnt(NamedTuple):
    """A learner's table and chances after a game; `game` is None before the first game."""

    game: TrainingGame | None
    memory: Memory
    odds: Odds[float]


def learning_curve(learner: Learner, opponent: Strategy, seed: str) -> Iterator[Learnt]:
    """Yield a learner before its first game against an opponent, and then after each game, without end."""
    sheet, memory = quick_sheet(opponent, learner.chest), learner.start
    odds = sheet.odds(learner, memory)
    yield Learnt(None, memory, odds[0])
    for game in trained(learner, opponent, seed):
        memory = game.taught(memory)
        odds = sheet.corrected(odds, learner, memory, (draw.box.number - 1 for draw in game.draws))
        yield Learnt(game, memory, odds[0])


@lru_cache(maxsize=32)
def exact_sheet(opponent: Strategy, chest: Chest) -> Sheet[Fraction]:
    """Return the sheet of an opponent in fractions."""
    return Sheet(_folds(opponent, chest), Fraction(1))


@lru_cache(maxsize=32)
def quick_sheet(opponent: Strategy, chest: Chest) -> Sheet[float]:
    """Return the sheet of an opponent in floating-point numbers."""
    exact = exact_sheet(opponent, chest).folds
    return Sheet(tuple(_Fold(box, tuple(map(_in_floats, branches)), before) for box, branches, before in exact), 1.0)


def _in_floats(branch: _Branch[Fraction]) -> _Branch[float]:
    return _Branch(Odds(*map(float, branch.ends)), tuple((float(chance), after) for chance, after in branch.following))


def _folds(opponent: Strategy, chest: Chest) -> tuple[_Fold[Fraction], ...]:
    """Return the positions in which a learner moves, ply by ply.

    If the opponent decides alike in images of a position, only one of these images is returned.
    """
    after = after_in_class if opponent.symmetric(TIC_TAC_TOE) else Position.after
    positions, before = [Position(TIC_TAC_TOE)], defaultdict[int, set[int]](set)
    places = {positions[0]: 0}

    def branch(position: Position, place: int) -> _Branch[Fraction]:
        chances, following = dict.fromkeys(Result, Fraction(0)), defaultdict[int, Fraction](Fraction)
        if position.result is not None:
            chances[position.result] = Fraction(1)
        else:
            for reply, chance in opponent.decide(position).choices.items():
                answered = after(position, reply)
                if answered.result is not None:
                    chances[answered.result] += chance
                    continue
                if answered not in places:
                    places[answered] = len(positions)
                    positions.append(answered)
                following[places[answered]] += chance
                before[places[answered]].add(place)
        odds = Odds(chances[Result.X], chances[Result.DRAW], chances[Result.O])
        return _Branch(odds, tuple((chance, there) for there, chance in following.items()))

    found = list[tuple[int | None, tuple[_Branch[Fraction], ...]]]()
    for place, position in enumerate(positions):  # which grow meanwhile
        box, cells = opened(position, chest)
        branches = tuple(branch(after(position, cell), place) for cell in cells)
        found.append((None if box is None else box.number - 1, branches))
    return tuple(_Fold(*fold, tuple(sorted(before[place]))) for place, fold in enumerate(found))


HOLDS: Final = 0.1
"""The share of losses below which a learner is said to hold out against an opponent."""


def holding_from(odds: Sequence[Odds[float]]) -> int | None:
    """Return the number of games after which a learner holds out in all later exams; None if it never does."""
    failed = [games for games, each in enumerate(odds) if each.loss >= HOLDS]
    after = failed[-1] + 1 if failed else 0
    return after if after < len(odds) else None
