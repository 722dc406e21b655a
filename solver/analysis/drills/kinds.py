"""The kinds of drills: what is asked, which positions have such a drill, and which squares are right.

A kind's conditions are tried in order; the first that fails says why a position has no such drill. No kind is of a
position with a single open square, nor of one in which every square would be right, but to tell who wins.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Final

from solver.board.notation import quoted
from solver.board.outcome import Outcome, Value
from solver.board.position import Position
from solver.board.rules import Bits, Cell
from solver.errors import BadOption
from solver.proofs.prediction import Prediction

FORK_WINS: Final = 3
"""The plies in which a fork wins: it, any reply, and the line."""


class DrillKind(StrEnum):
    """What a drill asks for, from the first thing to learn to the last.

    Here a player *threatens* a square that would complete a line of theirs, and *forks* by a square after which they
    threaten two or more and the opponent none: `solver.articles.graph.wins_by_threats`.
    """

    WIN_NOW = "win-now"
    """The mover can complete a line. Right are all squares that do."""
    BLOCK = "block"
    """The mover cannot, the opponent threatens one square, and the mover does not lose. Right is that square."""
    FORK = "fork"
    """Nobody threatens anything, and the mover can fork. Right are all squares that do; they win in two moves."""
    STOP_FORK = "stop-fork"
    """Nobody threatens anything, the game is drawn, and after some square the opponent forks. Right is what draws."""
    ONLY_MOVE = "only-move"
    """Nobody threatens anything, the mover does not lose, and one square alone keeps the win or the draw. Right is
    that one."""
    WIN_IN_N = "win-in-n"
    """The mover wins, but not at once. Right are the squares that win in the fewest moves: a slower win is no loss, but
    it is not the solution."""
    EVALUATE = "evaluate"
    """Who wins, and in how many moves? Right is the outcome; the squares named are those of best play."""

    @property
    def title(self) -> str:  # type: ignore[override]  # not a str's method, which no kind needs
        """The kind in a few words."""
        return _DEFINITIONS[self].title

    @property
    def task(self) -> str:
        """The task in words that follow "X to move:", the same in every position."""
        return _DEFINITIONS[self].task

    def task_in(self, position: Position, outcome: Outcome) -> str:
        """The same for a position with this outcome: with the opponent's mark, the moves, or what is to be kept."""
        return _DEFINITIONS[self].told.format(
            me=position.mover,
            you=position.mover.other,
            moves=((outcome.plies or 0) + 1) // 2,
            kept="win" if outcome.value is Value.WIN else "draw",
        )

    def why_not(self, seen: "Sight") -> str:
        """Why a position has no drill of this kind, in a sentence; empty if it has one."""
        position = seen.position
        for condition in (_SEVERAL_OPEN, *_DEFINITIONS[self].conditions):
            if not condition.holds(seen):
                return condition.otherwise.format(me=position.mover, you=position.mover.other)
        every_square_is_right = len(self.answers(seen)) == len(seen.squares)
        return "Every square is right." if every_square_is_right and self is not DrillKind.EVALUATE else ""

    def answers(self, seen: "Sight") -> tuple[Cell, ...]:
        """The right squares of a position that has such a drill, in reading order."""
        return tuple(_DEFINITIONS[self].right(seen))


def kind_named(name: str) -> DrillKind:
    """The kind of that name. Raises BadOption."""
    if name.strip().lower() not in tuple(DrillKind):
        raise BadOption(f"There is no kind {quoted(name)}. Choose one of: {', '.join(DrillKind)}.")
    return DrillKind(name.strip().lower())


