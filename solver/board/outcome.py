"""Outcomes of moves and positions under perfect play, the scores that searches use for them, and grades of moves.

Every outcome is seen by the player about to move. `plies` counts the moves of both players up to the end of the game,
including the next one. The winner hurries, the loser delays, and a drawn game lasts until the board is full, or for
ever if stones leave before that.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias

from solver.board.position import Mark, Position, Result
from solver.board.rules import TIC_TAC_TOE, Rules

Score: TypeAlias = int
"""The value of a position for its mover: `WIN - n` wins in n plies, `-(WIN - n)` loses in n plies, 0 draws.

Estimates lie strictly between `-PROVED` and `PROVED`. Every score beyond them is a proof, since games have at most 64
plies.
"""

WIN: Score = 10_000
PROVED: Score = WIN - 100
DRAWN: Score = 0
LOST: Score = -WIN
"""The score of a player whose opponent has just completed a line."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The proved limits of a score: it is at least `lower` and at most `upper`. `str` says them in words.

    >>> print(Bounds(lower=DRAWN))
    draw to win in 1 ply
    """

    lower: Score = LOST
    upper: Score = WIN - 1

    def __str__(self) -> str:
        ends = (_score_words(score) for score in dict.fromkeys((self.lower, self.upper)))
        return " to ".join(ends)

    @property
    def score(self) -> Score | None:
        """The score, if it is proved exactly, else None."""
        return self.lower if self.lower == self.upper else None

    @property
    def closed(self) -> bool:
        """True if the score is exact, or if the bounds cross because one of them is false."""
        return self.lower >= self.upper

    def narrowed(self, other: "Bounds") -> "Bounds":
        """Return the bounds that follow from both."""
        return Bounds(max(self.lower, other.lower), min(self.upper, other.upper))

    def to_child(self) -> "Bounds":
        """Return the bounds one ply later, as the other player sees them."""
        return Bounds(to_child(self.upper), to_child(self.lower))

    def to_parent(self) -> "Bounds":
        """Return the bounds one ply earlier, as the other player sees them."""
        return Bounds(to_parent(self.upper), to_parent(self.lower))


def won_in_time(plies_left: int) -> Bounds:
    """Return the bounds of a win by completing a line, which comes as the board is full at the latest."""
    return Bounds(lower=WIN - plies_left + (plies_left + 1) % 2)


def bounds_by_rules(position: Position) -> Bounds:
    """Return the bounds of a position's score by the rules alone: exact if the game is over or nearly over."""
    match position.result:
        case None:
            loses = position.rules.completing_loses
            lower, upper = 2 - loses - WIN, WIN - 1 - loses
            if position.plies_left == 1:  # the other end of the game takes two plies
                return Bounds(lower, DRAWN) if loses else Bounds(DRAWN, upper)
            return Bounds(lower, upper)
        case Result.DRAW:
            return Bounds(DRAWN, DRAWN)
        case winner:
            score = WIN if str(winner) == position.mover else LOST
            return Bounds(score, score)


def to_parent(score: Score) -> Score:
    """Return a score one ply earlier, as the other player sees it.

    The score is negated, and a win or a loss is one ply farther away.
    """
    if score >= PROVED:
        return 1 - score
    if score <= -PROVED:
        return -1 - score
    return -score


def to_child(score: Score) -> Score:
    """Return a score one ply later, as the other player sees it: the inverse of `to_parent`."""
    if score >= PROVED:
        return -1 - score
    if score <= -PROVED:
        return 1 - score
    return -score


def sign(score: Score) -> int:
    """Return a score without its distance: 1 for a win, 0 for a draw, -1 for a loss."""
    return (score > DRAWN) - (score < DRAWN)


