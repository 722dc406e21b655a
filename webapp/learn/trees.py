"""What an address says of a position whose next moves are to be shown: board, start, moves, and how they are shown."""

from dataclasses import dataclass
from typing import Final

from solver.board.game import Game
from solver.pictures.gallery import MAX_DEPTH, Picture, check_size, tree_picture
from webapp.learn.lesson import Query
from webapp.learn.parts import number_of, one_of
from webapp.play.games import asked_game, game_parts

TREE: Final = "tree"
"""The name of the picture of any position's next plies."""

CHILDREN: Final = ("distinct", "all")

SEPARATOR: Final = "."
"""What stands in an address between the branches that are open."""


@dataclass(frozen=True, slots=True)
class AskedTree:
    """A game, how many plies to look ahead, and whether positions that symmetries turn into each other are one."""

    game: Game
    depth: int
    distinct: bool

    def picture(self) -> Picture:
        """The picture of it. Raises NoughtsError where there is none."""
        return tree_picture(self.game.last, self.depth, self.distinct)

    def check(self) -> None:
        """Refuses at once, without drawing, a tree that is sure to be too large. Raises NoughtsError."""
        check_size(self.game.last, self.depth, self.distinct)

    @property
    def children(self) -> str:
        """Which moves are shown, as an address says it."""
        return CHILDREN[0] if self.distinct else CHILDREN[1]

    def parts(self) -> dict[str, str]:
        """The parts of an address that ask for it."""
        return game_parts(self.game) | {"depth": str(self.depth), "children": self.children}


def asked_children(query: Query) -> bool:
    """Whether only distinct moves are asked for, as is usual. Raises BadOption."""
    return one_of(query, "children", CHILDREN, CHILDREN[0]) == CHILDREN[0]


def asked_tree(query: Query) -> AskedTree:
    """The tree that an address names. Raises NoughtsError."""
    return AskedTree(asked_game(query), number_of(query, "depth", 1, 1, MAX_DEPTH), asked_children(query))
