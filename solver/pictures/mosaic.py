"""Pictures assembled from pieces and captions, so that they quickly become PNG.

The SVG renderer is slow with large pictures (1200 × 630 pixels) and with text. So it draws each piece only once, and
Pillow pastes the piece everywhere and draws the captions.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from struct import pack
from typing import TYPE_CHECKING, Final, Self, TypeAlias

from solver.pictures.files import BOLD, PLAIN, font_file, render
from solver.pictures.svg import document, number, tag, text

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

EFFORT: Final = 3
"""The compression level of zlib. A higher one makes the file a little smaller and takes twice as long."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """A part of a picture with its place, in whole points."""

    x: int
    y: int

    def moved(self, x: int, y: int) -> Self:
        """Return the same part, moved right and down."""
        return replace(self, x=self.x + x, y=self.y + y)


@dataclass(frozen=True, slots=True)
class Piece(_Placed):
    """A drawing as SVG, with its size and the place of its upper left corner, which is its origin.

    Anything outside this size may be cut off.
    """

    width: int
    height: int
    body: str

    def svg(self) -> str:
        """Return the piece as an element of SVG."""
        return tag("g", self.body, transform=f"translate({number(self.x)} {number(self.y)})")


@dataclass(frozen=True, slots=True)
class Caption(_Placed):
    """A line of text in one or more colours. `x` is its start, or its middle if `centred`; `y` is its baseline."""

    size: int
    runs: tuple[tuple[str, str], ...]
    bold: bool = False
    centred: bool = False

    def svg(self) -> str:
        """Return the line as an element of SVG."""
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
    """A picture: its size, its title and description for screen readers, its background, and its parts, back first."""

    width: int
    height: int
    title: str
    description: str
    paper: str
    parts: tuple[MosaicPart, ...]

    def svg(self) -> str:
        """Return the picture as SVG."""
        drawn = (part.svg() for part in self.parts)
        return document(self.width, self.height, self.title, self.description, *drawn, paper=self.paper)

    def png(self) -> bytes:
        """Return the picture as PNG, one pixel for each point."""
        from PIL import Image, ImageDraw  # noqa: PLC0415 - only PNG files need it

        picture = Image.new("RGB", (self.width, self.height), self.paper)
        pen, stamps = ImageDraw.Draw(picture), dict[str, Image.Image]()
        for part in self.parts:
            if isinstance(part, Piece):
                if part.body not in stamps:
                    stamps[part.body] = Image.open(BytesIO(_draw(part.width, part.height, part.body)))
                picture.paste(stamps[part.body], (part.x, part.y), stamps[part.body])
                continue
            font, x = _font(BOLD if part.bold else PLAIN, part.size), float(part.x)
            for words, colour in part.runs:
                pen.text((x, part.y), words, fill=colour, font=font, anchor="ms" if part.centred else "ls")
                x += font.getlength(words)
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunks(self.width, self.height, picture.tobytes()))


@lru_cache(maxsize=256)
def _draw(width: int, height: int, body: str) -> bytes:
    """Return a piece as PNG. The result is cached, since pictures share most of their pieces."""
    return render(tag("svg", body, xmlns="http://www.w3.org/2000/svg", width=float(width), height=float(height)), width)


@lru_cache(maxsize=32)
def _font(name: str, size: int) -> "FreeTypeFont":
    from PIL import ImageFont  # noqa: PLC0415 - only PNG files need it

    return ImageFont.truetype(font_file(name), size, layout_engine=ImageFont.Layout.BASIC)


def _chunks(width: int, height: int, pixels: bytes) -> Iterator[bytes]:
    """Yield the chunks of a PNG of these pixels, three bytes each, in rows from the top."""
    length = 3 * width  # the zero before each row says that it is not filtered
    rows = b"".join([b"\0" + pixels[start : start + length] for start in range(0, len(pixels), length)])
    for name, content in (
        (b"IHDR", pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows, EFFORT)),
        (b"IEND", b""),
    ):
        yield pack(">I", len(content)) + name + content + pack(">I", zlib.crc32(name + content))
