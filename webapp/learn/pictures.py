"""The lesson of pictures: the game tree at each stage, and the next plies of any position."""

from dataclasses import dataclass

from solver.pictures.gallery import MAX_DEPTH, Picture, picture_named
from webapp.learn.lesson import Lesson, Query
from webapp.learn.parts import Choice, choices, one_of
from webapp.learn.trees import CHILDREN, TREE, AskedTree, asked_tree
from webapp.play.games import GAME, GameForm


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture on the page: its addresses, and what is read out instead of it."""

    name: str
    title: str
    alt: str
    boards: int
    svg: str
    dot: str
    save_svg: str
    save_dot: str
    heavy: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """What the form of any position's tree holds, and what it offers."""

    game: GameForm
    depths: tuple[Choice, ...]
    children: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class PicturesView:
    """The pictures of the page by stage; of the large ones that which is shown, and the tree that was asked for.

    The large ones are drawn only when they are asked for: without JavaScript browsers load all pictures at once.
    """

    forced: tuple[Shown, ...]
    reduced: tuple[Shown, ...]
    distinct: tuple[Shown, ...]
    show: Shown | None
    tree: Shown
    asked: Asked


ENDS = ("-corner", "-edge", "-centre", "")
DISTINCT = tuple(f"distinct{end}" for end in ENDS)
HEAVY = 200
"""From so many boards on a picture takes more than a moment."""


def view(query: Query) -> PicturesView:
    """All pictures, none of them drawn yet."""
    tree = asked_tree(query)
    return PicturesView(
        tuple(map(_named, (f"forced{end}" for end in ENDS))),
        tuple(_named(f"{stage}{end}") for end in ENDS for stage in ("reduced", "reduced-distinct")),
        tuple(map(_named, DISTINCT)),
        _named(one_of(query, "show", DISTINCT, "")) if query.get("show") else None,
        _shown(TREE, tree.picture(), tree.query()),
        _asked(tree),
    )


def _named(name: str) -> Shown:
    return _shown(name, picture_named(name), "")


def _shown(name: str, picture: Picture, query: str) -> Shown:
    def url(kind: str, *parts: str) -> str:
        asked = "&".join(part for part in (query, *parts) if part)
        return f"/learn/pictures/{name}.{kind}" + (f"?{asked}" if asked else "")

    return Shown(
        name,
        picture.title,
        f"{picture.title}. {picture.description}",
        picture.boards,
        url("svg"),
        url("dot"),
        url("svg", "download=1"),
        url("dot", "download=1"),
        picture.boards >= HEAVY,
    )


def _asked(tree: AskedTree) -> Asked:
    depths = {str(depth): str(depth) for depth in range(1, MAX_DEPTH + 1)}
    children = {each: each for each in CHILDREN}
    return Asked(GameForm.of(tree.game), choices(depths, str(tree.depth)), choices(children, tree.children))


LESSON = Lesson(
    "pictures",
    "The tree in pictures",
    "The game tree drawn at each stage, boards coloured by value, to look at and to keep as SVG or DOT.",
    view,
    (*GAME, "depth", "children", "show"),
)
