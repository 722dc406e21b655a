"""Pictures as PNG, for places that do not take SVG, and as PDF, to print.

Both use the font Bitstream Vera Sans, which comes with the library that writes PDF. So pictures look the same on every
machine. A PDF has one page of the picture's size in points; a picture that exceeds the largest page is scaled down.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from math import atan2, copysign, degrees, sqrt
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

FAMILY: Final = "Bitstream Vera Sans"
PLAIN: Final = "Vera.ttf"
BOLD: Final = "VeraBd.ttf"


def font_file(name: str) -> str:
    """Return the path of a font's file."""
    import reportlab  # noqa: PLC0415 - only PNG and PDF need it

    return str(Path(reportlab.__file__).parent / "fonts" / name)


PIXELS: Final = 6_000_000
"""The most pixels of a PNG; drawing this many takes a few seconds."""

DENSITY: Final = 2.0
"""The usual number of pixels for each unit of the picture, across and down."""


def png(svg: str) -> bytes:
    """Return the picture as PNG, as sharp as `DENSITY` and `PIXELS` allow."""
    across, down = size_of(svg)
    return render(svg, max(1, int(across * min(DENSITY, sqrt(PIXELS / (across * down))))))


def render(svg: str, width: int) -> bytes:
    """Return one of our pictures as PNG, `width` pixels wide, with its text in the font of this module."""
    from resvg_py import svg_to_bytes  # noqa: PLC0415 - only PNG files need it

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


PAGE: Final = 14_400.0
"""The longest side of a page, in points, that readers of PDF accept."""

INHERITED: Final = ("fill", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap")
"""The attributes that an element inherits from the one around it."""

_BEGIN: Final = {"fill": "#000000", "stroke": "none", "stroke-width": "1"}
_CAPS: Final = {"butt": 0, "round": 1}
_COMMAND: Final = re.compile(r"([a-zA-Z])([^a-zA-Z]*)")
_NUMBER: Final = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_SIZES: Final = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "a": 7, "z": 0}
"""The number of arguments of each command of a path."""

_TRANSFORM: Final = re.compile(r"(translate|scale)\(([^)]*)\)")


def pdf(svg: str) -> bytes:
    """Return the picture as a PDF of one page with its font embedded. The same picture always gives the same bytes."""
    from reportlab.pdfbase.pdfmetrics import registerFont  # noqa: PLC0415 - only PDF files need it
    from reportlab.pdfbase.ttfonts import TTFont  # noqa: PLC0415
    from reportlab.pdfgen.canvas import Canvas  # noqa: PLC0415

    for name in (PLAIN, BOLD):
        registerFont(TTFont(name, font_file(name)))
    root = ElementTree.fromstring(svg)  # noqa: S314 - our own text
    width, height = size_of(svg)
    scale = min(1.0, PAGE / max(width, height))
    written = BytesIO()
    page = Canvas(written, pagesize=(scale * width, scale * height), invariant=1)
    page.setTitle(root.findtext("{*}title", ""))
    page.setSubject(root.findtext("{*}desc", ""))
    page.transform(scale, 0, 0, -scale, 0, scale * height)
    for element in root:
        _draw(page, element, _BEGIN | {key: value for key, value in root.attrib.items() if key in INHERITED})
    page.save()
    return written.getvalue()


def _draw(page: Any, element: ElementTree.Element, around: Mapping[str, str]) -> None:
    """Draw an element and its children. Raise KeyError for an element that our pictures do not use."""
    look = {key: value for key, value in around.items() if key in INHERITED} | element.attrib
    page.saveState()
    for name, numbers in _TRANSFORM.findall(element.get("transform", "")):
        across, *down = _numbers(numbers)
        getattr(page, name)(across, down[0] if down else (across if name == "scale" else 0))
    _ELEMENTS[element.tag.rpartition("}")[2]](page, element, look)
    page.restoreState()


def _group(page: Any, element: ElementTree.Element, look: Mapping[str, str]) -> None:
    for child in element:
        _draw(page, child, look)


def _rectangle(page: Any, element: ElementTree.Element, look: Mapping[str, str]) -> None:
    x, y, width, height = (float(element.get(name, 0)) for name in ("x", "y", "width", "height"))
    filled, stroked = _colours(page, look)
    page.rect(x, y, width, height, stroke=stroked, fill=filled)


