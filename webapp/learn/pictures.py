"""The lesson of pictures: the game tree at each stage, and the next plies of any position."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from solver.pictures.gallery import MAX_DEPTH, Picture, picture_named
from solver.theory.claims.claim import ARTICLES
from solver.theory.graph import graph_of
from solver.theory.openings import tic_tac_toe_openings
from webapp.choices import Option, options
from webapp.learn.lesson import About, Lesson, Level, Query, Track
from webapp.learn.openings import KINDS
from webapp.learn.parts import one_of
from webapp.learn.thumbs import Sketch, Twig, tree
from webapp.learn.trees import CHILDREN, asked_tree
from webapp.play.games import GAME, GameForm


@dataclass(frozen=True, slots=True)
class PicturesView:
    """The pictures of the page by stage and name; of the large ones `show` is drawn, and `tree` was asked for.

    The large ones are drawn only when they are asked for: without JavaScript browsers load all pictures at once.
    """

    forced: Mapping[str, Picture]
    reduced: Mapping[str, Picture]
    distinct: Mapping[str, Picture]
    show: str
    tree: Picture
    game: GameForm
    parts: Mapping[str, str]
    depths: tuple[Option, ...]
    children: tuple[Option, ...]


ENDS = ("-corner", "-edge", "-centre", "")
DISTINCT = tuple(f"distinct{end}" for end in ENDS)


def view(query: Query) -> PicturesView:
    """All pictures, none of them drawn yet."""
    tree = asked_tree(query)
    return PicturesView(
        forced=_named(f"forced{end}" for end in ENDS),
        reduced=_named(f"{stage}{end}" for end in ENDS for stage in ("reduced", "reduced-distinct")),
        distinct=_named(DISTINCT),
        show=one_of(query, "show", DISTINCT, "") if query.get("show") else "",
        tree=tree.picture(),
        game=GameForm.of(tree.game),
        parts=tree.parts(),
        depths=options({str(depth): str(depth) for depth in range(1, MAX_DEPTH + 1)}, str(tree.depth)),
        children=options({each: each for each in CHILDREN}, tree.children),
    )


def _named(names: Iterable[str]) -> Mapping[str, Picture]:
    return {name: picture_named(name) for name in names}


def _picture() -> Sketch:
    """The first two plies, as who wins from there."""
    found = list(tic_tac_toe_openings().values())
    replies = [Twig(index, style=KINDS[reply.worth]) for index, each in enumerate(found) for reply in each.replies]
    return tree([Twig(style="draw")], [Twig(style=KINDS[each.move.worth]) for each in found], replies)


LESSON = Lesson.settled(
    "pictures",
    "The tree in pictures",
    "The game tree drawn at each stage, boards coloured by value, to look at and to keep as SVG or DOT.",
    view,
    (*GAME, "depth", "children", "show"),
    about=About(
        Track.PROGRAMMERS, Level.FURTHER, minutes=4, picture=_picture, articles=(ARTICLES["clojure"],), code=(graph_of,)
    ),
)
