"""The lesson on the reduced tree: its size, the scores of its positions, and the best path through it."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from solver.articles.graph import Graph, forced_moves, wins_by_threats
from solver.articles.openings import tic_tac_toe_openings, worth
from solver.articles.reduced import (
    TREE_RULES,
    Scores,
    best_path,
    best_replies,
    fork_ahead,
    is_settled,
    reduced_tree,
    scores,
    weights_of,
)
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE
from webapp.pages.learn.content import Facts, Remark
from webapp.pages.learn.lesson import Lesson
from webapp.pages.learn.lessons.forks import draw_threats, threatened_lines
from webapp.pages.learn.lessons.openings import KINDS
from webapp.pages.learn.trees import link_boards
from webapp.ui import filters
from webapp.ui.address import Query, one_of
from webapp.ui.board import Mini, mini
from webapp.ui.filters import Option, exactly, options

COUNTS = {"all": "all moves, symmetric ones too", "distinct": "distinct moves only"}
"""The two ways to average scores, by their names in an address."""


@dataclass(frozen=True, slots=True)
class Branch:
    """The tree below a position: its size, the values of its ends, and its score by both ways to average."""

    nodes: int
    ends: tuple[int, ...]
    scores: tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Node:
    """A position of the scored tree.

    `seen` is the anchor of an earlier place that already shows this position or an image of it. It is empty the first
    time. `only` is true if the mover had no other move.
    """

    anchor: str
    board: Mini
    score: Fraction
    words: str
    best: bool
    only: bool
    seen: str
    children: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class ReducedView:
    """The branches by opening, and the scores and the best path after one opening.

    `readings` has the sizes of the branches for each way to read the article.
    """

    branches: Mapping[str, Branch]
    readings: Mapping[str, tuple[int, ...]]
    openings: tuple[Option, ...]
    counts: tuple[Option, ...]
    path: tuple[Mini, ...]
    choices: tuple[Mini, ...]
    replies: tuple[Mini, ...]
    tree: Node
    opening: str
    counted: str
    picture: str

    def drawing(self) -> Markup:
        """Return the opening's tree as a drawing whose boards are links."""
        return link_boards(self.picture)


def view(query: Query) -> ReducedView:
    """Show the lesson.

    The query's `opening` is the branch to draw, and `count` is the way to average. Raises BadOption.
    """
    openings = {name: each.position for name, each in tic_tac_toe_openings().items()}
    opening, count = one_of(query, "opening", openings, "corner"), one_of(query, "count", COUNTS, "all")
    distinct = count == "distinct"
    root, edge = openings[opening], openings["edge"]
    roots = {"all": Position(TIC_TAC_TOE)} | openings
    steps = best_path(root, distinct)
    values, edge_values = scores(root, distinct), scores(edge, distinct)
    replies = sorted(reduced_tree(edge).children(edge), key=edge_values.__getitem__)
    return ReducedView(
        branches={name: _branch(root) for name, root in roots.items()},
        readings={
            name: tuple(len(reduced_tree(root, reading).nodes) for root in roots.values())
            for name, reading in TREE_RULES.items()
        },
        openings=options({name: name for name in openings}, opening),
        counts=options(COUNTS, count),
        path=tuple(_draw_scored(each, values) for each in (root, *(s.best[0] for s in steps if len(s.best) == 1))),
        choices=tuple(_draw_scored(each, values) for step in steps[-1:] if len(step.best) > 1 for each in step.best),
        replies=tuple(_draw_scored(reply, edge_values) for reply in replies),
        tree=_tree(root, distinct),
        opening=opening,
        counted=COUNTS[count],
        picture=f"reduced{'-distinct' if distinct else ''}-{opening}",
    )


def judge_stops(position: Position) -> Facts:
    """Judge whether the tree stops at a position, and why."""
    fork = None if worth(position) else _first_fork(position)
    right = "win" if worth(position) > 0 else "trap" if fork else "draw"
    board, lit = (draw_threats(fork), threatened_lines(fork)) if fork else (None, ())
    wrong = {name: f"no-{name}" for name in ("win", "draw", "trap")}
    return Facts.of(wrong | {right: Remark.of(right, board, lit)}, mini(position), mover=position.mover)


def _first_fork(position: Position) -> Position | None:
    """Return the first forked position ahead, if both players win and block when they can."""
    if wins_by_threats(position):
        return position
    forks = (_first_fork(position.after(cell)) for cell in forced_moves(position))
    return next((fork for fork in forks if fork), None)


def _branch(root: Position) -> Branch:
    tree = reduced_tree(root)
    ends = tuple(worth(node) for node in tree.nodes if not tree.children(node))
    return Branch(len(tree.nodes), ends, (scores(root)[root], scores(root, distinct=True)[root]))


def _draw_scored(position: Position, values: Scores) -> Mini:
    return mini(position, exactly(values[position]), KINDS[worth(position)])


def _tree(root: Position, distinct: bool) -> Node:
    """Return the scored tree below a position. A repeated position has its children only at its first place."""
    tree, values = reduced_tree(root), scores(root, distinct)
    order = {position: f"n{number}" for number, position in enumerate(tree.nodes, 1)}
    shown: set[Position] = set()

    def node(position: Position, moves: int, best: bool, only: bool) -> Node:
        again = position in shown
        shown.add(position)
        chosen = best_replies(tree, values, position)
        counts = weights_of(tree, position)
        children = (
            () if again else tuple(node(child, counts[child], child in chosen, len(counts) == 1) for child in counts)
        )
        inner = bool(tree.children(position))
        kind = "" if inner else KINDS[worth(position)]
        return Node(
            anchor="" if again else order[position],
            board=mini(position, kind=kind),
            score=values[position],
            words=_words(tree, position, moves),
            best=best,
            only=only,
            seen=order[position] if again and inner else "",
            children=children,
        )

    return node(root, 1, best=False, only=False)


def _words(tree: Graph, position: Position, moves: int) -> str:
    """Describe a position. `moves` is the number of its parent's moves that lead to it or to an image of it."""
    children = tree.children(position)
    kind = f"{Mark(position.mover)} moves" if children else filters.worth(worth(position))
    return kind if moves == 1 else f"{kind}, {moves} moves"


LESSON = Lesson.of(
    "reduced",
    code=(fork_ahead, is_settled, reduced_tree),
    parts=("opening", "count"),
    view=view,
    facts={"stop": judge_stops},
)
