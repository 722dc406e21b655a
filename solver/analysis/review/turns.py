"""The review of a game: what each move was worth, which of them gave something away, and where the game turned."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import zip_longest
from types import MappingProxyType
from typing import Final, TypeAlias

from solver.board.game import Game
from solver.board.outcome import Bounds, Grade, Outcome, graded, in_a_word
from solver.board.position import Mark, Position
from solver.board.rules import Cell
from solver.proofs.prediction import Prediction, predict

PredictionOf: TypeAlias = Callable[[Position], Prediction]
"""What is known of a position's squares."""

NO_CHANCES: Final[Mapping[Cell, Fraction]] = MappingProxyType({})

ChancesOf: TypeAlias = Callable[[Position], Mapping[Cell, Fraction]]
"""The chance of a position's mover to win by each square against the other player; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One move of a game, with all that could have been played instead.

    `ply` is 1 for the first move of the game, so that `game.upto(ply - 1)` leads to where one may try again.
    `chances` are the mover's of winning against the opponent by each square, and empty where they are not known.
    `missed` says that it is a mistake right after one of the opponent's: a chance that was not taken. `reached` is what
    the move before has proved of the position, which may be more than its squares do.
    """

    ply: int
    prediction: Prediction
    cell: Cell
    chances: Mapping[Cell, Fraction]
    missed: bool = False
    reached: Bounds = field(default_factory=Bounds)

    @property
    def position(self) -> Position:
        """The position before the move."""
        return self.prediction.position

    @property
    def mover(self) -> Mark:
        """Who made it."""
        return self.position.mover

    @property
    def before(self) -> Outcome:
        """What the mover could have had."""
        outcome = self.prediction.outcome
        bounds = outcome.ranks.narrowed(self.reached)
        return outcome if bounds == outcome.ranks else Outcome.of_bounds(bounds, self.position.plies_left)

    @property
    def after(self) -> Outcome:
        """What the move left the mover, in plies from before it."""
        return self.prediction.squares[self.cell]

    @property
    def best(self) -> tuple[Cell, ...]:
        """The quickest wins, else the draws, else the slowest losses. Empty where that is not proved."""
        return self.prediction.best

    @property
    def keeping(self) -> tuple[Cell, ...]:
        """The squares that are proved to keep the win, the draw or the loss that the mover had."""
        return tuple(cell for cell, outcome in self.prediction.squares.items() if outcome.value is self.before.value)

    @property
    def grade(self) -> Grade:
        """The move against the best."""
        return graded(self.before, self.after)

    @property
    def chance_before(self) -> Fraction | None:
        """The chance to win against this opponent by the square that has the greatest; None where it is not known."""
        return max(self.chances.values(), default=None)

    @property
    def chance_after(self) -> Fraction | None:
        """The chance that the move left; None where it is not known."""
        return self.chances.get(self.cell)

    @property
    def word(self) -> str:
        """The grade in one word."""
        return in_a_word(self.grade, self.after)


@dataclass(frozen=True, slots=True)
class Review:
    """Every move of a game; `end` is the outcome of its last position for the player who would move there."""

    game: Game
    turns: tuple[Turn, ...]
    end: Outcome

    @property
    def mistakes(self) -> tuple[Turn, ...]:
        """The moves that gave a win or a draw away, which are those where the value of the game changed."""
        return tuple(turn for turn in self.turns if turn.grade.is_mistake)

    @property
    def turning_point(self) -> Turn | None:
        """The last of the mistakes: what it left is what the game came to, unless what followed is not proved."""
        return self.mistakes[-1] if self.mistakes else None

    @property
    def unproved(self) -> tuple[Turn, ...]:
        """The moves of which too little is proved to grade them."""
        return tuple(turn for turn in self.turns if turn.grade is Grade.UNKNOWN)

    @property
    def rows(self) -> tuple[tuple[Turn | None, Turn | None], ...]:
        """The moves in two columns, X's and O's; None where the game begins or ends between them."""
        by_column = (None, *self.turns) if self.turns and self.turns[0].mover is Mark.O else self.turns
        return tuple(zip_longest(by_column[::2], by_column[1::2]))

    def mistakes_of(self, mark: Mark) -> tuple[Turn, ...]:
        """One side's mistakes, to learn from."""
        return tuple(turn for turn in self.mistakes if turn.mover is mark)


def no_chances(_: Position) -> Mapping[Cell, Fraction]:
    """That no chance against the opponent is known."""
    return NO_CHANCES


def review(game: Game, prediction_of: PredictionOf = predict, chances_of: ChancesOf = no_chances) -> Review:
    """Every move of a game against what is known of the position before it.

    What is proved of a position is proved of the move that led to it, and the other way round. On larger boards more is
    proved of late positions than of early ones, so the game is gone through from its end, and then once more onward.
    """
    end = outcome = prediction_of(game.last).outcome
    turns: list[Turn] = []
    for ply in range(len(game.moves), 0, -1):
        position, cell = game.positions[ply - 1], game.moves[ply - 1]
        prediction = _knowing(prediction_of(position), cell, outcome)
        turns.append(Turn(ply, prediction, cell, chances_of(position)))
        outcome = prediction.outcome
    return Review(game, _with_missed_chances(_onward(turns[::-1])), end)


def _knowing(prediction: Prediction, cell: Cell, reached: Outcome) -> Prediction:
    """The prediction with what is proved of the position that a square leads to, as its mover sees that."""
    position = prediction.position
    bounds = prediction.squares[cell].ranks.narrowed(reached.ranks.to_parent())
    if bounds == prediction.squares[cell].ranks:
        return prediction
    outcome = Outcome.of_bounds(bounds, position.plies_left)
    alike = next(orbit for orbit in position.orbits() if cell in orbit)
    return replace(prediction, squares=MappingProxyType({**prediction.squares, **dict.fromkeys(alike, outcome)}))


def _onward(turns: list[Turn]) -> list[Turn]:
    """The turns with what each has proved of the position that the next one begins from."""
    known: list[Turn] = []
    for turn in turns:
        before = known[-1] if known else None
        known.append(turn if before is None else replace(turn, reached=before.after.ranks.to_child()))
    return known


def _with_missed_chances(turns: list[Turn]) -> tuple[Turn, ...]:
    mistaken = [False, *(turn.grade.is_mistake for turn in turns)]
    return tuple(
        replace(turn, missed=before and now) for turn, before, now in zip(turns, mistaken, mistaken[1:], strict=False)
    )
