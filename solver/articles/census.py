"""The census of the game tree: how many nodes there are by ply, and how few remain when what repeats is cut.

The five stages and their definitions are those of the Clojure article, which calls a ply a level. Two walks count
them: layer by layer with multiplicities, and depth first as the article's. Both work on one position of each symmetry
class, as a pair of sets of cells.

When two boards are the same: the orders of moves that lead to one position, and the images of a position.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import permutations
from math import comb, factorial, perm
from typing import Any, Final, TypeAlias

from solver.articles.graph import FORK
from solver.board.position import Position
from solver.board.rules import Bits, Cell, Permutation, Rules, cells_of, image
from solver.errors import BadOption, TooLarge

MAX_WALKED_CELLS: Final = 16
"""The most squares of a board whose positions are walked: more than a million up to symmetry, a minute or two."""

Stones: TypeAlias = tuple[Bits, Bits]
"""X's cells and O's."""


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
class Tally:
    """What the nodes of one ply are. `forks` are among the `internal` ones; `total` is what is no repetition.

    `duplicates` are the moves that led to a board already visited, `symmetric` those to another image of one.
    """

    ply: int
    internal: int = 0
    forks: int = 0
    x_wins: int = 0
    o_wins: int = 0
    draws: int = 0
    duplicates: int = 0
    symmetric: int = 0

    @property
    def total(self) -> int:
        """All nodes."""
        return self.internal + self.x_wins + self.o_wins + self.draws


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
    if stage is not Stage.UPPER_BOUND and rules.size > MAX_WALKED_CELLS:
        raise TooLarge(
            f"{rules} has too many positions to count: that is done one by one on up to {MAX_WALKED_CELLS} squares."
            " Only the upper bound is a formula, for every board."
        )
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


_ON, _WON, _FULL, _FORK, _DUPLICATE, _SYMMETRIC = range(6)
"""What a walk counts in a list: nodes where play goes on, won ones, full boards; forks among the first; repetitions."""


@dataclass(slots=True)
class _Class:
    """A symmetry class of positions: how many games lead to it, and how many positions it has."""

    paths: int
    members: int
    won: bool


@lru_cache(maxsize=4)  # two stages come from one walk
def _layers(rules: Rules) -> tuple[tuple[Tally, Tally], ...]:
    """Ply by ply, the nodes of the tree that ends where somebody has won: counted as games, and as positions.

    Each class of positions is looked at once, however many games lead to it: the moves of its representative stand for
    those of its other members. Of games nothing is a duplicate; of positions, every further move to the same one is.
    """
    counted = []
    layer = {(0, 0): _Class(1, 1, won=False)}
    arrivals = 1
    for ply in range(rules.size + 1):
        games, positions = [0] * 4, [0] * 4
        following: dict[Stones, _Class] = {}
        for (x, o), each in layer.items():
            own, other = (o, x) if ply % 2 else (x, o)
            wins, threats = rules.completing(own, other), rules.completing(other, own)
            for cell in cells_of(0 if each.won else rules.full & ~(x | o)):
                after = own | 1 << cell
                won = bool(wins >> cell & 1)
                images = _images(rules, (other, after) if ply % 2 else (after, other))
                found = following.get(key := min(images))
                if found is None:
                    following[key] = _Class(each.paths, len(set(images)), won)
                else:
                    found.paths += each.paths
            kind = _WON if each.won else _FULL if ply == rules.size else _ON
            fork = kind == _ON and threats.bit_count() == FORK and not wins
            for counts, weight in ((games, each.paths), (positions, each.members)):
                counts[kind] += weight
                counts[_FORK] += weight * fork
        total = sum(positions[:_FORK])
        counted.append((_tally(ply, games), _tally(ply, positions, arrivals - total)))
        arrivals = positions[_ON] * (rules.size - ply)
        layer = following
    return tuple(counted)


def _tally(ply: int, counts: list[int], duplicates: int = 0, symmetric: int = 0) -> Tally:
    x_wins, o_wins = (counts[_WON], 0) if ply % 2 else (0, counts[_WON])
    return Tally(ply, counts[_ON], counts[_FORK], x_wins, o_wins, counts[_FULL], duplicates, symmetric)


def depth_first(rules: Rules, forced: bool) -> tuple[Tally, ...]:
    """The article's walk: depth first, moves in reading order, images of visited boards left out.

    With `forced`, only the first winning move is played, else only the first blocking one, else all.
    """
    tallies = [[0] * 6 for _ in range(rules.size + 1)]
    visited: dict[Stones, Stones] = {}

    def visit(x: Bits, o: Bits, ply: int, won: bool) -> None:
        key = min(_images(rules, (x, o)))
        counts = tallies[ply]
        if (first := visited.get(key)) is not None:
            counts[_DUPLICATE if first == (x, o) else _SYMMETRIC] += 1
            return
        visited[key] = x, o
        if won or ply == rules.size:
            counts[_WON if won else _FULL] += 1
            return
        own, other = (o, x) if ply % 2 else (x, o)
        moves = list(cells_of(rules.full & ~(x | o)))
        wins, threats = list(cells_of(rules.completing(own, other))), list(cells_of(rules.completing(other, own)))
        counts[_ON] += 1
        counts[_FORK] += len(threats) == FORK and not wins
        if forced:
            moves = (wins or threats)[:1] or moves
        for cell in moves:
            after = own | 1 << cell
            visit(*((other, after) if ply % 2 else (after, other)), ply + 1, cell in wins)

    visit(0, 0, 0, won=False)
    return tuple(_tally(ply, counts, *counts[_DUPLICATE:]) for ply, counts in enumerate(tallies))


def _images(rules: Rules, stones: Stones) -> list[Stones]:
    x, o = stones
    return [(image(x, table), image(o, table)) for table in rules.images]


MAX_STONES: Final = 6
"""The most stones of a position whose orders are listed: there are 36 of six."""

_NAMES: Final = {
    ((1, 0), (0, 1)): "as it is",
    ((0, 1), (-1, 0)): "turned a quarter to the right",
    ((-1, 0), (0, -1)): "turned half round",
    ((0, -1), (1, 0)): "turned a quarter to the left",
    ((-1, 0), (0, 1)): "mirrored left to right",
    ((1, 0), (0, -1)): "mirrored top to bottom",
    ((0, 1), (1, 0)): "mirrored on the diagonal from the top left",
    ((0, -1), (-1, 0)): "mirrored on the diagonal from the top right",
}
"""The symmetries of a square by where a step to the right and a step down lead."""


def orders(position: Position) -> tuple[tuple[Cell, ...], ...]:
    """Every order of moves from the empty board that leads to a position and does not end before, in reading order.

    Raises TooLarge beyond six stones.
    """
    if position.rules.size - position.plies_left > MAX_STONES:
        raise TooLarge(f"Orders of moves are listed for up to {MAX_STONES} stones.")
    return tuple(_orders(position))


def _orders(position: Position) -> Iterator[tuple[Cell, ...]]:
    for xs in permutations(cells_of(position.x)):
        for os in permutations(cells_of(position.o)):
            moves = tuple((os if ply % 2 else xs)[ply // 2] for ply in range(len(xs) + len(os)))
            at = Position(position.rules)
            for move in moves:
                if at.result is not None:
                    break
                at = at.after(move)
            else:
                yield moves


def symmetry_name(rules: Rules, symmetry: Permutation) -> str:
    """What a symmetry of a square board does to it, in words. Raises BadOption for a board that is no square."""
    if rules.columns != rules.rows or rules.columns == 1:
        raise BadOption(f"The symmetries of {rules} have no names here: only those of squares do.")
    corner, right, below = (rules.column_row(symmetry[rules.cell(*place)]) for place in ((0, 0), (1, 0), (0, 1)))
    return _NAMES[_step(corner, right), _step(corner, below)]


def _step(start: tuple[int, int], end: tuple[int, int]) -> tuple[int, int]:
    return end[0] - start[0], end[1] - start[1]
