"""The lesson on the size of the game tree: one guesses its nodes, and sees the second moves merge.

A flow and tables show the nodes at five stages. Two walks count them: a pure one, and one that changes a shared table.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, starmap
from textwrap import dedent
from typing import ClassVar, Final, NamedTuple

from solver.articles.census import (
    MAX_WALKED_CELLS,
    Census,
    NodeKind,
    Stage,
    census,
    census_table,
    depth_first,
    distinct_upper_bound,
    orders,
    pure,
    run,
    run_pure,
    run_shared,
    shared,
)
from solver.board.notation import parse_position, parse_rules
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE, Cell, Rules, check_lines_win
from solver.errors import TooLarge
from webapp.pages.learn.content import Facts, read_content
from webapp.pages.learn.lesson import Lesson, source_of
from webapp.ui.address import Query
from webapp.ui.board import mini
from webapp.ui.filters import Option, board_options

OFFERED: Final = ("3x3x3", "2x2x2", "3x2x2", "3x3x2", "4x2x3", "4x3x3")
"""The boards of the dropdown; an address may name any other of up to 12 squares."""

MAX_CENSUS_CELLS: Final = 12
"""The size of the largest board that is counted while a visitor waits, in squares."""

NEXT, BLOCK = 3.5, 11.5
"""The distances from one board after two moves to the next, and from one block of boards to the next, in squares."""

FLOW_WIDTH, BAND_STEP, LEAST_KEPT = 360, 96, 3.0
"""The flow, in its own units: its width, the step from band to band, and the least width of a part."""

SUBTREE: Final = "XO./..X/..."
"""A position that two games reach. Both walks count its tree while a visitor waits, without remembering anything."""

CUTS: Final[Mapping[str, str]] = read_content("census")["cuts"]
"""The change that each stage makes to the stage before it, in words."""


@dataclass(frozen=True, slots=True)
class Band:
    """A band of the flow, which shows the nodes of one stage.

    All bands have the same width. `kept` is the width of the part that the next band shows enlarged. `lost` is the
    number of nodes that the next stage leaves out, and `cut` says why.
    """

    stage: Stage
    nodes: int
    kept: float = FLOW_WIDTH
    lost: int = 0
    cut: str = ""

    @property
    def plate(self) -> float:
        """The width of the label with the lost nodes."""
        return 12 + 7.4 * len(f"-{self.lost:,} (99.9%)")

    @property
    def share(self) -> float:
        """The share of the nodes that is lost."""
        return self.lost / self.nodes


class Second(NamedTuple):
    """A board after two moves, at its place in a picture of 9 by 9 boards.

    X's square is the block of the picture, and O's square is the place in the block.
    """

    x: Cell
    o: Cell

    @property
    def place(self) -> tuple[float, float]:
        """The left and top edge of the board, in squares."""
        (column, row), (x, y) = map(TIC_TAC_TOE.column_row, self)
        return column * BLOCK + x * NEXT, row * BLOCK + y * NEXT


@dataclass(frozen=True, slots=True)
class Merging:
    """A step of the picture in which the boards after two moves merge; `boards` has an entry for each of them."""

    title: str
    words: str
    boards: tuple[Second, ...]

    @property
    def left(self) -> int:
        """The number of different boards."""
        return len(set(self.boards))


@dataclass(frozen=True, slots=True)
class CensusView:
    """A board with the nodes of each stage. `distinct` is the upper bound without duplicates."""

    rules: Rules
    boards: tuple[Option, ...]
    distinct: int
    merging: tuple[Merging, ...]
    bands: tuple[Band, ...]
    stages: tuple[Census, ...]
    walks: "Walks"
    width: ClassVar[int] = FLOW_WIDTH
    step: ClassVar[int] = BAND_STEP

    def table(self, counted: Census) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """Return the titles and the rows of a stage's table."""
        return census_table(counted)


def view(query: Query) -> CensusView:
    """Show the census of a board. Raises BadRules, or TooLarge beyond 12 squares."""
    rules = parse_rules(query.get("board", OFFERED[0]))
    check_lines_win(rules, "This page")
    if rules.size > MAX_CENSUS_CELLS:
        walked = rules.size <= MAX_WALKED_CELLS
        raise TooLarge(
            f"This page counts boards of up to {MAX_CENSUS_CELLS} squares; {rules} has {rules.size}."
            f" Try `noughts census --board {rules}{'' if walked else f' --stage {Stage.UPPER_BOUND}'}` on the"
            " command line."
        )
    counted = tuple(census(rules, stage) for stage in Stage)
    return CensusView(
        rules,
        board_options(OFFERED, str(rules)),
        sum(distinct_upper_bound(rules)),
        merging(),
        tuple(flow(counted)),
        counted,
        view_walks(),
    )


