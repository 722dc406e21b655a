"""The lesson of the poster: the map of optimal moves on one page, for X and for O."""

from dataclasses import dataclass

from solver.board.position import Mark
from solver.pictures.gallery import picture_named
from webapp.learn.lesson import Lesson, Query


@dataclass(frozen=True, slots=True)
class Map:
    """One side's map: its address, what is read out instead of it, and how many boards it holds."""

    owner: str
    title: str
    description: str
    boards: int
    svg: str
    save: str


@dataclass(frozen=True, slots=True)
class PosterView:
    """Both maps."""

    maps: tuple[Map, ...]


def view(_: Query) -> PosterView:
    """The maps for X and for O."""
    return PosterView(tuple(map(_map, Mark)))


def _map(owner: Mark) -> Map:
    name = f"poster-{owner.lower()}"
    picture = picture_named(name)
    url = f"/learn/pictures/{name}.svg"
    return Map(str(owner), picture.title, picture.description, picture.boards, url, f"{url}?download=1")


LESSON = Lesson(
    "poster",
    "The map of optimal moves",
    "What to play in every game you can get into, on one page for X and one for O, to print and hang up.",
    view,
)
