"""The census of the game tree: its nodes by ply, at five stages. Each stage cuts more of the tree.

The stages come from the Clojure article, which calls a ply a level. Two walks count the nodes. One goes ply by ply and
counts the games that lead to each position. The other goes depth first, as the article does. Both visit only one
position of each symmetry class. They store a position as two sets of cells.

Two plain walks at the end are those of a lesson, which shows their source side by side: a pure walk, and one that
changes a shared table. Each takes the function that walks on, so that a run can remember what it returned.
"""

import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache, reduce
from itertools import accumulate, permutations
from math import comb, factorial, perm
from operator import add
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

from solver.articles.graph import FORK
from solver.board.position import Position, Result
from solver.board.rules import TIC_TAC_TOE, Bits, Cell, Rules, cells_of, mapped
from solver.errors import TooLarge

MAX_WALKED_CELLS: Final = 16
"""The most squares of a board whose positions are counted; 16 squares take a minute or two."""

MAX_STONES: Final = 6
"""The most stones in a position given to `orders`; six stones have 36 orders of moves."""

Stones: TypeAlias = tuple[Bits, Bits]
"""The cells of X and the cells of O."""


_CONTENT: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


class Stage(StrEnum):
    """A stage of the census. Each stage cuts more of the tree than the stage before."""

    UPPER_BOUND = "upper-bound"
    WON_CUT = "won-cut"
    DUPLICATES = "duplicates"
    SYMMETRY = "symmetry"
    FORCED = "forced"

    @property
    def heading(self) -> str:
        """The stage in a few words."""
        return str(_CONTENT["stages"][self]["heading"])

    @property
    def meaning(self) -> str:
        """The meaning of the stage in a sentence or two."""
        return str(_CONTENT["stages"][self]["meaning"])


@dataclass(frozen=True, slots=True)
class Tally:
    """The nodes of one ply by kind, and the moves to nodes that were visited before.

    `forks` also count as internal nodes. `duplicates` counts moves to a visited board. `symmetric` counts moves to a
    turned or mirrored image of a visited board.
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
        """The number of nodes; moves to visited boards are not counted."""
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
    """Count the nodes of a stage. Raise TooLarge beyond 16 squares; the upper bound is a formula for any board."""
    if stage is not Stage.UPPER_BOUND and rules.size > MAX_WALKED_CELLS:
        raise TooLarge(
            f"Positions are counted one by one, on boards of up to {MAX_WALKED_CELLS} squares. Only the upper bound is"
            f" a formula, which also works for {rules}."
        )
    match stage:
        case Stage.UPPER_BOUND:
            orders = [perm(rules.size, ply) for ply in range(rules.size + 1)]
            internal = (Tally(ply, internal=count) for ply, count in enumerate(orders[:-1]))
            return Census(rules, stage, (*internal, Tally(rules.size, draws=orders[-1])))
        case Stage.WON_CUT | Stage.DUPLICATES:
            return Census(rules, stage, tuple(layer[stage is Stage.DUPLICATES] for layer in _layers(rules)))
        case Stage.SYMMETRY | Stage.FORCED:
            return Census(rules, stage, depth_first(rules, forced=stage is Stage.FORCED))


def duplication(ply: int) -> int:
    """Return the number of orders of moves that lead to a position: n! m! for n stones of X and m stones of O."""
    return factorial((ply + 1) // 2) * factorial(ply // 2)


def distinct_upper_bound(rules: Rules) -> tuple[int, ...]:
    """Return the number of different positions at each ply, if play continues after a win."""
    return tuple(comb(rules.size, ply) * comb(ply, ply // 2) for ply in range(rules.size + 1))


def census_table(counted: Census) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the titles and the rows of a table: a row for each ply, then the sums. Leave out empty columns."""
    rows: list[tuple[int | None, ...]]
    if counted.stage is Stage.UPPER_BOUND:
        positions = distinct_upper_bound(counted.rules)
        titles = ["total", "orders a position", "positions"]
        rows = [(tally.total, duplication(tally.ply), positions[tally.ply]) for tally in counted.plies]
        rows.append((counted.nodes, None, sum(positions)))
    else:
        columns = {name: title for name, title in _CONTENT["columns"].items() if getattr(counted.sum, name)}
        names, titles = [*columns], [*columns.values()]
        rows = [tuple(getattr(tally, name) for name in names) for tally in (*counted.plies, counted.sum)]
    labels = (*(str(tally.ply) for tally in counted.plies), "all")
    texts = (tuple("" if count is None else f"{count:,}" for count in row) for row in rows)
    return ("ply", *titles), tuple((label, *row) for label, row in zip(labels, texts, strict=True))


def census_report(counted: Census) -> dict[str, Any]:
    """Return the census as plain data. For the upper bound, add the number of distinct positions."""
    plies = [asdict(tally) | {"total": tally.total} for tally in counted.plies]
    report = {"stage": str(counted.stage), "heading": counted.stage.heading, "nodes": counted.nodes, "plies": plies}
    if counted.stage is Stage.UPPER_BOUND:
        distinct = distinct_upper_bound(counted.rules)
        report["distinct"] = {"nodes": sum(distinct), "plies": list(distinct)}
        report["duplication"] = [duplication(ply) for ply in range(counted.rules.size + 1)]
    return report


