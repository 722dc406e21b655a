"""The lesson of the poster: the map of optimal moves on one page, for X and for O."""

from collections.abc import Mapping
from dataclasses import dataclass

from solver.board.position import Mark
from solver.pictures.gallery import Picture, picture_named
from webapp.learn.lesson import Lesson, Query


@dataclass(frozen=True, slots=True)
class PosterView:
    """Each side's map."""

    maps: Mapping[Mark, Picture]


def view(_: Query) -> PosterView:
    """The maps for X and for O."""
    return PosterView({owner: picture_named(f"poster-{owner.lower()}") for owner in Mark})


LESSON = Lesson.settled(
    "poster",
    "The map of optimal moves",
    "What to play in every game you can get into, on one page for X and one for O, to print and hang up.",
    view,
)
