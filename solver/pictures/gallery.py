"""The named pictures, and trees of any position to a given depth. Each picture is drawn once and cached."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from types import MappingProxyType
from typing import Final

from solver.articles.graph import Graph, Kind, every_move, fewest_boards, forced_moves, graph_of
from solver.articles.openings import forced_wins_tree, openings, square_name, tic_tac_toe_openings, worth
from solver.articles.reduced import best_path, reduced_tree, scores
from solver.board.notation import format_position, quoted
from solver.board.outcome import counted
from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE
from solver.errors import BadOption, TooLarge
from solver.pictures.drawing import MAX_BOARDS, Drawing, dot_of, kind_words, svg_of, too_many
from solver.pictures.files import pdf, png
from solver.pictures.poster import describe, map_of_moves, poster

MAX_DEPTH: Final = 3
"""The greatest depth of a position's tree in a picture, in plies."""

_EMPTY: Final = Position(TIC_TAC_TOE)
_WORTHS: Final = {1: Kind.X_WINS, 0: Kind.DRAW, -1: Kind.O_WINS}


@dataclass(frozen=True)
class Picture:
    """A picture with its title, description and number of boards, drawn when first needed.

    Only a graph has a `drawing`, from which its DOT is made.
    """

    title: str
    description: str
    boards: int
    draw: Callable[[], str] = field(repr=False)
    drawing: Drawing | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{self.title}. {self.description}"

    def _repr_svg_(self) -> str:
        return self.svg

    @cached_property
    def svg(self) -> str:
        """The picture as SVG. Raises TooLarge for more boards than a picture may have."""
        return self.draw()

    @cached_property
    def dot(self) -> str | None:
        """The picture as DOT, if it is a graph."""
        return dot_of(self.drawing) if self.drawing else None


@lru_cache(maxsize=32)
def picture_named(name: str) -> Picture:
    """Return a picture of the gallery. Raise BadOption for a name that is not in it."""
    if name not in GALLERY:
        raise BadOption(f"{quoted(name)} is no picture. There are {', '.join(GALLERY)}.")
    return GALLERY[name]()


@lru_cache(maxsize=64)
def tree_picture(
    position: Position, depth: int, distinct: bool = False, opened: frozenset[Position] = frozenset()
) -> Picture:
    """Return a picture of the tree below a position, to `depth` plies.

    On boards with a table of all positions, frames show the winner. Below the `opened` positions the tree is deeper. If
    `distinct`, symmetric positions share a node and are opened together. Raise BadOption for a depth that is not
    offered, and TooLarge for too many boards.
    """
    if not 1 <= depth <= MAX_DEPTH:
        raise BadOption(f"The tree is drawn 1 to {MAX_DEPTH} plies deep, not {depth}.")
    check_size(position, depth, distinct)
    last = position.plies_left - depth
    open_images = {node.canonical() for node in opened} if distinct else opened

    def opens(node: Position) -> bool:
        return bool(open_images) and (node.canonical() if distinct else node) in open_images

    try:
        graph = graph_of(
            position, every_move, lambda node: node.plies_left <= last and not opens(node), distinct, MAX_BOARDS
        )
    except TooLarge:
        raise too_many() from None
    plies = counted(depth, "ply", "plies") + (f" and {counted(len(opened), 'branch', 'branches')}" if opened else "")
    where = "the empty board" if position == Position(position.rules) else format_position(position)
    if not position.rules.is_small:
        return _graph_picture(graph, f"{plies.capitalize()} from {where} on {position.rules}")
    winners = {node: _WORTHS[worth(node)] for node in graph.nodes}
    captions = {node: kind_words(node, kind) or kind.value for node, kind in winners.items()}
    return _graph_picture(
        replace(graph, nodes=winners), f"{plies.capitalize()} from {where}, and who wins with best play", captions
    )


def check_size(position: Position, depth: int, distinct: bool) -> None:
    """Raise TooLarge for a tree that is sure to have too many boards. The check does not build the tree."""
    if fewest_boards(position, depth, distinct) > MAX_BOARDS:
        raise too_many()


