"""The lesson with the pictures of the tree: one at a time, drawn at each stage, or opened branch by branch."""

from functools import partial
from typing import Final

from markupsafe import Markup

from solver.board.game import read_game
from solver.board.notation import format_moves, format_position
from solver.board.pasted import link_in, read_pasted
from solver.board.position import Mark, Position
from solver.errors import NoughtsError
from solver.pictures.drawing import Drawing, Live, svg_of
from solver.pictures.gallery import GALLERY, MAX_DEPTH, Picture, picture_named
from webapp.pages.learn.content import Shown, lesson_url
from webapp.pages.learn.lesson import Lesson
from webapp.pages.learn.trees import CHILDREN, OPENED, TREE, AskedTree, read_tree, toggle_branch
from webapp.pages.play.forms import GAME, GameForm
from webapp.ui.address import Query, one_of
from webapp.ui.filters import options, play_url

ENDS: Final = {"corner": "-corner", "edge": "-edge", "centre": "-centre", "all": ""}
STAGES: Final = {
    "Forced moves": "forced",
    "Forced wins": "wins",
    "Reduced, every move counted": "reduced",
    "Reduced, distinct moves counted": "reduced-distinct",
    "Every distinct position": "distinct",
}
SHOWN: Final = {stage: {end: name + suffix for end, suffix in ENDS.items()} for stage, name in STAGES.items()} | {
    "Map of optimal moves": {f"for {owner}": f"poster-{owner.lower()}" for owner in Mark}
}
"""The pictures of the gallery, by stage and then by opening or player."""


def view(query: Query) -> Shown:
    """Show the picture that the query names, or else the visitor's own tree. Raises NoughtsError.

    If the query looks for a position, `answer` says in words what was found.
    """
    name = one_of(query, "show", (TREE, *GALLERY), TREE)
    asked = read_tree(query)
    picture = asked.picture() if name == TREE else picture_named(name)
    drawing, wanted = picture.drawing, query.get("find", "").strip()
    found, answer = _find(drawing, wanted) if wanted and drawing else (None, "")
    return {
        "name": name,
        "picture": picture,
        "svg": Markup(_svg(asked, picture, name, found)),  # noqa: S704 - our own text
        "find": wanted,
        "answer": answer,
        "parts": asked.parts() if name == TREE else {},
        "game": GameForm.of(asked.game),
        "depths": options({str(depth): str(depth) for depth in range(1, MAX_DEPTH + 1)}, str(asked.depth)),
        "children": options({each: each for each in CHILDREN}, asked.children),
        "stages": SHOWN,
    }


def _svg(asked: AskedTree, picture: Picture, name: str, marked: Position | None) -> str:
    """Return the picture as SVG, with links if it is a graph."""
    if picture.drawing is None:
        return picture.svg
    link = partial(_opening if name == TREE else _playing, asked, picture.drawing)
    return svg_of(picture.drawing, Live(link, marked))


def _find(drawing: Drawing, text: str) -> tuple[Position | None, str]:
    """Find the board that the text names, or a symmetric board, in the drawing. Return it with a sentence about it."""
    graph = drawing.graph
    try:
        named = _read(text, graph.root)
    except NoughtsError as error:
        return None, str(error)
    position = next((meant for meant in named if graph.find(meant)), named[0])
    node = graph.find(position)
    if node is None:
        return None, f"{format_position(position)} isn't in this picture, not even turned or mirrored."
    if node != position:
        return node, f"{format_position(position)} stands here as {format_position(node)}, turned or mirrored."
    return node, f"{format_position(node)} is marked, with every way there."


def _read(text: str, root: Position) -> tuple[Position, ...]:
    """Return the positions that a pasted text can mean. Moves are played from the empty board and from `root`."""
    if link_in(text) or not any(letter.isdigit() for letter in text):
        return (read_pasted(text, root.rules).last,)
    read = [read_game(start, text) for start in (Position(root.rules), root)]
    return tuple(pasted.game.last for pasted in read if pasted.problem is None) or (read[0].whole().last,)


def _playing(_: AskedTree, drawing: Drawing, node: Position) -> dict[str, str]:
    """Return the link attributes of a board. The link leads to a game from there."""
    return {"href": play_url(node), "aria_label": f"{_label(drawing, node)}. Play from here"}


def _opening(asked: AskedTree, drawing: Drawing, node: Position) -> dict[str, str]:
    """Return the link attributes of a board in the visitor's own tree: the link opens or closes the moves below it."""
    key = format_moves(drawing.graph.ways[node], node.rules)
    above = drawing.graph.root.plies_left - node.plies_left < asked.depth
    opens = len(asked.opened) < OPENED or key in asked.opened
    if node.result is not None or above or not opens:
        return _playing(asked, drawing, node)
    does = "Close what follows" if drawing.graph.edges_from[node] else "Open what follows"
    return {
        "href": lesson_url("pictures", asked.parts(toggle_branch(asked.opened, key)), "viewer"),
        "aria_label": f"{_label(drawing, node)}. {does}",
        "data_play": play_url(node),
        "data_opens": key,
    }


def _label(drawing: Drawing, node: Position) -> str:
    below = drawing.caption(node)
    return format_position(node) + (f", {below}" if below else "")


LESSON = Lesson.of("pictures", parts=(*GAME, "depth", "children", "open", "show", "find"), view=view)
