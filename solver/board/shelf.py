"""The shelf: games that have names, such as Connect Four, each with its board and its rule in one line.

Names are understood wherever a board is read, whatever their case, accents, spaces and hyphens.

>>> board_called("connect-four"), board_called("MISERE"), board_called("chess")
('7x6x4-gravity', '3x3x3-misere', None)
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from solver.board.families import ANIMALS

LONGEST_NAME: Final = 40
"""The most characters of a text that is looked up as a name."""


class NamedGame(NamedTuple):
    """A game of the shelf. `also` are other names for it, and `family` is what it shares with its neighbours.

    `example` has the moves of a short game that ends with a line; where stones vanish, the oldest leaves next.
    """

    name: str
    board: str
    rule: str
    example: str
    also: tuple[str, ...] = ()
    family: str = ""


def _animal(name: str, side: int, rule: str, example: str) -> NamedGame:
    return NamedGame(name, f"{side}x{side}-{name.lower()}", rule, example, family="Animals")


SHELF: Final = (
    NamedGame(
        "Tic-tac-toe", "3x3x3", "Three in a row wins.", "b2a1a3c3c1", ("noughts and crosses", "three in a row", "ttt")
    ),
    NamedGame(
        "Four in a row", "5x5x4", "Four in a row wins, anywhere on five by five.", "b2b3c3d3d4c4e5", ("4 in a row",)
    ),
    NamedGame(
        "Connect Four",
        "7x6x4-gravity",
        "Stones fall to the bottom, and four in a row wins.",
        "b1c1c2d1e1d2d3e2f1e3e4",
        ("connect 4", "four up", "gravity"),
    ),
    NamedGame(
        "Gomoku small",
        "7x7x5",
        "Five in a row wins, on seven by seven.",
        "d4d5c3e3e5c5b2f5f6",
        ("gomoku", "five in a row", "gobang"),
    ),
    NamedGame(
        "Torus",
        "3x3x3-torus",
        "Opposite edges meet: a line that leaves on one side comes back on the other.",
        "a2b2b3c2c1",
        ("torus tic-tac-toe", "doughnut"),
    ),
    NamedGame(
        "Möbius",
        "3x3x3-mobius",
        "The left edge meets the right, upside down.",
        "c3b2b3c2a1",
        ("moebius", "möbius strip"),
    ),
    NamedGame(
        "Klein",
        "3x3x3-klein",
        "The left edge meets the right, upside down, and the top meets the bottom.",
        "b1b2c1a2a3",
        ("klein bottle",),
    ),
    NamedGame(
        "Projective",
        "3x3x3-projective",
        "Left meets right upside down, and top meets bottom back to front.",
        "a3b2b3c2c1",
        ("projective plane",),
    ),
    NamedGame("Misère", "3x3x3-misere", "Three in a row loses.", "a1b2c1a3b1", ("misère tic-tac-toe", "avoidance")),
    NamedGame(
        "Wild",
        "3x3x3-wild",
        "Place X or O as you like; whoever makes three alike wins.",
        "Xb2Oc1Xa1Oa3Xc3",
        ("wild tic-tac-toe",),
    ),
    NamedGame(
        "Notakto",
        "3x3x3-notakto",
        "Both place X, and whoever makes three in a row loses.",
        "a3b1b2c2c1",
        ("no tac toe",),
    ),
    NamedGame(
        "Vanishing",
        "3x3x3-vanishing",
        "Three stones each: place a fourth, and your oldest leaves.",
        "b2a1c3a3a2c2",
        ("vanishing tic-tac-toe", "infinite tic-tac-toe", "three men"),
    ),
    NamedGame(
        "3-D",
        "3x3x3x3",
        "Three layers of three by three: lines run through space.",
        "b2.2a3.1a1.1c2.3c3.3",
        ("3d tic-tac-toe", "cube"),
    ),
    NamedGame(
        "Qubic",
        "4x4x4x4",
        "Four layers of four by four: four in a row through space wins.",
        "b2.2a4.1c3.3c1.2a1.1b3.4d4.4",
        ("4x4x4 cube",),
    ),
    _animal("Tippy", 5, "Four squares in a zigzag win, turned in any way.", "c3b3c4d4b4c2d3"),
    _animal("Elly", 5, "Four squares in an L win, turned in any way.", "b3c3b2b1b4a3c2"),
    _animal("Knobby", 5, "Four squares in a T win, turned in any way.", "c3c4b3d2c2b2d3"),
    _animal("Fatty", 5, "Four squares in a block win.", "c3b3d3e3d2c4c2"),
    _animal("Skinny", 7, "Four squares side by side win; diagonals don't count.", "d4d5e4e3c4c5f4"),
    _animal("Snaky", 7, "Six squares in a snake win, turned in any way.", "d4e4d5e5d3e3c3b3d6c5c2"),
    NamedGame(
        "Holes",
        "6x6x4-holesb2b5e2e5",
        "Four in a row wins, around four missing squares.",
        "c3c4d3d4e3f3b3",
        ("swiss cheese",),
    ),
)
"""The games of the shelf, in its order."""


def fold(text: str) -> str:
    """Return a text's letters and digits alone, small and without accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in plain if character.isalnum())


def _names() -> Iterator[tuple[str, str]]:
    """Yield each name with its board. Of two boards of one name, the later one counts."""
    for animal in ANIMALS:
        yield animal, f"5x5-{animal}"
    yield "animals", "5x5-tippy"
    for game in SHELF:
        yield from ((name, game.board) for name in (*game.also, game.name))


_BOARDS: Final = MappingProxyType({fold(name): board for name, board in _names()})

_LIKE_A_NAME: Final = re.compile(r"[^\W_]+(?:[\s\-]+[^\W_]+)*")
"""Words with spaces or hyphens between them."""


@lru_cache(maxsize=512)
def board_called(text: str) -> str | None:
    """Return the board of the game with this name; None if no game is called so."""
    if len(text) > LONGEST_NAME:
        return None
    words = unicodedata.normalize("NFKC", text).strip()  # accents may be characters of their own
    return _BOARDS.get(fold(words)) if _LIKE_A_NAME.fullmatch(words) else None


def name_before(text: str) -> tuple[str, str] | None:
    """Split a text after the game's name that it begins with. Return the board and the rest, or None.

    >>> name_before("Connect Four: d1 d2"), name_before("d1 d2")
    (('7x6x4-gravity', 'd1 d2'), None)
    """
    ends = [match.start() for match in re.finditer(r"[\s:,;]+|$", text[: LONGEST_NAME + 1])]
    for end in reversed(ends):
        if board := board_called(text[:end]):
            return board, text[end:].lstrip(" \t\r\n:,;")
    return None


def near_names(text: str) -> tuple[str, ...]:
    """Return the names of at most two games that are called almost so.

    >>> near_names("conect for")
    ('Connect Four',)
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only mistakes need it

    names = {fold(name): game.name for game in SHELF for name in (*game.also, game.name)}
    near = get_close_matches(fold(text[:LONGEST_NAME]), names, n=2, cutoff=0.75)
    return tuple(dict.fromkeys(names[each] for each in near))


def near_name(text: str) -> str:
    """Return the question whether a similar name is meant, with a space before it; empty if no name is similar."""
    near = near_names(text)
    return f" Did you mean {' or '.join(near)}?" if near else ""


NAME_PATTERN: Final = "|".join(game.name for game in SHELF)
"""The pattern of the names as the shelf writes them. Other spellings are understood too."""
