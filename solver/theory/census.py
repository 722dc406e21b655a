"""The census of the game tree: how many nodes there are by ply, and how few remain when what repeats is cut.

The five stages and their definitions are those of the Clojure article, which calls a ply a level.
"""

from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import lru_cache
from math import comb, factorial, perm
from typing import Any, Final

from solver.board.rules import Rules
from solver.theory.walks import Tally, depth_first, layers


class Stage(StrEnum):
    """How much of the tree is cut. Each stage cuts what the one before cuts too."""

    UPPER_BOUND = "upper-bound"
    WON_CUT = "won-cut"
    DUPLICATES = "duplicates"
    SYMMETRY = "symmetry"
    FORCED = "forced"

    @property
    def heading(self) -> str:
        """The stage in a few words."""
        return _WORDS[self][0]

    @property
    def meaning(self) -> str:
        """What the stage counts, in a sentence or two."""
        return _WORDS[self][1]


_WORDS: Final = {
    Stage.UPPER_BOUND: (
        "Every order of moves",
        "Nobody wins: square after square is filled until the board is full. Every order of moves counts by itself.",
    ),
    Stage.WON_CUT: (
        "Won nodes cut",
        "Play ends when somebody has a line. The paths of this tree, from the root to its leaves, are the games there"
        " are.",
    ),
    Stage.DUPLICATES: (
        "Duplicates removed",
        "A position that several orders of moves lead to is counted once.",
    ),
    Stage.SYMMETRY: (
        "Symmetry removed",
        "Positions that a rotation or reflection of the board turns into each other are counted once, as the first of"
        " them that a walk meets which tries squares in reading order and goes deep before it goes wide.",
    ),
    Stage.FORCED: (
        "Forced moves only",
        "The same walk, but whoever can win plays the first winning square alone, and else whoever must block plays the"
        " first blocking square alone.",
    ),
}


@dataclass(frozen=True, slots=True)
class Census:
    """The nodes of one stage by ply, from the empty board on.

    In the upper bound nobody wins, so every node before the full board is internal and every full board a draw.
    """

    rules: Rules
    stage: Stage
    plies: tuple[Tally, ...]

    @property
    def nodes(self) -> int:
        """All nodes of the stage."""
        return sum(tally.total for tally in self.plies)

    @property
    def sum(self) -> Tally:
        """All plies together; its own ply is the last one."""
        columns = zip(*(list(asdict(tally).values())[1:] for tally in self.plies), strict=True)
        return Tally(self.rules.size, *map(sum, columns))


def census(rules: Rules, stage: Stage) -> Census:
    """The nodes of a stage. Raises TooLarge beyond 16 squares, but for the upper bound, which is a formula."""
    match stage:
        case Stage.UPPER_BOUND:
            return Census(rules, stage, tuple(_unended(rules, ply) for ply in range(rules.size + 1)))
        case Stage.WON_CUT:
            return Census(rules, stage, tuple(games for games, _ in _layers(rules)))
        case Stage.DUPLICATES:
            return Census(rules, stage, tuple(positions for _, positions in _layers(rules)))
        case Stage.SYMMETRY | Stage.FORCED:
            return Census(rules, stage, depth_first(rules, forced=stage is Stage.FORCED))


def duplication(ply: int) -> int:
    """How many orders of moves lead to a position of this ply if play goes on after a win: n! m! for n X and m O."""
    return factorial((ply + 1) // 2) * factorial(ply // 2)


def distinct_upper_bound(rules: Rules) -> tuple[int, ...]:
    """The positions of each ply if play goes on after a win: the orders of moves by how many lead to each."""
    return tuple(comb(rules.size, ply) * comb(ply, ply // 2) for ply in range(rules.size + 1))


_COLUMNS: Final = {
    "internal": "internal",
    "forks": "of them forks",
    "x_wins": "X wins",
    "o_wins": "O wins",
    "draws": "draws",
    "total": "total",
    "duplicates": "duplicates",
    "symmetric": "symmetric",
}


def census_table(counted: Census) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The census as people read it: the titles of the columns, a row a ply, and a row of sums.

    Columns in which every number is zero are left out. Of the upper bound only the totals say anything; beside them
    stand the orders of moves that lead to one position, and the positions.
    """
    tallies, labels = (*counted.plies, counted.sum), (*(str(tally.ply) for tally in counted.plies), "all")
    if counted.stage is Stage.UPPER_BOUND:
        distinct = distinct_upper_bound(counted.rules)
        titles: tuple[str, ...] = ("total", "orders a position", "positions")
        beside = (
            *((f"{duplication(ply):,}", f"{each:,}") for ply, each in enumerate(distinct)),
            ("", f"{sum(distinct):,}"),
        )
        rows: list[tuple[str, ...]] = [(f"{tally.total:,}", *more) for tally, more in zip(tallies, beside, strict=True)]
    else:
        names = [name for name in _COLUMNS if any(getattr(tally, name) for tally in tallies)]
        titles = tuple(_COLUMNS[name] for name in names)
        rows = [tuple(f"{getattr(tally, name):,}" for name in names) for tally in tallies]
    return ("ply", *titles), tuple((label, *row) for label, row in zip(labels, rows, strict=True))


def census_report(counted: Census) -> dict[str, Any]:
    """The census as plain data; that of the upper bound also has the positions without their duplicates."""
    plies = [asdict(tally) | {"total": tally.total} for tally in counted.plies]
    report = {"stage": str(counted.stage), "heading": counted.stage.heading, "nodes": counted.nodes, "plies": plies}
    if counted.stage is Stage.UPPER_BOUND:
        distinct = distinct_upper_bound(counted.rules)
        report["distinct"] = {"nodes": sum(distinct), "plies": list(distinct)}
        report["duplication"] = [duplication(ply) for ply in range(counted.rules.size + 1)]
    return report


def _unended(rules: Rules, ply: int) -> Tally:
    orders = perm(rules.size, ply)
    return Tally(ply, draws=orders) if ply == rules.size else Tally(ply, internal=orders)


@lru_cache(maxsize=4)
def _layers(rules: Rules) -> tuple[tuple[Tally, Tally], ...]:
    """Kept, since two stages come from it."""
    return tuple(layers(rules))
