"""The lesson with the poster: the map of optimal moves on one page, for X and for O."""

from collections.abc import Mapping

from solver.board.position import Mark
from solver.pictures.gallery import Picture, picture_named
from webapp.pages.learn.lesson import Lesson
from webapp.ui.address import Query


def view(_: Query) -> Mapping[Mark, Picture]:
    """Show the maps for X and for O."""
    return {owner: picture_named(f"poster-{owner.lower()}") for owner in Mark}


LESSON = Lesson.of("poster", view=view)
