"""The small pictures in the table of contents: a board, or a few shapes drawn from the lesson's own figures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, NamedTuple, TypeAlias

from solver.board.position import Mark, Position
from solver.pictures.card import EDGE as OUTLINE
from solver.pictures.card import MARKS, SIDE
from solver.pictures.mosaic import MosaicPart, Piece
from solver.pictures.svg import BLUE, GREY, INK, SQUARE, VERMILION, number, tag
from solver.proofs.predict import predict
from webapp.ui.board import Mini, of_outcomes

SKETCH_WIDTH, SKETCH_HEIGHT = 120, 84
"""The size of a sketch, in its own units."""

EDGE: Final = 6
"""The margin of a sketch on each side, in its units."""

StyleName: TypeAlias = str
"""The meaning of a shape: `win`, `draw`, `loss`, `faint`, or `first` and `second`, the two colours of figures."""


@dataclass(frozen=True, slots=True)
class SketchPart:
    """An SVG element: its tag, style and attributes, and its text if it has any."""

    tag: Literal["rect", "circle", "path", "text"]
    style: StyleName
    attributes: Mapping[str, float | str]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Sketch:
    """Shapes on an area of SKETCH_WIDTH × SKETCH_HEIGHT units."""

    shapes: tuple[SketchPart, ...]
    width: int = SKETCH_WIDTH
    height: int = SKETCH_HEIGHT

    def parts(self) -> tuple[MosaicPart, ...]:
        """Return the sketch as a part of a card, in the colours that it has in the table of contents."""
        scale = min(SIDE / self.width, SIDE / self.height)
        width, height = round(scale * self.width), round(scale * self.height)
        in_circle = (False, *(shape.tag == "circle" for shape in self.shapes))  # a text after a circle is inside it
        body = "".join(map(_element, self.shapes, in_circle))
        group = tag("g", body, transform=f"scale({number(scale)})")
        return (Piece((SIDE - width) // 2, (SIDE - height) // 2, width, height, group),)


def rect(style: StyleName, x: float, y: float, width: float, height: float, **more: float) -> SketchPart:
    """Return a rectangle, its place and size rounded to a tenth of a unit."""
    place = {"x": round(x, 1), "y": round(y, 1), "width": round(width, 1), "height": round(height, 1)}
    return SketchPart("rect", style, place | {name.replace("_", "-"): each for name, each in more.items()})


LessonPicture: TypeAlias = Mini | Sketch
"""The picture beside a lesson in the contents."""

ACCENT: Final = "#1d4f91"
"""The first colour of figures."""

_COLOURS: Final = {"win": BLUE, "draw": GREY, "loss": VERMILION, "first": ACCENT, "second": MARKS[Mark.O]}


def draw_predicted(position: Position) -> Mini:
    """Draw a position with the outcome of every square."""
    return of_outcomes(position, predict(position).squares)


def bars(numbers: Sequence[float], styles: Sequence[StyleName] = ()) -> Sketch:
    """Draw horizontal bars, the longest as wide as the sketch; bars beyond `styles` have the `first` colour."""
    longest, step = max(numbers), (SKETCH_HEIGHT - 2 * EDGE) / len(numbers)
    widths = (max(2.0, each / longest * (SKETCH_WIDTH - 2 * EDGE)) for each in numbers)
    coloured = (*styles, *("first" for _ in numbers[len(styles) :]))
    tops = (EDGE + index * step + step * 0.12 for index in range(len(numbers)))
    return Sketch(
        tuple(
            rect(style, EDGE, y, width, step * 0.76, rx=2)
            for style, y, width in zip(coloured, tops, widths, strict=True)
        )
    )


def squares(rows: Sequence[Sequence[tuple[StyleName, float]]]) -> Sketch:
    """Draw a table of squares, each with its style and its opacity from 0 to 1."""
    across, down = (SKETCH_WIDTH - 2 * EDGE) / max(map(len, rows)), (SKETCH_HEIGHT - 2 * EDGE) / len(rows)
    return Sketch(
        tuple(
            rect(
                style,
                EDGE + column * across + 1,
                EDGE + row * down + 1,
                across - 2,
                down - 2,
                rx=2,
                fill_opacity=round(strength, 2),
            )
            for row, cells in enumerate(rows)
            for column, (style, strength) in enumerate(cells)
        )
    )


class Twig(NamedTuple):
    """A node of a tree: the index of its parent in the layer above, a letter or number, and its style."""

    parent: int = 0
    text: str = ""
    style: StyleName = ""


def tree(*layers: Sequence[Twig]) -> Sketch:
    """Draw a tree layer by layer from the root. Edges to nodes of the style `faint` are dashed."""
    places = [[(index + 0.5) / len(layer) * SKETCH_WIDTH for index in range(len(layer))] for layer in layers]
    step = (SKETCH_HEIGHT - 2 * EDGE - 16) / max(1, len(layers) - 1)
    heights = [EDGE + 8 + step * depth for depth in range(len(layers))]
    edges = (
        SketchPart(
            "path",
            "faint" if style == "faint" else "",
            {"d": f"M{above[parent]:.0f} {top:.0f}L{x:.0f} {bottom:.0f}"},
        )
        for (above, here), (top, bottom), layer in zip(pairwise(places), pairwise(heights), layers[1:], strict=True)
        for x, (parent, _, style) in zip(here, layer, strict=True)
    )
    nodes = (
        shape
        for here, y, layer in zip(places, heights, layers, strict=True)
        for x, (_, text, style) in zip(here, layer, strict=True)
        for shape in _node(x, y, text, style)
    )
    return Sketch((*edges, *nodes))


def _node(x: float, y: float, text: str, style: StyleName) -> Iterator[SketchPart]:
    yield SketchPart("circle", style, {"cx": round(x, 1), "cy": round(y, 1), "r": 8})
    if text:
        yield SketchPart("text", "", {"x": round(x, 1), "y": round(y + 3.5, 1)}, text)


def lines(texts: Sequence[str]) -> Sketch:
    """Draw a numbered list of a few short lines."""
    step = (SKETCH_HEIGHT - 2 * EDGE) / len(texts)
    return Sketch(
        tuple(
            SketchPart("text", "", {"x": EDGE + 2, "y": round(EDGE + step * (index + 0.7), 1)}, f"{index + 1}  {text}")
            for index, text in enumerate(texts)
        )
    )


def _element(shape: SketchPart, in_circle: bool) -> str:
    colour = _COLOURS.get(shape.style)
    look: dict[str, str | float] = {"fill": SQUARE, "stroke": OUTLINE, "stroke_width": 1.2}
    if shape.tag == "text":
        look = (
            {"font_size": 9.0, "fill": INK, "text_anchor": "middle"} if in_circle else {"font_size": 12.0, "fill": INK}
        )
    elif shape.tag == "path":
        look = {"fill": "none", "stroke": OUTLINE, "stroke_width": 1.4}
    elif colour and shape.tag == "circle" and shape.style in ("first", "second"):
        look = {"fill": SQUARE, "stroke": colour, "stroke_width": 2.4}
    elif colour:
        look = {"fill": colour}
    if shape.style == "faint":
        look["stroke_dasharray"] = "2 3"
    return tag(shape.tag, shape.text, **look, **shape.attributes)
