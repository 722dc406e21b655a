"""Addresses of positions whose next moves are shown: board, start, moves, and how they are shown.

Named pictures on the pages of lessons: each board is a link to play on from there.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from markupsafe import Markup

from solver.board.game import Game, read_game
from solver.board.notation import format_moves, format_position
from solver.board.outcome import counted
from solver.board.position import Position
from solver.errors import TooLarge
from solver.pictures.drawing import Live, drawn
from solver.pictures.gallery import MAX_DEPTH, Picture, check_size, picture_named, tree_picture
from webapp.pages.play.games import asked_game, game_parts
from webapp.ui.address import Query, number_of, one_of
from webapp.ui.filters import play_url

TREE: Final = "tree"
"""The name of the picture of any position's next plies."""

CHILDREN: Final = ("distinct", "all")

OPENED: Final = 30
"""The most branches that are open at once."""

SEPARATOR: Final = "."
"""What stands in an address between the branches that are open."""


@dataclass(frozen=True, slots=True)
class AskedTree:
    """A game, how many plies to look ahead, whether symmetric positions are one, and the branches opened beyond."""

    game: Game
    depth: int
    distinct: bool
    opened: Mapping[str, Game] = field(default_factory=dict)

    def picture(self) -> Picture:
        """The picture of it. Raises NoughtsError where there is none."""
        opened = frozenset(each.last for each in self.opened.values())
        return tree_picture(self.game.last, self.depth, self.distinct, opened)

    def check(self) -> None:
        """Refuses at once, without drawing, a tree that is sure to be too large. Raises NoughtsError."""
        check_size(self.game.last, self.depth, self.distinct)

    @property
    def children(self) -> str:
        """Which moves are shown, as an address says it."""
        return CHILDREN[0] if self.distinct else CHILDREN[1]

    def parts(self, others: Iterable[str] | None = None) -> dict[str, str]:
        """The parts of an address that ask for it, or for the same with `others` open."""
        opened = SEPARATOR.join(self.opened if others is None else others)
        return (
            game_parts(self.game)
            | {"depth": str(self.depth), "children": self.children}
            | ({"open": opened} if opened else {})
        )


def asked_children(query: Query) -> bool:
    """Whether only distinct moves are asked for, as is usual. Raises BadOption."""
    return one_of(query, "children", CHILDREN, CHILDREN[0]) == CHILDREN[0]


def asked_tree(query: Query) -> AskedTree:
    """The tree that an address names. Raises NoughtsError."""
    game = asked_game(query)
    opened = asked_open(query, game.last, OPENED)
    return AskedTree(game, number_of(query, "depth", 1, 1, MAX_DEPTH), asked_children(query), opened)


def asked_open(query: Query, start: Position, most: int) -> dict[str, Game]:
    """The branches that an address has open, by their moves from `start`. Raises NoughtsError, also for too many."""
    texts = dict.fromkeys(filter(None, query.get("open", "").split(SEPARATOR)))
    if len(texts) > most:
        raise TooLarge(f"At most {counted(most, 'branch is', 'branches are')} open at once on {start.rules}.")
    games = (read_game(start, text).whole() for text in texts)
    return {format_moves(each.moves, start.rules): each for each in games}


def toggled(opened: Iterable[str], branch: str) -> tuple[str, ...]:
    """What is open once a branch is opened, or closed with all that is open in it."""
    if branch not in opened:
        return (*opened, branch)
    return tuple(each for each in opened if not each.startswith(branch))


def linked(name: str) -> Markup:
    """A picture of the gallery that is a graph, as SVG with links."""
    drawing = picture_named(name).drawing
    assert drawing is not None  # noqa: S101 - maps are no graphs, and no lesson asks for one
    live = Live(
        lambda node: {"href": play_url(node), "aria_label": f"{format_position(node)}. Play from here"},
        prefix=name,
    )
    return Markup(drawn(drawing, live))  # noqa: S704 - our own text
