"""The outcome of a move or a position under perfect play, and the numbers that searches use for it.

Every outcome is seen by one player, the one about to move. `plies` counts from that player's move, itself included,
to the end of the game: the winner hurries, the loser delays, and a drawn game is played to a full board.

The grade of a move against the best one, which follows from two outcomes.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from solver.board.position import Mark

Score: TypeAlias = int
"""How a search values a position for its mover: `WIN - n` wins in n plies, `-(WIN - n)` loses in n plies, 0 draws.

Estimates lie strictly between `-PROVED` and `PROVED`; every score beyond is a proof (a board has at most 64 plies).
"""

WIN: Score = 10_000
PROVED: Score = WIN - 100
DRAWN: Score = 0
LOST: Score = -WIN
"""The score of a player whose opponent has just completed a line."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is proved of a score: that it is no less than `lower` and no more than `upper`."""

    lower: Score = LOST
    upper: Score = WIN - 1

    @property
    def score(self) -> Score | None:
        """The score, if it is proved exactly."""
        return self.lower if self.lower == self.upper else None

    @property
    def closed(self) -> bool:
        """Whether nothing is left to ask: the score is exact, or the bounds cross, which only false ones do."""
        return self.lower >= self.upper

    def narrowed(self, other: "Bounds") -> "Bounds":
        """What both say together."""
        return Bounds(max(self.lower, other.lower), min(self.upper, other.upper))

    def to_child(self) -> "Bounds":
        """The same proofs one ply later, seen by the other player."""
        return Bounds(to_child(self.upper), to_child(self.lower))

    def to_parent(self) -> "Bounds":
        """The same proofs one ply earlier, seen by the other player."""
        return Bounds(to_parent(self.upper), to_parent(self.lower))


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


def sign(score: Score) -> int:
    """The score without its distance: 1 a win, 0 a draw, -1 a loss."""
    return (score > DRAWN) - (score < DRAWN)