class Value(StrEnum):
    """The result for the player about to move; UNKNOWN if nothing is proved."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A value, and the plies to the end of the game if they are proved. A draw without an end has none.

    If the plies are not proved, `bounds` are the bounds of the score, which can still prove a win or a loss.

    >>> outcome = Outcome(Value.WIN, 3)
    >>> print(outcome)
    win in 3 plies
    >>> outcome.moves
    2
    >>> outcome.words(Mark.X)
    'X wins in 2 moves (3 plies)'
    """

    value: Value
    plies: int | None
    bounds: Bounds = Bounds()

    def __str__(self) -> str:
        if self.is_endless:
            return "draw without end"
        if self.plies is None and self.at_most is None:
            return _but("not proved", self.limits, self.safety)
        most, plies = ("at most ", self.at_most) if self.plies is None else ("", self.plies)
        return f"{self.value} in {most}{counted(plies or 0, 'ply', 'plies')}"

    def __repr__(self) -> str:
        bounds = "" if self.bounds == Bounds() else f", {self.bounds!r}"
        return f"Outcome(Value.{self.value.name}, {self.plies}{bounds})"

    @classmethod
    def of_score(cls, score: Score, plies_left: int | None) -> "Outcome":
        """Return the outcome of a proved score. A draw lasts `plies_left` plies, until the board is full, if ever."""
        if score >= PROVED:
            return cls(Value.WIN, WIN - score)
        if score <= -PROVED:
            return cls(Value.LOSS, WIN + score)
        return cls(Value.DRAW, plies_left)

    @classmethod
    def of_bounds(cls, bounds: Bounds, plies_left: int | None) -> "Outcome":
        """Return the outcome as far as the bounds of a score prove it."""
        if bounds.score is not None:
            return cls.of_score(bounds.score, plies_left)
        if bounds.lower > DRAWN:
            return cls(Value.WIN, None, bounds)
        return cls(Value.LOSS if bounds.upper < DRAWN else Value.UNKNOWN, None, bounds)

    @property
    def is_endless(self) -> bool:
        """True if the value is a draw because nobody can win and the game goes on."""
        return self.value is Value.DRAW and self.plies is None

    @property
    def is_exact(self) -> bool:
        """True if the value is proved with its distance."""
        return self.plies is not None or self.is_endless

    @property
    def moves(self) -> int | None:
        """The moves of the player who makes the last one, if a win or loss is proved with its distance."""
        return None if self.plies is None or self.value not in (Value.WIN, Value.LOSS) else own_moves(self.plies)

    @property
    def rank(self) -> Score:
        """A number that is larger for a better outcome.

        From best to worst: quick win, slow win, draw, slow loss, quick loss.

        Raises ValueError if the distance is not proved.
        """
        if self.is_endless:
            return DRAWN
        if self.plies is None:
            raise ValueError("An outcome without a proved distance has no rank.")
        match self.value:
            case Value.WIN:
                return WIN - self.plies
            case Value.LOSS:
                return self.plies - WIN
            case _:
                return DRAWN

    @property
    def ranks(self) -> Bounds:
        """The bounds of the rank. They are equal if the distance is proved."""
        return Bounds(self.rank, self.rank) if self.is_exact else self.bounds

    def seen_by_the_other(self) -> "Outcome":
        """Return the outcome as the other player sees it: a win is a loss in the same number of plies."""
        value = {Value.WIN: Value.LOSS, Value.LOSS: Value.WIN}.get(self.value, self.value)
        if self.is_exact:
            return Outcome(value, self.plies)
        return Outcome(value, None, Bounds(-self.bounds.upper, -self.bounds.lower))

    @property
    def at_most(self) -> int | None:
        """The most plies that a win or a loss can take, if the exact number is not proved; else None."""
        if self.is_exact or self.value is Value.UNKNOWN:
            return None
        return WIN - self.bounds.lower if self.value is Value.WIN else WIN + self.bounds.upper

    @property
    def letter(self) -> str:
        """W, D or L; ? if nothing is proved."""
        return "?" if self.value is Value.UNKNOWN else self.value.value[0].upper()

    @property
    def number(self) -> str:
        """The text beside the letter: the plies such as 5, or a bound such as ≤9 or ≥D."""
        if self.plies is not None:
            return str(self.plies)
        if self.at_most is not None:
            return f"≤{self.at_most}"
        return {"at least a draw": "≥D", "at most a draw": "≤D"}.get(self.limits, "")

    @property
    def limits(self) -> str:
        """The bound of an unknown value in words: "at least a draw", "at most a draw", or an empty text."""
        if self.value is Value.UNKNOWN and self.bounds.lower == DRAWN:
            return "at least a draw"
        return "at most a draw" if self.value is Value.UNKNOWN and self.bounds.upper == DRAWN else ""

    @property
    def safe_plies(self) -> int | None:
        """The plies in which neither side can force a line, this move included; None if the value is proved."""
        if self.value is not Value.UNKNOWN:
            return None
        soonest = WIN - max(self.bounds.upper, -self.bounds.lower)
        return max(0, soonest - 1)

    @property
    def safety(self) -> str:
        """The safe plies in words, e.g. "nobody wins within 5 moves", which are each side's own."""
        if not self.safe_plies or self.safe_plies < 2:
            return ""
        return f"nobody wins within {counted(self.safe_plies // 2, 'move', 'moves')}"

    def words(self, mover: Mark, rules: Rules = TIC_TAC_TOE) -> str:
        """Return the outcome in words, e.g. "X wins in 2 moves (3 plies)"; the moves are the winner's own.

        Where a line loses, e.g. "X must complete a line on move 2 (3 plies)"; the moves are the loser's own.
        """
        if self.is_endless:
            return str(self)
        if self.value is Value.UNKNOWN:
            return _but("not proved", self.limits, self.safety)
        if self.value is Value.DRAW:
            return f"draw in {counted(self.plies or 0, 'ply', 'plies')}"
        winner = mover if self.value is Value.WIN else mover.other
        plies, most = (self.plies, "") if self.at_most is None else (self.at_most, "at most ")
        assert plies is not None  # noqa: S101 - a proved value has a distance or its bound
        if rules.completing_loses:
            when = f"{'by' if most else 'on'} move {own_moves(plies)} ({most}{counted(plies, 'ply', 'plies')})"
            return f"{rules.player(winner.other)} must complete a line {when}"
        return f"{winner} wins in {most}{_moves(plies)}"

    @lru_cache(maxsize=1024)  # noqa: B019 - there are few outcomes
    def in_moves(self, mover: Mark, rules: Rules = TIC_TAC_TOE) -> str:
        """Return the outcome in words without plies, such as "X wins in 2 moves" or "a draw"."""
        return "a draw" if self.value is Value.DRAW else self.words(mover, rules).partition(" (")[0]

    def would(self, mover: str, with_distance: bool = True) -> str:
        """Return the outcome of a move that was not played, e.g. "X would win in 2 moves", the winner's own."""
        if self.value is Value.UNKNOWN:
            return _but("not proved yet", self.limits, self.safety if with_distance else "")
        if self.value is Value.DRAW:
            return f"{mover} would draw" + (" without end" if with_distance and self.is_endless else "")
        plies, most = (self.plies, "") if self.at_most is None else (self.at_most, "at most ")
        assert plies is not None  # noqa: S101 - a proved value has a distance or its bound
        distance = f" in {most}{counted(own_moves(plies), 'move', 'moves')}" if with_distance else ""
        return f"{mover} would {'win' if self.value is Value.WIN else 'lose'}{distance}"