def _path(page: Any, element: ElementTree.Element, look: Mapping[str, str]) -> None:
    path = page.beginPath()
    for name, *numbers in _steps(element.get("d", "")):
        getattr(path, name)(*numbers)
    filled, stroked = _colours(page, look)
    page.drawPath(path, stroke=stroked, fill=filled)


def _text(page: Any, element: ElementTree.Element, look: Mapping[str, str]) -> None:
    """Draw a line of text, with its outline behind the letters. Flip it upright, since the page's y points down."""
    words, size = element.text or "", float(element.get("font-size", 16))
    font = BOLD if element.get("font-weight") == "bold" else PLAIN
    middle = element.get("text-anchor") == "middle"
    page.translate(float(element.get("x", 0)), float(element.get("y", 0)))
    page.scale(1, -1)
    _, stroked = _colours(page, look)
    for mode in (1, 0) if stroked else (0,):
        page.saveState()
        letters = page.beginText(-page.stringWidth(words, font, size) / 2 if middle else 0, 0)
        letters.setFont(font, size)
        letters.setTextRenderMode(mode)
        letters.textOut(words)
        page.drawText(letters)
        page.restoreState()


_ELEMENTS: Final[Mapping[str, Callable[[Any, ElementTree.Element, Mapping[str, str]], None]]] = {
    "g": _group,
    "rect": _rectangle,
    "path": _path,
    "text": _text,
    "title": lambda *_: None,  # only for screen readers
    "desc": lambda *_: None,
}


def _colours(page: Any, look: Mapping[str, str]) -> tuple[bool, bool]:
    """Set the colours and strokes of an element. Return whether it is filled and whether it is stroked."""
    filled, stroked = look["fill"] != "none", look["stroke"] != "none"
    if filled:
        page.setFillColor(look["fill"])
    if stroked:
        page.setStrokeColor(look["stroke"])
        page.setLineWidth(float(look["stroke-width"]))
        page.setLineCap(_CAPS[look.get("stroke-linecap", "butt")])
        page.setStrokeAlpha(float(look.get("stroke-opacity", 1)))
        page.setDash(_numbers(look.get("stroke-dasharray", "")))
    return filled, stroked


def _steps(data: str) -> Iterator[tuple[Any, ...]]:
    """Yield a path as calls to the PDF library, with absolute coordinates. Raise KeyError for an unknown command."""
    x = y = start_x = start_y = 0.0
    for command, text in _COMMAND.findall(data):
        numbers, relative = _numbers(text), command.islower()
        size = _SIZES[command.lower()]
        for at in range(0, max(len(numbers), 1), size or 1):
            part = numbers[at : at + size]
            from_x, from_y = (x, y) if relative else (0.0, 0.0)
            match command.lower():
                case "z":
                    x, y = start_x, start_y
                    yield ("close",)
                case "m" if at == 0:
                    x, y = start_x, start_y = from_x + part[0], from_y + part[1]
                    yield "moveTo", x, y
                case "c":
                    places = [each + (from_y if odd % 2 else from_x) for odd, each in enumerate(part)]
                    x, y = places[-2:]
                    yield "curveTo", *places
                case "a":
                    end_x, end_y = from_x + part[5], from_y + part[6]
                    yield "arcTo", *_arc((x, y), (end_x, end_y), part[0], bool(part[3]), bool(part[4]))
                    x, y = end_x, end_y
                case line:
                    x, y = x if line == "v" else from_x + part[0], y if line == "h" else from_y + part[-1]
                    yield "lineTo", x, y


def _arc(
    start: tuple[float, float], end: tuple[float, float], radius: float, large: bool, clockwise: bool
) -> tuple[float, ...]:
    """Return an arc of a circle from point to point: the corners of the circle's box, the first angle and the turn."""
    (x1, y1), (x2, y2) = start, end
    away = sqrt(max(radius**2 / ((x2 - x1) ** 2 + (y2 - y1) ** 2) - 0.25, 0)) * (1 if large != clockwise else -1)
    x, y = (x1 + x2) / 2 - away * (y2 - y1), (y1 + y2) / 2 + away * (x2 - x1)
    first, last = (degrees(atan2(each_y - y, each_x - x)) for each_x, each_y in (start, end))
    turn = (last - first) % copysign(360, 1 if clockwise else -1)
    return x - radius, y - radius, x + radius, y + radius, first, turn


def _numbers(text: str) -> list[float]:
    return [float(found) for found in _NUMBER.findall(text)]
