"""Trees of moves on the pages of lessons: those that an address asks for, those of the gallery, and small ones."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from markupsafe import Markup

from solver.articles.telling import side
from solver.articles.tracing import SmallTree, TreeNode
from solver.board.game import Game, read_game
from solver.board.notation import format_cell, format_moves, format_position
from solver.board.outcome import counted
from solver.board.position import Position
from solver.errors import TooLarge
from solver.pictures.drawing import Live, svg_of
from solver.pictures.gallery import MAX_DEPTH, Picture, check_size, tree_picture
from webapp.pages.play.forms import asked_game, game_parts
from webapp.ui.address import Query, number_of, one_of
from webapp.ui.filters import play_url

TREE: Final = "tree"
"""The name of the picture that shows the next plies of any position."""

CHILDREN: Final = ("distinct", "all")
"""The names in an address for distinct moves and for all moves."""

OPENED: Final = 30
"""The most branches that are open at once."""

SEPARATOR: Final = "."
"""The separator of open branches in an address."""


@dataclass(frozen=True, slots=True)
class AskedTree:
    """The tree of moves that an address asks for.

    `depth` is the number of plies to look ahead from the game's last position. `distinct` is true if symmetric moves
    are merged. `opened` are the open branches below these plies.
    """

    game: Game
    depth: int
    distinct: bool
    opened: Mapping[str, Game] = field(default_factory=dict)

    def picture(self) -> Picture:
        """Draw the tree. Raises NoughtsError if that is impossible."""
        opened = frozenset(each.last for each in self.opened.values())
        return tree_picture(self.game.last, self.depth, self.distinct, opened)

    def check(self) -> None:
        """Raise NoughtsError if the tree is certain to be too large. This does not draw the tree."""
        check_size(self.game.last, self.depth, self.distinct)

    @property
    def children(self) -> str:
        """The word in an address for the moves shown."""
        return CHILDREN[0] if self.distinct else CHILDREN[1]

    def parts(self, others: Iterable[str] | None = None) -> dict[str, str]:
        """Return the parts of an address that ask for this tree, or for the tree with `others` open instead."""
        opened = SEPARATOR.join(self.opened if others is None else others)
        return (
            game_parts(self.game)
            | {"depth": str(self.depth), "children": self.children}
            | ({"open": opened} if opened else {})
        )


def read_children(query: Query) -> bool:
    """Return whether a query asks for distinct moves only, which is the default. Raises BadOption."""
    return one_of(query, "children", CHILDREN, CHILDREN[0]) == CHILDREN[0]


def read_tree(query: Query) -> AskedTree:
    """Return the tree that a query asks for. Raises NoughtsError."""
    game = asked_game(query)
    opened = read_open(query, game.last, OPENED)
    return AskedTree(game, number_of(query, "depth", 1, 1, MAX_DEPTH), read_children(query), opened)


def read_open(query: Query, start: Position, most: int) -> dict[str, Game]:
    """Return the open branches of a query by their moves from `start`.

    Raises NoughtsError, for example if there are more than `most`.
    """
    texts = dict.fromkeys(filter(None, query.get("open", "").split(SEPARATOR)))
    if len(texts) > most:
        raise TooLarge(f"Open up to {counted(most, 'branch', 'branches')} at once on {start.rules}.")
    games = (read_game(start, text).whole() for text in texts)
    return {format_moves(each.moves, start.rules): each for each in games}


def toggle_branch(opened: Iterable[str], branch: str) -> tuple[str, ...]:
    """Return the open branches after a click on `branch`: open it, or close it and all branches inside it."""
    if branch not in opened:
        return (*opened, branch)
    return tuple(each for each in opened if not each.startswith(branch))


def link_boards(picture: Picture, prefix: str) -> Markup:
    """Return a graph as SVG, in which each board is a link to play on. The ids in it begin with the prefix."""
    drawing = picture.drawing
    assert drawing is not None  # noqa: S101 - lessons link only graphs; maps have no drawing
    live = Live(
        lambda node: {"href": play_url(node), "aria_label": f"{format_position(node)}. Play from here"},
        prefix=prefix,
    )
    return Markup(svg_of(drawing, live))  # noqa: S704 - our own text


LEAST_WIDTH, MARGIN, STEP, GAP, HIGH = 380, 62, 44, 49, 26
"""The measures: the least width, the left margin, a leaf's width, the gap between plies, and a node's height."""


@dataclass(frozen=True, slots=True)
class TreeSpot:
    """The place of a node, with the move that leads to it and the place of its parent."""

    node: TreeNode
    move: str
    x: float
    y: float
    above: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class TreeDrawing:
    """The places of the tree's nodes, in the order of their numbers.

    Each of the `levels` has its height, who chooses there, and who moves. Nodes are `high`.
    """

    width: float
    height: float
    high: int
    spots: tuple[TreeSpot, ...]
    levels: tuple[tuple[float, str, str], ...]


def place_nodes(tree: SmallTree, high: int = HIGH) -> TreeDrawing:
    """Return the places of all nodes: the leaves side by side, every other node above the middle of its children."""
    nodes, row = tree.nodes, high + GAP
    leaves = [node.number for node in nodes if not node.children]
    width = max(LEAST_WIDTH, MARGIN + STEP * len(leaves))
    apart = (width - MARGIN) / len(leaves)
    across = {number: MARGIN + apart * (index + 0.5) for index, number in enumerate(leaves)}
    for node in reversed(nodes):
        if node.children:
            across[node.number] = (across[node.children[0]] + across[node.children[-1]]) / 2
    places = {node.number: (round(across[node.number], 1), node.ply * row + 2.0) for node in nodes}
    spots = tuple(
        TreeSpot(
            node,
            "" if node.cell is None else format_cell(node.cell, node.position.rules),
            *places[node.number],
            None if node.parent is None else places[node.parent],
        )
        for node in nodes
    )
    levels = {node.ply: (node.ply * row + 2.0, side(node), str(node.position.mover)) for node in nodes if node.children}
    return TreeDrawing(width, tree.depth * row + high + 6, high, spots, tuple(levels.values()))
