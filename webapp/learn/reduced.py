"""The lesson on the reduced tree: how large it is, what its positions score, and the best path through it."""

from dataclasses import dataclass
from fractions import Fraction

from solver.board.notation import format_fraction
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE
from solver.theory.graph import Graph
from solver.theory.openings import tic_tac_toe_openings, worth
from solver.theory.reduced import (
    TREE_RULES,
    Scores,
    best_path,
    best_replies,
    reduced_tree,
    scores,
    weights_of,
)
from webapp.learn.lesson import Lesson, Query
from webapp.learn.minis import Mini, mini
from webapp.learn.openings import KINDS, WORDS
from webapp.learn.parts import Choice, choices, one_of

COUNTS = {"all": "all moves, symmetric ones too", "distinct": "distinct moves only"}
"""The two ways to average, by what an address calls them."""


@dataclass(frozen=True, slots=True)
class CountRow:
    """A branch of the tree: its nodes, its leaves by what they are, and its score by both ways of counting."""

    name: str
    nodes: int
    x_wins: int
    draws: int
    o_wins: int
    score: str
    distinct_score: str


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """One reading of the article's definition: nodes in all, and below each opening."""

    name: str
    whole: int
    openings: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A position of the scored tree.

    `seen` is the anchor of the same position, or an image of it, where it is shown with what follows; else empty.
    `only` is a move that its player has to make.
    """

    anchor: str
    board: Mini
    score: str
    said: str
    best: bool
    only: bool
    seen: str
    children: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class ReducedView:
    """The whole lesson."""

    openings: tuple[Choice, ...]
    counts: tuple[Choice, ...]
    rows: tuple[CountRow, ...]
    readings: tuple[ReadingRow, ...]
    path: tuple[Mini, ...]
    choices: tuple[Mini, ...]
    replies: tuple[Mini, ...]
    tree: Node
    opening: str
    counted: str


def view(query: Query) -> ReducedView:
    """The lesson. `opening` is the branch that is drawn, `count` how scores are averaged. Raises BadOption."""
    openings = tic_tac_toe_openings()
    opening, count = one_of(query, "opening", openings, "corner"), one_of(query, "count", COUNTS, "all")
    distinct = count == "distinct"
    empty = Position(TIC_TAC_TOE)
    roots = {"all": empty} | {name: each.position for name, each in openings.items()}
    steps = best_path(empty, distinct)
    values = scores(empty, distinct)
    edge = openings["edge"].position
    return ReducedView(
        choices({name: name for name in openings}, opening),
        choices(COUNTS, count),
        tuple(_row(name, root) for name, root in roots.items()),
        tuple(
            ReadingRow(
                name,
                len(reduced_tree(empty, reading).nodes),
                tuple(len(reduced_tree(each.position, reading).nodes) for each in openings.values()),
            )
            for name, reading in TREE_RULES.items()
        ),
        tuple(_captioned(step.best[0], values) for step in steps if len(step.best) == 1),
        tuple(_captioned(position, values) for step in steps[-1:] if len(step.best) > 1 for position in step.best),
        tuple(
            _captioned(reply, scores(edge, distinct))
            for reply in sorted(reduced_tree(edge).children(edge), key=scores(edge, distinct).__getitem__)
        ),
        _tree(roots[opening], distinct),
        opening,
        COUNTS[count],
    )


def _row(name: str, root: Position) -> CountRow:
    tree = reduced_tree(root)
    leaves = [worth(node) for node in tree.nodes if not tree.children(node)]
    return CountRow(
        name,
        len(tree.nodes),
        leaves.count(1),
        leaves.count(0),
        leaves.count(-1),
        _exact(scores(root)[root]),
        _exact(scores(root, distinct=True)[root]),
    )


def _exact(score: Fraction) -> str:
    """A score as a fraction, and rounded where it is no whole number."""
    return format_fraction(score).replace("-", "−")


def _captioned(position: Position, values: Scores) -> Mini:
    return mini(position, _exact(values[position]), KINDS[worth(position)])


def _tree(root: Position, distinct: bool) -> Node:
    """The scored tree below a position, each position with its children where it comes first."""
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
            "" if again else order[position],
            mini(position, kind=kind),
            _exact(values[position]),
            _said(tree, position, moves),
            best,
            only,
            order[position] if again and inner else "",
            children,
        )

    return node(root, 1, best=False, only=False)


def _said(tree: Graph, position: Position, moves: int) -> str:
    """What a position is, and how many moves of its parent lead to it or to an image of it."""
    children = tree.children(position)
    kind = f"{Mark(position.mover)} moves" if children else WORDS[worth(position)]
    return kind if moves == 1 else f"{kind}, {moves} moves"


LESSON = Lesson(
    "reduced",
    "The reduced tree",
    "The whole game as far as something can still go wrong, each position with its score.",
    view,
    ("opening", "count"),
)
