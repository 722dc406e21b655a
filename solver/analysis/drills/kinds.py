"""The kinds of drills: each with its task, the conditions on a position, and the right squares.

A kind's conditions are tried in order; the first that fails says why a position has no such drill. Every drill
has at least two open squares and, unless it asks who wins, a wrong one among them.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from pathlib import Path
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

    def why_not(self, here: Prediction) -> str:
        """Return a sentence on why a position has no drill of this kind; empty if it has one."""
        mover = here.position.mover
        for condition in ("several-open", *_DEFINITIONS[self].conditions):
            if not _HOLDS[condition](here):
                words: str = _WRITTEN["conditions"][condition]
                return words.format(me=mover, you=mover.other)
        every_square_is_right = len(self.answers(here)) == len(here.squares)
        return "Every square is right." if every_square_is_right and self is not DrillKind.EVALUATE else ""

    def answers(self, here: Prediction) -> tuple[Cell, ...]:
        """Return the right squares of a position that has such a drill, in reading order."""
        return tuple(_RIGHT[self](here) if self in _RIGHT else _keeping(here))

    @property
    def hints(self) -> tuple[str, ...]:
        """The sentences of the hints, with places for clues."""
        return _DEFINITIONS[self].hints


LISTED: Final = tuple(kind for kind in DrillKind if kind is not DrillKind.KEEP)
"""The kinds of the ladder, of mixed lists and of sets."""


def kind_named(name: str) -> DrillKind:
    """Return the kind of this name. Raises BadOption."""
    if not isinstance(name, str) or name.strip().lower() not in tuple(DrillKind):
        raise BadOption(f"There is no kind {quoted(name)}. Choose one of: {', '.join(DrillKind)}.")
    return DrillKind(name.strip().lower())


def _wins(here: Prediction) -> tuple[Cell, ...]:
    """Return the squares that complete a line for the mover."""
    return here.position.threats(here.position.mover)


def _keeping(here: Prediction) -> tuple[Cell, ...]:
    """Return the squares that keep the position's value, even if they win later than others."""
    return here.of_value(here.outcome.value)


_HOLDS: Final[Mapping[str, Callable[[Prediction], object]]] = {
    "several-open": lambda here: len(here.squares) > 1,
    "can-win": _wins,
    "cannot-win": lambda here: not _wins(here),
    "one-threat": lambda here: len(here.position.threats()) == 1,
    "no-threat": lambda here: not here.position.threats(),
    "not-lost": lambda here: here.outcome.value is not Value.LOSS,
    "proved": lambda here: here.outcome.value is not Value.UNKNOWN,
    "won": lambda here: here.outcome.value is Value.WIN,
    "drawn": lambda here: here.outcome.value is Value.DRAW,
    "can-fork": lambda here: here.of_value(Value.WIN, FORK_WINS),
    "can-be-forked": lambda here: here.of_value(Value.LOSS, FORK_WINS + 1),
    "one-keeps": lambda here: len(_keeping(here)) == 1,
}
"""The conditions of `kinds.toml`, by their names."""

_RIGHT: Final[Mapping[DrillKind, Callable[[Prediction], Iterable[Cell]]]] = {
    DrillKind.WIN_NOW: lambda here: here.of_value(Value.WIN, 1),
    DrillKind.FORK: lambda here: here.of_value(Value.WIN, FORK_WINS),
    DrillKind.WIN_IN_N: lambda here: here.best,
    DrillKind.EVALUATE: lambda here: here.best,
}
"""The right squares of the kinds that ask for more than to keep the value."""


class Definition(NamedTuple):
    """The texts of a kind, and the names of its conditions on a position."""

    title: str
    task: str
    hints: tuple[str, ...]
    conditions: tuple[str, ...]


_WRITTEN: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_DEFINITIONS: Final = MappingProxyType(
    {DrillKind(name): Definition(**kind) for name, kind in _WRITTEN["kinds"].items()}
)
