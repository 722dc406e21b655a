"""The kinds of drills: each with its task, the conditions on a position, and the right squares.

A kind's conditions are tried in order; the first that fails says why a position has no such drill. Every drill
has at least two open squares and, unless it asks who wins, a wrong one among them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from solver.board.notation import quoted
from solver.board.outcome import Outcome, Value
from solver.board.position import Position
from solver.board.rules import Cell
from solver.errors import BadOption
from solver.proofs.prediction import Prediction

FORK_WINS: Final = 3
"""The plies in which a fork wins: the fork, any reply, and the completed line."""


class DrillKind(StrEnum):
    """The task of a drill. The kinds are in the order in which to learn them.

    A player *threatens* a square that would complete a line of theirs. A player *forks* by threatening
    two squares or more while the opponent threatens none: see `solver.articles.graph.wins_by_threats`.
    """

    WIN_NOW = "win-now"
    """The mover can complete a line. All squares that complete one are right."""
    BLOCK = "block"
    """The mover cannot complete a line, the opponent threatens one square, and the mover need not lose. That square is
    right."""
    FORK = "fork"
    """Nobody threatens anything, and the mover can fork. All forking squares are right; they win in two moves."""
    STOP_FORK = "stop-fork"
    """Nobody threatens anything, the position is a draw, and some square lets the opponent fork. Squares that draw are
    right."""
    ONLY_MOVE = "only-move"
    """Nobody threatens anything, and only one square keeps the win or the draw. That square is right."""
    WIN_IN_N = "win-in-n"
    """The mover wins, but not at once. Only the squares that win in the fewest moves are right. A slower win keeps the
    value of the position, but does not solve the drill."""
    EVALUATE = "evaluate"
    """The question is who wins, and in how many moves. The answers are the squares of best play."""
    KEEP = "keep"
    """The mover has a win or a draw. All squares that are proved to keep it are right. Positions before people's own
    mistakes make such drills, as they were on the board; lists and days of drills have none."""

    @property
    def title(self) -> str:  # type: ignore[override]  # hides `str.title`, which no kind needs
        """The name of the kind in a few words."""
        return _DEFINITIONS[self].title

    def title_in(self, outcome: Outcome) -> str:
        """Return the title for a position with this outcome, such as "Win in 3"."""
        if self is DrillKind.KEEP:
            return f"Keep the {outcome.value}"
        return f"Win in {outcome.moves}" if self is DrillKind.WIN_IN_N else self.title

    def task_in(self, position: Position, outcome: Outcome) -> str:
        """Return the task for one position, in words that follow "You're X:"."""
        return _DEFINITIONS[self].task.format(
            you=position.mover.other,
            moves=outcome.moves,
            kept="win" if outcome.value is Value.WIN else "draw",
        )

    def why_not(self, here: "Situation") -> str:
        """Return a sentence on why a position has no drill of this kind; empty if it has one."""
        position = here.position
        for condition in (_SEVERAL_OPEN, *_DEFINITIONS[self].conditions):
            if not condition.holds(here):
                return condition.otherwise.format(me=position.mover, you=position.mover.other)
        every_square_is_right = len(self.answers(here)) == len(here.prediction.squares)
        return "Every square is right." if every_square_is_right and self is not DrillKind.EVALUATE else ""

    def answers(self, here: "Situation") -> tuple[Cell, ...]:
        """Return the right squares of a position that has such a drill, in reading order."""
        return tuple(_DEFINITIONS[self].right(here))


LISTED: Final = tuple(kind for kind in DrillKind if kind is not DrillKind.KEEP)
"""The kinds of the ladder, of mixed lists and of sets."""


def kind_named(name: str) -> DrillKind:
    """Return the kind of this name. Raises BadOption."""
    if name.strip().lower() not in tuple(DrillKind):
        raise BadOption(f"There is no kind {quoted(name)}. Choose one of: {', '.join(DrillKind)}.")
    return DrillKind(name.strip().lower())


@dataclass(frozen=True)
class Situation:
    """A position with the facts that conditions test."""

    prediction: Prediction

    @property
    def position(self) -> Position:
        """The position itself."""
        return self.prediction.position

    @property
    def wins(self) -> tuple[Cell, ...]:
        """The squares that complete a line for the mover."""
        return self.position.threats(self.position.mover)

    def squares_of(self, value: Value, plies: int | None = None) -> list[Cell]:
        """Return the squares of this value, and of this many plies if they are given."""
        return [
            cell
            for cell, outcome in self.prediction.squares.items()
            if outcome.value is value and plies in (None, outcome.plies)
        ]

    @property
    def keeping(self) -> list[Cell]:
        """The squares that keep the position's value, even if they win later than others."""
        return self.squares_of(self.prediction.outcome.value)