@lru_cache(maxsize=4)  # two stages use the same walk
def _layers(rules: Rules) -> tuple[tuple[Tally, Tally], ...]:
    """Count the nodes of the tree ply by ply, first as games, then as distinct positions.

    A win ends a game. Play continues from only one member of each symmetry class, and its moves count for all members.
    The first move to a position counts as a node, every further one as a duplicate.
    """
    counted = []
    layer, arrivals = Counter({(0, 0): 1}), 1  # the games that lead to each class, and the moves to all positions
    for ply in range(rules.size + 1):
        games, positions = Counter[str](), Counter[str]()
        following = Counter[Stones]()
        for (x, o), paths in layer.items():
            own, other = (o, x) if ply % 2 else (x, o)
            won = any(line & other == line for line in rules.lines)
            for cell in cells_of(0 if won else rules.full & ~(x | o)):
                after = own | 1 << cell
                following[min(_images(rules, (other, after) if ply % 2 else (after, other)))] += paths
            kind, members = _kind(rules, ply, won), len(set(_images(rules, (x, o))))
            games[kind] += paths
            positions[kind] += members
            if kind == "internal" and rules.threats(other, own).bit_count() == FORK and not rules.threats(own, other):
                games["forks"] += paths
                positions["forks"] += members
        distinct = Tally(ply, **positions)
        counted.append((Tally(ply, **games), replace(distinct, duplicates=arrivals - distinct.total)))
        layer, arrivals = following, distinct.internal * (rules.size - ply)
    return tuple(counted)


def _kind(rules: Rules, ply: int, won: bool) -> str:
    """Return the field of a tally that counts a position; `won` is true if the last move completed a line."""
    if won:
        return "x_wins" if ply % 2 else "o_wins"
    return "draws" if ply == rules.size else "internal"


def depth_first(rules: Rules, forced: bool) -> tuple[Tally, ...]:
    """Count the nodes on the article's walk: depth first, with moves in reading order.

    An image of a visited board is not entered. If `forced`, a player plays only the first winning move. If no move
    wins, the player plays only the first blocking move, and if none blocks, every move.
    """
    plies = [Counter[str]() for _ in range(rules.size + 1)]
    visited: dict[Stones, Stones] = {}

    def visit(x: Bits, o: Bits, ply: int, won: bool) -> None:
        counts, key = plies[ply], min(_images(rules, (x, o)))
        if (first := visited.get(key)) is not None:
            counts["duplicates" if first == (x, o) else "symmetric"] += 1
            return
        visited[key] = x, o
        kind = _kind(rules, ply, won)
        counts[kind] += 1
        if kind != "internal":
            return
        own, other = (o, x) if ply % 2 else (x, o)
        moves = list(cells_of(rules.full & ~(x | o)))
        wins, threats = list(cells_of(rules.threats(own, other))), list(cells_of(rules.threats(other, own)))
        counts["forks"] += len(threats) == FORK and not wins
        if forced:
            moves = (wins or threats)[:1] or moves
        for cell in moves:
            after = own | 1 << cell
            visit(*((other, after) if ply % 2 else (after, other)), ply + 1, cell in wins)

    visit(0, 0, 0, won=False)
    return tuple(Tally(ply, **counts) for ply, counts in enumerate(plies))


def _images(rules: Rules, stones: Stones) -> list[Stones]:
    """Return the images of a position under all symmetries of the board."""
    x, o = stones
    return [(mapped(x, symmetry), mapped(o, symmetry)) for symmetry in rules.symmetries]


SYMMETRY_NAMES: Final = MappingProxyType(dict(zip(TIC_TAC_TOE.symmetries, _CONTENT["symmetries"], strict=True)))
"""The names of the symmetries of 3×3."""


def orders(position: Position) -> tuple[tuple[Cell, ...], ...]:
    """Return every order of moves that leads to a position without ending the game before. Raise TooLarge."""
    if position.rules.squares - position.plies_left > MAX_STONES:
        raise TooLarge(f"Orders of moves are listed for up to {MAX_STONES} stones.")
    series = []
    for xs in permutations(cells_of(position.x)):
        for os in permutations(cells_of(position.o)):
            moves = tuple((os if ply % 2 else xs)[ply // 2] for ply in range(len(xs) + len(os)))
            *earlier, _ = accumulate(moves, Position.after, initial=Position(position.rules))
            if not any(at.result for at in earlier):
                series.append(moves)
    return tuple(series)


T = TypeVar("T")

NodeKind: TypeAlias = tuple[int, Result | None]
"""A kind of node: its ply, and the result of the game if it is over."""


def node(position: Position) -> NodeKind:
    """Return the kind of node that a position is."""
    return position.rules.squares - position.plies_left, position.result


def pure(position: Position, walk: Callable[[Position], Counter[NodeKind]]) -> Counter[NodeKind]:
    """Return the nodes of a tree: the root, and what the walks of its children return."""
    nodes = Counter([node(position)])
    below = map(walk, position.successors())
    return reduce(add, below, nodes)


def shared(position: Position, walk: Callable[[Position], None], table: Counter[NodeKind]) -> None:
    """Count the nodes of a tree in a table that all walks share."""
    table[node(position)] += 1
    for child in position.successors():
        walk(child)


def run(step: Callable[[Position, Callable[[Position], T]], T], root: Position, remember: bool) -> tuple[T, int]:
    """Walk a tree, and return what the walk of the root returns and the number of steps.

    With `remember`, take only one step for each position, and use what it returned again.
    """
    steps = 0

    def walk(position: Position) -> T:
        nonlocal steps
        steps += 1
        return step(position, on)

    on = cache(walk) if remember else walk
    return on(root), steps


def run_pure(root: Position, remember: bool = False) -> tuple[Counter[NodeKind], int]:
    """Return the nodes that the pure walk counts, and its steps."""
    return run(pure, root, remember)


def run_shared(root: Position, remember: bool = False) -> tuple[Counter[NodeKind], int]:
    """Return the nodes that the walk with the shared table counts, and its steps."""
    table = Counter[NodeKind]()
    _, steps = run(lambda position, walk: shared(position, walk, table), root, remember)
    return table, steps
