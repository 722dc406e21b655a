"""A game played again with what perfect play makes of each move, and of those that could have been played instead."""

from dataclasses import dataclass
from enum import StrEnum

from solver.board.game import Game
from solver.board.outcome import Outcome, Value
from solver.board.position import Position
from solver.board.rules import Cell
from solver.proofs.prediction import Prediction, predict


class Grade(StrEnum):
    """What a move is, held against the best one."""

    BEST = "best"
    SLOW = "slow"
    """A win taken later than need be."""
    HASTY = "hasty"
    """A loss brought about sooner than need be."""
    ERROR = "error"
    """A win or a draw given away."""
    UNKNOWN = "unknown"
    """Too little is proved to tell."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One move of a game: the position before it, all that could be played there, and what was."""

    position: Position
    prediction: Prediction
    cell: Cell

    @property
    def before(self) -> Outcome:
        """What the mover could have had."""
        return self.prediction.outcome

    @property
    def after(self) -> Outcome:
        """What the move left."""
        return self.prediction.squares[self.cell]

    @property
    def best(self) -> tuple[Cell, ...]:
        """What a player that knows distance would have played: the quickest win, a draw, or the slowest loss."""
        return self.prediction.best

    @property
    def grade(self) -> Grade:
        """The move against the best."""
        if self.cell in self.best:
            return Grade.BEST
        if not self.best or self.after.value is Value.UNKNOWN:
            return Grade.UNKNOWN
        if self.before.value is not self.after.value:
            return Grade.ERROR
        return Grade.SLOW if self.before.value is Value.WIN else Grade.HASTY


def replayed(game: Game) -> tuple[Turn, ...]:
    """Every move of a game with its predictions."""
    return tuple(
        Turn(position, predict(position), cell) for position, cell in zip(game.positions, game.moves, strict=False)
    )
