"""Pictures as PNG, for places that do not take SVG, and the font of all pictures that are not drawn by a browser.

With the font, Bitstream Vera Sans, pictures look the same on every machine. It comes with the library that writes PDF.
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
    """Return the path of a font's file."""
    import reportlab  # noqa: PLC0415 - for files alone, not for pictures on a page

    return str(Path(reportlab.__file__).parent / "fonts" / name)


PIXELS: Final = 6_000_000
"""The most pixels of a picture, which take a few seconds."""

DENSITY: Final = 2.0
"""The pixels for each unit of the picture, across and down, unless a width is given or `PIXELS` allows fewer."""


def png(svg: str, width: int | None = None) -> bytes:
    """Return the picture as PNG, `width` pixels wide, or as sharp as `DENSITY` and `PIXELS` allow.

    Raise BadOption for a width that makes no pixels or more than `PIXELS`.
    """
    across, down = size_of(svg)
    if width is None:
        width = max(1, int(across * min(DENSITY, sqrt(PIXELS / (across * down)))))
    widest = int(sqrt(PIXELS * across / down))
    if not 1 <= width <= widest:
        raise BadOption(f"This picture is 1 to {widest:,} pixels wide as PNG, not {width:,}.")
    return rendered(svg, width)


def rendered(svg: str, width: int) -> bytes:
    """Return one of our pictures as PNG of this width in pixels, with its text in the font of this module."""
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
    """Return the width and height of one of our pictures, in its own units."""
    root = ElementTree.fromstring(svg)  # noqa: S314 - our own text
    return float(root.get("width", 0)), float(root.get("height", 0))
