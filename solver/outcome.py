"""What perfect play makes of a move or a position, and the numbers that searches use for it.

Every outcome is seen by one player, the one about to move. `plies` counts from that player's move, itself included,
to the end of the game: the winner hurries, the loser delays, and a drawn game is played to a full board.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from solver.position import Mark

Score: TypeAlias = int
"""How a search values a position for its mover: `WIN - n` wins in n plies, `-(WIN - n)` loses in n plies, 0 draws.

Estimates lie strictly between `-PROVED` and `PROVED`; every score beyond is a proof (a board has at most 64 plies).
"""

WIN: Score = 10_000
PROVED: Score = WIN - 100
DRAWN: Score = 0
LOST: Score = -WIN
"""The score of a player whose opponent has just completed a line."""


def to_parent(score: Score) -> Score:
    """A score one ply earlier, seen by the other player: negated, and a win or loss one ply farther away."""
    if score >= PROVED:
        return 1 - score
    if score <= -PROVED:
        return -1 - score
    return -score


def to_child(score: Score) -> Score:
    """The inverse of `to_parent`: what the reply must score for the move to have this score."""
    if score >= PROVED:
        return -1 - score
    if score <= -PROVED:
        return 1 - score
    return -score


class Value(StrEnum):
    """Who wins, seen by the player about to move. UNKNOWN is the honest answer where nothing was proved."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A value and, unless it is unknown, the plies to the end of the game."""

    value: Value
    plies: int | None

    @classmethod
    def of_score(cls, score: Score, plies_left: int) -> "Outcome":
        """The outcome that a proved score stands for; a draw lasts `plies_left` plies, to the full board."""
        if score >= PROVED:
            return cls(Value.WIN, WIN - score)
        if score <= -PROVED:
            return cls(Value.LOSS, WIN + score)
        return cls(Value.DRAW, plies_left)

    @property
    def rank(self) -> Score:
        """The order of moves: quicker win, slower win, draw, slower loss, quicker loss. Larger is better.

        Raises ValueError for an unknown outcome, which has no place in that order.
        """
        if self.plies is None:
            raise ValueError("An unknown outcome has no rank.")
        match self.value:
            case Value.WIN:
                return WIN - self.plies
            case Value.LOSS:
                return self.plies - WIN
            case _:
                return DRAWN

    @property
    def letter(self) -> str:
        """W, D or L; ? where nothing was proved."""
        return "?" if self.value is Value.UNKNOWN else self.value.value[0].upper()

    def words(self, mover: Mark) -> str:
        """The outcome in words, e.g. "X wins in 2 moves (3 plies)"; moves count the winner's own."""
        if self.plies is None:
            return "not proved"
        plies = _count(self.plies, "ply", "plies")
        if self.value is Value.DRAW:
            return f"draw in {plies}"
        winner = mover if self.value is Value.WIN else mover.other
        return f"{winner} wins in {_count((self.plies + 1) // 2, 'move', 'moves')} ({plies})"

    def would(self, mover: Mark, with_distance: bool = True) -> str:
        """What playing the square would do, e.g. "X would win in 2 moves (3 plies)" or "O would draw"."""
        if self.plies is None:
            return "not proved"
        verb = {Value.WIN: "win", Value.DRAW: "draw", Value.LOSS: "lose"}[self.value]
        plies = _count(self.plies, "ply", "plies")
        if self.value is Value.WIN:
            distance = f" in {_count((self.plies + 1) // 2, 'move', 'moves')} ({plies})"
        else:
            distance = f" in {plies}"
        return f"{mover} would {verb}" + (distance if with_distance else "")


UNKNOWN = Outcome(Value.UNKNOWN, None)


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
