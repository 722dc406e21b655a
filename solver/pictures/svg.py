"""SVG as text: elements, and a board drawn with them.

Attributes set colours and fonts, since the pages' content security policy forbids inline styles. A picture has its own
white background, so it looks the same on light and dark pages and in print.
"""

from collections.abc import Iterable
from html import escape
from typing import Final

from solver.board.position import Mark, Position
from solver.board.rules import Bits, Rules, cells_of
from solver.pictures.places import place_of, strokes

PAPER: Final = "#ffffff"
SQUARE: Final = "#ffffff"
INK: Final = "#1b1c1e"
SOFT: Final = "#55585c"
LINE: Final = "#9a9ea3"
WIN: Final = "#0072b2"
GREY: Final = "#767676"
LOSS: Final = "#d55e00"
RED: Final = "#c4161c"
MARKS: Final = {Mark.X: "#0b7a75", Mark.O: "#8a3b8f"}
TINTS: Final = {Mark.X: "#d3e7e5", Mark.O: "#ecdeed"}
"""The colours of X and O, and the light grounds of their squares."""

FONT: Final = "system-ui, 'DejaVu Sans', sans-serif"


def number(value: float) -> str:
    """Return a number rounded to three decimals, without redundant zeros."""
    return f"{value:.3f}".rstrip("0").rstrip(".").replace("-0.", "-.").removeprefix("0") or "0"


def tag(name: str, *children: str, **attributes: str | float) -> str:
    """Return an element. In attribute names _ stands for -; a trailing _, as in `class_`, is dropped."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
    )
    inside = "".join(children)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def path(steps: str, **attributes: str | float) -> str:
    """Return a path; nothing if it has no steps."""
    return tag("path", d=steps, **attributes) if steps else ""


def placed(x: float, y: float, scale: float, *children: str, **attributes: str | float) -> str:
    """Return a group of elements whose origin is moved to (x, y), and whose unit is scaled."""
    at = f"translate({number(x)} {number(y)}) scale({number(scale)})"
    return tag("g", *children, transform=at, **attributes)


def text(words: str, x: float, y: float, size: float, *others: str, **attributes: str | float) -> str:
    """Return a line of text that begins at x, with its baseline at y, followed by the elements `others`.

    The attribute `text_anchor="middle"` centres it at x instead.
    """
    return tag("text", escape(words), *others, x=x, y=y, font_size=size, **attributes)


def document(  # noqa: PLR0913 - the parts of any picture
    width: float,
    height: float,
    title: str,
    description: str,
    *children: str,
    role: str = "img",
    paper: str = PAPER,
) -> str:
    """Return a whole picture with its background.

    Screen readers announce an `img` by its title and description alone. In a `group` they go on to its contents.
    """
    return tag(
        "svg",
        tag("title", escape(title)),
        tag("desc", escape(description)),
        tag("rect", width=width, height=height, fill=paper),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role=role,
        font_family=FONT,
        fill=INK,
    )


def grid(rules: Rules) -> str:
    """Return the path of the lines between the squares, in units of squares."""
    upright = (f"M{column} 0v{rules.rows}" for column in range(1, rules.columns))
    level = (f"M0 {row}h{rules.columns}" for row in range(1, rules.rows))
    return "".join((*upright, *level))


def gaps(rules: Rules) -> str:
    """Return the path of the holes, each a whole square; empty if there are none."""
    return "".join(f"M{column} {row}h1v1h-1z" for column, row in _places(rules.holes, rules))


def crosses(cells: Bits, rules: Rules) -> str:
    """Return the path of an X in each of the cells."""
    return "".join(f"M{column}.2 {row}.2l.6 .6m0-.6l-.6 .6" for column, row in _places(cells, rules))


def rings(cells: Bits, rules: Rules) -> str:
    """Return the path of an O in each of the cells."""
    return "".join(f"M{column}.5 {row}.2a.3 .3 0 1 1-.01 0z" for column, row in _places(cells, rules))


def strikes(position: Position) -> str:
    """Return the path of a stroke through each winning line, from centre to centre."""
    rules = position.rules
    ends = (stroke for line in position.winning_lines for stroke in strokes(line, rules))
    places = ((*place_of(first, rules), *place_of(last, rules)) for first, last in ends)
    return "".join(f"M{x1}.5 {y1}.5L{x2}.5 {y2}.5" for x1, y1, x2, y2 in places)


def _places(cells: Bits, rules: Rules) -> Iterable[tuple[int, int]]:
    return (place_of(cell, rules) for cell in cells_of(cells))
