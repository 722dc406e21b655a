"""The lesson on two ways to count the game tree: a pure walk, and one that changes a shared table."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import dedent

from solver.articles.census import NodeKind, Stage, census, orders, pure, run, run_pure, run_shared, shared
from solver.board.notation import parse_position
from solver.board.position import Position
from solver.board.rules import TIC_TAC_TOE
from webapp.pages.learn.content import Facts
from webapp.pages.learn.lesson import Lesson, ignore_predictions, source_of
from webapp.pages.learn.thumbs import lines
from webapp.ui.address import Query
from webapp.ui.board import mini

SUBTREE = "XO./..X/..."
"""A position that two games reach. Both walks count its tree while a visitor waits, without remembering anything."""


@dataclass(frozen=True, slots=True)
class WalksView:
    """The code of each walk, and the nodes that both count at each ply while they remember positions."""

    pure: str
    shared: str
    plies: tuple[tuple[int, int], ...]


def view(_: Query) -> WalksView:
    """Show the lesson. It reads nothing from the query."""
    counted = tuple(_by_ply(run(Position(TIC_TAC_TOE), remember=True)[0]) for run in (run_pure, run_shared))
    return WalksView(_body(pure), _body(shared), tuple(zip(*counted, strict=True)))


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
    "walks",
    code=(pure, shared, run),
    picture=lambda: lines(("return a + b", "table[n] += 1")),
    view=ignore_predictions(view),
    facts={"walks": judge_walks, "remember": judge_remembering, "steps": count_steps},
)
