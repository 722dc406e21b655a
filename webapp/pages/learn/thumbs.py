"""The small pictures of the contents: a board, or a few shapes of what a lesson shows, drawn from its own figures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, NamedTuple, TypeAlias

from solver.pictures.board import EDGE as OUTLINE
from solver.pictures.board import MARKS, Face, WinningStroke, board, in_rows

from solver.board.position import Mark
from solver.pictures.card import SIDE
from solver.pictures.mosaic import MosaicPart, Piece
from solver.pictures.svg import BLUE, GREY, INK, SQUARE, VERMILION, number, tag
from webapp.ui.minis import Mini

SKETCH_WIDTH, SKETCH_HEIGHT = 120, 84
"""A drawing's size, in units of its own."""

EDGE: Final = 6
"""Units that a drawing leaves free on each side."""

StyleName: TypeAlias = str
"""What a shape stands for: `win`, `draw`, `loss`, `faint`, or `first` and `second`, the two colours of figures."""


@dataclass(frozen=True, slots=True)
class Shape:
    """An SVG element: its name, its style, its attributes, and its text if it has any."""

    tag: Literal["rect", "circle", "path", "text"]
    style: StyleName
    attributes: Mapping[str, float | str]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Sketch:
    """Shapes on SKETCH_WIDTH × SKETCH_HEIGHT units."""

    shapes: tuple[Shape, ...]
    width: int = SKETCH_WIDTH
    height: int = SKETCH_HEIGHT


LessonPicture: TypeAlias = Mini | Sketch
"""What stands beside a lesson in the contents."""

ACCENT: Final = "#1d4f91"
"""The first colour of figures."""

_FILLS: Final = {"win": BLUE, "draw": GREY, "loss": VERMILION}
_FIGURES: Final = {"first": ACCENT, "second": MARKS[Mark.O]}


def bars(numbers: Sequence[float], styles: Sequence[StyleName] = ()) -> Sketch:
    """Lying bars, the longest as wide as the drawing; `styles` are theirs in turn, the `first` colour for the rest."""
    longest, step = max(numbers), (SKETCH_HEIGHT - 2 * EDGE) / len(numbers)
    return Sketch(
        tuple(
            Shape(
                "rect",
                styles[index] if index < len(styles) else "first",
                {
                    "x": EDGE,
                    "y": round(EDGE + index * step + step * 0.12, 1),
                    "width": round(max(2.0, count / longest * (SKETCH_WIDTH - 2 * EDGE)), 1),
                    "height": round(step * 0.76, 1),
                    "rx": 2,
                },
            )
            for index, count in enumerate(numbers)
        )
    )


def squares(rows: Sequence[Sequence[tuple[StyleName, float]]]) -> Sketch:
    """A table of squares, each with its style and how opaque it is, from 0 to 1."""
    across, down = (SKETCH_WIDTH - 2 * EDGE) / max(map(len, rows)), (SKETCH_HEIGHT - 2 * EDGE) / len(rows)
    return Sketch(
        tuple(
            Shape(
                "rect",
                style,
                {
                    "x": round(EDGE + column * across + 1, 1),
                    "y": round(EDGE + row * down + 1, 1),
                    "width": round(across - 2, 1),
                    "height": round(down - 2, 1),
                    "rx": 2,
                    "fill-opacity": round(strength, 2),
                },
            )
            for row, cells in enumerate(rows)
            for column, (style, strength) in enumerate(cells)
        )
    )


class Twig(NamedTuple):
    """A node of a tree: the place of its parent in the layer above, a letter or figure, and its style."""

    parent: int = 0
    text: str = ""
    style: StyleName = ""


def tree(*layers: Sequence[Twig]) -> Sketch:
    """A tree by layers from the root. Nodes of the style `faint` are joined by dashes."""
    places = [[(index + 0.5) / len(layer) * SKETCH_WIDTH for index in range(len(layer))] for layer in layers]
    step = (SKETCH_HEIGHT - 2 * EDGE - 16) / max(1, len(layers) - 1)
    heights = [EDGE + 8 + step * depth for depth in range(len(layers))]
    edges = (
        Shape(
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


def _node(x: float, y: float, text: str, style: StyleName) -> Iterator[Shape]:
    yield Shape("circle", style, {"cx": round(x, 1), "cy": round(y, 1), "r": 8})
    if text:
        yield Shape("text", "", {"x": round(x, 1), "y": round(y + 3.5, 1)}, text)


def lines(texts: Sequence[str]) -> Sketch:
    """A list of a few short lines, numbered."""
    step = (SKETCH_HEIGHT - 2 * EDGE) / len(texts)
    return Sketch(
        tuple(
            Shape("text", "", {"x": EDGE + 2, "y": round(EDGE + step * (index + 0.7), 1)}, f"{index + 1}  {text}")
            for index, text in enumerate(texts)
        )
    )


def mosaic_parts(picture: LessonPicture) -> Iterator[MosaicPart]:
    """Draw a picture of the contents as parts of a mosaic, SIDE pixels wide and high."""
    return _of_sketch(picture) if isinstance(picture, Sketch) else _of_board(picture)


def _of_board(mini: Mini) -> Iterator[MosaicPart]:
    faces = [Face(each.mark, each.text, "", frozenset(each.classes.split())) for each in mini.squares]
    winner = mini.position.mover.other
    strokes = (WinningStroke((int(x1), int(y1)), (int(x2), int(y2)), winner) for x1, y1, x2, y2 in mini.strikes)
    return board(in_rows(faces, mini.position.rules.columns), strokes, SIDE)


def _of_sketch(sketch: Sketch) -> Iterator[MosaicPart]:
    """The shapes, as the contents' style sheet has them."""
    scale = min(SIDE / sketch.width, SIDE / sketch.height)
    width, height = round(scale * sketch.width), round(scale * sketch.height)
    middles = [False, *(shape.tag == "circle" for shape in sketch.shapes)]
    body = "".join(_element(shape, middle) for shape, middle in zip(sketch.shapes, middles, strict=False))
    yield Piece(
        (SIDE - width) // 2, (SIDE - height) // 2, width, height, tag("g", body, transform=f"scale({number(scale)})")
    )


def _element(shape: Shape, in_the_middle: bool) -> str:
    look: dict[str, str | float]
    if shape.tag == "text":
        look = (
            {"font_size": 9.0, "fill": INK, "text_anchor": "middle"}
            if in_the_middle
            else {"font_size": 12.0, "fill": INK}
        )
    elif shape.tag == "path":
        look = {"fill": "none", "stroke": OUTLINE, "stroke_width": 1.4}
    elif shape.style in _FILLS:
        look = {"fill": _FILLS[shape.style]}
    elif shape.style in _FIGURES:
        colour = _FIGURES[shape.style]
        rect = shape.tag == "rect"
        look = {"fill": colour} if rect else {"fill": SQUARE, "stroke": colour, "stroke_width": 2.4}
    else:
        look = {"fill": SQUARE, "stroke": OUTLINE, "stroke_width": 1.2}
    if shape.style == "faint":
        look["stroke_dasharray"] = "2 3"
    return tag(shape.tag, shape.text, **look, **shape.attributes)
