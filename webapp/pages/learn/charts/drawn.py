"""Named pictures on the pages of lessons: each board is a link to play on from there."""

from markupsafe import Markup

from solver.board.notation import format_position
from solver.pictures.drawing import Live, drawn
from solver.pictures.gallery import picture_named
from webapp.ui.filters import play_url


def linked(name: str) -> Markup:
    """A picture of the gallery that is a graph, as SVG with links."""
    drawing = picture_named(name).drawing
    assert drawing is not None  # noqa: S101 - maps are no graphs, and no lesson asks for one
    live = Live(
        lambda node: {"href": play_url(node), "aria_label": f"{format_position(node)}. Play from here"},
        prefix=name,
    )
    return Markup(drawn(drawing, live))  # noqa: S704 - our own text