def _reduced(distinct: bool, root: Position, title: str) -> Picture:
    tree, values = reduced_tree(root), scores(root, distinct)
    leaves = {node: _WORTHS[worth(node)] for node in tree.nodes if not tree.edges_from[node]}
    signed = {node: f"{float(values[node]):+.2f}".replace("-", "−") for node in tree.nodes if node not in leaves}
    steps = best_path(root, distinct)
    path = (*steps, *(best[0] for best in [*steps.values()][-1:]))
    counted = "each distinct move counted once" if distinct else "every move counted"
    return _graph_picture(
        replace(tree, nodes=dict.fromkeys(tree.nodes, Kind.INTERNAL) | leaves),
        title,
        signed,
        path,
        f"The number is the average of what the board's moves lead to, {counted}: X wins +1, draw 0, O wins −1.",
    )


def _graph_picture(
    graph: Graph,
    title: str,
    captions: Mapping[Position, str] | None = None,
    path: tuple[Position, ...] = (),
    note: str = "",
) -> Picture:
    drawing = Drawing(graph, title, _describe(graph), captions or {}, path, note)
    return Picture(title, drawing.description, len(graph.nodes), partial(svg_of, drawing), drawing)


def _describe(graph: Graph) -> str:
    """Return a description of a graph, with the numbers of its boards and moves."""
    kinds = list(graph.nodes.values())
    counts = [
        f"{kinds.count(kind)} {word}"
        for kind, word in (
            (Kind.X_WINS, "won by X"),
            (Kind.O_WINS, "won by O"),
            (Kind.DRAW, "drawn"),
            (Kind.FORK, "with a fork"),
        )
        if kind in kinds
    ]
    moves = sum(len(edge.moves) for edge in graph.edges)
    turned = sum(len(edge.moves) for edge in graph.edges if edge.turned)
    return (
        f"A graph of {counted(len(kinds), 'board', 'boards')}"
        + (f", {', '.join(counts)}" if counts else "")
        + f", with {moves} moves between them"
        + (f", {turned} of them turned or mirrored" if turned else "")
        + f". It begins at {format_position(graph.root)}."
    )


def _poster(owner: Mark) -> Picture:
    advice = map_of_moves(TIC_TAC_TOE, owner)
    return Picture(
        f"Map of optimal moves for {owner}",
        describe(advice, owner),
        sum(1 for _ in advice.walk()),
        partial(poster, TIC_TAC_TOE, owner),
    )


def _gallery() -> Iterator[tuple[str, Callable[[], Picture]]]:
    roots = {"": ("the empty board", _EMPTY)} | {
        f"-{opening.name}": (f"the {opening.name} opening", opening.position) for opening in openings(TIC_TAC_TOE)
    }
    stages: Mapping[str, tuple[str, Callable[[Position, str], Picture]]] = {
        "forced": ("Forced moves from {}", lambda root, title: _graph_picture(graph_of(root, forced_moves), title)),
        "wins": ("Forced wins from {}", lambda root, title: _graph_picture(forced_wins_tree(root), title)),
        "reduced": ("Reduced tree from {}, scores of all moves", partial(_reduced, False)),
        "reduced-distinct": ("Reduced tree from {}, scores of distinct moves", partial(_reduced, True)),
        "distinct": ("Every distinct position from {}", lambda root, title: _graph_picture(graph_of(root), title)),
    }
    for stage, (title, picture) in stages.items():
        for end, (where, root) in roots.items():
            yield stage + end, partial(picture, root, title.format(where))
    for reply in tic_tac_toe_openings()["edge"].safe:
        where = square_name(reply.cell)
        yield f"reduced-edge-{where}", partial(_reduced, False, reply.position, f"Reduced tree from edge and {where}")
    for owner in Mark:
        yield f"poster-{owner.lower()}", partial(_poster, owner)


GALLERY: Final[Mapping[str, Callable[[], Picture]]] = MappingProxyType(dict(_gallery()))
"""Every named picture: the trees by stage and opening, and the maps."""

FORMATS: Final[Mapping[str, Callable[[Picture], str | bytes | None]]] = MappingProxyType(
    {
        "svg": lambda picture: picture.svg,
        "dot": lambda picture: picture.dot,
        "png": lambda picture: png(picture.svg),
        "pdf": lambda picture: pdf(picture.svg),
    }
)
"""The function that makes each format, by the file name's ending.

It returns None if the picture does not have this format. It raises TooLarge for too many boards.
"""