class Value(StrEnum):
    """Who wins, seen by the player about to move. UNKNOWN is the honest answer where nothing was proved."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A value and, where they are proved exactly, the plies to the end of the game.

    Where they are not, `bounds` holds what is proved of the score; a win or a loss may be proved without its distance.
    """

    value: Value
    plies: int | None
    bounds: Bounds = Bounds()

    @classmethod
    def of_score(cls, score: Score, plies_left: int) -> "Outcome":
        """The outcome that a proved score stands for; a draw lasts `plies_left` plies, to the full board."""
        if score >= PROVED:
            return cls(Value.WIN, WIN - score)
        if score <= -PROVED:
            return cls(Value.LOSS, WIN + score)
        return cls(Value.DRAW, plies_left)

    @classmethod
    def of_bounds(cls, bounds: Bounds, plies_left: int) -> "Outcome":
        """The outcome as far as these bounds of a score prove it."""
        if bounds.score is not None:
            return cls.of_score(bounds.score, plies_left)
        if bounds.lower > DRAWN:
            return cls(Value.WIN, None, bounds)
        return cls(Value.LOSS if bounds.upper < DRAWN else Value.UNKNOWN, None, bounds)

    @property
    def rank(self) -> Score:
        """The order of moves: quicker win, slower win, draw, slower loss, quicker loss. Larger is better.

        Raises ValueError where the outcome is not proved with its distance.
        """
        if self.plies is None:
            raise ValueError("What is not proved has no rank.")
        match self.value:
            case Value.WIN:
                return WIN - self.plies
            case Value.LOSS:
                return self.plies - WIN
            case _:
                return DRAWN

    @property
    def ranks(self) -> Bounds:
        """The ranks that are possible as far as is proved; just one where all is."""
        return self.bounds if self.plies is None else Bounds(self.rank, self.rank)

    def seen_by_the_other(self) -> "Outcome":
        """The same game as the other player sees it, in as many plies: a win is a loss."""
        value = {Value.WIN: Value.LOSS, Value.LOSS: Value.WIN}.get(self.value, self.value)
        if self.plies is not None:
            return Outcome(value, self.plies)
        return Outcome(value, None, Bounds(-self.bounds.upper, -self.bounds.lower))

    @property
    def at_most(self) -> int | None:
        """The plies within which a win or loss comes about whose distance is not proved; None for all else."""
        if self.plies is not None or self.value is Value.UNKNOWN:
            return None
        return WIN - self.bounds.lower if self.value is Value.WIN else WIN + self.bounds.upper

    @property
    def letter(self) -> str:
        """W, D or L; ? where nothing was proved."""
        return "?" if self.value is Value.UNKNOWN else self.value.value[0].upper()

    @property
    def number(self) -> str:
        """What is drawn beside the letter: the plies, or as much as is proved of them or of the value."""
        if self.plies is not None:
            return str(self.plies)
        if self.at_most is not None:
            return f"≤{self.at_most}"
        return {"at least a draw": "≥D", "at most a draw": "≤D"}.get(self.limits, "")

    @property
    def limits(self) -> str:
        """What is proved of a value that is not: "at least a draw", "at most a draw", or nothing."""
        if self.value is Value.UNKNOWN and self.bounds.lower == DRAWN:
            return "at least a draw"
        return "at most a draw" if self.value is Value.UNKNOWN and self.bounds.upper == DRAWN else ""

    @property
    def safe_plies(self) -> int | None:
        """The plies within which neither side can force a line, this move included; None where the value is proved.

        Further proofs never make them fewer.
        """
        if self.value is not Value.UNKNOWN:
            return None
        soonest = WIN - max(self.bounds.upper, -self.bounds.lower)
        return max(0, soonest - 1)

    @property
    def safety(self) -> str:
        """The safe plies in words, e.g. "nobody wins within 5 moves (10 plies)"; moves are each side's own."""
        if not self.safe_plies or self.safe_plies < 2:
            return ""
        plies = counted(self.safe_plies, "ply", "plies")
        return f"nobody wins within {counted(self.safe_plies // 2, 'move', 'moves')} ({plies})"

    def words(self, mover: Mark) -> str:
        """The outcome in words, e.g. "X wins in 2 moves (3 plies)"; moves count the winner's own."""
        winner = mover if self.value is Value.WIN else mover.other
        if self.at_most is not None:
            return f"{winner} wins in at most {_moves(self.at_most)}"
        if self.plies is None:
            return _but("not proved", self.limits, self.safety)
        if self.value is Value.DRAW:
            return f"draw in {counted(self.plies, 'ply', 'plies')}"
        return f"{winner} wins in {_moves(self.plies)}"

    def in_moves(self, mover: Mark) -> str:
        """The same without plies, which not everybody counts in: "X wins in 2 moves" or "a draw"."""
        return "a draw" if self.value is Value.DRAW else self.words(mover).partition(" (")[0]

    def would(self, mover: str, with_distance: bool = True) -> str:
        """What playing the square would do, e.g. "X would win in 2 moves (3 plies)" or "O would draw"."""
        if self.value is Value.UNKNOWN:
            return _but("not proved yet", self.limits, self.safety if with_distance else "")
        verb = {Value.WIN: "win", Value.DRAW: "draw", Value.LOSS: "lose"}[self.value]
        plies, most = (self.plies, "") if self.at_most is None else (self.at_most, "at most ")
        assert plies is not None  # noqa: S101 - a proved value has its distance, or else a limit of it
        distance = _moves(plies) if self.value is Value.WIN else counted(plies, "ply", "plies")
        return f"{mover} would {verb}" + (f" in {most}{distance}" if with_distance else "")


def _but(unproved: str, *proved: str) -> str:
    known = ", and ".join(filter(None, proved))
    return f"{unproved}, but {known}" if known else unproved


def _moves(plies: int) -> str:
    return f"{counted((plies + 1) // 2, 'move', 'moves')} ({counted(plies, 'ply', 'plies')})"


def counted(number: int, one: str, many: str) -> str:
    """A number with what it counts, e.g. "1 ply" or "3 plies"."""
    return f"{number:,} {one if number == 1 else many}"


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
