"""The shelf: games that have names, such as Connect Four, each with its board and its rule in one line.

Names are understood wherever a board is read, whatever their case, accents, spaces and hyphens.

>>> board_called("connect-four"), board_called("MISERE"), board_called("chess")
('7x6x4-gravity', '3x3x3-misere', None)
"""

import os
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


def _games() -> Iterator[NamedGame]:
    """Yield the games of `shelf.txt`, which has a line for each."""
    with open(os.path.splitext(__file__)[0] + ".txt", encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("#"):
                name, board, rule, example, also, family = (*map(str.strip, line.split("|")), "", "")[:6]
                yield NamedGame(name, board, rule, example, tuple(filter(None, also.split(", "))), family)


SHELF: Final = tuple(_games())
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
