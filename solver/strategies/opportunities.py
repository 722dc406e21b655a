"""Opportunities: a tie-break by what the next board offers, from a comment of the Erlang article.

"Winning next moves minus losing next moves" needs a view and a meaning. Here the view is that of the player who takes
the square. The next moves are the opponent's replies; one wins if that player then wins by perfect play of both, and
loses if that player then loses. So of equally good draws the best is the one that the opponent can spoil most often.
"""

from dataclasses import dataclass

from solver.board.outcome import DRAWN
from solver.board.position import Position
from solver.board.rules import Cell
from solver.search.tablebase import looked_up


@dataclass(frozen=True, slots=True)
class Opportunities:
    """The opponent's replies that win and that lose for the player who took the square."""

    winning: int
    losing: int

    @property
    def value(self) -> int:
        """The tie-break: more is better."""
        return self.winning - self.losing

    def words(self) -> str:
        """The count in words."""
        replies = "1 reply lets" if self.winning == 1 else f"{self.winning} replies let"
        return f"{replies} it win and {self.losing} lose: {self.value:+d}"


def opportunities(position: Position, cell: Cell) -> Opportunities:
    """What the board offers after an open square is taken; nothing where the game is over then.

    For boards of up to nine cells, whose every position is looked up.
    """
    after = position.after(cell)
    scores = [looked_up(after.after(reply)) for reply in after.legal_moves]
    return Opportunities(sum(score > DRAWN for score in scores), sum(score < DRAWN for score in scores))