@dataclass(frozen=True)
class Sight:
    """A position as the conditions look at it: its outcomes, and what either side threatens."""

    prediction: Prediction

    @property
    def position(self) -> Position:
        """The position itself."""
        return self.prediction.position

    @property
    def squares(self) -> Mapping[Cell, Outcome]:
        """The outcome of every open square."""
        return self.prediction.squares

    @property
    def outcome(self) -> Outcome:
        """The outcome of the position."""
        return self.prediction.outcome

    @cached_property
    def wins(self) -> Bits:
        """Where the mover completes a line."""
        return self.position.rules.completing(self.position.own, self.position.other)

    @cached_property
    def threats(self) -> Bits:
        """Where the opponent threatens to."""
        return self.position.rules.completing(self.position.other, self.position.own)

    def that(self, value: Value, plies: int | None = None) -> list[Cell]:
        """The squares of this value, and of so many plies if they are given."""
        return [
            cell for cell, outcome in self.squares.items() if outcome.value is value and plies in (None, outcome.plies)
        ]

    @property
    def keeping(self) -> list[Cell]:
        """The squares that keep the position's value, however late a win comes."""
        return self.that(self.outcome.value)


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold of a position, and what is said where it does not: {me} is the mover, {you} the opponent."""

    holds: Callable[[Sight], object]
    otherwise: str


_SEVERAL_OPEN = Condition(lambda seen: len(seen.squares) > 1, "There are not two open squares to choose from.")
_CAN_WIN = Condition(lambda seen: seen.wins, "{me} cannot complete a line.")
_CANNOT_WIN = Condition(lambda seen: not seen.wins, "{me} can complete a line.")
_ONE_THREAT = Condition(
    lambda seen: seen.threats.bit_count() == 1, "{you} does not threaten to complete a line on just one square."
)
_NO_THREAT = Condition(lambda seen: not seen.threats, "{you} threatens to complete a line.")
_NOT_LOST = Condition(lambda seen: seen.outcome.value is not Value.LOSS, "{me} loses whatever it plays.")
_WON = Condition(lambda seen: seen.outcome.value is Value.WIN, "{me} cannot force a win.")
_DRAWN = Condition(lambda seen: seen.outcome.value is Value.DRAW, "The position is not a draw.")
_CAN_FORK = Condition(
    lambda seen: seen.that(Value.WIN, FORK_WINS), "{me} has no square that makes two threats at once."
)
_CAN_BE_FORKED = Condition(
    lambda seen: seen.that(Value.LOSS, FORK_WINS + 1), "There is no square after which {you} makes two threats at once."
)
_ONE_KEEPS = Condition(lambda seen: len(seen.keeping) == 1, "More than one square keeps what {me} has.")


@dataclass(frozen=True, slots=True)
class Definition:
    """What a kind of drills is: its texts, the conditions of a position, and the squares that are right."""

    title: str
    task: str
    told: str
    conditions: tuple[Condition, ...]
    right: Callable[[Sight], Iterable[Cell]]


_DEFINITIONS: Final = MappingProxyType(
    {
        DrillKind.WIN_NOW: Definition(
            "Win now",
            "complete a line",
            "complete a line",
            (_CAN_WIN,),
            lambda seen: seen.that(Value.WIN, 1),
        ),
        DrillKind.BLOCK: Definition(
            "Block",
            "keep your opponent from completing a line",
            "keep {you} from completing a line",
            (_CANNOT_WIN, _ONE_THREAT, _NOT_LOST),
            lambda seen: seen.keeping,
        ),
        DrillKind.FORK: Definition(
            "Find the fork",
            "make two threats at once",
            "make two threats at once",
            (_CANNOT_WIN, _NO_THREAT, _CAN_FORK),
            lambda seen: seen.that(Value.WIN, FORK_WINS),
        ),
        DrillKind.STOP_FORK: Definition(
            "Stop the fork",
            "keep your opponent from making two threats at once",
            "keep {you} from making two threats at once",
            (_CANNOT_WIN, _NO_THREAT, _DRAWN, _CAN_BE_FORKED),
            lambda seen: seen.keeping,
        ),
        DrillKind.ONLY_MOVE: Definition(
            "The only move",
            "find the one square that does not give the win or the draw away",
            "find the one square that keeps the {kept}",
            (_CANNOT_WIN, _NO_THREAT, _NOT_LOST, _ONE_KEEPS),
            lambda seen: seen.keeping,
        ),
        DrillKind.WIN_IN_N: Definition(
            "Win in n",
            "win in as few moves as you can",
            "win in {moves} moves",
            (_CANNOT_WIN, _WON),
            lambda seen: seen.prediction.best,
        ),
        DrillKind.EVALUATE: Definition(
            "Who wins?",
            "say who wins, and in how many moves",
            "say who wins, and in how many moves",
            (),
            lambda seen: seen.prediction.best,
        ),
    }
)
