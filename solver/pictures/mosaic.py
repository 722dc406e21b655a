"""Pictures put together of pieces and lines of text, so that they are soon made as PNG.

What draws SVG as dots takes longer to write a picture of 1200 × 630 of them than for everything else about it, and long
for each letter. Here it draws each piece just once, however often it is laid; the text is set by the library that knows
fonts best, and the whole is written by zlib alone.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from struct import pack
from typing import TYPE_CHECKING, Final, TypeAlias

from solver.pictures.png import BOLD, PLAIN, font_file, rendered
from solver.pictures.svg import document, number, tag, text

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

EFFORT: Final = 3
"""zlib's: a greater one makes the file a little smaller and takes twice as long."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a picture, in whole points: its left upper corner, its size, and what is drawn in it, as SVG.

    What is drawn begins at the piece's own corner, and what lies outside of the piece is not sure to be seen.
    """

    x: int
    y: int
    width: int
    height: int
    body: str

    def moved(self, x: int, y: int) -> "Piece":
        """The piece so much farther right and down."""
        return replace(self, x=self.x + x, y=self.y + y)

    def svg(self) -> str:
        """The piece as an element of SVG."""
        return tag("g", self.body, transform=f"translate({number(self.x)} {number(self.y)})")


@dataclass(frozen=True, slots=True)
class Caption:
    """A line of text in one colour or several: where it begins, or with `centred` its middle, and its base line."""

    x: int
    y: int
    size: int
    runs: tuple[tuple[str, str], ...]
    bold: bool = False
    centred: bool = False

    def moved(self, x: int, y: int) -> "Caption":
        """The line so much farther right and down."""
        return replace(self, x=self.x + x, y=self.y + y)

    def svg(self) -> str:
        """The line as an element of SVG."""
        look = ({"font_weight": "bold"} if self.bold else {}) | ({"text_anchor": "middle"} if self.centred else {})
        (words, colour), *others = self.runs
        return text(
            words,
            self.x,
            self.y,
            self.size,
            *(tag("tspan", each, fill=ink) for each, ink in others),
            fill=colour,
            **look,
        )


MosaicPart: TypeAlias = Piece | Caption


@dataclass(frozen=True, slots=True)
class Mosaic:
    """A picture: its size, what is read out instead of it, its paper, and its parts, later ones on top."""

    width: int
    height: int
    title: str
    description: str
    paper: str
    parts: tuple[MosaicPart, ...]

    def svg(self) -> str:
        """The picture as SVG."""
        drawn = (part.svg() for part in self.parts)
        return document(self.width, self.height, self.title, self.description, *drawn, paper=self.paper)

    def png(self) -> bytes:
        """The picture as PNG, a point of it one pixel."""
        from PIL import Image, ImageDraw  # noqa: PLC0415 - for files alone

        picture = Image.new("RGB", (self.width, self.height), self.paper)
        pen, stamps = ImageDraw.Draw(picture), dict[str, Image.Image]()
        for part in self.parts:
            if isinstance(part, Piece):
                if part.body not in stamps:
                    stamps[part.body] = Image.open(BytesIO(_drawn(part.width, part.height, part.body)))
                picture.paste(stamps[part.body], (part.x, part.y), stamps[part.body])
                continue
            font, x = _font(BOLD if part.bold else PLAIN, part.size), float(part.x)
            for words, colour in part.runs:
                pen.text((x, part.y), words, fill=colour, font=font, anchor="ms" if part.centred else "ls")
                x += font.getlength(words)
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunks(self.width, self.height, picture.tobytes()))


@lru_cache(maxsize=256)
def _drawn(width: int, height: int, body: str) -> bytes:
    """A piece as PNG, which is small: most pictures have most of their pieces in common with others."""
    return rendered(
        tag("svg", body, xmlns="http://www.w3.org/2000/svg", width=float(width), height=float(height)), width
    )


@lru_cache(maxsize=32)
def _font(name: str, size: int) -> "FreeTypeFont":
    from PIL import ImageFont  # noqa: PLC0415 - for files alone

    return ImageFont.truetype(font_file(name), size, layout_engine=ImageFont.Layout.BASIC)


def _chunks(width: int, height: int, pixels: bytes) -> Iterator[bytes]:
    """The parts of a PNG of these pixels, three bytes each, rows from the top; a zero says that a row is as it is."""
    length = 3 * width
    rows = b"".join([b"\0" + pixels[start : start + length] for start in range(0, len(pixels), length)])
    for name, content in (
        (b"IHDR", pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows, EFFORT)),
        (b"IEND", b""),
    ):
        yield pack(">I", len(content)) + name + content + pack(">I", zlib.crc32(name + content))
