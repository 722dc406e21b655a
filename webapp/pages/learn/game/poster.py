"""The lesson with the poster: the map of optimal moves on one page, for X and for O."""

from collections.abc import Mapping

from solver.board.position import Mark, Position
from solver.board.rules import TIC_TAC_TOE
from solver.pictures.gallery import Picture, picture_named
from solver.pictures.poster import best_reply, tally
from webapp.pages.learn.lesson import Lesson, Level, settled
from webapp.ui.address import Query
from webapp.ui.board import Mini, mini


def view(_: Query) -> Mapping[Mark, Picture]:
    """Show the maps for X and for O."""
    return {owner: picture_named(f"poster-{owner.lower()}") for owner in Mark}


def _picture() -> Mini:
    """Draw the map's answer to a first move in a corner."""
    corner = Position(TIC_TAC_TOE, x=0b1)
    reply = best_reply(corner)
    return mini(corner.after(reply), classes={reply: "new"})


LESSON = Lesson(
    name="poster",
    title="The map of optimal moves",
    summary="Print it and hang it up: what to play in every game, on one page for X and one for O.",
    level=Level.FIRST,
    minutes=3,
    after=("clojure",),
    code=(best_reply, tally),
    picture=_picture,
    view=settled(view),
)
