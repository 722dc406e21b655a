"""The preview of a lesson's link: its subject, and the picture that it has in the contents."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from flask import url_for

from solver.board.outcome import counted
from solver.board.position import Mark
from solver.pictures.card import EDGE, MARKS, SIDE, Card, Face, WinningStroke, board, in_rows
from solver.pictures.mosaic import MosaicPart, Piece
from solver.pictures.svg import BLUE, GREY, INK, SQUARE, VERMILION, number, tag
from webapp.pages.learn.lesson import Lesson, Query
from webapp.pages.learn.thumbs import Shape, Sketch
from webapp.ui.addresses import with_query
from webapp.ui.minis import Mini
from webapp.ui.previews import Preview

ACCENT: Final = "#1d4f91"
"""The first colour of figures."""

_FILLS: Final = {"win": BLUE, "draw": GREY, "loss": VERMILION}
_FIGURES: Final = {"first": ACCENT, "second": MARKS[Mark.O]}


CONTENTS: Final = Preview(
    title="Learn how the game works",
    description="Two paths through the game, for players and for programmers. Every figure is computed by the solver.",
    path="/learn/",
    picture="/learn/contents.png",
)
"""What is told of the contents."""


def preview(lesson: Lesson, asked: Query) -> Preview:
    """Return the preview of a lesson's page; `asked` are the parts of its address."""
    path = with_query(url_for("learn.lesson", name=lesson.name), asked)
    picture = url_for("learn.pictured", name=lesson.name, kind="png")
    return Preview(lesson.title, lesson.summary, path, picture)


def card(lesson: Lesson) -> Card:
    """The picture of a lesson."""
    picture, about = lesson.about.picture(), lesson.about
    return Card(
        parts=tuple(_of_sketch(picture) if isinstance(picture, Sketch) else _of_board(picture)),
        headline=lesson.title,
        lines=(f"A lesson of {counted(about.minutes, 'minute', 'minutes')}, {about.track.lower()}",),
        description=lesson.summary,
    )


def card_of_contents(lessons: Mapping[str, Lesson]) -> Card:
    """The picture of the contents, with the board of a lesson."""
    return replace(
        card(lessons["openings"]),
        headline=CONTENTS.title,
        lines=(f"{len(lessons)} lessons, for players and for programmers",),
        description=CONTENTS.description,
    )


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
        look = {"fill": "none", "stroke": EDGE, "stroke_width": 1.4}
    elif shape.style in _FILLS:
        look = {"fill": _FILLS[shape.style]}
    elif shape.style in _FIGURES:
        colour = _FIGURES[shape.style]
        rect = shape.tag == "rect"
        look = {"fill": colour} if rect else {"fill": SQUARE, "stroke": colour, "stroke_width": 2.4}
    else:
        look = {"fill": SQUARE, "stroke": EDGE, "stroke_width": 1.2}
    if shape.style == "faint":
        look["stroke_dasharray"] = "2 3"
    return tag(shape.tag, shape.text, **look, **shape.attributes)
