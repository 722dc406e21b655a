"""The census of the game tree: its nodes by ply, at five stages that cut more and more repetitions.

The stages and their definitions are those of the Clojure article, which calls a ply a level. Two walks count the nodes:
one goes layer by layer and keeps multiplicities, the other goes depth first like the article's. Both visit one position
of each symmetry class, as a pair of sets of cells. At the end, `orders` and `symmetry_name` show why two nodes count as
the same board: they differ in the order of moves, or by a symmetry.
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
"""The most squares of a board whose positions are walked: over a million up to symmetry, in a minute or two."""

MAX_STONES: Final = 6
"""The most stones of a position whose orders of moves are listed; six stones have 36 orders."""

Stones: TypeAlias = tuple[Bits, Bits]
"""The cells of X and those of O."""


class Stage(StrEnum):
    """A stage of cutting the tree. Each stage includes the cuts of the stages before."""

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
        """The meaning of the stage in a sentence or two."""
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
    """The nodes of one ply by kind, where `forks` are also counted as `internal`, and the repetitions.

    `duplicates` counts moves to a visited board, `symmetric` moves to another image of one. `total` excludes both.
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
        """The number of nodes, without repetitions."""
        return self.internal + self.x_wins + self.o_wins + self.draws


@dataclass(frozen=True, slots=True)
class Census:
    """The nodes of one stage by ply, from the empty board on.

    In the upper bound nobody wins: every full board is a draw, and every other node is internal.
    """

    rules: Rules
    stage: Stage
    plies: tuple[Tally, ...]

    @property
    def nodes(self) -> int:
        """The number of nodes of the stage."""
        return sum(tally.total for tally in self.plies)

    @property
    def sum(self) -> Tally:
        """The sum of all plies; its `ply` is the last one."""
        columns = zip(*(list(asdict(tally).values())[1:] for tally in self.plies), strict=True)
        return Tally(self.rules.size, *map(sum, columns))


def census(rules: Rules, stage: Stage) -> Census:
    """Count the nodes of a stage. Raise TooLarge beyond 16 squares, except for the upper bound, which is a formula."""
    if stage is not Stage.UPPER_BOUND and rules.size > MAX_WALKED_CELLS:
        raise TooLarge(
            f"Positions are counted one by one, on boards of up to {MAX_WALKED_CELLS} squares. Only the upper bound is"
            f" a formula, which also works for {rules}."
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
    """Return the number of orders of moves to a position of this ply if play goes on after a win.

    It is n! m! for n stones of X and m stones of O.
    """
    return factorial((ply + 1) // 2) * factorial(ply // 2)


def distinct_upper_bound(rules: Rules) -> tuple[int, ...]:
    """Return the number of positions at each ply, if play goes on after a win."""
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
    """Return the census as a table of text: the titles of the columns, and a row for each ply and for the sums.

    Columns of zeros are left out. The upper bound has three columns: totals, orders of moves to each position, and
    positions.
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
    """Return the census as plain data; the upper bound also has its positions without duplicates."""
    plies = [asdict(tally) | {"total": tally.total} for tally in counted.plies]
    report = {"stage": str(counted.stage), "heading": counted.stage.heading, "nodes": counted.nodes, "plies": plies}
    if counted.stage is Stage.UPPER_BOUND:
        distinct = distinct_upper_bound(counted.rules)
        report["distinct"] = {"nodes": sum(distinct), "plies": list(distinct)}
        report["duplication"] = [duplication(ply) for ply in range(counted.rules.size + 1)]
    return report


def _unended(rules: Rules, ply: int) -> Tally:
    """Count the orders of moves at a ply if nobody wins."""
    orders = perm(rules.size, ply)
    return Tally(ply, draws=orders) if ply == rules.size else Tally(ply, internal=orders)


_ON, _WON, _FULL, _FORK, _DUPLICATE, _SYMMETRIC = range(6)
"""Indices of the counts of a walk: unfinished, won and full boards; forks among the unfinished; two repetitions."""


@dataclass(slots=True)
class _Class:
    """A symmetry class of positions, with the number of games that lead to it and the number of its members."""

    paths: int
    members: int
    won: bool


@lru_cache(maxsize=4)  # two stages come from one walk
def _layers(rules: Rules) -> tuple[tuple[Tally, Tally], ...]:
    """Count the nodes of the tree that ends at won positions, ply by ply: as games, and as distinct positions.

    Each symmetry class is expanded once: its representative's moves stand for those of all members. Games are never
    duplicates; every move to a position after the first one is.
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
    """Build a tally from the counts of a walk. The player who has moved last is X at odd plies, O at even ones."""
    x_wins, o_wins = (counts[_WON], 0) if ply % 2 else (0, counts[_WON])
    return Tally(ply, counts[_ON], counts[_FORK], x_wins, o_wins, counts[_FULL], duplicates, symmetric)


def depth_first(rules: Rules, forced: bool) -> tuple[Tally, ...]:
    """Walk the tree like the article: depth first, moves in reading order, without images of visited boards.

    If `forced`, play only the first winning move, else only the first blocking one, else all.
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
    """Return the images of a position under all symmetries of the board."""
    x, o = stones
    return [(image(x, table), image(o, table)) for table in rules.images]


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
"""The symmetries of a square, by the images of a step to the right and of a step down."""


def orders(position: Position) -> tuple[tuple[Cell, ...], ...]:
    """Return every order of moves from the empty board to a position, in reading order.

    An order in which the game would end earlier is left out. Raise TooLarge beyond six stones.
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
    """Name a symmetry of a square board. Raise BadOption for any other board."""
    if rules.columns != rules.rows or rules.columns == 1:
        raise BadOption(f"The symmetries of {rules} have no names here: only those of squares do.")
    corner, right, below = (rules.column_row(symmetry[rules.cell(*place)]) for place in ((0, 0), (1, 0), (0, 1)))
    return _NAMES[_step(corner, right), _step(corner, below)]


def _step(start: tuple[int, int], end: tuple[int, int]) -> tuple[int, int]:
    return end[0] - start[0], end[1] - start[1]
