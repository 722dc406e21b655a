"""The fields that name a game in addresses and forms: board, start position and moves."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple
from urllib.parse import urlencode

from solver.board.game import Game
from solver.board.notation import format_moves, format_position
from solver.board.pasted import read_fields
from solver.board.rules import DEFAULT_BOARD, check_lines_win
from solver.errors import BadOption
from webapp.pages.play.link import MAX_LENGTH, NO_SERIES, Link, read_link
from webapp.ui.address import with_plain_query

GAME: Final = ("board", "from", "moves")
"""The parts of an address that name a game."""

EMPTY: Final[Mapping[str, str]] = MappingProxyType({})
"""The parts of the empty 3×3 board."""


class GameForm(NamedTuple):
    """The fields of a form that name a game."""

    board: str
    start: str
    moves: str

    @classmethod
    def of(cls, game: Game) -> "GameForm":
        """Fill in the form for a game."""
        start = game.positions[0]
        return cls(
            str(start.rules), format_position(start) if start.is_begun else "", format_moves(game.moves, start.rules)
        )

    def parts(self) -> dict[str, str]:
        """Return the parts of an address that name the game. Defaults are left empty, but the board is always there."""
        return dict(zip(GAME, self, strict=True))

    @property
    def lab(self) -> str:
        """The address of the lab with the game's last position."""
        return with_plain_query("/lab", self._filled())

    @property
    def drills(self) -> str:
        """The address of the drills on the game's board."""
        return with_plain_query("/practise", {"board": self.board})

    @property
    def explorer(self) -> str:
        """The address of the explorer with the game's last position."""
        return with_plain_query("/learn/explorer", self._filled())

    def _filled(self) -> dict[str, str]:
        return {name: text for name, text in self.parts().items() if text}


def asked_game(query: Mapping[str, str], usual: Mapping[str, str] = EMPTY) -> Game:
    """Return the game that an address or a form of a lesson names, or the `usual` game if it names none.

    Position and moves may be in any form that people paste. Raises NoughtsError.
    """
    query = query if any(query.get(part) for part in GAME) else usual
    if sum(len(query.get(part, "")) for part in GAME) > MAX_LENGTH:
        raise BadOption(f"That is too long: no game needs more than {MAX_LENGTH} characters.")
    game = read_fields(query.get("board") or DEFAULT_BOARD, query.get("from", ""), query.get("moves", ""))
    check_lines_win(game.last.rules, "This page")
    return game


def game_parts(game: Game) -> dict[str, str]:
    """Return the parts of an address that name a game, without defaults."""
    parts = GameForm.of(game).parts()
    return {name: part for name, part in parts.items() if part and (name, part) != ("board", DEFAULT_BOARD)}


def game_url(game: Game) -> str:
    """Return the address where a game goes on, with the default players."""
    return Link(game, len(game.moves)).url()


def settings_asked(query: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of the game that the visitor came from, by their names in links; empty without a game.

    If a setting is bad, it is left out, and so is the score: it may belong to other players.
    """
    if not {"x", "o"} & query.keys():
        return {}
    texts = {name: text for name, text in query.items() if name not in GAME}
    read = read_link(query.get("board") or DEFAULT_BOARD, urlencode(texts))
    return (read.link.having(series=NO_SERIES) if read.problems else read.link).settings()
