"""What an address says of a position whose next moves are to be shown: board, start, moves, and how they are shown."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from solver.errors import BadOption
from solver.game import Game, parse_game
from solver.notation import format_moves, format_position, quoted
from solver.pictures.gallery import MAX_DEPTH, Picture, tree_picture
from webapp.link import DEFAULT_BOARD

TREE: Final = "tree"
"""The name of the picture of any position's next plies."""

GAME_PARTS: Final = ("board", "from", "moves")
CHILDREN: Final = ("distinct", "all")


@dataclass(frozen=True, slots=True)
class AskedTree:
    """A game, how many plies to look ahead, and whether positions that symmetries turn into each other are one."""

    game: Game
    depth: int
    distinct: bool

    def picture(self) -> Picture:
        """The picture of it. Raises NoughtsError where there is none."""
        return tree_picture(self.game.last, self.depth, self.distinct)

    def query(self) -> str:
        """The query that asks for it."""
        children = CHILDREN[0] if self.distinct else CHILDREN[1]
        return game_query(self.game, depth=str(self.depth), children=children)


@dataclass(frozen=True, slots=True)
class GameForm:
    """What the fields of a form hold that names a game."""

    board: str
    start: str
    moves: str

    @classmethod
    def of(cls, game: Game) -> "GameForm":
        """The form as it is filled in for a game."""
        start = game.positions[0]
        return cls(str(start.rules), format_position(start) if start.x else "", format_moves(game.moves, start.rules))


def asked_game(query: Mapping[str, str]) -> Game:
    """The game that an address names. Raises NoughtsError."""
    return parse_game(query.get("board") or DEFAULT_BOARD, query.get("from") or None, query.get("moves", ""))


def asked_children(query: Mapping[str, str]) -> bool:
    """Whether only distinct moves are asked for, as is usual. Raises BadOption."""
    children = query.get("children") or CHILDREN[0]
    if children not in CHILDREN:
        raise BadOption(f"children={quoted(children)} is neither {' nor '.join(CHILDREN)}.")
    return children == CHILDREN[0]


def asked_tree(query: Mapping[str, str]) -> AskedTree:
    """The tree that an address names. Raises NoughtsError."""
    depth = query.get("depth") or "1"
    if depth not in map(str, range(1, MAX_DEPTH + 1)):
        raise BadOption(f"depth={quoted(depth)} is no number of plies from 1 to {MAX_DEPTH}.")
    return AskedTree(asked_game(query), int(depth), asked_children(query))


def game_query(game: Game, **more: str) -> str:
    """The query that names a game, what is as usual left out, and more parts after it."""
    form = GameForm.of(game)
    board = "" if form.board == DEFAULT_BOARD else form.board
    parts = {"board": board, "from": form.start, "moves": form.moves, **more}
    return urlencode({name: value for name, value in parts.items() if value}, safe="/.")
