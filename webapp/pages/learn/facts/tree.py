"""The size of the game tree: how it grows, which boards are one, and what the stages of the Clojure article cut."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, pairwise, starmap
from math import log, perm
from typing import Final, NamedTuple

from solver.articles.census import (
    MAX_WALKED_CELLS,
    SYMMETRY_NAMES,
    Census,
    Stage,
    census,
    census_table,
    distinct_upper_bound,
    orders,
    run_pure,
    run_shared,
)
from solver.articles.graph import Kind, forced_moves, graph_of, is_fork
from solver.articles.patterns import drawn_boards
from solver.board.game import Pattern, pattern_of
from solver.board.notation import parse_position, parse_rules
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE, Cell, check_lines_win
from solver.errors import TooLarge
from webapp.pages.learn.content import Facts, Shown
from webapp.pages.learn.facts.draws import draw_marked
from webapp.pages.learn.facts.forks import draw_threats
from webapp.ui.address import Query
from webapp.ui.board import Mini, mini
from webapp.ui.filters import board_options

OFFERED: Final = ("3x3x3", "2x2x2", "3x2x2", "3x3x2", "4x2x3", "4x3x3")
"""The boards of the dropdown; an address may name any other of up to 12 squares."""

MAX_CENSUS_CELLS: Final = 12
"""The size of the largest board that is counted while a visitor waits, in squares."""

FLOW_WIDTH, LEAST_KEPT = 360, 3.0
"""The width of the flow and the least width of a part, in its own units."""

SUBTREE: Final = "XO./..X/..."
"""A position that two orders of moves reach."""

TURNED: Final = "XO./..X/O.."
"""A position with eight different images."""

CUTS: Final = {
    Stage.WON_CUT: "Finished games stop",
    Stage.DUPLICATES: "Duplicates merge",
    Stage.SYMMETRY: "Symmetry merges",
    Stage.FORCED: "Only forced moves are played",
}
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


def count_levels(query: Query) -> Shown:
    """Count the nodes of a `stage` of tic-tac-toe."""
    counted = census(TIC_TAC_TOE, Stage(query["stage"]))
    titles, rows = census_table(counted)
    levels = {f"level {each.ply}": each.total for each in counted.plies}
    return {"counted": counted, "levels": levels, "titles": titles, "rows": rows}


def draw_flow(query: Query) -> Shown:
    """Draw the stages of a `board` as bands. Raises BadRules, or TooLarge beyond 12 squares."""
    rules = parse_rules(query.get("board", OFFERED[0]))
    check_lines_win(rules, "This page")
    if rules.size > MAX_CENSUS_CELLS:
        walked = rules.size <= MAX_WALKED_CELLS
        raise TooLarge(
            f"This page counts boards of up to {MAX_CENSUS_CELLS} squares; {rules} has {rules.size}."
            f" Try `noughts census --board {rules}{'' if walked else f' --stage {Stage.UPPER_BOUND}'}` on the"
            " command line."
        )
    bands = tuple(flow(tuple(census(rules, stage) for stage in Stage)))
    return {"boards": board_options(OFFERED, str(rules)), "bands": bands}


def flow(counted: tuple[Census, ...]) -> Iterator[Band]:
    """Yield the bands of the stages, the widest stage first."""
    for here, after in pairwise(counted):
        kept = max(LEAST_KEPT, FLOW_WIDTH * after.nodes / here.nodes) if after.nodes < here.nodes else FLOW_WIDTH
        yield Band(here.stage, here.nodes, round(kept, 1), here.nodes - after.nodes, CUTS[after.stage])
    yield Band(counted[-1].stage, counted[-1].nodes)


def draw_indices(_: Query) -> tuple[Mini, ...]:
    """Draw the squares with their indices in a vector."""
    return (mini(Position(TIC_TAC_TOE), texts={cell: str(cell) for cell in range(TIC_TAC_TOE.size)}),)


def draw_orders(_: Query) -> tuple[tuple[Mini, ...], ...]:
    """Draw the first and the last order of moves that lead to a board."""
    every = orders(parse_position(SUBTREE))
    return tuple(tuple(_draw_moves(moves)) for moves in (every[0], every[-1]))


def _draw_moves(moves: tuple[int, ...]) -> Iterator[Mini]:
    for ply, position in enumerate(accumulate(moves, Position.after, initial=Position(TIC_TAC_TOE))):
        yield mini(position, classes={moves[ply - 1]: "new"} if ply else {})


def draw_images(_: Query) -> tuple[Mini, ...]:
    """Draw a board and its seven images."""
    position = parse_position(TURNED)
    return tuple(mini(position.transformed(symmetry), name) for symmetry, name in SYMMETRY_NAMES.items())


def draw_patterns(_: Query) -> Mapping[Pattern, tuple[Mini, ...]]:
    """Draw the drawn boards by their pattern. The marked squares are O's, which form the pattern."""
    boards = drawn_boards(TIC_TAC_TOE)
    return {
        pattern: tuple(draw_marked(board) for board in boards if pattern_of(board) is pattern) for pattern in Pattern
    }