class Condition(NamedTuple):
    """A condition on a position, with the message where it fails: {me} is the mover, {you} the opponent."""

    holds: Callable[[Situation], object]
    otherwise: str


_SEVERAL_OPEN = Condition(
    lambda here: len(here.prediction.squares) > 1, "There are not two open squares to choose from."
)
_CAN_WIN = Condition(lambda here: here.wins, "{me} cannot complete a line.")
_CANNOT_WIN = Condition(lambda here: not here.wins, "{me} can complete a line.")
_ONE_THREAT = Condition(
    lambda here: len(here.position.threats()) == 1, "{you} does not threaten to complete a line on just one square."
)
_NO_THREAT = Condition(lambda here: not here.position.threats(), "{you} threatens to complete a line.")
_NOT_LOST = Condition(lambda here: here.prediction.outcome.value is not Value.LOSS, "{me} loses whatever it plays.")
_PROVED = Condition(
    lambda here: here.prediction.outcome.value is not Value.UNKNOWN, "Too little is proved. Try a later position."
)
_WON = Condition(lambda here: here.prediction.outcome.value is Value.WIN, "{me} cannot force a win.")
_DRAWN = Condition(lambda here: here.prediction.outcome.value is Value.DRAW, "The position is not a draw.")
_CAN_FORK = Condition(
    lambda here: here.squares_of(Value.WIN, FORK_WINS), "{me} has no square that makes two threats at once."
)
_CAN_BE_FORKED = Condition(
    lambda here: here.squares_of(Value.LOSS, FORK_WINS + 1),
    "There is no square after which {you} makes two threats at once.",
)
_ONE_KEEPS = Condition(lambda here: len(here.keeping) == 1, "More than one square keeps what {me} has.")


class Definition(NamedTuple):
    """The definition of a kind: its texts, its conditions on a position, and the right squares."""

    title: str
    task: str
    conditions: tuple[Condition, ...]
    right: Callable[[Situation], Iterable[Cell]]


_DEFINITIONS: Final = MappingProxyType(
    {
        DrillKind.WIN_NOW: Definition(
            "Win now", "complete a line", (_CAN_WIN,), lambda here: here.squares_of(Value.WIN, 1)
        ),
        DrillKind.BLOCK: Definition(
            "Block",
            "block {you}'s line",
            (_CANNOT_WIN, _ONE_THREAT, _NOT_LOST),
            lambda here: here.keeping,
        ),
        DrillKind.FORK: Definition(
            "Fork",
            "make two threats at once",
            (_CANNOT_WIN, _NO_THREAT, _CAN_FORK),
            lambda here: here.squares_of(Value.WIN, FORK_WINS),
        ),
        DrillKind.STOP_FORK: Definition(
            "Stop the fork",
            "stop {you} from making two threats at once",
            (_CANNOT_WIN, _NO_THREAT, _DRAWN, _CAN_BE_FORKED),
            lambda here: here.keeping,
        ),
        DrillKind.ONLY_MOVE: Definition(
            "Only move",
            "find the only move that keeps the {kept}",
            (_CANNOT_WIN, _NO_THREAT, _NOT_LOST, _ONE_KEEPS),
            lambda here: here.keeping,
        ),
        DrillKind.WIN_IN_N: Definition(
            "Plan a win", "win in {moves} moves", (_CANNOT_WIN, _WON), lambda here: here.prediction.best
        ),
        DrillKind.EVALUATE: Definition(
            "Who wins?", "say who wins, and in how many moves", (), lambda here: here.prediction.best
        ),
        DrillKind.KEEP: Definition(
            "Keep what you have", "keep the {kept}", (_PROVED, _NOT_LOST), lambda here: here.keeping
        ),
    }
)
