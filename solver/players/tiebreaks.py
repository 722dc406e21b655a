"""Perfect play with a tie-break, which chooses among the squares with the best outcome.

Both tie-breaks come from comments on the Erlang article. They are for boards with a table of all positions.

- *Opportunities* are "Winning next moves minus losing next moves". The comment does not say for whom. Here the next
  moves are the opponent's replies, and a reply is winning if the player who took the square wins after it with perfect
  play. So of several draws, the best is the one after which most replies lose for the opponent.
- *Paths* are all ways for the game to go on to its end, good play or bad. A path that ends with the square itself
  weighs 1, and each further ply halves its weight. The value of a square is the weight of the paths that its player
  wins, less the weight of the paths that this player loses.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from solver.board.outcome import DRAWN
from solver.board.position import Position
from solver.board.rules import Cell
from solver.players.decision import FINISHED, Decide, Decision, any_of
from solver.proofs.predict import predict
from solver.search.fold import fold, itself
from solver.search.tablebase import look_up

WEIGHT: Final = Fraction(1, 2)
"""The factor by which each further ply reduces a path's weight."""


def impossible_by(name: str, measure: Callable[[Position, Cell], "Opportunities | Paths"]) -> Decide:
    """Return the perfect player with this tie-break, for boards with a table of all positions."""

    def decide(position: Position) -> Decision:
        prediction = predict(position)
        if not prediction.squares:
            raise ValueError(FINISHED)
        best = prediction.best
        outcome = prediction.squares[best[0]].words(position.mover, position.rules)
        if len(best) == 1:
            return any_of(best, "the best outcome there is, on one square only", outcome)
        worths = {cell: measure(position, cell) for cell in best}
        top = max(worth.value for worth in worths.values())
        chosen = [cell for cell in best if worths[cell].value == top]
        reason = f"the best outcome there is, and of the squares that have it the best by {name}"
        return any_of(chosen, reason, f"{outcome}; {worths[chosen[0]].words()}")

    return decide


@dataclass(frozen=True, slots=True)
class Opportunities:
    """Two numbers of replies: those after which the player who took the square wins, and those after which it loses."""

    winning: int
    losing: int

    @property
    def value(self) -> int:
        """The tie-break: more is better."""
        return self.winning - self.losing

    def words(self) -> str:
        """Return the count in words."""
        replies = "1 reply lets" if self.winning == 1 else f"{self.winning} replies let"
        return f"{replies} it win and {self.losing} lose: {self.value:+d}"


def opportunities(position: Position, cell: Cell) -> Opportunities:
    """Return the opportunities after an open square is taken. If that ends the game, there are no replies."""
    after = position.after(cell)
    scores = [look_up(after.after(reply)) for reply in after.legal_moves]
    return Opportunities(sum(score > DRAWN for score in scores), sum(score < DRAWN for score in scores))


@dataclass(frozen=True, slots=True)
class Paths:
    """The numbers of paths from a square that its player wins, draws and loses, and their worth."""

    won: int
    drawn: int
    lost: int
    value: Fraction
    """The weight of the paths won, less the weight of the paths lost. More is better."""

    def words(self) -> str:
        """Return the counts in words."""
        return f"{self.won:,} paths win, {self.lost:,} lose, weighing {float(self.value):+.3f} together"


def paths(position: Position, cell: Cell) -> Paths:
    """Return all paths from an open square, on boards of up to nine cells."""
    return _paths(position.after(cell))


def _end_of(position: Position) -> Paths:
    return Paths(1, 0, 0, Fraction(1)) if position.winning_lines else Paths(0, 1, 0, Fraction(0))


def _add_up(_: Position, replies: Sequence[Paths]) -> Paths:
    """Add up the paths of all replies. Paths that the mover wins are lost for the player who moved last."""
    return Paths(
        sum(reply.lost for reply in replies),
        sum(reply.drawn for reply in replies),
        sum(reply.won for reply in replies),
        -WEIGHT * sum(reply.value for reply in replies),
    )


_paths = fold(_end_of, _add_up, Position.successors, itself)
"""The paths from a position for the player who moved last."""
