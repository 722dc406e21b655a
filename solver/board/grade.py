"""The grade of a move against the best one, which follows from two outcomes."""

from enum import StrEnum

from solver.board.outcome import Outcome, Value


class Grade(StrEnum):
    """What a move keeps of what its mover could have had, or gives away."""

    BEST = "best"
    SLOWER = "slower"
    """Keeps a win or a loss, but wins later or loses sooner than need be."""
    WIN_TO_DRAW = "win-to-draw"
    WIN_TO_LOSS = "win-to-loss"
    DRAW_TO_LOSS = "draw-to-loss"
    UNKNOWN = "unknown"
    """Too little is proved to tell."""

    @property
    def is_mistake(self) -> bool:
        """Whether a win or a draw was given away."""
        return self in (Grade.WIN_TO_DRAW, Grade.WIN_TO_LOSS, Grade.DRAW_TO_LOSS)


def graded(before: Outcome, after: Outcome) -> Grade:
    """The grade of a move from what its mover could have had and what it left, both counted from before the move.

    `before` is the best of all squares, so that it is never less than `after`.
    """
    if Value.UNKNOWN in (before.value, after.value):
        return Grade.UNKNOWN
    if before.value is not after.value:
        return Grade(f"{before.value}-to-{after.value}")
    if after.ranks.lower == before.ranks.upper:
        return Grade.BEST
    return Grade.SLOWER if after.ranks.upper < before.ranks.lower else Grade.UNKNOWN


def in_a_word(grade: Grade, after: Outcome) -> str:
    """The grade in one word: "error" for all that gives something away, and what is slower as "slow" or "hasty"."""
    if grade.is_mistake:
        return "error"
    if grade is Grade.SLOWER:
        return "slow" if after.value is Value.WIN else "hasty"
    return grade.value
