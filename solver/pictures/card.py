"""The picture of a link, as chats show it: a board at one side, a few words at the other, large enough to be read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from solver.board.position import Mark
from solver.pictures.board import MARKS, Face, square
from solver.pictures.mosaic import Caption, Mosaic, MosaicPart
from solver.pictures.svg import INK, SOFT

WIDTH, HEIGHT = 1200, 630
"""The size of a card in points: what most sites show a link's picture in."""

PAPER: Final = "#faf9f6"
SIDE: Final = 550
"""The side of the square that the board lies in."""

MARGIN: Final = (HEIGHT - SIDE) // 2
LEFT: Final = SIDE + 2 * MARGIN + 10
"""Where words begin."""

KEY: Final = (("win", "W", "wins"), ("draw", "D", "draws"), ("loss", "L", "loses"), ("unknown", "?", "not proved"))
"""The looks of outcomes with their letters and words."""


@dataclass(frozen=True, slots=True)
class Card:
    """What a card says and shows.

    `parts` lie in a square of SIDE points. `headline` is what is read first, `lines` stand below it. `key` are the
    looks of outcomes that are explained, for the player `key_of`. `description` is read out instead of all that.
    """

    parts: tuple[MosaicPart, ...]
    headline: str
    lines: tuple[str, ...]
    description: str
    key: Sequence[str] = ()
    key_of: str = ""

    def mosaic(self) -> Mosaic:
        """The card as a picture."""
        moved = (part.moved(MARGIN, MARGIN) for part in self.parts)
        parts = (*moved, *self._words())
        return Mosaic(WIDTH, HEIGHT, f"{self.headline} · Noughts", self.description, PAPER, parts)

    def _words(self) -> Iterator[MosaicPart]:
        yield Caption(LEFT, 110, 48, BRAND, bold=True)
        large, size, y = wrap(self.headline, 11), 74, 172
        if len(large) > 2 or max(map(len, large)) > 11:
            large, size, y = wrap(self.headline, 14), 58, 160
        for words in large:
            y += size
            yield Caption(LEFT, y, size, _in_colours(words), bold=True)
            y += size // 7
        y += 24
        for line in self.lines:
            for words in wrap(line, 28):
                y += 44
                yield Caption(LEFT, y, 34, ((words, SOFT),))
            y += 8
        if self.key:
            yield from self._key()

    def _key(self) -> Iterator[MosaicPart]:
        yield Caption(LEFT, 522, 28, ((f"Each square, for {self.key_of}:", SOFT),))
        x = LEFT
        for look, letter, words in KEY:
            if look in self.key:
                yield from square(Face(None, letter, "", frozenset({look, "soon"})), x, 540, 48)
                yield Caption(x + 58, 574, 28, ((words, INK),))
                x += 70 + 17 * len(words)


def _in_colours(words: str) -> tuple[tuple[str, str], ...]:
    """A line that begins with a player's mark has it in the mark's colour."""
    first, space, rest = words.partition(" ")
    return ((first + space, MARKS[Mark(first)]), (rest, INK)) if first in tuple(Mark) else ((words, INK),)


BRAND: Final = (("n", INK), ("o", MARKS[Mark.O]), ("ughts", INK), ("×", MARKS[Mark.X]))
"""The product's name as pages write it."""
