"""Grounds, on which reasons rest: facts about a square, each small enough for `explain.check` to decide by itself.

The mover is the player who would move on the square, the opponent the other. "After the square" is when the mover has.
"""

from dataclasses import dataclass
from typing import TypeAlias

from solver.board.rules import Bits, Cell
from solver.reasons.plan import Plan


@dataclass(frozen=True, slots=True)
class Completes:
    """The square completes these lines of the mover's, and no others."""

    lines: tuple[Bits, ...]


@dataclass(frozen=True, slots=True)
class Wins:
    """The mover wins by this plan, which begins with the square."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class Unblocked:
    """After the square the opponent completes `line` on `move`; before it, a line on each of `threats`, no others."""

    move: Cell
    line: Bits
    threats: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Loses:
    """After the square the opponent wins by this plan.

    `blocking` says that the plan's move is the one square on which the mover threatens to complete a line after the
    square. `race` is how the mover would win if it could move once more first, where it threatens no line.
    """

    plan: Plan
    blocking: bool
    race: Plan | None = None


@dataclass(frozen=True, slots=True)
class FillsBoard:
    """The square is the last one, and completes no line."""


@dataclass(frozen=True, slots=True)
class NoLineLeft:
    """After the square every line holds both marks."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """The opponent would complete these lines on the square, and no others."""

    lines: tuple[Bits, ...]


@dataclass(frozen=True, slots=True)
class OnlyMove:
    """Every other square loses, and there are others. After `example`, one of them, the opponent wins by this plan."""

    example: Cell | None = None
    plan: Plan | None = None


@dataclass(frozen=True, slots=True)
class GainsTime:
    """After the square the mover threatens to complete a line on `answer` alone, and the opponent cannot complete one.

    So the opponent must answer there; elsewhere, on `fork`, it would make two threats or more: on `targets`.
    """

    answer: Cell
    fork: Cell
    targets: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class StopsFork:
    """An opponent's stone on the square would threaten to complete lines on just these squares, two or more."""

    targets: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class StopsWin:
    """The opponent would win by this plan if it were its turn instead of the mover's; after the square no longer."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class ForcesReply:
    """After the square the mover threatens to complete a line on `answer` alone, and the opponent threatens none."""

    answer: Cell


@dataclass(frozen=True, slots=True)
class LimitsReplies:
    """After the square the mover would win by this plan if it moved again, and after all replies but these as well.

    Neither player can complete a line.
    """

    plan: Plan
    replies: Bits


@dataclass(frozen=True, slots=True)
class Pairing:
    """After the square each line without a stone of the mover's holds a pair of these, all open and no two alike.

    So the opponent, who moves next, completes no line if the mover answers each stone on a pair with one on its other
    square. There is such a line. Source: Hales and Jewett, "Regularity and positional games", 1963.
    """

    pairs: tuple[tuple[Cell, Cell], ...]


@dataclass(frozen=True, slots=True)
class Harmless:
    """After the square every line holds a stone of the mover's."""


@dataclass(frozen=True, slots=True)
class GivesWinAway:
    """These squares win, and no others."""

    winning: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """These squares draw, and no others; all others lose."""

    drawing: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Replies:
    """After the square the opponent draws with these replies and loses with those, and there are no others."""

    drawing: tuple[Cell, ...]
    losing: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Among:
    """Besides the square these draw and those lose, and there are no others."""

    drawing: tuple[Cell, ...]
    losing: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Twin:
    """A symmetry of the position turns this other square into the square."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Slower:
    """`best` wins, in fewer plies than the square and in no more than any other."""

    best: Cell
    plies: int


@dataclass(frozen=True, slots=True)
class AllLose:
    """Every square loses, and there are others; none lasts longer than this one if `longest`."""

    longest: bool


Ground: TypeAlias = (
    Completes
    | Wins
    | Unblocked
    | Loses
    | FillsBoard
    | NoLineLeft
    | Blocks
    | OnlyMove
    | GainsTime
    | StopsFork
    | StopsWin
    | ForcesReply
    | LimitsReplies
    | Pairing
    | Harmless
    | GivesWinAway
    | Elsewhere
    | Replies
    | Among
    | Twin
    | Slower
    | AllLose
)