def draw_forks(_: Query) -> tuple[Mini, ...]:
    """Draw two forks of X and one of O, with the threats marked."""
    tree = graph_of(Position(TIC_TAC_TOE), forced_moves)
    forks = [position for position, kind in tree.nodes.items() if kind is Kind.FORK]
    own = {mark: [position for position in forks if position.mover.other is mark] for mark in Mark}

    def draw(position: Position) -> Mini:
        said = f"{position.mover} moves, {position.mover.other} wins"
        return replace(draw_threats(position), caption=said, kind="fork")

    return tuple(map(draw, (own[Mark.X][0], own[Mark.X][-1], own[Mark.O][0])))


def count_stages() -> Facts:
    """Count the nodes of all stages, and the positions if play goes on after a win."""
    nodes = {stage.name.lower(): census(TIC_TAC_TOE, stage).nodes for stage in Stage}
    forks = sum(tally.forks for tally in census(TIC_TAC_TOE, Stage.FORCED).plies)
    boards = list(map(is_fork, graph_of(Position(TIC_TAC_TOE), forced_moves).nodes)).count(True)
    assert forks == boards  # noqa: S101 - the walk and the graph are two programs
    values = nodes | {"distinct": sum(distinct_upper_bound(TIC_TAC_TOE)), "forks": forks}
    return Facts(truth=nodes["upper_bound"], values=values)


def count_images() -> Facts:
    """Count the images of a board and the orders of moves to another one."""
    return Facts.of(images=parse_position(TURNED).images() - 1, orders=len(orders(parse_position(SUBTREE))))


@cache
def judge_remembering(walk: str = "pure") -> Facts:
    """Judge what a walk counts if it remembers positions: the whole tree, each board once, or nothing."""
    nodes, steps = {"pure": run_pure, "shared": run_shared}[walk](Position(TIC_TAC_TOE), remember=True)
    whole, kept = census(TIC_TAC_TOE, Stage.WON_CUT).nodes, census(TIC_TAC_TOE, Stage.DUPLICATES).nodes
    counts = {"whole": (whole, "nodes, as before"), "kept": (kept, "nodes"), "none": (0, "nodes")}
    return Facts.of(
        {name: "yes" if count == nodes.total() else name for name, (count, _) in counts.items()},
        titles={name: f"{count:,} {unit}" for name, (count, unit) in counts.items()},
        nodes=nodes.total(),
        steps=steps,
        whole=whole,
    )


NEXT, BLOCK = 3.5, 11.5
"""The distances from one board after two moves to the next, and from one block of boards to the next, in squares."""


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


def draw_merging(_: Query) -> tuple[Merging, ...]:
    """Draw the boards after two moves: as they are, with X's square turned onto three, and with O's mirrored too."""
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


def count_boards_after(plies: int) -> Facts:
    """Count the ways to make the first moves."""
    return Facts.of(truth=perm(TIC_TAC_TOE.size, plies))


def count_distinct_after(plies: int) -> Facts:
    """Count the boards after the first moves up to symmetry."""
    boards = {Position(TIC_TAC_TOE)}
    for _ in range(plies):
        boards = {after.canonical() for board in boards for after in board.successors()}
    return Facts.of(truth=len(boards), every=perm(TIC_TAC_TOE.size, plies))


def count_nodes(name: str) -> Facts:
    """Count the nodes of a stage of the census, and those of the stage before."""
    stages = [*Stage]
    number = stages.index(Stage(name))
    before, nodes = (census(TIC_TAC_TOE, stages[each]).nodes for each in (number - 1, number))
    factor = before / nodes
    return Facts.of(truth=nodes, before=before, factor=f"{factor:.{0 if factor >= 10 else 1}f}")


def count_sizes() -> Facts:
    """Count the nodes of the first and the last stage, and the boards after two moves."""
    first, *_, last = (census(TIC_TAC_TOE, stage).nodes for stage in Stage)
    every, _, merged = draw_merging({})
    return Facts.of(first=first, last=last, seconds=every.left, distinct=merged.left)


def draw_shrinking(_: Query) -> tuple[tuple[str, int, float], ...]:
    """Return the heading of each stage, its nodes, and the length of its bar as a share of the longest."""
    nodes = {stage.heading: census(TIC_TAC_TOE, stage).nodes for stage in Stage}
    return tuple((name, count, round(log(count) / log(max(nodes.values())), 3)) for name, count in nodes.items())