@cache
def merging() -> tuple[Merging, ...]:
    """Return the boards after two moves: as they are, with X's square turned onto three, and with O's mirrored too."""
    pairs = ((x, o) for x in range(TIC_TAC_TOE.size) for o in range(TIC_TAC_TOE.size))
    images = {(x, o): [Second(each[x], each[o]) for each in TIC_TAC_TOE.symmetries] for x, o in pairs if x != o}
    opened = (next(each for each in alike if each.x == min(alike).x) for alike in images.values())
    replies = Counter(x for x, _ in sorted({min(alike) for alike in images.values()}))
    corner, edge, centre = replies.values()
    return (
        Merging("All", "A block for each move of X, a board for each reply of O.", tuple(starmap(Second, images))),
        Merging("Turned", "Every X turns to one corner, to one edge or stays in the centre.", tuple(opened)),
        Merging(
            "Mirrored",
            f"{corner} replies to a corner, {edge} to an edge and {centre} to the centre differ.",
            tuple(map(min, images.values())),
        ),
    )


def count_seconds() -> Facts:
    """Count the boards after two moves, before any of them merge."""
    return Facts.of(truth=merging()[0].left)


def count_distinct() -> Facts:
    """Count the boards after two moves up to symmetry."""
    every, openings, left = (step.left for step in merging())
    return Facts.of(truth=left, every=every, openings=openings, left=left)


def count_nodes(name: str = "upper-bound") -> Facts:
    """Count the nodes of a stage of the census, and those of the stage before and of the first and the last one."""
    stages = [*Stage]
    nodes = [census(TIC_TAC_TOE, stage).nodes for stage in stages]
    number = stages.index(Stage(name))
    factor = nodes[number - 1] / nodes[number]
    return Facts.of(
        truth=nodes[number],
        cut=CUTS.get(stages[number]),
        before=nodes[number - 1],
        factor=f"{factor:.{0 if factor >= 10 else 1}f}",
        first=nodes[0],
        last=nodes[-1],
    )


def flow(counted: tuple[Census, ...]) -> Iterator[Band]:
    """Yield the bands of the stages, the widest stage first."""
    for here, after in pairwise(counted):
        kept = max(LEAST_KEPT, FLOW_WIDTH * after.nodes / here.nodes) if after.nodes < here.nodes else FLOW_WIDTH
        yield Band(here.stage, here.nodes, round(kept, 1), here.nodes - after.nodes, CUTS[after.stage])
    yield Band(counted[-1].stage, counted[-1].nodes)


@dataclass(frozen=True, slots=True)
class Walks:
    """The code of each walk, and the nodes that both count at each ply while they remember positions."""

    pure: str
    shared: str
    plies: tuple[tuple[int, int], ...]


@cache
def view_walks() -> Walks:
    """Show both walks."""
    counted = tuple(_by_ply(run(Position(TIC_TAC_TOE), remember=True)[0]) for run in (run_pure, run_shared))
    return Walks(_body(pure), _body(shared), tuple(zip(*counted, strict=True)))


def _body(function: Callable[..., object]) -> str:
    """Return the code of a function without its signature and its docstring of one line."""
    return dedent(source_of(function).text.rpartition('"""\n')[2])


def _by_ply(nodes: Counter[NodeKind]) -> list[int]:
    return [sum(count for (at, _), count in nodes.items() if at == ply) for ply in range(TIC_TAC_TOE.size + 1)]


def judge_walks() -> Facts:
    """Judge whether both walks count the same from the board on."""
    below = parse_position(SUBTREE)
    (small, _), (smaller, _) = run_pure(below), run_shared(below)
    answers = {"yes": "same", "no": "hint"} if small == smaller else {"yes": "hint", "no": "same"}
    return Facts.of(answers, mini(below), small=small.total())


def judge_remembering(walk: str) -> Facts:
    """Judge what a walk counts if it remembers positions: the whole tree, each board once, or nothing."""
    empty, below = Position(TIC_TAC_TOE), parse_position(SUBTREE)
    nodes, _ = {"pure": run_pure, "shared": run_shared}[walk](empty, remember=True)
    whole, kept = census(TIC_TAC_TOE, Stage.WON_CUT).nodes, census(TIC_TAC_TOE, Stage.DUPLICATES).nodes
    counts = {"whole": (whole, "nodes, as before"), "kept": (kept, "nodes"), "none": (0, "nodes")}
    return Facts.of(
        {name: "yes" if count == nodes.total() else name for name, (count, _) in counts.items()},
        mini(below),
        titles={name: f"{count:,} {unit}" for name, (count, unit) in counts.items()},
        nodes=nodes.total(),
        times=len(orders(below)),
        small=run_pure(below)[0].total(),
        whole=whole,
    )


def count_steps() -> Facts:
    """Count the steps of the pure walk if it remembers positions."""
    _, steps = run_pure(Position(TIC_TAC_TOE), remember=True)
    return Facts.of(truth=steps, whole=census(TIC_TAC_TOE, Stage.WON_CUT).nodes)


LESSON = Lesson.of(
    "census",
    code=(distinct_upper_bound, depth_first, pure, shared, run),
    parts=("board",),
    view=view,
    facts={
        "seconds": count_seconds,
        "distinct": count_distinct,
        "nodes": count_nodes,
        "walks": judge_walks,
        "remember": judge_remembering,
        "steps": count_steps,
    },
)
