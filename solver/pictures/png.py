"""The font that pictures are lettered with where no browser chooses one, so that they look the same on every machine.

It is Bitstream Vera Sans, which comes with the library that writes PDF.

Pictures as PNG: dots instead of lines, for wherever SVG is not taken.
"""

from math import sqrt
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from solver.errors import BadOption

FAMILY: Final = "Bitstream Vera Sans"
PLAIN: Final = "Vera.ttf"
BOLD: Final = "VeraBd.ttf"


def font_file(name: str) -> str:
    """The path of a font's file."""
    import reportlab  # noqa: PLC0415 - for files alone, not for pictures on a page

    return str(Path(reportlab.__file__).parent / "fonts" / name)


PIXELS: Final = 6_000_000
"""The most pixels of a picture, since a few seconds are as long as one waits for them."""

DENSITY: Final = 2.0
"""The pixels to a unit of the picture, across and down, where nothing else is asked for and so many are allowed."""


def png(svg: str, width: int | None = None) -> bytes:
    """The picture as PNG, `width` pixels wide, or as sharp as `DENSITY` and `PIXELS` allow.

    Raises BadOption for a width that makes no pixels or more than `PIXELS`.
    """
    across, down = size_of(svg)
    if width is None:
        width = max(1, int(across * min(DENSITY, sqrt(PIXELS / (across * down)))))
    widest = int(sqrt(PIXELS * across / down))
    if not 1 <= width <= widest:
        raise BadOption(f"This picture is 1 to {widest:,} pixels wide as PNG, not {width:,}.")
    return rendered(svg, width)


def rendered(svg: str, width: int) -> bytes:
    """A picture of ours as PNG, so many pixels wide, lettered with the font of all pictures."""
    from resvg_py import svg_to_bytes  # noqa: PLC0415 - for files alone

    return svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=[font_file(PLAIN), font_file(BOLD)],
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )


def size_of(svg: str) -> tuple[float, float]:
    """The width and height of a picture of ours, in its own units."""
    root = ElementTree.fromstring(svg)  # noqa: S314 - our own text
    return float(root.get("width", 0)), float(root.get("height", 0))