def _score_words(score: Score) -> str:
    plies = WIN - abs(score)
    return "draw" if score == DRAWN else f"{'win' if score > 0 else 'loss'} in {counted(plies, 'ply', 'plies')}"


def _but(unproved: str, *proved: str) -> str:
    known = ", and ".join(filter(None, proved))
    return f"{unproved}, but {known}" if known else unproved


def own_moves(plies: int) -> int:
    """Count the moves of the player who makes the last of these plies."""
    return (plies + 1) // 2


def _moves(plies: int) -> str:
    return f"{counted(own_moves(plies), 'move', 'moves')} ({counted(plies, 'ply', 'plies')})"


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun, e.g. "1 ply" or "3 plies"."""
    return f"{number:,} {one if number == 1 else many}"


class Grade(StrEnum):
    """A move compared with the best one."""

    BEST = "best"
    SLOWER = "slower"
    """The move still wins, but later than necessary."""
    SOONER = "sooner"
    """The position was lost, and the move loses it sooner than necessary."""
    WIN_TO_DRAW = "win-to-draw"
    WIN_TO_LOSS = "win-to-loss"
    DRAW_TO_LOSS = "draw-to-loss"
    UNKNOWN = "unknown"
    """Too little is proved for a grade."""

    @property
    def is_mistake(self) -> bool:
        """True if the move gave a win or a draw away."""
        return self in (Grade.WIN_TO_DRAW, Grade.WIN_TO_LOSS, Grade.DRAW_TO_LOSS)

    @property
    def word(self) -> str:
        """The grade in a word or two; the three kinds of mistakes share one."""
        if self.is_mistake:
            return "mistake"
        return "lost sooner" if self is Grade.SOONER else self.value


@lru_cache(maxsize=1024)
def graded(before: Outcome, after: Outcome) -> Grade:
    """Grade a move by the outcome of the best square and the outcome of the move, both seen by the mover.

    `before` is the outcome of the best square, so it is never worse than `after`.
    """
    if Value.UNKNOWN in (before.value, after.value):
        return Grade.UNKNOWN
    if before.value is not after.value:
        return Grade(f"{before.value}-to-{after.value}")
    if after.ranks.lower == before.ranks.upper:
        return Grade.BEST
    if after.ranks.upper < before.ranks.lower:
        return Grade.SLOWER if after.value is Value.WIN else Grade.SOONER
    return Grade.UNKNOWN
